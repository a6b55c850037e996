"""Coming, being someone, coming back, going."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.connection import Bye, Warn
from twentytwo_protocol.words.seating import Leave, Unwatch
from twentytwo_protocol.words.session import At

from ....accounts.names import skeleton
from ....facts import Fact
from ....failpoints import failpoint
from ....session.session import Mode, Session
from ....session.streams import Entry, Stream
from ....table.decision import Actor
from ....table.effects import Back
from ...host import Host
from ...people.people import Person
from ...recovery.set_aside import SetAsideTable
from ...tables.room import Room
from ..call import Call, Handlers

log = logging.getLogger("twentytwo.people")

ELSEWHERE = "You are connected from elsewhere now."


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
    token = call.host.people.new_token(person, private=is_private(call))

    def arrived() -> None:
        call.host.arrive(person, call.session)
        text = f"Hello, {person.name}."
        if call.people:
            text = _welcome(call.host, person, said.name, token)
        call.ok(name=person.name, token=token, grace=call.host.config.grace, text=text)

    come_in(call, person, arrived)


def come_in(
    call: Call,
    person: Person,
    arrived: Callable[[], None],
    facts: Sequence[Fact] = (),
    before: Callable[[], None] = lambda: None,
    after: Callable[[], None] = lambda: None,
) -> None:
    """Keeps who somebody is, with further facts; then `arrived` gives them the connection.

    Not if that is gone by then: then they are away. Nor if a newer one has come in as them.
    What is to be done `before` and `after` that is done in every case.
    """
    person.comings += 1
    person.awaited += 1
    mine = person.comings

    def kept() -> None:
        failpoint("token kept")
        person.awaited -= 1
        before()
        if call.host.link(call.session) is None:
            if person.session is None:
                call.host.expect(person)
            call.done()
        elif person.comings != mine:
            call.refuse(Refused("FORBIDDEN", ELSEWHERE))
            send_away(call.host, call.session)
        else:
            if person.session is not None and person.session is not call.session:
                replace_session(call.host, person)
            arrived()
        after()

    call.host.store.keep([*facts, person.fact], kept)


def _welcome(host: Host, person: Person, wanted: str, token: str) -> str:
    wanted = wanted.removeprefix("~")
    taken = ""
    if person.name.lower() != f"~{wanted}".lower():
        taken = f" ({_why_taken(host, wanted)})"
    here = len([each for each in host.people if each.session])
    tables = len([r for r in host.rooms.values() if host.visible(r, None)])
    about = f"{tables} open {'table' if tables == 1 else 'tables'}" if tables else "no table yet"
    return (
        f"Welcome, {person.name}{taken}. {here} here, {about}.\n"
        "practice plays against bots at once, tables shows who plays, help explains.\n"
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


def resume(call: Call, said: words.Resume) -> None:
    """Somebody takes their place back; the missed events come before the reply."""
    host = call.host
    if call.person is not None:
        text = f"You are {call.person.name} already: logout first, then resume again."
        raise Refused("FORBIDDEN", text)
    person = _whose(host, said.token)
    if not person.guest:
        check_private(call)
    # Who names a table that is set aside comes in all the same, and is told.
    told = host.set_aside.of(person, said.streams)
    kept = [word for word in said.streams if host.set_aside.table(word, person) is None]
    positions = [_position(host, person, word) for word in kept]
    person.program = person.program or call.session.bot
    token = host.people.new_token(person, said.token, private=is_private(call))

    def arrived() -> None:
        _resumed(call, person, positions, token)
        note_asides(call.session, told)

    come_in(call, person, arrived)


def note_asides(session: Session, told: Sequence[SetAsideTable]) -> None:
    """Tells whoever has come back of tables that are set aside."""
    for aside in told:
        session.notice(aside.note)


def _whose(host: Host, token: str) -> Person:
    """Whose token it is. One that was used up opens nothing, and from then on none does."""
    try:
        return host.people.by_token(token)
    except Refused:
        spent = host.people.spent_by(token)
        if spent is not None:
            revoke(host, spent)
        raise


def revoke(host: Host, person: Person) -> None:
    """Somebody's token was used after its successor: none of them opens anything any more."""
    host.people.forget_secrets(person)
    person.spent.clear()
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


def is_private(call: Call) -> bool:
    """Whether nobody on the way reads what is said here, or the operator does not mind."""
    link = call.host.link(call.session)
    return link is None or link.local or call.host.config.plaintext_login


def check_private(call: Call) -> None:
    """Raises `Refused` where others could read what is secret."""
    if not is_private(call):
        raise Refused("TLS_REQUIRED", "Others could read that on the way; connect by TLS.")


def _resumed(
    call: Call, person: Person, positions: Sequence[tuple[Stream, int, int | None]], token: str
) -> None:
    host, session = call.host, call.session
    rooms = host.rooms_of(person)
    session.current = rooms[-1].id if rooms else None
    for stream, seq, seat in positions:
        if stream.name in host.rooms:
            seat = _seat_at(host, person, stream)
        # A table that was closed while this was kept is told to the end, as its seat saw it.
        for entry in stream.after(seq):
            show_again(session, person, entry, seat)
    named = [stream for stream, _, _ in positions]
    # A seat whose answer was lost has a stream that its owner cannot name.
    unnamed = [room.stream for room in rooms if room.stream not in named]
    rows = [at_row(host, stream) for stream in (*named, *unnamed)]
    host.arrive(person, session)
    text = "Welcome back."
    if call.people:
        welcome = f"Welcome back, {person.name}. Next time: resume {token}"
        text = "\n".join([welcome, *_cards(call, rooms)])
        session.welcomed = {room.id for room in rooms if _was_away(room, person)}
    call.ok(*rows, name=person.name, token=token, grace=host.config.grace, text=text)
    if call.people:
        recap(call, person)  # so that the open question is the last that they read
    for room in rooms:
        room.order(Actor(person.name), Back(person.name))


def _was_away(room: Room, person: Person) -> bool:
    """Whether everybody at a table is about to hear that somebody is back."""
    seat = room.table.seat_of(person.name)
    return seat is not None and (not seat.here or seat.standin)


def _cards(call: Call, rooms: Sequence[Room]) -> Iterator[str]:
    """The cards of somebody who came back, where the open question does not show them."""
    for room in rooms:
        seat = room.seat_number(call.host.person(call.session))
        asked = room.table.match.question if room.table.match else None
        shows = asked is not None and asked.seat == seat and asked.hand
        cards = room.table.game.deck.sort(room.model(seat).holding)
        if cards and not shows:
            yield f"Your cards: {call.session.display.show(cards)}"


def recap(call: Call, person: Person) -> None:
    """Shows a person who came back the hand so far: what stands on the table."""
    for room in call.host.rooms_of(person):
        seat = room.seat_number(person)
        entries = [e for e in room.since_game() if type(e.event).scope in ("trick", "turn", "hand")]
        # Of the questions only the last is open still.
        told = [e for e in entries[:-1] if type(e.event).scope != "turn"] + entries[-1:]
        for entry in told[-6:]:
            call.session.show(entry, seat)


def replace_session(host: Host, person: Person) -> None:
    """A newer connection wins; the older is told and closed."""
    old = person.session
    assert old is not None
    person.session = None
    send_away(host, old)


def send_away(host: Host, session: Session) -> None:
    """A connection is told that there is a newer one, and closed; what it still asks is dropped."""
    session.notice(Bye("REPLACED", False, ELSEWHERE))
    session.name = None
    host.hang_up(session)


def show_again(session: Any, person: Person, entry: Entry, seat: int | None) -> None:
    """Shows an entry of the past as it was shown, or would have been."""
    speaker = getattr(entry.event, "from_", None)
    session.show(entry, seat, blocked=speaker in person.blocked)


def _position(host: Host, person: Person, word: str) -> tuple[Stream, int, int | None]:
    """A stream, the last number seen of it, and the seat it is seen from. Raises `Refused`."""
    name, _, number = word.partition(":")
    stream, _ = stream_for(host, person, name)
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        raise Refused("BAD_ARG", f"{word} is not STREAM:NUMBER.", arg="streams")
    check_seq(stream, int(number))
    return stream, int(number), _seat_at(host, person, stream)


def _seat_at(host: Host, person: Person, stream: Stream) -> int | None:
    """From which seat somebody sees a stream; only a table's is seen from one."""
    room = host.rooms.get(stream.name)
    return room.seat_number(person) if room is not None else None


def stream_for(host: Host, person: Person, name: str) -> tuple[Stream, int | None]:
    """A stream that somebody may read, and the seat they read it from. Raises `Refused`."""
    if name == "me":
        return person.inbox, None
    if name == "lobby":
        return host.lobby.stream, None
    room = host.rooms.get("t" + name[1:]) if name[:1] in ("t", "k") else None
    if room is None or not host.visible(room, person):
        aside = host.set_aside.table(name, person)
        text = aside.sentence if aside else f"There is no stream {name}."
        raise Refused("NO_SUCH_TABLE", text, arg="stream")
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


def at_row(host: Host, stream: Stream) -> At:
    """Where a stream stands now, with the open question at a table."""
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
    guest = ", a guest" if call.me.guest else ""
    call.ok(name=call.me.name, text=f"You are {call.me.name}{guest}{at}.")


def logout(call: Call, _: words.Logout) -> None:
    """Somebody gives up their name and their seats."""
    host, person = call.host, call.me
    host.people.forget_secrets(person)
    person.comings += 1

    def kept() -> None:
        call.ok(text="You are nobody now. guest NAME makes you somebody.")
        for room in host.rooms_of(person):
            room.order(call.who, Leave())
        for room in [r for r in host.rooms.values() if person.name in r.table.watchers]:
            room.order(call.who, Unwatch())
        host.detach_person(person)

    host.store.keep([person.fact], kept)


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
