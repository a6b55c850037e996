"""Streams and their lines: written once for each redaction, and trimmed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import tables
from tests.kit.cases import together
from tests.protocol.values import FEW, every_event, messages
from twentytwo_protocol import wire
from twentytwo_protocol.framing import MAX_SERVER_LINE
from twentytwo_protocol.words.cardplay import Dealt, Played, Turn
from twentytwo_protocol.words.seating import Swap
from twentytwo_protocol.words.talk import Said
from twentytwo_server.session.streams import (
    CHUNK,
    PACK,
    RECENT,
    Burst,
    Form,
    Stream,
    in_bytes,
    rfc3339,
)
from twentytwo_server.table.match import LISTED, LISTED_BYTES


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every line that is made of an event."""
    made: list[str] = []

    def counted(write: Callable[..., str]) -> Callable[..., str]:
        def count(*args: Any, **fields: Any) -> str:
            made.append(write(*args, **fields))
            return made[-1]

        return count

    writer, without = wire.writer, wire.writer_without
    monkeypatch.setattr(wire, "writer", lambda cls: counted(writer(cls)))
    monkeypatch.setattr(wire, "writer_without", lambda *which: counted(without(*which)))
    monkeypatch.setattr(wire, "write_json", counted(wire.write_json))
    return made


def test_a_line_that_is_the_same_for_all_is_written_once(written: list[str]) -> None:
    burst = Burst.of([Stream("t1").append(Played(2, ("6S",), "lead", 4))])
    lines = {burst.lines(viewer, Form()) for viewer in (None, 1, 2, 3, None, 1)}
    assert lines == {b"PLAYED on=t1 seq=1 seat=2 cards=6S kind=lead left=4\r\n"}
    assert len(written) == 1


def test_a_line_with_a_secret_is_written_once_for_its_owner_and_once_for_everybody_else(
    written: list[str],
) -> None:
    burst = Burst.of([Stream("t1").append(Dealt(2, 1, ("6S",)))])
    assert burst.lines(2, Form()) == b"DEALT on=t1 seq=1 seat=2 n=1 cards=6S\r\n"
    for viewer in (None, 1, 3, 4, 2, 2):
        shown = burst.lines(viewer, Form())
        assert shown.endswith(b"cards=6S\r\n") == (viewer == 2)
    assert len(written) == 3, "and once for the store, with all fields"


def test_every_form_is_written_for_itself(written: list[str]) -> None:
    entry = Stream("t1").append(Played(2, ("6S",), "lead", 4), at=1_000, names={2: "bob"})
    burst = Burst.of([entry])
    forms = [Form(json=json, time=time) for json in (False, True) for time in (False, True)]
    assert len({burst.lines(1, form) for form in forms * 2}) == 4
    assert len(written) == 4


def test_with_text_every_viewer_has_a_line_of_their_own(written: list[str]) -> None:
    entry = Stream("t1").append(Played(2, ("6S",), "lead", 4), names={1: "ann", 2: "bob"})
    assert entry.line(2, Form(text=True)).endswith(" :You lead 6S.")
    assert entry.line(1, Form(text=True)).endswith(" :bob leads 6S.")
    assert entry.line(None, Form(text=True)).endswith(" :bob leads 6S.")
    assert len(written) == 4, "and once whole"


def test_the_time_is_there_where_it_was_asked_for() -> None:
    entry = Stream("t1").append(Said("ann", "hi at=1"), at=1_763_604_132_165)
    assert entry.line(1, Form(time=True)) == (
        "SAID on=t1 seq=1 by=ann at=2025-11-20T02:02:12.165Z :hi at=1"
    )
    assert json.loads(entry.line(1, Form(json=True, time=True)))["at"] == "2025-11-20T02:02:12.165Z"
    assert rfc3339(0) == "1970-01-01T00:00:00.000Z"


def test_the_names_in_a_sentence_are_those_of_the_moment() -> None:
    run = tables.seated(2)
    before = run.stream.last
    run.order("ann", Swap(2))
    entry = next(run.stream.after(before))
    assert entry.line(None, Form(text=True)).endswith(":ann moves from seat 1 to seat 2.")


def test_a_stream_numbers_from_one() -> None:
    stream = Stream("t1")
    assert (stream.last, stream.oldest) == (0, 1)
    assert [stream.append(Said("ann", str(n))).seq for n in range(1, 4)] == [1, 2, 3]
    assert [entry.seq for entry in stream.after(1)] == [2, 3]
    assert [entry.seq for entry in stream.after(3)] == []


def test_a_trimmed_stream_keeps_its_numbers() -> None:
    stream = Stream("lobby", keep=3)
    for number in range(1, 8):
        assert stream.append(Said("ann", str(number))).seq == number
    assert (stream.oldest, stream.last) == (5, 7)
    assert [entry.seq for entry in stream.after(4)] == [5, 6, 7]
    assert [entry.seq for entry in stream.after(6)] == [7]
    assert [entry.seq for entry in stream.after(0)] == [5, 6, 7]


def test_only_the_owner_reads_a_turns_moves() -> None:
    run = tables.started(2)
    entry = [e for e in run.stream.after(0) if isinstance(e.event, Turn)][-1]
    mine = entry.line(run.asked.seat, Form())
    others = entry.line(None, Form())
    assert " default=" in mine
    assert " cards=" in mine
    assert others == f"TURN on=t1 seq={entry.seq} turn=1 seat={run.asked.seat} act=exchange"


@together("form", [Form(json, text, True) for json in (False, True) for text in (False, True)])
def test_the_longest_question_fits_the_longest_line(form: Form) -> None:
    moves = tuple("+".join(["T"] * 8) for _ in range(LISTED))
    assert sum(len(move) + 1 for move in moves) >= LISTED_BYTES
    cards = tuple(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
    turn = Turn(
        10**9, 8, "play", 10**8, 10**8, cards, "one", 10**9, moves, cards, default="T", hand=cards
    )
    stream = Stream("t" + "9" * 9, after=10**9 - 1)
    line = stream.append(turn, at=10**12).line(8, form)
    assert len(line.encode()) + 2 <= MAX_SERVER_LINE
    short = Turn(1, 8, "play", legal=moves[:9], default="T")
    told = Stream("t1").append(short).line(8, form)
    assert ("Your turn" in told) == form.text


@FEW
@given(data=st.data())
def test_a_burst_shows_every_viewer_what_its_events_show_them_one_by_one(
    data: st.DataObject,
) -> None:
    """Whoever asks first: what is written for one is sent to all who are not set apart."""
    drawn = data.draw(st.lists(st.sampled_from(every_event()).flatmap(messages), min_size=1))
    viewers = data.draw(st.permutations([None, 1, 2, 3, 4]))
    stream = Stream("t1")
    entries = [stream.append(happened) for happened in drawn]
    for form in (Form(), Form(json=True)):
        burst = Burst.of(entries)
        for viewer in viewers:
            alone = in_bytes([entry.line(viewer, form) for entry in entries])
            assert burst.lines(viewer, form) == alone


@FEW
@given(data=st.data())
def test_an_event_that_is_packed_comes_back_as_it_was(data: st.DataObject) -> None:
    stream = Stream("t1")
    drawn = data.draw(st.lists(st.sampled_from(every_event()).flatmap(messages), max_size=8))
    some = [*drawn, *[Said("~ann", "hello")] * (CHUNK - len(drawn))]
    many = [*some * (PACK + 1), *some[:RECENT]]
    for first in range(0, len(many), CHUNK):
        events = many[first : first + CHUNK]
        stream.extend(Burst.of(stream.plan(events, at=5, names={1: "ann"}, game="twentytwo")))
    assert [entry.event for entry in stream.after(0)] == many
    assert [entry.seq for entry in stream.after(0)] == [*range(1, len(many) + 1)]
