"""The viewers of a table, and the events for each of them."""

from __future__ import annotations

from collections.abc import Iterable

from twentytwo_protocol.words.cardplay import Clock, Handover
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.seating import Left

from ...session.streams import Burst, Entry, Stream
from ...table.table import Phase, Table
from ..people.viewers import Seats, Viewers
from .hand_over import decided as what_decided


class Audience:
    """The current viewers of a table: `seats` has their seats, `names` the names of the seats."""

    def __init__(self, viewers: Viewers, table: Table) -> None:
        self._viewers = viewers
        self.seats = _seats(table)
        self.names = table.names

    def change(self, after: Table) -> None:
        """Updates the viewers after an order that changed the seats or the watchers."""
        self.seats = _seats(after)
        self.names = after.names

    def tell_order(self, burst: Burst, leaving: Seats, table: Table, stream: Stream) -> None:
        """Sends the events of one order, which the table's stream contains already.

        `leaving` are people who leave by the order: they get the events up to their own LEFT.
        """
        told = leaving if leaving is self.seats else {**leaving, **self.seats}
        if Left in burst.kinds:
            self._tell_leaving(burst, told)
        elif table.kind.practice and burst.ends_hand:
            self._tell_hand_over(burst, told, table, stream)
        else:
            self._viewers.show_burst(burst, told)

    def tell_talk(self, entry: Entry, table: Table) -> None:
        """Sends a watcher's talk or action to all watchers, and to players if no game runs."""
        playing = table.phase is Phase.PLAYING
        for name, seat in self.seats.items():
            if seat is None or not playing:
                self._viewers.show(name, entry, seat)
            else:
                self._viewers.leave_out(name, entry)

    def tell_clocks(self, clocks: Iterable[Clock]) -> None:
        """Sends programs the state of the clocks."""
        clocks = list(clocks)
        for name in self.seats:
            for clock in clocks:
                self._viewers.tell_clock(name, clock)

    def _tell_leaving(self, burst: Burst, told: Seats) -> None:
        """Sends people who leave the events of the order up to their own LEFT."""
        left = dict(told)
        for entry in burst.entries:
            self._viewers.show_burst(Burst.of([entry]), left)
            if isinstance(entry.event, Left) and entry.event.name not in self.seats:
                left.pop(entry.event.name, None)

    def _tell_hand_over(self, burst: Burst, told: Seats, table: Table, stream: Stream) -> None:
        """Sends the end of a hand, the remark for the only person here, and then the rest."""
        kinds = [type(entry.event) for entry in burst.entries]
        end = kinds.index(Handover) + 1
        told_first = burst.entries[:end]
        self._viewers.show_burst(Burst.of(told_first), told)
        match table.people:
            case (seat,) if not seat.program:
                decided = what_decided(table, stream.backwards(), seat.number)
                if decided:
                    self._viewers.remark(seat.name, Note("HAND", table.id, decided))
        if burst.entries[end:]:
            self._viewers.show_burst(Burst.of(burst.entries[end:]), told)


def _seats(table: Table) -> Seats:
    found: dict[str, int | None] = dict.fromkeys(table.watchers)
    found.update((seat.name, seat.number) for seat in table.people)
    return found
