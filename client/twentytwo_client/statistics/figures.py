"""Statistics as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twentytwo_protocol.statistics import (
    GameStatistics,
    PlayedGame,
    bid_outcomes,
    counted,
    last_cards,
)

LAST_CARD_RANKS = "23456789TJQKAX"
"""The ranks of last cards, lowest first."""


def of_100(part: int, whole: int) -> int:
    """The percentage, rounded."""
    return round(100 * part / whole) if whole else 0


def figures(games: Sequence[PlayedGame]) -> Mapping[str, Any]:
    """The statistics as an object for JSON."""
    return {
        "played": sum(game.place > 0 for game in games),
        "games": {key: _figures(found) for key, found in counted(games).items()},
    }


def _figures(found: GameStatistics) -> Mapping[str, Any]:
    return {
        "played": found.played,
        "won": found.won,
        "places": list(found.by_place),
        "best": _one(found.best),
        "worst": _one(found.worst),
        "last_cards": [
            {"rank": card.rank, "times": card.times, "losses": card.losses}
            for card in last_cards(found.summary, LAST_CARD_RANKS)
        ],
        "bids": [
            {"bid": b.bid, "times": b.times, "exact": b.exact, "more": b.more, "less": b.less}
            for b in bid_outcomes(found.summary)
        ],
    }


def _one(game: PlayedGame | None) -> Mapping[str, Any] | None:
    return {"ended": game.id, "place": game.place, "lead": game.lead} if game else None
