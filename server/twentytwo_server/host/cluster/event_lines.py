"""Events in messages between servers: as the lines that programs get."""

from __future__ import annotations

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Malformed


def read_event(line: str) -> object:
    """The event in a line; None if it cannot be read."""
    try:
        record = wire.parse(line)
        return wire.decode(record) if record is not None else None
    except Malformed:
        return None
