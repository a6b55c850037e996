"""The words of older editions: how events were written before a field was added."""

from __future__ import annotations

from typing import Annotated

import pytest

from twentytwo_protocol import schema, wire
from twentytwo_protocol.schema import (
    Event,
    Int,
    Seat,
    Since,
    Text,
    edition,
    event,
    fields_as_of,
)
from twentytwo_protocol.words.seating import Ready_


@pytest.fixture
def invented(monkeypatch: pytest.MonkeyPatch) -> type[Event]:
    """An event to which the second edition has added a field."""
    monkeypatch.setattr(schema, "EVENTS", dict(schema.EVENTS))

    @event("table")
    class Invented(Event):
        """Something that only this test knows of."""

        seat: Seat
        more: Annotated[Int | None, Since(2)] = None
        text: Text | None = None

    return Invented


def test_the_first_release_has_the_first_edition() -> None:
    assert edition() == 1


def test_a_field_that_is_added_begins_the_next_edition(invented: type[Event]) -> None:
    assert edition() == 2


def test_an_event_is_written_as_it_was_in_an_edition(invented: type[Event]) -> None:
    happened = invented(2, 7, "hello")
    whole = "INVENTED on=t1 seq=9 seat=2 more=7 :hello"
    assert wire.write(happened, on="t1", seq=9) == whole
    assert wire.writer_as_of(2, invented)(happened, " on=t1 seq=9") == whole
    first = wire.writer_as_of(1, invented)(happened, " on=t1 seq=9")
    assert first == "INVENTED on=t1 seq=9 seat=2 :hello"


def test_what_has_not_changed_is_written_from_the_same_fields(invented: type[Event]) -> None:
    assert fields_as_of(1, Ready_.word) is Ready_.word.fields
    assert fields_as_of(1, invented.word) == invented.word.fields[::2]
