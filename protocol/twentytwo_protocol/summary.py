"""What statistics need of a game: the last cards of each seat, and what came of its bids.

It is folded from the events of a game as anybody was told them, and written as a short text, so
that a thousand games can be counted without playing them again.
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

KINDS = frozenset({Game_, Contract, Scored, Shown, Handover})
"""The events that are counted; all others may be left out."""
NOTHING = "{}"
"""The summary of a game in which there was nothing to count."""


@dataclass(slots=True)
class SeatSummary:
    """What is counted of one seat.

    `last` counts the ranks of last cards, each with whether it lost the hand; `bids` counts pairs
    of what was bid and what was won.
    """

    last: Counter[tuple[str, bool]] = field(default_factory=Counter)
    bids: Counter[tuple[int, int]] = field(default_factory=Counter)

    def add(self, other: SeatSummary) -> None:
        """Adds the counts of another."""
        self.last.update(other.last)
        self.bids.update(other.bids)


class GameSummary:
    """Counts while a game is told; a new GAME begins anew."""

    def __init__(self) -> None:
        self.seats: dict[int, SeatSummary] = {}
        self._shown: dict[int, Card] = {}
        self._declarer = 0

    def see(self, event: Event) -> None:
        """Takes in the next event."""
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
        """Takes in several events."""
        for event in events:
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
    """The counts that `GameSummary.written` has written; none where they cannot be read."""
    try:
        found: Mapping[str, Mapping[str, Mapping[str, Any]]] = json.loads(text or "{}")
        return {int(seat): _seat(counted) for seat, counted in found.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return {}


def _seat(counted: Mapping[str, Mapping[str, Any]]) -> SeatSummary:
    made = SeatSummary()
    for rank, (kept, lost) in counted["last"].items():
        made.last.update({(rank, False): int(kept), (rank, True): int(lost)})
    for pair, times in counted["bids"].items():
        bid, _, won = pair.partition(":")
        made.bids[int(bid), int(won)] = int(times)
    return made
