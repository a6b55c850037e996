"""Commands that a table carries out by itself: they are handed on, and answered when it has."""

from __future__ import annotations

from typing import Any

from twentytwo_protocol.schema import Command

from ..tables.room import Answer
from .call import Call


def order(call: Call, command: Command) -> None:
    """Any order that the table decides by itself."""
    room = call.room(getattr(command, "table", None))

    def done(answer: Answer) -> dict[str, Any]:
        return {"on": room.id, "seat": room.seat_number(call.me), "seq": answer.seq}

    room.order(call.who, command, call.reply_with(done), call.id)


def deed(call: Call, command: Command) -> None:
    """A move, in any of its forms."""
    room = call.room(getattr(command, "table", None))

    def done(answer: Answer) -> dict[str, Any]:
        return {"on": room.id, "seq": answer.seq}

    room.order(call.who, command, call.reply_with(done), call.id)
