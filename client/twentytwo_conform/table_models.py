"""The model of a table, from its events and from a snapshot."""

from __future__ import annotations

from collections.abc import Iterable

from twentytwo_protocol import games, wire, words
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Message

from .connections import Program

VOCABULARY = (games, words)
"""Importing these modules declares the events that `wire` decodes."""


def folded(on: str, seat: int | None, lines: Iterable[str]) -> TableModel:
    """The model that follows from the events."""
    model = TableModel(on, seat)
    for line in lines:
        record = wire.parse(line)
        if record is None or record.on != on:
            continue
        event = wire.decode(record)
        assert isinstance(event, Event)
        model.see(event, record.seq)
    return model


def snapshot(client: Program, on: str) -> TableModel:
    """The model in a reply to `state`."""
    rows: list[Message] = []
    for row in client.must(f"state {on}").rows:
        record = wire.parse(row.line)
        assert record is not None
        message = wire.decode(record)
        assert message is not None
        rows.append(message)
    return TableModel.from_rows(rows)


def whole(client: Program, on: str) -> list[str]:
    """The whole stream, requested again."""
    heard = len(client.heard)
    client.must(f"sync {on} from=0")
    lines = [line for line in client.heard[heard:] if not line.startswith("@")]
    # An event that happened meanwhile may come before the answer, and is in the answer too.
    first = next(n for n, line in enumerate(lines) if f"{line} ".count(f" on={on} seq=1 "))
    return lines[first:]
