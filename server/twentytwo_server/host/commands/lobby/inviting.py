"""Invitations to a table: making, accepting and declining them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import lobby as words
from twentytwo_protocol.words.seating import Join
from twentytwo_protocol.words.talk import Declined, Invited

from ...cluster.post import Post
from ...holdings import Holdings
from ...lobby.seeks import Seeks
from ...people.inboxes import Inboxes
from ...people.people import People, Person
from ...tables.rooms import AnyRoom, Rooms
from ..call import Call, Handlers
from ..seating.sitting import sit_down
from .seeking import SeekMatching


async def invite(call: Call, command: words.Invite, post: Post, inboxes: Inboxes) -> None:
    """Invites somebody to the person's table."""
    room = call.room(command.table)
    if room.seat_number(call.me) is None:
        raise Refused("NOT_SEATED", "You can only invite people to a table where you sit.")
    other = await post.named(command.name)
    call.link()
    table = room.table
    may_watch = "open" if table.settings.watch else None
    invited = Invited(call.me.name, room.id, table.game.key, may_watch)
    mail: list[tuple[Person, Invited]] = []
    if isinstance(other, Person):
        name, here = other.name, other.session is not None
        known = other.invited.get(call.me.name.lower()) == room.id
        other.invited[call.me.name.lower()] = room.id
        if call.me.name not in other.blocked:
            mail = [(other, invited)]
    else:
        name, sent = other, await post.send(call.me, call.once, other, invited)
        here, known = sent.here, sent.known
    if known:
        call.ok(text=f"{name} is invited already.")
        return
    away = "" if here else ", and reads it when they are back"
    text = f"{name} is invited{away}."
    posted = await inboxes.post(mail, lambda _: call.kept(lambda: {"text": text}))
    call.ok(text=text)
    inboxes.deliver(posted)


@dataclass(slots=True)
class Invitations:
    """The invitations that people have not answered yet."""

    _people: People
    _rooms: Rooms

    def inviting(self, person: Person) -> list[str]:
        """The names of those who invite a person to a table that is still there."""
        return [name for name, table in person.invited.items() if table in self._rooms]

    def table(self, person: Person, name: str) -> AnyRoom | None:
        """The table to which somebody of that name invites the person."""
        return self._rooms.get(person.invited.get(self.inviter(person, name), ""))

    def answer(
        self, person: Person, name: str, table: str | None
    ) -> tuple[AnyRoom, Callable[[], None]]:
        """The table of an invitation (`table` if it is named), and a function that removes the
        invitation when it is answered. Raises `Refused`.
        """
        room = self.table(person, name)
        if room is None or table not in (None, room.id):
            raise Refused("NO_SUCH_TABLE", f"{name} has not invited you, or the table is gone.")

        def answered() -> None:
            person.invited.pop(self.inviter(person, name), None)

        return room, answered

    def inviter(self, person: Person, name: str) -> str:
        """The full name of somebody who invites the person, in lower case."""
        # The sentence of the invitation may have the name that an account had as a guest.
        host = self._people.find(name) or self._people.find(name.removeprefix("~"))
        key = (host.name if host else name).lower()
        return f"~{key}" if key not in person.invited and f"~{key}" in person.invited else key


async def accept(
    call: Call,
    command: words.Accept,
    invitations: Invitations,
    holdings: Holdings,
    seeks: Seeks,
    matching: SeekMatching,
) -> None:
    """Accepts an invitation to a table, or joins an open seek."""
    seek, by = command.seek, command.name
    if by and not (seek or command.table or invitations.table(call.me, by)):
        seek = seeks.find(by)
    if seek is not None:
        await matching.join(call, seek)
        return
    invited = invitations.inviting(call.me)
    name = by or (invited[0] if len(invited) == 1 else None)
    if name is None:
        text = "Whose invitation? accept NAME, or accept seek=N."
        if not invited:
            others = seeks.told_to(call.me.name)
            more = f"{others}." if others else "tables lists where people play, join tN sits down."
            text = f"Nobody has invited you: {more}"
        raise Refused("BAD_ARG", text, arg="name")
    holdings.check_seat(call.me)
    room, answered = invitations.answer(call.me, name, command.table)
    await sit_down(call, room, Join(room.id), then=answered)


async def decline(
    call: Call, command: words.Decline, post: Post, invitations: Invitations, inboxes: Inboxes
) -> None:
    """Declines an invitation, and tells the inviter."""
    room, answered = invitations.answer(call.me, command.name, command.table)
    name = invitations.inviter(call.me, command.name)
    answered()
    text = f"You turn down {command.name}'s invitation to {room.id}."
    host, declined = await post.find(name), Declined(call.me.name, room.id)
    mail: list[tuple[Person, Declined]] = []
    if isinstance(host, Person):
        mail = [(host, declined)] if call.me.name not in host.blocked else []
    elif host is not None:
        await post.send(call.me, call.once, host, declined)
    posted = await inboxes.post(mail, lambda _: call.kept(lambda: {"text": text}))
    call.ok(text=text)
    inboxes.deliver(posted)


HANDLERS: Handlers = {
    words.Invite: invite,
    words.Accept: accept,
    words.Decline: decline,
}
