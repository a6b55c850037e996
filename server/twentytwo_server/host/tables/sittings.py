"""Who sat where, and when: from which seat a viewer saw each event of a table.

A seat is given up and taken by somebody else; what it was told does not go with it, but for the
hand that is played on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from operator import itemgetter

from twentytwo_protocol.words.seating import Joined, Left, Renamed, Swapped

from ...session.streams import Entry

SeatThen = Callable[[int], int | None]
"""The seat that a viewer had at the event of that number; None where they saw it as a watcher."""


SITTING = (Joined, Swapped, Renamed, Left)
"""The events that `Sittings` follows."""


def no_seat(_: int) -> None:
    """Sees everything as a watcher does."""


class Sittings:
    """Where those who have a seat now have sat since they sat down.

    A sitting begins with JOINED, or with the hand in which the seat is taken over, and ends with
    LEFT. Whoever gets up and sits down again begins a new one, since a guest's name may be another
    person's by then. Sittings follow from the events alone, so that a table that is built anew
    after a restart has the same ones.
    """

    def __init__(self) -> None:
        self._places: dict[str, list[tuple[int, int]]] = {}

    def __contains__(self, name: str | None) -> bool:
        return name in self._places

    def follow(self, entry: Entry, since: int) -> None:
        """Takes in the next event of the table; `since` is where a sitting that begins starts."""
        match entry.event:
            case Joined(seat=seat, name=name):
                self._places[name] = [(since, seat)]
            case Swapped(seat=seat, name=name):
                self._places[name].append((entry.seq, seat))
            case Renamed(name=name, was=was) if was in self._places:
                self._places[name] = self._places.pop(was)
            case Left(name=name):
                # A new list begins with the next JOINED: who reads from this one goes on with it.
                self._places.pop(name, None)

    def seat_then(self, name: str) -> SeatThen:
        """From which seat somebody saw each event: only from their own, since they sat down."""
        places = self._places.get(name)
        if places is None:
            return no_seat

        def then(seq: int) -> int | None:
            before = bisect_right(places, seq, key=itemgetter(0))
            return places[before - 1][1] if before else None

        return then
