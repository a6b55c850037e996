"""Commands for talk: at the table, in private, in the lobby, among watchers; blocks and reports."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from twentytwo_protocol.framing import visible
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.verbs import GREETINGS
from twentytwo_protocol.words import talk as words

from ...answers import keep
from ...limits.repeats import MOST_REPEATS, bare
from ...ports import Store
from ..cluster.homes import Homes
from ..cluster.post import Post
from ..config import LiveConfig
from ..lobby.lobby import Lobby
from ..moderation.reports import Reports
from ..people.inboxes import Inboxes
from ..people.people import BLOCKED, Person
from ..tables.order_queue import OrderResult
from ..tables.pausable_clock import PausableClock
from ..tables.rooms import AnyRoom, Rooms
from ..tables.watchers_talk import WatchersTalk
from .call import Call, Handlers

log = logging.getLogger("twentytwo.reports")

LONGEST = 300
"""The longest text in characters."""


def _text(text: str) -> str:
    if len(text) > LONGEST:
        raise Refused("BAD_ARG", f"Say it in {LONGEST} characters.", arg="text")
    text = visible(text)
    if not text.strip():
        raise Refused("BAD_ARG", "There is nothing to be read in that.", arg="text")
    return text


@dataclass(slots=True)
class RepeatLimit:
    """The limit for the repetitions of a text by one person."""

    _config: LiveConfig
    _clock: PausableClock

    def check(self, person: Person, text: str) -> Callable[[], None]:
        """Raises `Refused` (RATE) for a text said too often; returns a function that counts it."""
        repeats, line = person.repeats, bare(text)
        wait = 0 if self._config.now.dev else repeats.wait(line, self._clock.now())
        if wait:
            raise Refused(
                "RATE",
                f"You have said that {MOST_REPEATS} times; "
                f"say something else, or wait {-(-wait // 1000)} s.",
                wait=wait,
            )
        return lambda: repeats.fill(line, self._clock.now())


async def say(call: Call, command: words.Say, repeats: RepeatLimit) -> None:
    """Says something to everybody at the table, players and watchers."""
    room = _heard_at(call, command)
    order = words.Say(_text(command.text))
    note = repeats.check(call.me, order.text)

    def fields(answer: OrderResult) -> dict[str, Any]:
        return {"on": room.id, "seq": answer.seq}

    answer = await call.order(room, order, fields)
    note()
    call.ok(**fields(answer))


def _heard_at(call: Call, command: words.Say) -> AnyRoom:
    """The room of the command. Raises `Refused`, with advice for a person at no table."""
    try:
        return call.room(command.table)
    except Refused as wrong:
        if wrong.code != "NOT_SEATED":
            raise
        hello = "Hello! " if command.text.split()[0].lower().strip("!.,") in GREETINGS else ""
        raise Refused(
            "NOT_SEATED",
            f"{hello}You are at no table: tutorial teaches you, practice plays at once, "
            "tables lists where people play. shout says something to the lobby.",
        ) from None


async def tell(
    call: Call, command: words.Tell, post: Post, inboxes: Inboxes, repeats: RepeatLimit
) -> None:
    """Says something to one person."""
    other = await post.named(command.name)
    call.link()
    text = _text(command.text)
    repeats.check(call.me, text)()
    if isinstance(other, Person):
        told = words.Told(call.me.name, other.name, text)
        mail = [(person, told) for person in dict.fromkeys((call.me, other))]
    else:
        told = words.Told(call.me.name, other, text)
        await post.send(call.me, call.once, other, told)
        mail = [(call.me, told)]
    posted = await inboxes.post(
        mail, lambda lines: call.kept(lambda: {"on": "me", "seq": lines[0].seq})
    )
    call.ok(on="me", seq=posted[0][1].seq)
    inboxes.deliver(posted)


def shout(call: Call, command: words.Shout, lobby: Lobby, repeats: RepeatLimit) -> None:
    """Says something to the lobby."""
    text = _text(command.text)
    repeats.check(call.me, text)()
    heard = "lobby" in call.session.follows or not call.people
    said_so = None if heard else "You are heard in the lobby; follow lobby hears the answers."
    call.ok(on="lobby", seq=lobby.streams["lobby"].last + 1, text=said_so)
    lobby.announce(words.Shouted(call.me.name, text))


def kibitz(
    call: Call, command: words.Kibitz, rooms: Rooms, talk: WatchersTalk, repeats: RepeatLimit
) -> None:
    """Says something to the watchers of a table."""
    room = _watched_room(call, rooms, command.table)
    text = _text(command.text)
    repeats.check(call.me, text)()
    call.ok(on=room.kibitz.name, seq=room.kibitz.last + 1)
    talk.say(room, words.Kibitzed(call.me.name, text))


async def block(call: Call, command: words.Block, homes: Homes, store: Store) -> None:
    """Blocks a person; without a name lists those who are blocked."""
    if command.name is None:
        names = ", ".join(sorted(call.me.blocked))
        call.ok(text=f"You hear nothing from {names}." if names else "You block nobody.")
        return
    name = (await homes.named(command.name)).name
    call.link()
    if name == call.me.name:
        raise Refused("FORBIDDEN", "You cannot block yourself.")
    if len(call.me.blocked | {name}) > BLOCKED:
        raise Refused("QUOTA", f"You have blocked {BLOCKED} names; unblock one first.")
    call.me.blocked.add(name)
    text = f"You hear nothing more from {name}. unblock {name} changes that."
    await keep(store, [call.me.blocks])
    call.ok(text=text)


async def unblock(call: Call, command: words.Unblock, store: Store) -> None:
    """Unblocks a person."""
    wanted = command.name.lower()
    found = {n for n in call.me.blocked if wanted in (n.lower(), n.lower().removeprefix("~"))}
    if not found:
        raise Refused("NO_SUCH_USER", f"You have not blocked {command.name}.", arg="name")
    call.me.blocked -= found
    await keep(store, [call.me.blocks])
    call.ok(text=f"You hear {command.name} again.")


async def report(
    call: Call,
    command: words.Report,
    homes: Homes,
    rooms: Rooms,
    reports: Reports,
    store: Store,
) -> None:
    """Reports a person to the operator; the operator's answer comes as a notice later."""
    about = await homes.named(command.name)
    call.link()
    by, network = call.me.name, about.network if isinstance(about, Person) else ""
    text, room = _text(command.text), rooms.meant(call.session)
    game = room.table.match.terms.id if room is not None and room.table.match is not None else ""
    table = room.id if room is not None else ""
    filed = reports.file(by, about.name, network, text, table, game)
    log.warning("report %d: %s about %s", filed.no, by, about.name)
    thanks = "Thank you. The operator will read it, and you are told what became of it."
    await keep(store, [filed, *call.kept(lambda: {"text": thanks})])
    call.ok(text=thanks)


def _watched_room(call: Call, rooms: Rooms, table: str | None) -> AnyRoom:
    """The room that the person watches; if there are several, the named or the current one.

    Raises `Refused`.
    """
    if table is not None:
        room = call.room(table)
        if call.me.name not in room.table.watchers:
            raise Refused("NOT_SEATED", f"You do not watch {room.id}; watch {room.id} does.")
        return room
    watched = [room for room in rooms.values() if call.me.name in room.table.watchers]
    if not watched:
        raise Refused("NOT_SEATED", "You watch no table; watch tN does.")
    current = [room for room in watched if room.id == call.session.current]
    return (current or watched)[-1]


HANDLERS: Handlers = {
    words.Say: say,
    words.Tell: tell,
    words.Shout: shout,
    words.Kibitz: kibitz,
    words.Block: block,
    words.Unblock: unblock,
    words.Report: report,
}
