"""Handlers for commands that a table decides: they queue the order, and answer when it ended."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.schema import Command

from ..tables.order_queue import Answer
from ..tables.room import Room
from .call import Call


def order(call: Call, command: Command, **more: Any) -> None:
    """Gives a command to its table; answers with the table, the seat, the first event, and more."""
    room = call.room(getattr(command, "table", None))
    call.give(room, without_table(command), lambda answer: seat_fields(call, room, answer, **more))


def seat_fields(call: Call, room: Room, answer: Answer, **more: Any) -> dict[str, Any]:
    """What OK says of an order to a table: which, the person's seat there, the first event."""
    return {"on": room.id, "seat": answer.seat(call.me.name), "seq": answer.seq, **more}


def deed(call: Call, command: Command) -> None:
    """Gives a move, in any form, to its table; answers with the table and the first event."""
    metrics = call.host.metrics
    since = metrics.now()
    room = call.room(getattr(command, "table", None))

    call.give(
        room,
        without_table(command),
        lambda answer: {"on": room.id, "seq": answer.seq},
        then=lambda: metrics.answered(since),
    )


def without_table(command: Command) -> Command:
    """The command as the order of a table: where it is carried out is not part of it."""
    return replace(command, table=None) if getattr(command, "table", None) else command
