"""Finding games and rules by the names in commands, and rows that list them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.vocabulary import DEFAULT_GAME
from twentytwo_protocol.words.lobby import Game as GameRow
from twentytwo_protocol.words.lobby import RuleRow

from ...games.game import AnyGame
from ...games.options import BadOption
from ..host import Host
from ..tables.room import Room


def game_of(host: Host, key: str | None) -> AnyGame:
    """The game of that key, or the default game for None. Raises `Refused` (NO_SUCH_GAME)."""
    game = host.games.get((key or DEFAULT_GAME).lower())
    if game is None:
        raise Refused(
            "NO_SUCH_GAME",
            f"There is no game {key}; there are {', '.join(host.games)}.",
            arg="game",
        )
    return game


def rules_of(game: AnyGame, preset: str, options: dict[str, str]) -> Any:
    """The rules of a preset with these options changed, as text. Raises `Refused`."""
    if preset not in game.presets:
        known = ", ".join(game.presets)
        raise Refused("BAD_ARG", f"There are no rules {preset}; there are {known}.", arg="rules")
    known_options = {o.name for o in game.options(game.presets[preset])}
    try:
        return game.rules(preset, options)
    except BadOption as wrong:
        code = "BAD_ARG" if wrong.option in known_options else "NO_SUCH_OPTION"
        raise Refused(code, wrong.text, arg=wrong.option) from None


def game_rows(host: Host) -> Iterator[Any]:
    """A row for each game of the server."""
    for game in host.games.values():
        players = {name: game.players(rules) for name, rules in game.presets.items()}
        yield GameRow.of(game.key, game.title, players)


def rule_rows(game: AnyGame, preset: str) -> Iterator[RuleRow]:
    """A row for each option of a preset. Raises `Refused` if there is no such preset."""
    for o in game.options(rules_of(game, preset, {})):
        yield RuleRow(o.name, o.type, o.value, o.allowed, o.help)


def rules_at(room: Room) -> str:
    """The rules of a table in words: the preset, and the options that differ from it."""
    table = room.table
    default = table.game.options(table.game.presets[table.settings.preset])
    other = [o for o, d in zip(table.options(), default, strict=True) if o.value != d.value]
    changed = ", ".join(f"{o.name} {o.value}" for o in other)
    but = f" but {changed}" if changed else ""
    return f"{room.id}: {table.game.title}, {table.settings.preset} rules{but}"
