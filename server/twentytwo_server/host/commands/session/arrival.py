"""Taking a person's place, whichever command does it: guest, resume, login, register, auth.

First `keep_arrival`, and await it; then `finish_arrival`, which says whether the connection is the
person's; only then `Host.arrive` and the reply. Two connections may do so for one person at once:
the one that began last wins.
"""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.session import At

from ....answers import keep
from ....facts import Fact
from ....failpoints import failpoint
from ....session.session import Session
from ....session.streams import Stream
from ...host import Host
from ...people.people import Person
from ...tables.set_aside import SetAsideTable
from ..call import ELSEWHERE, Call


async def keep_arrival(host: Host, person: Person, facts: Sequence[Fact] = ()) -> int:
    """Stores that somebody takes this person's place, with the tokens that are valid from now on.

    `facts` are kept in the same transaction. Returns the number of this arrival, for
    `finish_arrival`. Until it returns the person is `pending`, so that the end of the grace period
    does not forget them.
    """
    person.arrivals += 1
    person.pending += 1
    arrival = person.arrivals
    await keep(host.store, [*facts, person.fact])
    failpoint("token kept")
    person.pending -= 1
    return arrival


def finish_arrival(call: Call, person: Person, arrival: int) -> bool:
    """True if the connection is the person's now. If not, the command has been ended.

    That is so if the connection closed while the arrival was kept (the person is away, and their
    grace period starts), and if a newer connection has begun to arrive as them (this one is
    refused and closed). If True, an older connection of theirs has been told and closed.
    """
    if call.host.link(call.session) is None:
        if person.session is None:
            call.host.start_grace_period(person)
        call.finish()
        return False
    if person.arrivals != arrival:
        call.refuse(Refused("FORBIDDEN", ELSEWHERE))
        close_replaced(call.host, call.session)
        return False
    if person.session is not None and person.session is not call.session:
        replace_session(call.host, person)
    return True


def is_private(call: Call) -> bool:
    """True if nobody on the path can read the connection, or the operator accepts that."""
    link = call.host.link(call.session)
    return link is None or link.private or call.host.config.plaintext_login


def check_private(call: Call) -> None:
    """Raises `Refused` unless the connection is private (`is_private`)."""
    if not is_private(call):
        raise Refused("TLS_REQUIRED", "Others could read that on the way; connect by TLS.")


def replace_session(host: Host, person: Person) -> None:
    """Tells and closes a person's connection, since a newer one takes their place."""
    old = person.session
    assert old is not None
    person.session = None
    close_replaced(host, old)


def close_replaced(host: Host, session: Session) -> None:
    """Tells a connection that a newer one replaced it, and closes it. It is nobody's then."""
    session.notice(Bye("REPLACED", False, ELSEWHERE))
    session.name = None
    host.hang_up(session)


def note_set_aside(session: Session, told: Sequence[SetAsideTable]) -> None:
    """Tells a session of tables that are set aside."""
    for table in told:
        session.notice(table.note)


def position_row(host: Host, stream: Stream, told: int | None = None) -> At:
    """The row with the last number of a stream, or that up to which it is `told`.

    At a table it has the open question, unless that was not told yet.
    """
    room = host.rooms.get(stream.name)
    match = room.table.match if room else None
    asked = match.question if match else None
    seq = stream.last if told is None else told
    if room is None or asked is None or seq != stream.last:
        return At(stream.name, seq)
    return At(stream.name, seq, asked.turn, asked.seat, room.time_left())


def recap(call: Call, person: Person) -> None:
    """Shows a person who came back the hand so far: what stands on the table."""
    for room in call.host.rooms_of(person):
        seat = room.seat_number(person)
        entries = [
            e for e in room.game_entries() if type(e.event).scope in ("trick", "turn", "hand")
        ]
        # Of the questions only the last is open still.
        told = [e for e in entries[:-1] if type(e.event).scope != "turn"] + entries[-1:]
        for entry in told[-6:]:
            call.session.show(entry, seat)
