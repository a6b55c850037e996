"""Watching a table."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.lobby import Watcher

from ....table.table import Phase
from ...replays import Replays
from ...tables.order_queue import OrderResult
from ..call import Call, Handlers
from ..paging import page, texts
from ..records.looking_back import stop as stop_replay
from ..standing import show_standing
from .naming import TableFinder


async def watch(call: Call, command: words.Watch, finder: TableFinder) -> None:
    """Starts watching a table: see `TableFinder.meant` for how it is named."""
    room = finder.meant(call, command.table, instead="tables lists what is played.")
    command = replace(command, table=room.id)
    if room.seat_number(call.me) is not None:
        raise Refused("ALREADY_SEATED", f"You sit at {room.id}.")

    def fields(answer: OrderResult) -> dict[str, Any]:
        text = None
        if call.in_words:
            names = ", ".join(room.table.names.values())
            running = "A game is running" if room.table.phase is Phase.PLAYING else "No game yet"
            title = room.table.game.title
            text = f"You watch {room.id}: {title}, with {names}. {running}. unwatch stops."
        talk = room.kibitz.name
        return {"on": room.id, "seq": answer.seq - 1, "talk": talk, "text": text}

    answer = await call.order(room, command, fields)
    call.go_to(room)
    call.ok(**fields(answer))
    if room.table.phase is Phase.PLAYING:
        show_standing(call, room, None)


async def unwatch(call: Call, command: words.Unwatch, replays: Replays) -> None:
    """Stops watching a table, or stops a replay."""
    stream = command.table or replays.running(call.session) or ""
    if stream.lower().startswith("r"):
        stop_replay(call, replays, stream.lower())
        return
    room = call.room(command.table)
    if call.me.name not in room.table.watchers:
        raise Refused("NOT_SEATED", f"You do not watch {room.id}.")

    def fields(answer: OrderResult) -> dict[str, Any]:
        return {"on": room.id, "seq": answer.seq - 1, "text": f"You no longer watch {room.id}."}

    answer = await call.order(room, command, fields)
    call.go_from(room)
    call.ok(**fields(answer))


def watchers(call: Call, command: words.Watchers) -> None:
    """Lists the watchers of a table."""
    room = call.room(command.table)
    names = sorted(room.table.watchers, key=str.lower)
    found = page(names, str.lower, command.n, command.after and command.after.lower())
    rows = [Watcher(name) for name in found.items]
    none = None if names else f"Nobody watches {room.id}."
    text = texts(none, found.more("watchers")) if call.in_words else None
    call.ok(*rows, on=room.id, n=len(rows), next=found.next, text=text)


HANDLERS: Handlers = {
    words.Watch: watch,
    words.Unwatch: unwatch,
    words.Watchers: watchers,
}
