"""Takes over the tables of a server that has stopped or died, or that gives them away."""

from __future__ import annotations

from dataclasses import dataclass

from ...facts import OpenTable
from ...table.decision import Actor
from ...table.effects import Away
from ..people.people import People
from ..room_services import RoomServices
from ..tables.deals import Deals
from ..tables.remote_room import RemoteRoom
from ..tables.room import Room
from .restoring import Rebuilder


@dataclass(slots=True)
class Inheritance:
    """Makes rooms of the tables that this server owns now.

    The players and the watchers notice nothing. Timers begin anew. The timeline of a table goes on
    from its last input, so nobody's clock is charged for the time between.
    """

    _rebuilder: Rebuilder
    _tables: RoomServices
    _deals: Deals
    _people: People

    def take(self, remote: RemoteRoom) -> None:
        """Has this server carry out the orders for a table that it has followed to the last input.

        Orders that wait for an answer get it from the new room.
        """
        room = Room(self._tables, remote.id, *remote.beginning)
        room.take_from(remote)
        room.go_on_from(remote.last_at)
        self._deals.restore(remote.promises)
        self._tables.reopen(room)
        self._begin(room)
        remote.move_to(room)

    def take_unseen(self, stored: OpenTable) -> None:
        """Rebuilds a table that this server has not followed; sets it aside if that fails."""
        room = self._rebuilder.restore(stored)
        if room is not None:
            self._begin(room)

    def _begin(self, room: Room) -> None:
        self._tables.metrics.tables_taken += 1
        room.inherited()
        for seat in room.table.people:
            person = self._people.exact(seat.name)
            if person is not None and person.session is None and seat.here:
                room.order(Actor(seat.name), Away(seat.name))
