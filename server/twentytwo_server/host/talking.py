"""Talk: at the table, in private, in the lobby, among watchers."""

from __future__ import annotations

import logging

from twentytwo_protocol.framing import without_overrides
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import talk as words

from .host import Call, Handlers
from .tabling import watched_room

log = logging.getLogger("twentytwo.reports")

LONGEST = 300
"""Characters in one thing said."""


def _text(text: str) -> str:
    if len(text) > LONGEST:
        raise Refused("BAD_ARG", f"Say it in {LONGEST} characters.", arg="text")
    return without_overrides(text)


def say(call: Call, said: words.Say) -> None:
    """To everybody at one's table, players and watchers."""
    room = call.host.room(call, None)
    if room.seat_number(call.me) is None and call.me.name not in room.table.watchers:
        raise Refused("NOT_SEATED", f"You are not at {room.id}.")
    if room.seat_number(call.me) is None and room.table.match and not room.table.match.over:
        raise Refused("FORBIDDEN", "Watchers talk among themselves during a game: kibitz TEXT.")
    text = _text(said.text)
    call.ok(on=room.id, seq=room.stream.last + 1)
    room.say(words.Said(call.me.name, text))


def tell(call: Call, said: words.Tell) -> None:
    """To one person."""
    other = call.host.people.named(said.name)
    text = _text(said.text)
    told = words.Told(call.me.name, other.name, text)
    call.ok(on="me", seq=call.me.inbox.last + 1)
    if other is not call.me:
        call.host.inbox(other, told)
    call.host.inbox(call.me, told)


def shout(call: Call, said: words.Shout) -> None:
    """To the lobby."""
    text = _text(said.text)
    call.ok(on="lobby", seq=call.host.board.stream.last + 1)
    call.host.board.announce(words.Shouted(call.me.name, text))


def kibitz(call: Call, said: words.Kibitz) -> None:
    """Among watchers."""
    room = watched_room(call)
    text = _text(said.text)
    call.ok(on=room.kibitz.name, seq=room.kibitz.last + 1)
    room.talk(words.Kibitzed(call.me.name, text))


def block(call: Call, said: words.Block) -> None:
    """Hear nothing more from somebody."""
    if said.name is None:
        names = ", ".join(sorted(call.me.blocked))
        call.ok(text=f"You hear nothing from {names}." if names else "You have blocked nobody.")
        return
    name = call.host.people.named(said.name).name
    if name == call.me.name:
        raise Refused("FORBIDDEN", "You would miss yourself.")
    call.me.blocked.add(name)
    call.ok(text=f"You hear nothing more from {name}. unblock {name} changes that.")


def unblock(call: Call, said: words.Unblock) -> None:
    """Hear somebody again."""
    wanted = said.name.lower()
    found = {n for n in call.me.blocked if wanted in (n.lower(), n.lower().removeprefix("~"))}
    if not found:
        raise Refused("NO_SUCH_USER", f"You have not blocked {said.name}.", arg="name")
    call.me.blocked -= found
    call.ok(text=f"You hear {said.name} again.")


def report(call: Call, said: words.Report) -> None:
    """To the operator, who finds it in the log."""
    other = call.host.people.named(said.name)
    log.warning("%s reports %s: %s", call.me.name, other.name, _text(said.text))
    call.ok(text="Thank you. The operator will read it.")


HANDLERS: Handlers = {
    words.Say: say,
    words.Tell: tell,
    words.Shout: shout,
    words.Kibitz: kibitz,
    words.Block: block,
    words.Unblock: unblock,
    words.Report: report,
}
