"""Coming in, whatever command does it: what is kept, who is told, what is shown first."""

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
    """Keeps that somebody comes in as this person, with further facts.

    Returns the number of this coming, for `finish_arrival`. Until then the person counts as
    awaited, so that they are not forgotten when the time of grace ends.
    """
    person.arrivals += 1
    person.pending += 1
    coming = person.arrivals
    await keep(host.store, [*facts, person.fact])
    failpoint("token kept")
    person.pending -= 1
    return coming


def finish_arrival(call: Call, person: Person, coming: int) -> bool:
    """Whether the connection is the person's now that their coming is kept.

    Not if it is gone by then: the person is away, and waited for. Nor if a newer connection has
    begun to come in as them: this one is refused and closed. In both cases the command is over.
    An older connection of theirs is closed.
    """
    if call.host.link(call.session) is None:
        if person.session is None:
            call.host.start_grace_period(person)
        call.finish()
        return False
    if person.arrivals != coming:
        call.refuse(Refused("FORBIDDEN", ELSEWHERE))
        close_replaced(call.host, call.session)
        return False
    if person.session is not None and person.session is not call.session:
        replace_session(call.host, person)
    return True


def is_private(call: Call) -> bool:
    """Whether nobody on the way reads what is said here, or the operator does not mind."""
    link = call.host.link(call.session)
    return link is None or link.private or call.host.config.plaintext_login


def check_private(call: Call) -> None:
    """Raises `Refused` where others could read what is secret."""
    if not is_private(call):
        raise Refused("TLS_REQUIRED", "Others could read that on the way; connect by TLS.")


def replace_session(host: Host, person: Person) -> None:
    """A newer connection wins; the older is told and closed."""
    old = person.session
    assert old is not None
    person.session = None
    close_replaced(host, old)


def close_replaced(host: Host, session: Session) -> None:
    """A connection is told that there is a newer one, and closed; what it still asks is dropped."""
    session.notice(Bye("REPLACED", False, ELSEWHERE))
    session.name = None
    host.hang_up(session)


def note_set_aside(session: Session, told: Sequence[SetAsideTable]) -> None:
    """Tells whoever has come back of tables that are set aside."""
    for table in told:
        session.notice(table.note)


def position_row(host: Host, stream: Stream) -> At:
    """Where a stream stands now, with the open question at a table."""
    room = host.rooms.get(stream.name)
    match = room.table.match if room else None
    asked = match.question if match else None
    if room is None or asked is None:
        return At(stream.name, stream.last)
    return At(stream.name, stream.last, asked.turn, asked.seat, room.time_left())


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
