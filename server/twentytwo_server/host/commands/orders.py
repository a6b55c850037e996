"""Handlers for orders to a table: they queue the order, and answer with its result."""

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
    """The fields of OK for an order: the table, the person's seat, the first event."""
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
    """The command without its `table`, as the order for the table."""
    return replace(command, table=None) if getattr(command, "table", None) else command
