"""Summary of a game for statistics: the last cards and the bids of each seat.

It is folded from the public events of a game and stored as a short text. So statistics of a
thousand games need not replay them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .cards import Card
from .schema import Event
from .words.cardplay import Contract, Game_, Handover, Scored, Shown

__all__ = ["COUNTED_EVENTS", "NOTHING", "GameSummary", "SeatSummary", "read"]

COUNTED_EVENTS = frozenset({Game_, Contract, Scored, Shown, Handover})
"""The events that are counted. All others may be omitted."""
NOTHING = "{}"
"""The summary of a game with nothing to count."""


@dataclass(slots=True)
class SeatSummary:
    """The counts of one seat.

    `last` counts pairs of the rank of a last card and whether it lost the hand. `bids` counts pairs
    of a bid and the tricks or points won.
    """

    last: Counter[tuple[str, bool]] = field(default_factory=Counter)
    bids: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, other: SeatSummary) -> None:
        """Adds the counts of another summary."""
        self.last.update(other.last)
        self.bids.update(other.bids)


class GameSummary:
    """Counts the events of a game. A GAME event resets the counts."""

    def __init__(self) -> None:
        self.seats: dict[int, SeatSummary] = {}
        self._shown: dict[int, Card] = {}
        self._declarer = 0

    def see(self, event: Event) -> None:
        """Counts the next event."""
        match event:
            case Game_():
                self.seats, self._shown, self._declarer = {}, {}, 0
            case Contract(seat=seat):
                self._declarer = seat
            case Shown(seat=seat, card=card):
                self._shown[seat] = card
            case Scored(seat=seat, bid=int(bid), won=int(won)):
                self._of(seat or self._declarer).bids[bid, won] += 1
            case Handover(losers=losers):
                for seat, card in self._shown.items():
                    self._of(seat).last[card[0], seat in losers] += 1
                self._shown, self._declarer = {}, 0

    def see_all(self, events: Iterable[Event]) -> None:
        """Counts several events."""
        for event in events:
            if type(event) in COUNTED_EVENTS:
                self.see(event)

    def _of(self, seat: int) -> SeatSummary:
        return self.seats.setdefault(seat, SeatSummary())

    def written(self) -> str:
        """The counts as JSON; empty if there are none."""
        found = {
            str(seat): {
                "last": {
                    rank: [counted.last[rank, False], counted.last[rank, True]]
                    for rank in sorted({rank for rank, _ in counted.last})
                },
                "bids": {f"{bid}:{won}": n for (bid, won), n in sorted(counted.bids.items())},
            }
            for seat, counted in sorted(self.seats.items())
        }
        return json.dumps(found, separators=(",", ":")) if found else ""


def read(text: str) -> Mapping[int, SeatSummary]:
    """The counts in a text by `GameSummary.written`; empty if it cannot be read."""
    try:
        found: Mapping[str, Mapping[str, Mapping[str, Any]]] = json.loads(text or "{}")
        return {int(seat): _seat(counted) for seat, counted in found.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return {}


def _seat(counted: Mapping[str, Mapping[str, Any]]) -> SeatSummary:
    made = SeatSummary()
    for rank, (safe, lost) in counted["last"].items():
        made.last.update({(rank, False): int(safe), (rank, True): int(lost)})
    for pair, times in counted["bids"].items():
        bid, _, won = pair.partition(":")
        made.bids[int(bid), int(won)] = int(times)
    return made
