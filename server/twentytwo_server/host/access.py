"""Access checks: may a person see a table, a stream, a running game or a finished game?

Every command that shows part of a table or game must check here. The refusal for a hidden table or
game is the same as for one that does not exist.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.lobby import TableRow

from ..facts import GameEnded
from ..session.streams import Stream
from .lobby.lobby import Lobby
from .lobby.table_list import TableList, row_of
from .people.elsewhere import AnyPerson
from .people.people import Person
from .tables.rooms import AnyRoom, Rooms
from .tables.set_aside import SetAsideTables
from .tables.sittings import SeatThen, no_seat

# ------------------------------------------------------------------------------- tables


def may_see_table(person: Person | None, room: AnyRoom) -> bool:
    """True if a person (None: nobody yet) may know that a table exists.

    Only the people at a private table or a practice table, and people invited to it, know of it.
    """
    settings = room.table.settings
    if not settings.secluded:
        return True
    if person is None:
        return False
    there = person.name in room.audience.seats or room.id in person.invited.values()
    twin = room.table.settings.twin
    return there or bool(twin and twin in person.tables)


# ------------------------------------------------------------------------------ streams


def _watchers_talk(person: Person, room: AnyRoom) -> Stream:
    """The talk of the watchers. Raises `Refused` for a player while a game runs."""
    running = room.table.match is not None and not room.table.match.over
    if running and room.seat_number(person) is not None:
        raise Refused("FORBIDDEN", "Players read the watchers' talk after the game.")
    return room.kibitz


def check_watching(person: Person, room: AnyRoom) -> None:
    """Raises `Refused` unless the person has a seat at the table, or it may be watched."""
    if not room.table.settings.watch and room.seat_number(person) is None:
        raise Refused("FORBIDDEN", f"{room.id} is not open to watchers.")


def check_seq(stream: Stream, seq: int) -> None:
    """Raises `Refused` unless the stream has reached `seq` and still has all events after it."""
    if seq < 0:
        raise Refused("BAD_ARG", "from takes a number from 0.", arg="from")
    if seq > stream.last:
        raise Refused("BAD_SEQ", f"{stream.name} has {stream.last} events.", have=(stream.last,))
    if seq < stream.oldest - 1:
        raise Refused(
            "GONE", f"{stream.name} is kept from number {stream.oldest} on.", oldest=stream.oldest
        )


# -------------------------------------------------------------------------------- games


def may_see_game(person: Person, game: GameEnded) -> bool:
    """True if a person may see a finished game."""
    return game.public or has_played(person, game)


def has_played(person: Person, game: GameEnded) -> bool:
    """True if this person, not an earlier guest of the same name, had a seat in the game."""
    return seat_played(person, game) is not None


def seat_played(person: Person, game: GameEnded) -> int | None:
    """The seat that this person had in a finished game, or None.

    An earlier guest of the same name does not count.
    """
    if person.guest and game.at < person.since:
        return None
    mine = person.name.lower()
    return next((seat.seat for seat in game.seats if seat.name.lower() == mine), None)


def may_see_running(person: Person | None, room: AnyRoom) -> bool:
    """True if a person may see the running game of a table: by a seat there, or as a watcher."""
    if room.seat_number(person) is not None:
        return True
    return room.table.settings.watch and may_see_table(person, room)


# ----------------------------------------------------------------------- found by name


@dataclass(slots=True)
class Access:
    """Finds tables, streams and games for a person, and refuses those that are hidden."""

    _rooms: Rooms
    _set_aside: SetAsideTables
    _lobby: Lobby
    _table_list: TableList

    def visible_tables(self, person: Person | None) -> Iterator[TableRow]:
        """The rows of all tables that a person may know of."""
        for room in self._rooms.values():
            if may_see_table(person, room):
                yield row_of(room.table)
        for row in self._table_list.elsewhere():
            if row.on not in self._rooms:
                yield row

    def seats_shown(self, owner: AnyPerson, viewer: Person | None) -> Sequence[TableRow]:
        """The tables where `owner` has a seat and of which `viewer` may know."""
        return self.all_seats_shown((owner,), viewer)[0]

    def all_seats_shown(
        self, owners: Sequence[AnyPerson], viewer: Person | None
    ) -> Sequence[Sequence[TableRow]]:
        """The same for each of several people."""
        names = {each.name.lower() for each in owners if not isinstance(each, Person)}
        elsewhere = self._seats_of(names, viewer)
        return [
            self._visible(self._rooms.of(each), viewer)
            if isinstance(each, Person)
            else elsewhere.get(each.name.lower(), ())
            for each in owners
        ]

    def seats_by_name(self, name: str, viewer: Person | None) -> Sequence[TableRow]:
        """The tables where somebody of that name, a guest also without the `~`, has a seat, and of
        which `viewer` may know.
        """
        keys = name.lower(), f"~{name.lower()}"
        found = self._seats_of(keys, viewer)
        return next((found[key] for key in keys if key in found), ())

    def _seats_of(
        self, names: Collection[str], viewer: Person | None
    ) -> Mapping[str, Sequence[TableRow]]:
        """The seats of people of these names, in lower case, at any server."""
        here, elsewhere = self._rooms.seats_of(names), self._table_list.seats_of(names)
        found = {
            name: [
                *self._visible(here.get(name, ()), viewer),
                *(row for row in elsewhere.get(name, ()) if row.on not in self._rooms),
            ]
            for name in names
        }
        return {name: rows for name, rows in found.items() if rows}

    @staticmethod
    def _visible(rooms: Iterable[AnyRoom], viewer: Person | None) -> list[TableRow]:
        return [row_of(room.table) for room in rooms if may_see_table(viewer, room)]

    def table_named(self, person: Person | None, name: str) -> AnyRoom:
        """The table of that id, `t7`. Raises `Refused` if the person may know of none."""
        room = self._rooms.get(name.lower())
        if room is None or not may_see_table(person, room):
            set_aside = self._set_aside.table(name, person)
            text = set_aside.sentence if set_aside else f"There is no table {name}."
            raise Refused("NO_SUCH_TABLE", text, arg="table")
        return room

    def stream_named(self, person: Person, name: str) -> Stream:
        """The stream of that name, if the person may read it. Raises `Refused` if not."""
        if name == "me":
            return person.inbox
        if name in self._lobby.streams:
            return self._lobby.streams[name]
        room = self._rooms.get("t" + name[1:]) if name[:1] in ("t", "k") else None
        if room is None or not may_see_table(person, room):
            set_aside = self._set_aside.table(name, person)
            text = set_aside.sentence if set_aside else f"There is no stream {name}."
            raise Refused("NO_SUCH_TABLE", text, arg="stream")
        if name.startswith("k"):
            return _watchers_talk(person, room)
        check_watching(person, room)
        return room.stream

    def seat_seen_from(self, person: Person, stream: Stream) -> SeatThen:
        """The seat from which a person saw each event of a table's stream."""
        room = self._rooms.get(stream.name)
        return room.models.seat_then(person.name) if room is not None else no_seat

    def numbers_last(self, person: Person, stream: Stream) -> bool:
        """True if the event numbers of a stream continue after a restart of the server."""
        return stream is person.inbox or stream.name in self._rooms

    def no_such_game(self, person: Person | None, game: str) -> Refused:
        """The refusal for a game that does not exist, or that the person may not see."""
        text = f"There is no game {game}; history lists yours."
        set_aside = self._set_aside.game(game)
        if set_aside is not None and set_aside.known_to(person):
            text = set_aside.sentence_of(game)
        return Refused("NO_SUCH_GAME", text, arg="id")
