"""Sittings: the seat from which a viewer saw each event of a table.

A person who takes a seat does not get the seat's earlier private information, except for the hand
that they play on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from operator import itemgetter

from twentytwo_protocol.words.seating import Joined, Left, Renamed, Swapped

from ...session.streams import Entry

SeatThen = Callable[[int], int | None]
"""Returns the seat of a viewer at an event number; None for a watcher."""


SITTING = (Joined, Swapped, Renamed, Left)
"""The events that `Sittings` follows."""


def no_seat(_: int) -> None:
    """The `SeatThen` of a watcher."""


class Sittings:
    """The current sittings of the people with a seat.

    A sitting begins with JOINED, or with the hand in which the seat is taken over, and ends with
    LEFT. A person who gets up and sits down again begins a new one, since a guest's name may belong
    to another person by then. Sittings follow from the events alone, so that a rebuilt table has
    the same ones.
    """

    def __init__(self) -> None:
        self._seats: dict[str, list[tuple[int, int]]] = {}

    def __contains__(self, name: str | None) -> bool:
        return name in self._seats

    def follow(self, entry: Entry, since: int) -> None:
        """Reads the next event of the table. If it begins a sitting, the sitting counts from event
        `since` on.
        """
        match entry.event:
            case Joined(seat=seat, name=name):
                self._seats[name] = [(since, seat)]
            case Swapped(seat=seat, name=name):
                self._seats[name].append((entry.seq, seat))
            case Renamed(name=name, was=was) if was in self._seats:
                self._seats[name] = self._seats.pop(was)
            case Left(name=name):
                # The next JOINED begins a new list, so that earlier readers keep this one.
                self._seats.pop(name, None)

    def seat_then(self, name: str) -> SeatThen:
        """The seat from which a person saw each event: their own seats, since they sat down."""
        seats = self._seats.get(name)
        if seats is None:
            return no_seat

        def then(seq: int) -> int | None:
            before = bisect_right(seats, seq, key=itemgetter(0))
            return seats[before - 1][1] if before else None

        return then
