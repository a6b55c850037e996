"""Lines of a session, and the names that a refusal of a line may contain."""

from __future__ import annotations

import re

from twentytwo_protocol.schema import COMMANDS
from twentytwo_server.games.registry import games

OPTION_NAMES = frozenset(
    option.name
    for game in games().values()
    for rules in game.presets.values()
    for option in game.options(rules)
)
"""The options of all games."""


def in_lines(data: bytes) -> list[str]:
    """The lines in bytes that consist of whole lines."""
    *lines, rest = data.decode().split("\r\n")
    assert not rest, "a line without an end"
    return lines


def names_in(line: str) -> set[str]:
    """All names that the refusal of a program's line may give as `arg=`; never values.

    These are the arguments of its verb, the options of the games, and names in the line.
    """
    if line.lstrip().startswith("{"):
        keys = set(re.findall(r'"([a-z][a-z0-9_]*)":', line))
        named = re.findall(r'"verb": *"(\w+)"', line)
        return keys | {"text"} | (names_in(named[0]) if named else set())
    verb, _, rest = line.strip().lower().partition(" ")
    kind = COMMANDS.get(verb)
    declared = [field.key for field in kind.word.fields] if kind is not None else []
    named = re.findall("([a-z][a-z0-9_]*)[=:]", rest)
    option = rest.split()[:1] if verb == "option" else []
    text = ["text"] if " :" in f" {rest}" else []
    return {"once", *declared, *named, *option, *text, *OPTION_NAMES}
