"""The open rooms, those of other servers among them, and the seats of each person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, ValuesView

from ...session.session import Session
from ...table.table import Phase, Table
from ..numbers import NewNumbers
from ..people.people import People, Person
from .remote_room import RemoteRoom
from .room import Room

AnyRoom = Room | RemoteRoom
"""A table for the people of this server, whichever server owns it."""


class Rooms(Mapping[str, AnyRoom]):
    """The rooms that are open, by the ids of their tables.

    `own` are those of this server; the others are `RemoteRoom`. `opening` are own ones whose
    opening is not stored yet: they count, but nobody finds them.
    """

    def __init__(self, people: People, numbers: NewNumbers) -> None:
        self._people = people
        self._numbers = numbers
        self._open: dict[str, AnyRoom] = {}
        self.own: dict[str, Room] = {}
        self.opening: dict[Room, None] = {}

    def __getitem__(self, table: str) -> AnyRoom:
        return self._open[table]

    def __iter__(self) -> Iterator[str]:
        return iter(self._open)

    def __len__(self) -> int:
        return len(self._open)

    def values(self) -> ValuesView[AnyRoom]:
        """All open rooms."""
        return self._open.values()

    # ------------------------------------------------------------------ coming and going

    def new_id(self) -> str:
        """Reserves the id of a new table, `t7`. Raises `Refused` (BUSY) if there is none now."""
        return f"t{self._numbers.take()}"

    def resume_numbers(self, last: int) -> None:
        """Continues the ids of an earlier run, whose last one this was."""
        self._numbers.resume(last)

    def begin_opening(self, room: Room) -> None:
        """Counts a room whose opening is being stored."""
        self.opening[room] = None

    def end_opening(self, room: Room, *, opened: bool) -> None:
        """Ends `begin_opening`: the opening is stored, or was refused."""
        del self.opening[room]
        if opened:
            self._open[room.id] = self.own[room.id] = room

    def reopen(self, room: Room) -> None:
        """Adds the room of a rebuilt table, with its seats."""
        self.own[room.id] = room
        self._add(room)

    def follow(self, room: RemoteRoom) -> None:
        """Adds a table of another server, with its seats."""
        self.own.pop(room.id, None)
        self._add(room)

    def _add(self, room: AnyRoom) -> None:
        self._open[room.id] = room
        self.reseat(room, ())

    def remove(self, room: AnyRoom) -> list[Person]:
        """Removes the room of a closed table; returns the people who had a seat there.

        Does nothing if another room has taken its place.
        """
        if self._open.get(room.id) is not room:
            return []
        del self._open[room.id]
        self.own.pop(room.id, None)
        return self._stood_up(room, self._people_named(seat.name for seat in room.table.people))

    # --------------------------------------------------------------------- who sits where

    def of(self, person: Person) -> list[AnyRoom]:
        """The rooms where a person has a seat, in the order in which they sat down."""
        found = []
        for id in person.tables:  # several times for every command
            if id in self._open:
                found.append(self._open[id])
        return found

    def seats_of(self, names: Collection[str]) -> Mapping[str, Sequence[AnyRoom]]:
        """The rooms where people of these names (in lower case), at any server, have seats."""
        found: dict[str, list[AnyRoom]] = {}
        for room in self._open.values() if names else ():
            for seat in room.table.people:
                if (key := seat.name.lower()) in names:
                    found.setdefault(key, []).append(room)
        return found

    def meant(self, session: Session) -> AnyRoom | None:
        """The room for a command without `table=`: the current one, else that of the last seat.

        None if there is neither.
        """
        if session.current is not None and session.current in self._open:
            return self._open[session.current]
        person = self._people.on(session)
        mine = self.of(person) if person is not None else []
        return mine[-1] if mine else None

    def reseat(self, room: AnyRoom, before: Iterable[str]) -> list[Person]:
        """Updates the seats of a room; `before` has the names of the people seated before.

        Returns the people who no longer have a seat there.
        """
        had = self._people_named(before)
        has = self._people_named(seat.name for seat in room.table.people)
        for person in has:
            if room.id not in person.tables:
                person.tables.append(room.id)
        return self._stood_up(room, [person for person in had if person not in has])

    def seat(self, person: Person) -> None:
        """Gives a person who is new here the seats that they have at the tables."""
        for room in self._open.values():
            if room.table.seat_of(person.name) is not None and room.id not in person.tables:
                person.tables.append(room.id)

    def _stood_up(self, room: AnyRoom, people: Iterable[Person]) -> list[Person]:
        gone = [person for person in people if room.id in person.tables]
        for person in gone:
            person.tables.remove(room.id)
        return gone

    def _people_named(self, names: Iterable[str]) -> list[Person]:
        """The known people of these names, each once: an account may have a guest's name too."""
        found = map(self._people.exact, names)
        return list(dict.fromkeys(person for person in found if person is not None))

    # ------------------------------------------------------------------------- questions

    def has_sent_orders(self, person: Person) -> bool:
        """True if an order of the person is on its way to another server."""
        if len(self.own) == len(self._open):
            return False
        remote = (room for room in self._open.values() if isinstance(room, RemoteRoom))
        return any(room.has_sent(person.name) for room in remote)

    @property
    def games_running(self) -> int:
        """Number of running games of this server with a connected person."""
        return sum(map(_is_played, (room.table for room in self.own.values())))


def _is_played(table: Table) -> bool:
    return table.phase is Phase.PLAYING and not table.deserted
