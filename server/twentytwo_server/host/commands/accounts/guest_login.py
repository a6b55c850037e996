"""Being an account from now on, and bringing along what was a guest's.

The order of things is so that a server that stops in between loses nothing: first the account is
kept with the guest's secret beside its own (or, where others could read that, with a trace of it
that opens nothing), then it is acknowledged, then every table learns the new name, and only then is
the guest forgotten. A start that finds both finishes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.accounts import More
from twentytwo_protocol.words.lobby import Offline
from twentytwo_protocol.words.replies import Ok

from ....facts import Fact
from ....ports import Link
from ....session.streams import Stream
from ....table.decision import Actor
from ....table.effects import Back
from ...guest_merge import GuestMerge
from ...host import Host
from ...people.people import BLOCKED, Person
from ...tables.room import Room
from ..call import Call
from ..session.arrival import (
    ELSEWHERE,
    at_row,
    come_in,
    is_private,
    note_set_aside,
    recap,
    replace_session,
)


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
        host.seeks.withdraw(guest.name)
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
        self._merge: GuestMerge | None = None

    def before(self) -> None:
        """It is kept that the account is here: what is the guest's is the account's."""
        guest, host = self._guest, self._call.host
        if guest is not None:
            guest.awaited -= 1
            if guest.session is not None and guest.session is not self._call.session:
                replace_session(host, guest)  # came in as the guest meanwhile
            self._merge = GuestMerge(host, guest, self._person)
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
        if self._merge is not None:
            host.lobby.announce(Offline(self._merge.old))
        host.arrive(person, call.session)
        note_set_aside(call.session, host.set_aside.of(person))
        if call.people:
            recap(call, person)  # so that the open question is the last that they read

    def after(self) -> None:
        """The tables are told, whether the connection is still there or not."""
        done = self._call.done if self._is_here else nothing
        if self._merge is not None:
            self._merge.tell_tables(done)
        else:
            done()
        if self._is_here:
            for room in self._call.host.rooms_of(self._person):
                room.order(Actor(self._person.name), Back(self._person.name))


def _streams(person: Person, rooms: Sequence[Room]) -> list[Stream]:
    return [person.inbox, *(room.stream for room in rooms)]
