"""The arrival of a person on a connection, for guest, resume, login and so on.

Await `keep_arrival` first. Then call `finish_arrival`, and go on only if it returns True: with
`Host.arrive` and the reply. If two connections do this for one person at once, the one that called
`keep_arrival` last wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.cardplay import Clock
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.session import At

from ....answers import keep
from ....facts import Fact
from ....failpoints import failpoint
from ....session.session import Session
from ....table.decision import Actor
from ....table.effects import Back
from ...host import Host
from ...people.people import Person
from ...tables.room import Room
from ...tables.set_aside import SetAsideTable
from ..call import REPLACED_TEXT, Call
from ..standing import show_standing


async def keep_arrival(host: Host, person: Person, facts: Sequence[Fact] = ()) -> int:
    """Stores a person with the tokens that are valid from now on.

    `facts` are stored in the same transaction. Returns the number of this arrival, for
    `finish_arrival`, once that is safe. Until then the person is `pending`, so that they are not
    forgotten if their grace period ends meanwhile.
    """
    person.arrivals += 1
    person.pending += 1
    arrival = person.arrivals
    await keep(host.store, [*facts, person.fact])
    failpoint("token kept")
    person.pending -= 1
    return arrival


def finish_arrival(call: Call, person: Person, arrival: int) -> bool:
    """True if the connection may become the person's. If False, the command is over.

    It is False if the connection closed while the arrival was stored: the person stays away, and
    their grace period starts. It is also False if a newer connection has begun to arrive as them:
    this one is refused and closed. If True, an older connection of theirs has been told and closed.
    """
    if call.host.connections.link(call.session) is None:
        if person.session is None:
            call.host.presence.start_grace_period(person)
        return False
    if person.arrivals != arrival:
        call.refuse(Refused("FORBIDDEN", REPLACED_TEXT))
        close_replaced(call.host, call.session)
        return False
    if person.session is not None and person.session is not call.session:
        replace_session(call.host, person)
    return True


def is_private(call: Call) -> bool:
    """True if nobody on the path can read the connection, or the operator accepts that."""
    link = call.host.connections.link(call.session)
    return link is None or link.private or call.host.config.now.plaintext_login


def check_private(call: Call) -> None:
    """Raises `Refused` unless the connection is private (`is_private`)."""
    if not is_private(call):
        raise Refused("TLS_REQUIRED", "Others could read that on the way; connect by TLS.")


def replace_session(host: Host, person: Person) -> None:
    """Tells a person's connection that a newer one replaces it, and closes it."""
    old = person.session
    assert old is not None
    person.session = None
    close_replaced(host, old)


def close_replaced(host: Host, session: Session) -> None:
    """Tells a connection that a newer one has replaced it, removes its person, and closes it."""
    session.notice(Bye("REPLACED", False, text=REPLACED_TEXT))
    session.name = None
    host.connections.hang_up(session)


def note_set_aside(session: Session, told: Sequence[SetAsideTable]) -> None:
    """Sends a notice for each of these tables."""
    for table in told:
        session.notice(table.note)


def position_rows(host: Host, at: At) -> Iterator[At | Clock]:
    """The row with the position of a stream; for a table also its talk, and then its clocks."""
    room = host.rooms.get(at.on)
    if room is None or at.seq is None:
        yield at
    else:
        yield replace(at, talk=room.kibitz.name)
        yield from room.clocks()


def come_back(call: Call, person: Person) -> None:
    """Gives a returning person their seats back, and tells the people at each table.

    The person gets a summary of each table, with the open question last.
    """
    host, rooms = call.host, call.host.rooms.of(person)
    if call.people:
        call.session.welcomed = frozenset(room.id for room in rooms if _was_away(room, person))
        for room in rooms:
            show_standing(call, room, room.seat_number(person))
    for room in rooms:
        room.order(Actor(person.name), Back(person.name))
        host.tables.teach(room)


def _was_away(room: Room, person: Person) -> bool:
    """True if the table will tell everybody that this person is back."""
    seat = room.table.seat_of(person.name)
    return seat is not None and (not seat.here or seat.standin)
