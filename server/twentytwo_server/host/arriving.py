"""Coming, being someone, coming back, going."""

from __future__ import annotations

from typing import Any

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.seating import Leave
from twentytwo_protocol.words.session import At

from ..play.decision import Who
from ..play.effects import Back
from ..play.session import Mode
from ..play.streams import Entry, Stream
from .host import Call, Handlers, Host
from .people import Person


def hello(call: Call, said: words.Hello) -> None:
    """A program introduces itself."""
    if call.session.mode is Mode.PEOPLE:
        raise Refused("WRONG_MODE", "hello 1 must be the first line; here people type.")
    if call.session.greeted:
        raise Refused("WRONG_MODE", "You have said hello already.")
    if said.version != 1:
        call.refuse(Refused("BAD_VERSION", "This server speaks version 1.", have=1))
        call.host.hang_up(call.session)
        return
    ok = call.session.greet(said, call.host.config.boot)
    call.ok(**{f.attr: getattr(ok, f.attr) for f in ok.word.fields})


def guest(call: Call, said: words.Guest) -> None:
    """Somebody comes in under a name."""
    if call.person is not None:
        raise Refused("FORBIDDEN", f"You are {call.person.name} already; logout gives the name up.")
    person = call.host.people.admit(said.name, program=call.session.bot)
    token = call.host.people.new_token(person)
    call.host.arrive(person, call.session)
    text = f"Hello, {person.name}."
    if call.people:
        text = _welcome(call.host, person, token)
    call.ok(name=person.name, token=token, grace=call.host.config.grace, text=text)


def _welcome(host: Host, person: Person, token: str) -> str:
    other = person.name.rstrip("0123456789")
    before = host.people.find(other) if other != person.name else None
    taken = ""
    if before is not None:
        taken = f" ({other} is here already)"
        if before.session is None:
            taken = f" ({other} is away; if that is you, resume with your token)"
    tables = len([r for r in host.rooms.values() if host.visible(r, None)])
    about = f"{tables} open {'table' if tables == 1 else 'tables'}" if tables else "no table yet"
    return (
        f"Welcome, {person.name}{taken}. {len(host.people)} here, {about}.\n"
        "practice plays against bots at once, tables shows who plays, help explains.\n"
        f"If the line drops, resume {token} takes your seat back."
    )


def resume(call: Call, said: words.Resume) -> None:
    """Somebody takes their place back; the missed events come before the reply."""
    host, session = call.host, call.session
    if call.person is not None:
        raise Refused("FORBIDDEN", f"You are {call.person.name} already.")
    person = host.people.by_token(said.token)
    positions = [_position(host, person, word) for word in said.streams]
    token = host.people.new_token(person, said.token)
    if person.session is not None:
        replace_session(host, person)
    person.program = person.program or session.bot
    session.name = person.name
    rooms = host.rooms_of(person)
    session.current = rooms[-1].id if rooms else None
    for stream, seat, seq in positions:
        for entry in stream.after(seq):
            show_again(session, person, entry, seat)
    rows = [_at(host, stream) for stream, _, _ in positions]
    host.arrive(person, session)
    text = "Welcome back."
    if call.people:
        recap(call, person)
        text = f"Welcome back, {person.name}. Next time: resume {token}"
    call.ok(*rows, name=person.name, token=token, grace=host.config.grace, text=text)
    for room in rooms:
        room.order(Who(person.name), Back(person.name))


def recap(call: Call, person: Person) -> None:
    """Shows a person who came back the hand so far: what stands on the table."""
    for room in call.host.rooms_of(person):
        seat = room.seat_number(person)
        entries = [e for e in room.since_game() if type(e.event).scope in ("trick", "turn", "hand")]
        for entry in entries[-6:]:
            call.session.show(entry, seat)


def replace_session(host: Host, person: Person) -> None:
    """A newer connection wins; the older is told and closed."""
    old = person.session
    assert old is not None
    old.notice(Bye("REPLACED", False, "You are connected from elsewhere now."))
    old.name = None
    host.hang_up(old)
    person.session = None


def show_again(session: Any, person: Person, entry: Entry, seat: int | None) -> None:
    """Shows an entry of the past as it was shown, or would have been."""
    speaker = getattr(entry.event, "from_", None)
    session.show(entry, seat, blocked=speaker in person.blocked)


def _position(host: Host, person: Person, word: str) -> tuple[Stream, int | None, int]:
    name, _, number = word.partition(":")
    stream, seat = stream_for(host, person, name)
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        raise Refused("BAD_ARG", f"{word} is not STREAM:NUMBER.", arg="streams")
    check_seq(stream, int(number))
    return stream, seat, int(number)


def stream_for(host: Host, person: Person, name: str) -> tuple[Stream, int | None]:
    """A stream that somebody may read, and the seat they read it from. Raises `Refused`."""
    if name == "me":
        return person.inbox, None
    if name == "lobby":
        return host.board.stream, None
    room = host.rooms.get("t" + name[1:]) if name[:1] in ("t", "k") else None
    if room is None or not host.visible(room, person):
        raise Refused("NO_SUCH_TABLE", f"There is no stream {name}.", arg="stream")
    seat = room.seat_number(person)
    if name.startswith("k"):
        if seat is not None and room.table.match is not None and not room.table.match.over:
            raise Refused("FORBIDDEN", "Players read the watchers' talk after the game.")
        return room.kibitz, None
    if not room.table.settings.watch and seat is None:
        raise Refused("FORBIDDEN", f"{room.id} is not open to watchers.")
    return room.stream, seat


def check_seq(stream: Stream, seq: int) -> None:
    """Raises `Refused` unless the stream goes that far and still has what comes after."""
    if seq > stream.last:
        raise Refused("BAD_SEQ", f"{stream.name} has {stream.last} events.", have=stream.last)
    if seq < stream.oldest - 1:
        raise Refused(
            "GONE", f"{stream.name} is kept from number {stream.oldest} on.", oldest=stream.oldest
        )


def _at(host: Host, stream: Stream) -> At:
    room = host.rooms.get(stream.name)
    match = room.table.match if room else None
    asked = match.question if match else None
    if room is None or asked is None:
        return At(stream.name, stream.last)
    return At(stream.name, stream.last, asked.turn, asked.seat, room.time_left())


def whoami(call: Call, _: words.Whoami) -> None:
    """Who one is."""
    seats = ", ".join(room.id for room in call.host.rooms_of(call.me))
    at = f", with a seat at {seats}" if seats else ""
    call.ok(name=call.me.name, text=f"You are {call.me.name}, a guest{at}.")


def logout(call: Call, _: words.Logout) -> None:
    """Somebody gives up their name and their seats."""
    host, person = call.host, call.me
    call.ok(text="You are nobody now. guest NAME makes you somebody.")
    for room in host.rooms_of(person):
        room.order(call.who, Leave())
    host.detach_person(person)


def quit(call: Call, _: words.Quit) -> None:
    """Somebody leaves."""
    name = call.person.name if call.person else None
    text = f"Goodbye, {name}." if name else "Goodbye."
    if call.session.mode is Mode.PROGRAM:
        call.ok()
    else:
        call.done()
    call.session.notice(Bye("QUIT", bool(call.person), text))
    call.host.hang_up(call.session)


HANDLERS: Handlers = {
    words.Hello: hello,
    words.Guest: guest,
    words.Resume: resume,
    words.Whoami: whoami,
    words.Logout: logout,
    words.Quit: quit,
}
