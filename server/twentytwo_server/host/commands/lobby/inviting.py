"""Invitations to a table: making, accepting and declining them."""

from __future__ import annotations

from collections.abc import Callable

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import lobby as words
from twentytwo_protocol.words.seating import Join
from twentytwo_protocol.words.talk import Declined, Invited

from ...holdings import Holdings
from ...people.inboxes import Inboxes
from ...people.people import People
from ...tables.room import Room
from ...tables.rooms import Rooms
from ..call import Call, Handlers
from ..seating.sitting import sit_down
from .seeking import SeekMatching


async def invite(call: Call, command: words.Invite, people: People, inboxes: Inboxes) -> None:
    """Invites somebody to the person's table."""
    room = call.room(command.table)
    if room.seat_number(call.me) is None:
        raise Refused("NOT_SEATED", "You can only invite people to a table where you sit.")
    other = people.named(command.name)
    if other.invited.get(call.me.name.lower()) == room.id:
        call.ok(text=f"{other.name} is invited already.")
        return
    other.invited[call.me.name.lower()] = room.id
    table = room.table
    may_watch = "open" if table.settings.watch else None
    invited = Invited(call.me.name, room.id, table.game.key, may_watch)
    mail = [(other, invited)] if call.me.name not in other.blocked else []
    away = "" if other.session is not None else ", and reads it when they are back"
    text = f"{other.name} is invited{away}."
    posted = await inboxes.post(mail, lambda _: call.kept(lambda: {"text": text}))
    call.ok(text=text)
    inboxes.deliver(posted)


async def accept(
    call: Call,
    command: words.Accept,
    people: People,
    rooms: Rooms,
    holdings: Holdings,
    matching: SeekMatching,
) -> None:
    """Accepts an invitation to a table, or joins an open seek."""
    if command.seek is not None:
        await matching.join(call, command.seek)
        return
    invited = [name for name, table in call.me.invited.items() if table in rooms]
    name = command.name or (invited[0] if len(invited) == 1 else None)
    if name is None:
        text = "Whose invitation? accept NAME, or accept seek=N."
        if not invited:
            text = "Nobody has invited you: tables lists where people play, join tN sits down."
        raise Refused("BAD_ARG", text, arg="name")
    holdings.check_seat(call.me)
    room, answered = _invitation(call, people, rooms, name, command.table)
    await sit_down(call, room, Join(room.id), then=answered)


async def decline(
    call: Call, command: words.Decline, people: People, rooms: Rooms, inboxes: Inboxes
) -> None:
    """Declines an invitation, and tells the inviter."""
    room, answered = _invitation(call, people, rooms, command.name, command.table)
    answered()
    text = f"You turn down {command.name}'s invitation to {room.id}."
    host = people.find(command.name)
    heard = host is not None and call.me.name not in host.blocked
    mail = [(host, Declined(call.me.name, room.id))] if host is not None and heard else []
    posted = await inboxes.post(mail, lambda _: call.kept(lambda: {"text": text}))
    call.ok(text=text)
    inboxes.deliver(posted)


def _invitation(
    call: Call, people: People, rooms: Rooms, name: str, table: str | None
) -> tuple[Room, Callable[[], None]]:
    """The table of an invitation (`table` if it is named), and a function that removes the
    invitation when it is answered. Raises `Refused`.
    """
    host, mine = people.find(name), call.me.invited
    key = (host.name if host else name).lower()
    invited = mine.get(key, "")
    room = rooms.get(invited) if table in (None, invited) else None
    if room is None:
        raise Refused("NO_SUCH_TABLE", f"{name} has not invited you, or the table is gone.")

    def answered() -> None:
        mine.pop(key, None)

    return room, answered


HANDLERS: Handlers = {
    words.Invite: invite,
    words.Accept: accept,
    words.Decline: decline,
}
