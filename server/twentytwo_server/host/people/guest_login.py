"""Being an account from now on, and bringing along what was a guest's.

The order of things is so that a server that stops in between loses nothing: first the account is
kept with the guest's secret beside its own (or, where others could read that, with a trace of it
that opens nothing), then it is acknowledged, then every table learns the new name, and only then is
the guest forgotten. A start that finds both finishes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.accounts import More
from twentytwo_protocol.words.lobby import Offline
from twentytwo_protocol.words.replies import Ok

from ...facts import Fact, PersonGone
from ...ports import Link
from ...session.streams import Stream
from ...table.decision import Actor
from ...table.effects import Back, Renamed
from ..commands.call import Call
from ..commands.session.identity import (
    ELSEWHERE,
    at_row,
    come_in,
    is_private,
    note_asides,
    recap,
    replace_session,
)
from ..host import Host
from ..tables.room import SERVER, Answer, Room
from .inboxes import line_of, promised
from .people import BLOCKED, INBOX, Person


def link_of(call: Call) -> Link:
    """What the command came over. Raises `Refused` where that is gone."""
    link = call.host.link(call.session)
    if link is None:
        raise Refused("FORBIDDEN", ELSEWHERE)
    return link


def nothing() -> None:
    """There is nothing to do."""


def become(
    call: Call,
    name: str,
    facts: Sequence[Fact] = (),
    *,
    rows: Sequence[More] = (),
    welcome: str = "",
) -> None:
    """The connection is the account's from now on, and what is the guest's with it."""
    host, guest = call.host, call.person
    if guest is not None:
        _check_blocked(host, guest, name)
    person = host.people.account(name, program=call.session.bot)
    if guest is not None:
        _check_seats(host, guest, person)
        host.withdraw(guest.name)
        guest.awaited += 1
    person.program = call.session.bot
    token = new_secret(call, person)
    if guest is not None:
        host.people.link(person, guest)
        guest.held = guest.held or []
    coming = _Coming(call, person, guest, token, rows, welcome or f"Welcome, {name}.")
    come_in(call, person, coming.arrived, facts, coming.before, coming.after)


def new_secret(call: Call, person: Person) -> str | None:
    """A token that takes the place back; none where others could read it on the way."""
    link_of(call)
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
    both = [room for room in host.rooms_of(person) if room.seat_number(guest) is not None]
    if both:
        raise Refused(
            "FORBIDDEN",
            f"You and {person.name} both have a seat at {both[0].id}; leave one of them first.",
        )


class _Coming:
    """Somebody on the way to being an account, perhaps from being a guest."""

    def __init__(
        self,
        call: Call,
        person: Person,
        guest: Person | None,
        token: str | None,
        rows: Sequence[More],
        text: str,
    ) -> None:
        self._call = call
        self._person = person
        self._guest = guest
        self._token = token
        self._rows = rows
        self._text = text
        self._is_here = False
        self._moving: Moving | None = None

    def before(self) -> None:
        """It is kept that the account is here: what is the guest's is the account's."""
        guest, host = self._guest, self._call.host
        if guest is not None:
            guest.awaited -= 1
            if guest.session is not None and guest.session is not self._call.session:
                replace_session(host, guest)  # came in as the guest meanwhile
            self._moving = Moving(host, guest, self._person)
            held, guest.held = guest.held, None
            for post in held or ():
                post()

    def arrived(self) -> None:
        """The connection is still there: says so, before anything is told of it."""
        call, person, host = self._call, self._person, self._call.host
        self._is_here = True
        rooms = host.rooms_of(person)
        if call.session.current is None and rooms:
            call.session.current = rooms[-1].id
        text, rows = self._text, [*self._rows, *(at_row(host, s) for s in _streams(person, rooms))]
        if call.people:
            back = f"If the line drops, resume {self._token} takes your seat back."
            text, rows = f"{text}\n{back}" if self._token else text, []
        ok = Ok(name=person.name, token=self._token, grace=host.config.grace, text=text)
        call.session.reply(call.id, rows, ok, call.voice)
        if self._moving is not None:
            host.lobby.announce(Offline(self._moving.old))
        host.arrive(person, call.session)
        note_asides(call.session, host.set_aside.of(person))
        if call.people:
            recap(call, person)  # so that the open question is the last that they read

    def after(self) -> None:
        """The tables are told, whether the connection is still there or not."""
        done = self._call.done if self._is_here else nothing
        if self._moving is not None:
            self._moving.tell_tables(done)
        else:
            done()
        if self._is_here:
            for room in self._call.host.rooms_of(self._person):
                room.order(Actor(self._person.name), Back(self._person.name))


def _streams(person: Person, rooms: Sequence[Room]) -> list[Stream]:
    return [person.inbox, *(room.stream for room in rooms)]


class Moving:
    """A guest on the way to being an account: everything is the account's at once, in memory.

    The tables learn it one by one, each when what it was told before is kept; until then the
    guest's name means the account.
    """

    def __init__(self, host: Host, guest: Person, person: Person) -> None:
        self.old = guest.name
        self._host = host
        self._person = person
        person.awaited += 1  # until all is kept
        host.people.merge(guest, person)
        host.set_aside.rename(self.old, person.name)
        self._inbox = list(guest.inbox.after(0))
        self._adopted = person.promised == 0
        if self._adopted:
            person.inbox = Stream("me", keep=INBOX, after=guest.inbox.oldest - 1)
            for entry in self._inbox:
                person.inbox.append(entry.event, at=entry.at)
            person.promised = person.inbox.last
        guest.name, guest.session = person.name, None

    def tell_tables(self, done: Callable[[], None]) -> None:
        """Renames them wherever they are; then the guest is forgotten, and `done` is called."""
        rooms = [room for room in self._host.rooms.values() if room.may_have(self.old)]
        waiting = set(rooms)

        def answered(room: Room) -> Callable[[Answer], None]:
            def one(_: Answer) -> None:
                waiting.discard(room)
                if not waiting:
                    self._forget(done)

            return one

        for room in rooms:
            room.order(SERVER, Renamed(self.old, self._person.name), answered(room))
        if not rooms:
            self._forget(done)

    def _forget(self, done: Callable[[], None]) -> None:
        self._keep_inbox()
        self._host.people.forget_name(self.old)
        self._person.awaited -= 1
        self._host.let_go(self._person)
        done()

    def _keep_inbox(self) -> None:
        """Forgets the guest, and keeps what was in their inbox as the account's.

        Behind what is there already, where the account has an inbox of its own. Whom they have
        blocked is kept with it.
        """
        person, gone = self._person, PersonGone(self.old)
        blocks = [person.blocks] if person.blocked else []
        if self._adopted:
            lines = [line_of(person, each.seq, each.event, each.at) for each in self._inbox]
            self._host.store.keep([gone, *blocks, *lines], lambda: None)
            return

        def kept() -> None:
            for each in self._inbox:
                person.inbox.append(each.event, at=each.at)

        lines = [promised(person, each.event, each.at) for each in self._inbox]
        self._host.store.keep([gone, *blocks, *lines], kept)


def finish_moves(host: Host) -> None:
    """After a start: who had logged in when the server stopped is the account everywhere."""
    for guest, person in host.people.halfway():
        Moving(host, guest, person).tell_tables(nothing)
