"""The bots of a game by level: its quick bots, and `hard` if the game has a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.voice import listed

from .chance import RandomBelow
from .game import AnyGame, Bot, Game
from .search import hard
from .search.hard import Budget, Hard, worlds

S = TypeVar("S")
R = TypeVar("R")

HARD = "hard"
QUICK_SEARCH = 24
"""Default number of worlds that a hard bot tries."""


def levels(game: AnyGame) -> tuple[str, ...]:
    """The levels of a game's bots, weakest first."""
    return (*game.bots.levels, HARD) if game.search else tuple(game.bots.levels)


def usual(game: AnyGame) -> str:
    """The default level: the best bot that answers at once."""
    return [*game.bots.levels][-1]


def version(game: AnyGame, level: str) -> int:
    """The version of a level; it changes whenever bots of that level play differently.

    The version of `hard` combines the version of the search and of the game's part in it.
    """
    if level == HARD and game.search:
        return hard.VERSION + game.search.version
    return game.bots.version


def versions(game: AnyGame) -> Mapping[str, int]:
    """The version of every level of a game's bots."""
    return {level: version(game, level) for level in levels(game)}


def slow(level: str) -> bool:
    """True if bots of that level think for some time, in a worker process."""
    return level == HARD


def check(game: AnyGame, level: str) -> str:
    """The spelling of a level. Raises `Refused` unless the game has such bots."""
    found = level.lower()
    if found not in levels(game):
        text = f"Bots are {listed(levels(game), 'or')}."
        raise Refused("BAD_ARG", text, arg="level")
    return found


def player(
    game: Game[S, R],
    level: str,
    rules: R,
    seat: int,
    pick: RandomBelow,
    budget: Callable[[], Budget] | None = None,
) -> Bot:
    """A new player of that level for a seat. Raises `KeyError` for an unknown level."""
    if level == HARD and game.search:
        enough = budget or (lambda: worlds(QUICK_SEARCH))
        return Hard(game, game.search, rules, seat, pick, enough)
    return game.bots.new(level, rules, seat, pick)
