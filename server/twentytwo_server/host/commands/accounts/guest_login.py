"""The last part of every login: the connection gets the account, which gets all the guest had.

The order of the steps makes sure that nothing is lost if the server stops between any two of them:

1. The account's `PersonKept` is stored, with the guest's secret as its previous one. If others
   could read the guest's token, a fingerprint is stored instead, which no token matches.
2. The login is acknowledged: the connection is the account's.
3. Every table renames the guest, as an order in its queue.
4. The guest is deleted from the store, and in the same transaction their inbox is stored as the
   account's.

If a start finds the secret of a guest in an account, the server stopped after 1 and before 4. It
then does steps 3 and 4 (`People.unfinished_logins`, `guest_merge.finish_logins`).
"""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.accounts import More
from twentytwo_protocol.words.lobby import Offline
from twentytwo_protocol.words.session import At

from ....answers import run
from ....facts import Fact
from ....session.streams import Stream
from ....table.table import Phase, Table
from ...guest_merge import GuestMerge
from ...host import Host
from ...people.people import BLOCKED, Person
from ...tables.room import Room
from ..call import Call
from ..session.arrival import (
    come_back,
    finish_arrival,
    is_private,
    keep_arrival,
    note_set_aside,
    position_rows,
    replace_session,
)


async def log_in(
    call: Call,
    name: str,
    facts: Sequence[Fact] = (),
    *,
    rows: Sequence[More] = (),
    welcome: str = "",
) -> None:
    """Makes the connection the account's, and gives the account what the connection's guest had.

    Call it only after the password, token or proof was found right. `facts`, such as a new account,
    are stored in the same transaction; `rows` are part of the reply. It ends the command. Raises
    `Refused` only before anything has changed.
    """
    host, guest = call.host, call.person
    call.link()
    host.sanctions.check_name(name)
    if guest is not None:
        _check_blocked(host, guest, name)
    person = host.people.find_or_add_account(name, program=call.session.bot)
    if guest is not None:
        _check_seats(host, guest, person)
        host.seeks.withdraw(guest.name)
        guest.pending += 1  # the end of the grace period must not delete them while this is stored
    person.program = call.session.bot
    token = fresh_token(call, person)
    if guest is not None:
        # Stored in the same fact as the account's own secret. From then on a start knows which
        # account the guest becomes, and the guest's token leads only to the account.
        host.people.adopt_secret(person, guest)
        # From now on mail for the guest waits: their inbox is about to become the account's.
        guest.merge_waiters = guest.merge_waiters or []
    arrival = await keep_arrival(host, person, facts)

    # It is stored, so the merge must happen even if the connection has closed: otherwise only the
    # next start would do it.
    merging = _merge(call, guest, person) if guest is not None else None
    here = finish_arrival(call, person, arrival)
    if here:
        _acknowledge(call, person, token, rows, welcome or f"Welcome, {name}.", merging)
    if merging is not None:
        # The next command must not come earlier: a table that still has the guest's name would not
        # know who gives it.
        await run(call.host.merges.tell_tables(merging), call.fail)
    if here and host.people.on(call.session) is person:
        come_back(call, person)


def _merge(call: Call, guest: Person, person: Person) -> GuestMerge:
    """Merges the guest into the account in memory, and releases the mail that waited for it."""
    host = call.host
    guest.pending -= 1
    if guest.session is not None and guest.session is not call.session:
        replace_session(host, guest)  # another connection has resumed the guest meanwhile
    merging = host.merges.begin(guest, person)
    held, guest.merge_waiters = guest.merge_waiters, None
    for moved in held or ():
        moved.callback(None)
    return merging


def _acknowledge(
    call: Call,
    person: Person,
    token: str | None,
    rows: Sequence[More],
    text: str,
    merging: GuestMerge | None,
) -> None:
    """Replies and gives the connection the account; events of the login must come after this."""
    host = call.host
    rooms = host.rooms.of(person)
    if call.session.current is None and rooms:
        call.session.current = rooms[-1].id
    at = [At(stream.name, stream.last) for stream in _streams(person, rooms)]
    told = [*rows, *(row for each in at for row in position_rows(host, each))]
    if call.people:
        back = f"If the line drops, resume {token} takes your seat back."
        text, told = f"{text}\n{back}" if token else text, []
    call.ok(*told, name=person.name, token=token, grace=host.config.now.grace, text=text)
    if merging is not None:
        host.lobby.announce(Offline(merging.old))
    host.presence.arrive(person, call.session)
    note_set_aside(call.session, host.set_aside.of(person))
    host.presence.tell_answers(person)


def fresh_token(call: Call, person: Person) -> str | None:
    """A new resume token for the account. If others could read it on the path, revokes all
    resume tokens of the account instead and returns None.
    """
    if is_private(call):
        return call.host.people.new_token(person, private=True)
    call.host.people.forget_secrets(person)
    return None


def _check_blocked(host: Host, guest: Person, name: str) -> None:
    if len(guest.blocked | host.people.blocked_by(name)) > BLOCKED:
        raise Refused(
            "QUOTA",
            f"You and {name} have blocked more than {BLOCKED} together; unblock some first.",
        )


def _check_seats(host: Host, guest: Person, person: Person) -> None:
    for room in host.rooms.of(person):
        twin = host.pairs.twin(room)
        if room.seat_number(guest) is not None:
            where = f"both have a seat at {room.id}"
        elif twin is not None and twin.seat_number(guest) is not None:
            where = f"have seats at {twin.id} and {room.id}, which are dealt the same"
        elif any(_same_daily(room.table, other.table) for other in host.rooms.of(guest)):
            where = f"both play the daily deal of {room.table.settings.day}"
        else:
            continue
        raise Refused("FORBIDDEN", f"You and {person.name} {where}; leave one of them first.")


def _same_daily(one: Table, other: Table) -> bool:
    """True if one daily deal is being played at both tables."""
    tables = (one, other)
    deals = {(each.game.key, each.settings.day) for each in tables}
    return one.kind.once and len(deals) == 1 and all(t.phase is Phase.PLAYING for t in tables)


def _streams(person: Person, rooms: Sequence[Room]) -> list[Stream]:
    return [person.inbox, *(room.stream for room in rooms)]
