"""Identity: hello, guest, resume, whoami, logout, quit."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.connection import Bye, Warn
from twentytwo_protocol.words.seating import Leave, Unwatch
from twentytwo_protocol.words.session import At

from ....accounts.names import skeleton
from ....answers import keep
from ....session.recipient import Mode
from ...host import Host
from ...people.people import Person
from ...tables.set_aside import SetAsideTable
from ..call import Call, Handlers
from ..confirmations import asks_first, cost_of_leaving, lost_at
from .arrival import (
    check_private,
    come_back,
    finish_arrival,
    is_private,
    keep_arrival,
    note_set_aside,
    position_rows,
)
from .catching_up import CatchingUp, Position, read_positions

log = logging.getLogger("twentytwo.people")


def hello(call: Call, command: words.Hello) -> None:
    """Answers a program's `hello`: from then on the connection is in program mode."""
    if call.session.mode is Mode.PEOPLE:
        raise Refused("WRONG_MODE", "hello 1 must be the first line; here people type.")
    if call.session.greeted:
        raise Refused("WRONG_MODE", "You have said hello already.")
    try:
        ok = call.session.greet(command, call.host.config.now.boot)
    except Refused as unspoken:
        call.refuse(unspoken)
        call.host.connections.hang_up(call.session)
        return
    call.ok(**{f.attr: getattr(ok, f.attr) for f in ok.word.fields})
    call.host.availability.warn_newcomer(call.session)


def caps(call: Call, command: words.Caps) -> None:
    """Turns capabilities on and off; the answer already has the new form."""
    if not call.session.greeted:
        raise Refused("WRONG_MODE", "Capabilities are for programs, which say hello 1 first.")
    if command.caps is not None:
        call.session.turn_on(command.caps)
    call.ok(knows=call.session.known, caps=call.session.capabilities)


async def guest(call: Call, command: words.Guest) -> None:
    """Gives the connection a new guest."""
    if call.person is not None:
        raise Refused("FORBIDDEN", f"You are {call.person.name} already; logout gives the name up.")
    link = call.link()
    call.host.holdings.check_guest(link)
    person = call.host.people.add_guest(command.name, program=call.session.bot)
    call.host.people.settle(person, link.network, link.share)
    token = call.host.people.new_token(person, private=is_private(call))
    arrival = await keep_arrival(call.host, person)
    if not finish_arrival(call, person, arrival):
        return
    call.host.presence.arrive(person, call.session)
    text = f"Hello, {person.name}."
    if call.people:
        text = _welcome(call.host, person, command.name, token)
    call.ok(name=person.name, token=token, grace=call.host.config.now.grace, text=text)


def _welcome(host: Host, person: Person, wanted: str, token: str) -> str:
    wanted = wanted.removeprefix("~")
    taken = ""
    if person.name.lower() != f"~{wanted}".lower():
        taken = f" ({_why_taken(host, wanted)})"
    here = len([each for each in host.people if each.session])
    tables = len(host.access.visible_tables(None))
    about = f"{tables} open {'table' if tables == 1 else 'tables'}" if tables else "no table yet"
    return (
        f"Welcome, {person.name}{taken}. {here} here, {about}.\n"
        "tutorial teaches you in four minutes, practice plays at once, help explains.\n"
        f"If the line drops, resume {token} takes your seat back."
    )


def _why_taken(host: Host, wanted: str) -> str:
    account = host.people.skeletons.get(skeleton(wanted))
    if account is not None:
        return f"{account} is an account; if it is yours, login {account}"
    before = host.people.find(f"~{wanted}")
    if before is not None and before.session is None:
        return f"{before.name} is away; if that is you, logout, then type your resume line"
    return f"~{wanted} is here already"


async def resume(call: Call, command: words.Resume) -> None:
    """Gives the connection the person with this token, and sends the missed events.

    The missed events come before the reply. The order of steps matters:

    1. Everything that can be refused is refused first, since step 2 makes older tokens invalid.
    2. The new token is made and stored, and only then sent: a restart never forgets a token that
       somebody holds. The token that was used stays valid until the new one is used, because the
       reply may be lost.
    3. Once that is stored the connection is the person's, and new events reach it.
    4. The missed events are read from the streams only now, and new events are held back until
       those are sent. So no event is left out or sent twice.
    """
    host = call.host
    if call.person is not None:
        text = f"You are {call.person.name} already: logout first, then resume again."
        raise Refused("FORBIDDEN", text)
    person = _whose(host, command.token)
    if not person.guest:
        check_private(call)
        host.sanctions.check_name(person.name)
    positions = read_positions(command.streams)
    mine = host.rooms.of(person)
    seated = {room.id: (room.stream, room.models.seat_then(person.name)) for room in mine}
    set_aside = host.set_aside.of(person, [on for on, _ in positions])
    person.program = person.program or call.session.bot
    token = host.people.new_token(person, command.token, private=is_private(call))
    arrival = await keep_arrival(host, person)
    if finish_arrival(call, person, arrival):
        # From here on new events go to this connection, also while the missed ones are sent.
        host.presence.arrive(person, call.session)
        call.person = person
        catching_up = CatchingUp(call, command.boot in (None, host.config.now.boot), seated)
        resumed = _resumed(call, person, catching_up, positions, token, set_aside)
        await call.while_connected(resumed)


def _whose(host: Host, token: str) -> Person:
    """The person with this token. Raises `Refused` if it is not valid.

    If the token was replaced and its successor used since, two parties may have it: all tokens of
    that person are revoked, since nobody knows which of them is the thief.
    """
    try:
        return host.people.by_token(token)
    except Refused:
        owner = host.people.by_used_token(token)
        if owner is not None:
            revoke(host, owner)
        raise


def revoke(host: Host, person: Person) -> None:
    """Makes all resume tokens of a person invalid, and warns them if they are connected."""
    host.people.forget_secrets(person)
    person.used_secrets = ()
    host.store.keep([person.fact], lambda: None)
    log.warning("a token of %s was used again; all of them are revoked", person.name)
    if person.session is not None:
        person.session.notice(
            Warn(
                "TOKEN_REVOKED",
                "An old token of yours was used again, so that none takes your place back any "
                "more. If it was not you, somebody else had it.",
            )
        )


async def _resumed(
    call: Call,
    person: Person,
    catching_up: CatchingUp,
    positions: Sequence[Position],
    token: str,
    set_aside: Sequence[SetAsideTable],
) -> None:
    host, session = call.host, call.session
    rooms = host.rooms.of(person)
    session.current = rooms[-1].id if rooms else None
    person.pending += 1  # the person must not be forgotten while the missed events are sent
    try:
        at = await catching_up.send(positions)
    finally:
        person.pending -= 1
    rooms = host.rooms.of(person)
    named = [on for on, _ in positions]
    # If the reply to a join was lost, the client does not know the table and cannot name it.
    at += [At(room.id, room.stream.last) for room in rooms if room.id not in named]
    rows = [row for each in at for row in position_rows(host, each)]
    text = "Welcome back."
    if call.people:
        text = f"Welcome back, {person.name}. Next time: resume {token}"
        rows = []
    call.ok(*rows, name=person.name, token=token, grace=host.config.now.grace, text=text)
    note_set_aside(session, set_aside)
    host.presence.tell_answers(person)
    come_back(call, person)


def whoami(call: Call, _: words.Whoami) -> None:
    """Tells the person's name and seats."""
    seats = ", ".join(room.id for room in call.host.rooms.of(call.me))
    at = f", with a seat at {seats}" if seats else ""
    guest = ", a guest" if call.me.guest else ""
    call.ok(name=call.me.name, text=f"You are {call.me.name}{guest}{at}.")


async def logout(call: Call, _: words.Logout) -> None:
    """Gives up the person's name, seats and tokens; the connection stays open."""
    host, person = call.host, call.me
    lost = lost_at(call, host.rooms.of(person))
    if asks_first(call, cost_of_leaving(lost, host.rooms.of(person))):
        return
    host.people.forget_secrets(person)
    person.arrivals += 1  # makes `finish_arrival` refuse a connection that is just arriving
    await keep(host.store, [person.fact])
    call.ok(lost=lost, text="You have no name now. guest NAME gives you one.")
    for room in host.rooms.of(person):
        room.order(call.who, Leave())
    for room in [r for r in host.rooms.values() if person.name in r.table.watchers]:
        room.order(call.who, Unwatch())
    host.presence.log_out(person)


def quit(call: Call, _: words.Quit) -> None:
    """Says goodbye and closes the connection; the person's seats are kept for the grace period."""
    name = call.person.name if call.person else None
    text = f"Goodbye, {name}." if name else "Goodbye."
    kept = [room.id for room in call.host.rooms.of(call.me)] if name and call.people else []
    if kept:
        back = "your resume line takes it back" if call.me.guest else "login takes it back"
        text = f"Your seat at {listed(kept)} is kept for a while: {back}.\n{text}"
    if call.session.mode is Mode.PROGRAM:
        call.ok()
    call.session.notice(Bye("QUIT", bool(call.person), text=text))
    call.host.connections.hang_up(call.session)


HANDLERS: Handlers = {
    words.Hello: hello,
    words.Caps: caps,
    words.Guest: guest,
    words.Resume: resume,
    words.Whoami: whoami,
    words.Logout: logout,
    words.Quit: quit,
}
