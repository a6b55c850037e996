"""The arrival of a person on a connection, for guest, resume, login and so on.

Await `Arrivals.keep` first, and then call `Arrivals.finish`. If it returns True, call
`Presence.arrive` and reply; otherwise do nothing more. If two connections do this for one person at
once, the one that called `keep` last wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.cardplay import Clock
from twentytwo_protocol.words.session import At

from ....answers import keep
from ....facts import Fact
from ....failpoints import failpoint
from ....ports import Store
from ....table.decision import Actor
from ....table.effects import Back
from ....table.table import Seat
from ...config import LiveConfig
from ...connections import REPLACED_TEXT, Connections
from ...lessons import Lessons
from ...people.people import People, Person
from ...presence import Presence
from ...tables.rooms import AnyRoom, Rooms
from ...tables.set_aside import SetAsideTables
from ..call import Call
from ..standing import show_standing


@dataclass(slots=True)
class Arrivals:
    """Gives connections their people, each person one connection."""

    _people: People
    _connections: Connections
    _presence: Presence
    _rooms: Rooms
    _lessons: Lessons
    _set_aside: SetAsideTables
    _store: Store
    _config: LiveConfig

    @property
    def grace(self) -> int:
        """The grace period in milliseconds."""
        return self._config.now.grace

    # ------------------------------------------------------------------ the connection

    async def keep(self, person: Person, facts: Sequence[Fact] = ()) -> int:
        """Stores a person with the tokens that are valid from now on.

        `facts` are stored in the same transaction. Returns the number of this arrival, for
        `finish`, once that is safe. Until then the person is `pending`, so that they are not
        forgotten if their grace period ends meanwhile.
        """
        person.arrivals += 1
        person.pending += 1
        arrival = person.arrivals
        await keep(self._store, [*facts, person.fact])
        failpoint("token kept")
        person.pending -= 1
        return arrival

    def finish(self, call: Call, person: Person, arrival: int) -> bool:
        """True if the connection may become the person's. If False, the command is over.

        It is False if the connection closed while the arrival was stored: the person stays away,
        and their grace period starts. It is also False if a newer connection has begun to arrive as
        them: this one is refused and closed. If True, an older connection of theirs has been told
        and closed.
        """
        if self._connections.link(call.session) is None:
            if person.session is None:
                self._presence.start_grace_period(person)
            return False
        if person.arrivals != arrival:
            call.refuse(Refused("FORBIDDEN", REPLACED_TEXT))
            self._connections.replace(call.session)
            return False
        if person.session is not None and person.session is not call.session:
            self.replace_session(person)
        return True

    def arrive(self, call: Call, person: Person) -> None:
        """Gives the connection this person, and tells the lobby. Call it only after `finish`."""
        self._presence.arrive(person, call.session)

    def replace_session(self, person: Person) -> None:
        """Tells a person's connection that a newer one replaces it, and closes it."""
        old = person.session
        assert old is not None
        person.session = None
        self._connections.replace(old)

    # ------------------------------------------------------------------------ privacy

    def is_private(self, call: Call) -> bool:
        """True if nobody on the path can read the connection, or the operator accepts that."""
        link = self._connections.link(call.session)
        return link is None or link.private or self._config.now.plaintext_login

    def check_private(self, call: Call) -> None:
        """Raises `Refused` unless the connection is private (`is_private`)."""
        if not self.is_private(call):
            raise Refused("TLS_REQUIRED", "Others could read that on the way; connect by TLS.")

    def fresh_token(self, call: Call, person: Person) -> str | None:
        """A new resume token for the account. If others could read it on the path, revokes all
        resume tokens of the account instead and returns None.
        """
        if self.is_private(call):
            return self._people.new_token(person, private=True)
        self._people.forget_secrets(person)
        return None

    async def revoke(self, person: Person) -> None:
        """Makes the resume tokens of a person invalid; returns when that is stored."""
        self._people.forget_secrets(person)
        person.arrivals += 1  # makes `finish` refuse a connection that is just arriving
        await keep(self._store, [person.fact])

    # --------------------------------------------------------------------- coming back

    def tell_news(self, call: Call, person: Person, streams: Iterable[str] = ()) -> None:
        """Tells a person which of their tables are set aside, and what became of their reports."""
        for table in self._set_aside.of(person, streams):
            call.session.notice(table.note)
        self._presence.tell_answers(person)

    def position_rows(self, at: At) -> Iterator[At | Clock]:
        """The row with the position of a stream; for a table also its talk, and then its clocks."""
        room = self._rooms.get(at.on)
        if room is None or at.seq is None:
            yield at
        else:
            yield replace(at, talk=room.kibitz.name)
            yield from room.clocks()

    def come_back(self, call: Call, person: Person) -> None:
        """Gives a returning person their seats back, and tells the people at each table.

        The person gets a summary of each table, with the open question last.
        """
        rooms = self._rooms.of(person)
        if call.people:
            call.session.welcomed = frozenset(
                (room.id, seat.number) for room in rooms for seat in _gone_since(room, person)
            )
            for room in rooms:
                show_standing(call, room, room.seat_number(person))
        for room in rooms:
            room.order(Actor(person.name), Back(person.name))
            self._lessons.teach(room)


def _gone_since(room: AnyRoom, person: Person) -> Iterator[Seat]:
    """The person's seat if the table will tell everybody that they are back, and those of people
    who have left since, or were lost with them when the server ended.
    """
    mine = room.table.seat_of(person.name)
    if mine is None or (mine.here and not mine.standin):
        return
    yield mine
    for seat in room.table.people:
        if seat is not mine and not (seat.here or seat.standin) and seat.since >= mine.since:
            yield seat
