"""Takes over the tables of a server that has stopped or died."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...facts import OpenTable
from ...ports import Store
from ...table.decision import Actor
from ...table.effects import Away
from ..people.people import People
from ..tables.pausable_clock import PausableClock
from ..tables.remote_room import RemoteRoom
from ..tables.room import Room
from .restoring import Rebuilder

AGAIN = 100
"""Milliseconds until the store is asked again, when it could not answer."""


@dataclass(slots=True)
class Inheritance:
    """Makes rooms of the tables that this server has followed and owns now."""

    _rebuilder: Rebuilder
    _people: People
    _store: Store
    _clock: PausableClock

    def take(self, remote: RemoteRoom) -> None:
        """Has this server carry out the orders for a table from now on.

        The players and the watchers notice nothing: clocks and timers begin anew, and orders that
        wait for an answer get it from the new room. A table that cannot be rebuilt is set aside.
        """

        def found(stored: Sequence[OpenTable] | None) -> None:
            if stored is None:
                self._clock.later(AGAIN, lambda: self.take(remote))
                return
            room = self._rebuilder.restore(stored[0]) if stored else None
            if room is None:
                remote.lose()
            else:
                room.inherited()
                remote.move_to(room)
                self._tell_absence(room)

        self._store.newer_inputs({remote.id: 0}, found)

    def _tell_absence(self, room: Room) -> None:
        """Tells a table who of the people of this server is not connected."""
        for seat in room.table.people:
            person = self._people.exact(seat.name)
            if person is not None and person.session is None and seat.here:
                room.order(Actor(seat.name), Away(seat.name))
