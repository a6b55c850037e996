"""Moves tables to the servers of their players, and spreads tables without players evenly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from ...ports import Clock
from ..people.elsewhere import Elsewhere
from ..people.people import People
from ..tables.room import Room
from ..tables.rooms import Rooms
from .giving import Giver

LOOK = 5_000
"""Milliseconds between two looks at all tables."""

SURPLUS = 10
"""The number of tables above the average that a server keeps."""

AT_ONCE = 100
"""The most tables that are moved after one look."""


class Placement:
    """Gives tables of this server to others.

    A table goes to the server where most of its players are, if two looks in a row find that: each
    order from another server has to cross the bus. Tables without players here are spread evenly.
    `counts` has the number of tables of each other server.
    """

    def __init__(
        self,
        rooms: Rooms,
        people: People,
        elsewhere: Elsewhere,
        giver: Giver,
        clock: Clock,
        counts: Mapping[str, int],
    ) -> None:
        self._rooms = rooms
        self._people = people
        self._elsewhere = elsewhere
        self._giver = giver
        self._clock = clock
        self._counts = counts
        self._better: dict[str, str] = {}
        self._stopped = False
        self._clock.later(LOOK, self._look)

    def stop(self) -> None:
        """Stops moving tables."""
        self._stopped = True

    def give_all(self, done: Callable[[], None]) -> None:
        """Gives all tables away, because this server stops; then calls `done`.

        Tables with players at other servers go there. The others are spread evenly.
        """
        self.stop()
        loads = Counter(self._counts)
        rooms = list(self._rooms.own.values()) if loads else []
        left = len(rooms)

        def given() -> None:
            nonlocal left
            left -= 1
            if not left:
                done()

        for room in rooms:
            at = self._players_at(room)
            to = max(loads, key=lambda node: (at[node], -loads[node]))
            loads[to] += 1
            self._giver.give(room, to, given)
        if not rooms:
            done()

    def _look(self) -> None:
        if self._stopped:
            return
        self._clock.later(LOOK, self._look)
        loads = Counter(self._counts)
        if not loads:
            return
        before, self._better = self._better, {}
        idle: list[Room] = []
        moved = 0
        for room in list(self._rooms.own.values()):
            at = self._players_at(room)
            here = at.pop("", 0)
            best = max(at, key=lambda node: at[node], default="")
            if best in loads and at[best] > here:
                self._better[room.id] = best
                if before.get(room.id) == best and moved < AT_ONCE:
                    moved += 1
                    self._giver.give(room, best)
            elif not here:
                idle.append(room)
        self._share(idle, loads, AT_ONCE - moved)

    def _share(self, idle: list[Room], loads: Counter[str], most: int) -> None:
        """Gives tables without players here to the servers with the fewest tables."""
        mine = len(self._rooms.own)
        average = (mine + sum(loads.values())) / (len(loads) + 1)
        surplus = int(mine - average - SURPLUS)
        for room in idle[: max(0, min(surplus, most))]:
            to = min(loads, key=lambda node: loads[node])
            loads[to] += 1
            self._giver.give(room, to)

    def _players_at(self, room: Room) -> Counter[str]:
        """How many of the connected players are at each server; the name of this one is empty."""
        found = Counter[str]()
        for seat in room.table.people:
            if self._people.session_of(seat.name) is not None:
                found[""] += 1
            elif (node := self._elsewhere.node_of(seat.name)) is not None:
                found[node] += 1
        return found
