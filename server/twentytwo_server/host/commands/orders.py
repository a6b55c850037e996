"""Handlers for orders to a table: they queue the order, and answer with its result."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.schema import Command

from ...metrics import Metrics
from ..tables.order_queue import OrderResult
from ..tables.rooms import AnyRoom
from .call import Call


async def order(call: Call, command: Command, **more: Any) -> None:
    """Gives a command to its table; answers with the table, the seat, the first event, and more."""
    room = call.room(getattr(command, "table", None))

    def fields(answer: OrderResult) -> dict[str, Any]:
        return seat_fields(call, room, answer, **more)

    call.ok(**fields(await call.order(room, without_table(command), fields)))


def seat_fields(call: Call, room: AnyRoom, answer: OrderResult, **more: Any) -> dict[str, Any]:
    """The fields of OK for an order: the table, the person's seat, the first event."""
    return {"on": room.id, "seat": answer.seat(call.me.name), "seq": answer.seq, **more}


async def deed(call: Call, command: Command, metrics: Metrics) -> None:
    """Gives a move, in any form, to its table; answers with the table and the first event."""
    since = metrics.now()
    table = getattr(command, "table", None)
    room = call.room(table)

    def fields(answer: OrderResult) -> dict[str, Any]:
        return {"on": room.id, "seq": answer.seq}

    order = command if table is None else without_table(command)
    answer = await call.order(room, order, fields)
    metrics.answered(since)
    call.ok(**fields(answer))


def without_table(command: Command) -> Command:
    """The command without its `table`, as the order for the table."""
    return replace(command, table=None) if getattr(command, "table", None) else command
