"""One declaration per word, and the gate that every secret passes."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.quoting import quotes
from tests.kit.cases import together
from tests.protocol.values import FEW, HOSTILE, MANY, TRICKY, VOCABULARY, every_event, messages
from twentytwo_protocol import schema, wire
from twentytwo_protocol.schema import (
    CODES,
    COMMANDS,
    EVENTS,
    ROWS,
    Command,
    Event,
    Malformed,
    Others,
    Owner,
    Row,
    Seat,
    command,
    escape,
    event,
    hidden,
    redact,
    row,
    unescape,
)

PRIVATE = [cls for cls in every_event() if cls.private]


def test_a_word_cannot_be_declared_twice() -> None:
    assert VOCABULARY
    for declare, base, word in (
        (event("table"), Event, "Dealt"),
        (row(), Row, "Seat"),
        (command("x"), Command, "Move"),
    ):
        cls: Any = type(word, (base,), {"__doc__": "Again.", "__annotations__": {}})
        with pytest.raises(TypeError, match="declared twice"):
            declare(cls)


def test_a_field_without_a_type_of_the_wire_cannot_be_declared() -> None:
    cls: Any = type("Odd", (Event,), {"__annotations__": {"x": int}})
    with pytest.raises(TypeError, match="names no type of the wire"):
        event("table")(cls)
    assert "ODD" not in EVENTS


def test_commands_and_events_never_share_a_word_and_everything_is_documented() -> None:
    for registry in (EVENTS, ROWS, COMMANDS):
        for word, cls in registry.items():
            assert cls.word.doc and cls.word.doc[0].isupper() and "." in cls.word.doc, word
            for field in cls.word.fields:
                assert field.kind.name and field.key == field.attr.rstrip("_"), word
    assert all(code.doc for code in CODES.values())


def test_every_event_has_a_stream_and_a_scope_that_exists() -> None:
    for cls in every_event():
        assert cls.stream in ("table", "talk", "me", "lobby", "tables", "people", "connection")
        assert cls.scope in ("", "table", "game", "hand", "trick", "turn")
        assert cls.ends in ("", "table", "game", "hand", "trick", "turn")


def test_every_owned_field_names_a_seat_of_its_event() -> None:
    assert {cls.word.word for cls in PRIVATE} >= {"DEALT", "TURN", "EXCHANGED"}
    for cls in PRIVATE:
        attrs = {field.attr: field for field in cls.word.fields}
        for attr, owner in cls.private.items():
            assert attrs[attr].optional, "a field that may be left out"
            assert attrs[owner.seat].kind.name == "seat"
            until = getattr(owner, "until", "")
            assert not until or attrs[until].kind.name == "bool"


@quotes("A field that a viewer may not see is left out, an event never.", "S1", "V1")
@pytest.mark.parametrize("cls", PRIVATE, ids=lambda cls: cls.word.word)
@FEW
@given(data=st.data(), viewer=st.none() | st.integers(1, 12))
def test_a_viewer_sees_the_fields_of_their_own_seat_only(
    cls: type[Event], data: st.DataObject, viewer: int | None
) -> None:
    happened = data.draw(messages(cls))
    seen = redact(happened, viewer)
    assert type(seen) is cls
    for field in cls.word.fields:
        owner = cls.private.get(field.attr)
        value = getattr(happened, field.attr)
        if owner is not None and not _may_see(owner, happened, viewer):
            value = None
        assert getattr(seen, field.attr) == value


@pytest.mark.parametrize("cls", PRIVATE, ids=lambda cls: cls.word.word)
@FEW
@given(data=st.data(), viewer=st.none() | st.integers(1, 12))
def test_a_line_leaves_out_the_same_fields_as_the_event(
    cls: type[Event], data: st.DataObject, viewer: int | None
) -> None:
    happened = data.draw(messages(cls))
    line = wire.writer_without(hidden(happened, viewer), cls)(happened, " on=t7 seq=3")
    assert line == wire.write(redact(happened, viewer), on="t7", seq=3)


def _may_see(owner: Owner | Others, happened: Event, viewer: int | None) -> bool:
    """Said again, in other words than the declaration's own."""
    seat = getattr(happened, owner.seat)
    if isinstance(owner, Others):
        return viewer not in (None, seat)
    return viewer == seat or bool(owner.until and getattr(happened, owner.until))


@MANY
@given(st.data())
def test_what_is_redacted_twice_is_redacted_once(data: st.DataObject) -> None:
    cls = data.draw(st.sampled_from(every_event()))
    viewer = data.draw(st.none() | st.integers(1, 12))
    once = redact(data.draw(messages(cls)), viewer)
    assert redact(once, viewer) == once


@given(st.one_of(TRICKY, HOSTILE))
def test_any_text_survives_escaping_as_one_word(text: str) -> None:
    written = escape(text)
    assert unescape(written) == text
    assert not set(written) & set(" ,")


@together("text", ["", "x", "1.0", "1e3", "+1", "1_000", "\u0663", "--1", "9" * 19, " 1"])
def test_a_number_is_digits_only(text: str) -> None:
    with pytest.raises(Malformed):
        schema.INT.read(text)


@together("text", ["", "2", "yes", "true", "01"])
def test_a_flag_is_0_or_1(text: str) -> None:
    with pytest.raises(Malformed):
        schema.FLAG.read(text)


def test_the_empty_list_is_not_a_list_of_an_empty_item() -> None:
    assert schema.CARDS.read("") == ()
    assert schema.CARDS.write(()) == ""
    assert schema.SEATS.read("3") == (3,)


def test_an_argument_with_a_default_may_be_left_out() -> None:
    @command("test", word="testing")
    class Testing(Command):
        """A word for this test."""

        seat: Seat
        words: Annotated[tuple[str, ...], schema.WORDS] = ()

    try:
        assert [field.optional for field in Testing.word.fields] == [False, True]
    finally:
        del COMMANDS["testing"]
