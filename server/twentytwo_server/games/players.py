"""The bots of a game by level: its own quick ones, and `hard` where it can be searched."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.cardplay import Turn

from .game import Bot, Game, Pick
from .search import hard
from .search.hard import Budget, Hard, Search, worlds

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


def version(game: Game[Any, Any], level: str) -> int:
    """The version of a level's play: it rises whenever the level plays otherwise than before.

    That of `hard` is the searcher's and the game's part of it together.
    """
    if level == HARD and searchable(game):
        return hard.VERSION + _search(game).version
    return int(getattr(game, "bot_version", 1))


def versions(game: Game[Any, Any]) -> Mapping[str, int]:
    """The version of every level of a game's bots."""
    return {level: version(game, level) for level in levels(game)}


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
    search = _search(game)
    return Hard(game, search, rules, seat, pick, budget or (lambda: worlds(QUICK_SEARCH)))


def stake(game: Game[Any, Any]) -> str:
    """What a seat may lose in a hand, as it is said to it; empty where nobody reckons that."""
    return hard.stake(_search(game))


def fact(game: Game[Any, Any], turn: Turn) -> str:
    """What is said of a turn in place of a hint's figures; empty where they do not mislead."""
    return hard.fact(_search(game), turn)


def _search(game: Any) -> Search[Any, Any]:
    found: Search[Any, Any] = game.search
    return found
