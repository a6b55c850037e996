"""All of a game is in its folder and its vocabulary: nothing else names it or reaches into it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import twentytwo_client
import twentytwo_protocol
import twentytwo_server
from tests.walls.source import parsed
from twentytwo_protocol.vocabulary import VOCABULARIES
from twentytwo_server.games.registry import games

SERVER, CLIENT, PROTOCOL = (
    Path(package.__file__ or "").parent
    for package in (twentytwo_server, twentytwo_client, twentytwo_protocol)
)
GAMES = SERVER / "games"
FOLDERS = [path for path in GAMES.iterdir() if path.is_dir() and (path / "engine.py").exists()]

PROGRAM = "twentytwo"
"""The name of the program too, so this key is looked for only where it must mean the game."""
SELVES = {SERVER / "cli.py", CLIENT / "cli.py"}
"""Where the program says of itself what it plays."""


def sources(*roots: Path) -> list[Path]:
    return sorted(path for root in roots for path in root.rglob("*.py"))


def elsewhere() -> Iterator[Path]:
    """Every module outside the folders of the games and their vocabularies."""
    for path in sources(SERVER, CLIENT, PROTOCOL):
        inside = [folder for folder in FOLDERS if folder in path.parents]
        if not inside and path.parent != PROTOCOL / "games" and path != GAMES / "registry.py":
            yield path


def names_of_games() -> re.Pattern[str]:
    keys = [key for key in VOCABULARIES if key != PROGRAM]
    titles = [vocabulary.title for vocabulary in VOCABULARIES.values()]
    own = rf"games(?:\.| import ){PROGRAM}"
    return re.compile(rf"\b(?:{'|'.join([*keys, *map(re.escape, titles), own])})\b", re.IGNORECASE)


def test_nothing_outside_a_game_names_it() -> None:
    named = names_of_games()
    found = [
        f"{path}: {line.strip()}"
        for path in elsewhere()
        for line in path.read_text(encoding="utf-8").splitlines()
        if named.search(line) and path not in SELVES
    ]
    assert not found


@pytest.mark.parametrize("line", ["if key == 'whist22':", "# as in Twenty-Eight", "TWENTYSIX"])
def test_a_name_would_be_noticed(line: str) -> None:
    assert names_of_games().search(line)


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules that a module imports, in full."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    root = SERVER.parent if SERVER in path.parents else path.parents[len(path.parents) - 1]
    package = path.relative_to(root).parent.parts if SERVER in path.parents else ()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*base, *(node.module or "").split(".")]).strip(".")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_nothing_reaches_into_the_folder_of_a_game(folder: Path) -> None:
    inner = f"twentytwo_server.games.{folder.name}."
    others = [path for path in sources(SERVER) if folder not in path.parents]
    assert len(others) > 100
    assert not [path for path in others for name in imported(path) if name.startswith(inner)]


def test_every_game_has_its_vocabulary_and_takes_title_and_partners_from_it() -> None:
    for key, game in games().items():
        words = VOCABULARIES[key]
        assert game.title == words.title
        (rules, *_) = game.presets.values()
        together = {seat for side in words.partners for seat in side}
        assert not together or together == set(range(1, game.players(rules)[-1] + 1))
