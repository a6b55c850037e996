"""The bots of a game by level: its own quick ones, and `hard` where it can be searched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twentytwo_protocol.schema import Refused

from ..game import Bot, Game, Pick
from .hard import Budget, Hard, worlds

HARD = "hard"
QUICK_SEARCH = 24
"""Worlds that a hard bot tries where nobody gives it a budget."""


def levels(game: Game[Any, Any]) -> tuple[str, ...]:
    """The levels of a game's bots, weakest first."""
    return (*game.levels, HARD) if searchable(game) else tuple(game.levels)


def usual(game: Game[Any, Any]) -> str:
    """The level of a bot where nobody says which: the best that answers at once."""
    return game.levels[-1]


def searchable(game: Game[Any, Any]) -> bool:
    """Whether the game offers a search."""
    return getattr(game, "search", None) is not None


def slow(level: str) -> bool:
    """Whether bots of that level take their time and think elsewhere."""
    return level == HARD


def check(game: Game[Any, Any], level: str) -> str:
    """The level as it is written. Raises `Refused` unless the game has such bots."""
    found = level.lower()
    if found not in levels(game):
        raise Refused("BAD_ARG", f"Bots are {' or '.join(levels(game))}.", arg="level")
    return found


def player(
    game: Game[Any, Any],
    level: str,
    rules: Any,
    seat: int,
    pick: Pick,
    budget: Callable[[], Budget] | None = None,
) -> Bot:
    """A new player of that level for a seat."""
    if level != HARD:
        return game.bot(level, rules, seat, pick)
    search = getattr(game, "search", None)
    assert search is not None
    return Hard(game, search, rules, seat, pick, budget or (lambda: worlds(QUICK_SEARCH)))
