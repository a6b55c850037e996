"""Words to lines and back: over every event and row, with hostile values."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.quoting import quotes
from tests.kit.cases import together
from tests.protocol.values import FEW, HOSTILE, MANY, TEXTS, every_event, every_row, messages
from twentytwo_protocol import wire
from twentytwo_protocol.framing import MAX_SERVER_LINE
from twentytwo_protocol.schema import (
    COMMANDS,
    EVENTS,
    ROWS,
    TEXT,
    Command,
    Event,
    Malformed,
    Message,
)
from twentytwo_protocol.wire import ParsedLine, decode, parse, parse_json, write, write_json
from twentytwo_protocol.words.accounts import Auth
from twentytwo_protocol.words.cardplay import Move, Play
from twentytwo_protocol.words.lobby import Tables
from twentytwo_protocol.words.looking import Line
from twentytwo_protocol.words.seating import Open, Option_, Practice
from twentytwo_protocol.words.talk import Said, Say, Tell

MESSAGES = [*every_event(), *every_row()]


def _envelope(cls: type[Message]) -> dict[str, object]:
    if issubclass(cls, Event):
        return {} if cls.stream == "connection" else {"on": "t7", "seq": 12}
    return {"re_": "x9"}


@quotes("Both forms have the same fields.", "J2", "G1", "G2", "G4")
@together("cls", MESSAGES)
@FEW
@given(data=st.data())
def test_every_word_survives_both_forms(cls: type[Message], data: st.DataObject) -> None:
    message = data.draw(messages(cls))
    envelope = _envelope(cls)
    flat = parse(write(message, **envelope))  # type: ignore[arg-type]
    other = parse_json(write_json(message, **envelope))  # type: ignore[arg-type]
    assert flat is not None
    assert flat == other
    assert decode(flat) == decode(other) == message
    assert flat.id == envelope.get("re_")
    assert (flat.on, flat.seq) == (envelope.get("on", flat.on), envelope.get("seq", flat.seq))


@together("cls", MESSAGES)
@FEW
@given(data=st.data())
def test_a_line_is_one_line(cls: type[Message], data: st.DataObject) -> None:
    message = data.draw(messages(cls))
    for line in (write(message), write_json(message)):
        assert "\n" not in line and "\r" not in line


@quotes("A client ignores what it does not know.", "W1", "W2", "G3")
@together("cls", MESSAGES)
@FEW
@given(data=st.data())
def test_unknown_fields_and_another_order_change_nothing(
    cls: type[Message], data: st.DataObject
) -> None:
    message = data.draw(messages(cls))
    head, colon, text = write(message, **_envelope(cls)).partition(" :")  # type: ignore[arg-type]
    words = head.split(" ")
    start = 2 if head.startswith("@") else 1
    fields = data.draw(st.permutations([*words[start:], "xgfield=a%2Cb", "later=1"]))
    line = " ".join([*words[:start], *fields]) + colon + text
    record = parse(line)
    assert record is not None
    assert decode(record) == message


def test_an_unknown_word_is_nothing_and_no_error() -> None:
    record = parse("XGNOISE xgn=%20,x :TURN turn=1 default=A")
    assert record is not None
    assert decode(record) is None
    assert parse_json('{"ev":"XGNOISE","xgn":[" ","x"],"deep":{"a":1}}').word == "XGNOISE"


def test_a_comment_is_nothing() -> None:
    assert parse("# cardline/1 PING no=1") is None


@MANY
@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    for read in (parse, parse_json, wire.split_command):
        with contextlib.suppress(Malformed):
            read(text)


@MANY
@given(st.text("abAB @#=%:,+-01.\u00fe\U0001f600", max_size=40))
def test_what_is_read_is_written_again(text: str) -> None:
    try:
        record = parse(text)
    except Malformed:
        return
    if record is not None:
        fields = "".join(f" {key}={value}" for key, value in record.fields.items())
        id = f"@{record.id} " if record.id is not None else ""
        tail = "" if record.text is None else f" :{record.text}"
        assert parse(f"{id}{record.word}{fields}{tail}") == record


@given(TEXTS)
def test_a_text_of_several_lines_becomes_one(text: str) -> None:
    record = parse(write(Said("~ann", f"a{text}\nb")))
    assert record is not None and record.text == f"a{text}  b"


def test_text_of_its_own_comes_before_prose() -> None:
    assert write(Said("~ann", "hm"), text="prose").endswith(" :hm")
    assert write(Option_("a", "b"), text="prose").endswith(" :prose")


@together(
    ("line", "seq"), [("X seq=7", 7), ("X seq=", 0), ("X seq=\u00b2", 0), ("X seq=-1", 0), ("X", 0)]
)
def test_a_number_that_cannot_be_read_is_no_number(line: str, seq: int) -> None:
    record = parse(line)
    assert record is not None and record.seq == seq


def test_a_required_field_that_is_missing_is_named() -> None:
    for registry, id in ((EVENTS, None), (ROWS, "1")):
        for word, cls in registry.items():
            needed = [f for f in cls.word.fields if not f.optional and f.kind is not TEXT]
            if not needed:
                continue
            with pytest.raises(Malformed) as wrong:
                decode(ParsedLine(word, id=id))
            assert wrong.value.field == needed[0].key


# ------------------------------------------------------------------------- client lines


@together(
    ("line", "id", "verb", "rest"),
    [
        ("ping", None, "ping", ""),
        ("@1 ping x", "1", "ping", "x"),
        ("@* PING", "*", "ping", ""),
        ("  say  hm ", None, "say", " hm "),
        (" @f8  ping x", "f8", "ping", "x"),
        ("@a-b_c.9 say :)", "a-b_c.9", "say", ":)"),
    ],
)
def test_a_client_line_is_an_id_a_verb_and_the_rest(
    line: str, id: str | None, verb: str, rest: str
) -> None:
    said = wire.split_command(line)
    assert (said.id, said.verb, said.rest) == (id, verb, rest)


@together(
    ("line", "id"),
    [
        ("@5 ???", "5"),
        (" @5 ???", "5"),
        ("@5", "5"),
        ("@", None),
        ("@a,b x", None),
        ("x @5", None),
        ("", None),
    ],
)
def test_an_id_is_read_whatever_follows(line: str, id: str | None) -> None:
    assert wire.id_of(line) == id


def test_arguments_by_name_come_anywhere() -> None:
    wanted = Move("Q+Q", 9, "t7")
    for rest in ("Q+Q t7 turn=9", "turn=9 Q+Q t7", "Q+Q turn=9 t7", "Q+Q TURN=9 t7"):
        assert wire.read_command(Move, rest) == wanted
    assert wire.read_command(Tables, "open=1 game=x") == Tables("x", True)


def test_options_are_collected_and_the_title_is_the_rest() -> None:
    wanted = Open("twentytwo", seats=3, options={"limit": "30"}, title="Friday night a=b")
    typed = "twentytwo seats=3 limit=30 Friday night a=b"
    assert wire.read_typed(Open, typed) == wanted
    assert wire.read_command(Open, "twentytwo seats=3 options=limit:30 :Friday night a=b") == wanted
    for read in (wire.read_command, wire.read_typed):
        titled = read(Open, "twentytwo :seats=3 is the title")
        assert isinstance(titled, Open) and titled.title == "seats=3 is the title"
        assert read(Practice, "") == Practice(options={})
        both = read(Practice, "options=exchange:off,limit:1%2C2 options=decks:2")
        assert isinstance(both, Practice)
        assert both.options == {"exchange": "off", "limit": "1,2", "decks": "2"}


@given(
    HOSTILE.filter(
        lambda text: text.strip() == text != "" and not text.lower().startswith("table=")
    )
)
def test_talk_is_taken_as_it_is(text: str) -> None:
    assert wire.read_typed(Say, text) == Say(text)
    assert wire.read_typed(Tell, f"bob {text}") == Tell("bob", text)
    assert wire.read_command(Say, f":{text}") == Say(text)
    assert wire.read_command(Say, f"table=t7 :{text}") == Say(text, "t7")
    assert wire.read_command(Tell, f"bob :{text}") == Tell("bob", text)


@together(
    ("verb", "rest", "field"),
    [
        ("say", "hello", "text"),
        ("say", "", "text"),
        ("say", ":", "text"),
        ("say", "t7 :hello", "text"),
        ("tell", "bob hello", "text"),
        ("open", "twentytwo Friday night", "title"),
        ("register", "ann three blind mice", "password"),
        ("ready", ":now", "text"),
        ("ready", "tabel=t7", "tabel"),
        ("open", "twentytwo limit=30", "limit"),
        ("practice", "options=limit", "options"),
        ("move", "A turn=x", "turn"),
        ("play", "q q trun=3", "trun"),
        ("watch", "t7 t8", ""),
    ],
)
def test_what_a_program_puts_wrongly_is_named(verb: str, rest: str, field: str) -> None:
    with pytest.raises(Malformed) as wrong:
        wire.read_command(COMMANDS[verb], rest)
    assert wrong.value.field == field


def test_any_argument_may_be_written_by_its_name() -> None:
    assert wire.read_command(Move, "turn=9 table=t7 token=Q+Q") == Move("Q+Q", 9, "t7")
    assert wire.read_command(Tell, "name=bob :hi") == Tell("bob", "hi")
    assert wire.read_typed(Tell, "bob name=x") == Tell("bob", "name=x")
    assert wire.read_command(Auth, "SCRAM-SHA-256 biws==") == Auth("SCRAM-SHA-256", "biws==")
    assert wire.read_command(Play, "q q table=t7") == Play(("q", "q"), table="t7")


@given(st.sampled_from(sorted(COMMANDS)), st.data())
def test_a_command_that_is_written_is_read_again(verb: str, data: st.DataObject) -> None:
    said = data.draw(_said(COMMANDS[verb]))
    split = wire.split_command(wire.write_command(said))
    assert split.verb == verb
    assert wire.read_command(COMMANDS[verb], split.rest) == said


def _said(cls: type[Command]) -> st.SearchStrategy[Command]:
    """Commands of a class, with any values that their kinds can have."""
    word = st.text("abcQK019+:=-~.", min_size=1, max_size=6)
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "int": st.integers(-(10**9), 10**9),
        "ms": st.integers(0, 10**9),
        "ints": st.lists(st.integers(0, 99), min_size=1).map(tuple),
        "seat": st.integers(1, 9),
        "bool": st.booleans(),
        "stream": st.sampled_from(["t1", "t77", "k3", "me", "lobby"]),
        "str": st.text("ab %,:=", min_size=1, max_size=6),
        "tokens": st.lists(st.text("ab1.-", min_size=1, max_size=4), min_size=1).map(tuple),
        "words": st.lists(st.text("abQ1+~.", min_size=1, max_size=4), min_size=1).map(tuple),
        "options": st.dictionaries(
            st.text("ab_", min_size=1, max_size=4).filter(lambda key: key[0] != "_"),
            st.text("ab1 ,:%", max_size=4),
            max_size=3,
        ),
        "text": HOSTILE.filter(lambda text: text.strip() == text != ""),
    }
    fields = {}
    for field in cls.word.fields:
        value = kinds.get(field.kind.name, word)
        always = not field.optional or field.kind.name in ("words", "options")
        fields[field.attr] = value if always else st.none() | value
    return st.builds(cls, **fields)


@together("verb", COMMANDS)
def test_every_command_has_a_usage_and_an_example_that_it_reads(verb: str) -> None:
    cls = COMMANDS[verb]
    assert wire.usage(cls).startswith(verb)
    said = wire.split_command(cls.example)
    if verb != "why":
        assert said.verb == verb
    wire.read_command(cls, said.rest)
    typed = wire.split_command(wire.typed_example(cls)).rest
    assert isinstance(wire.read_typed(cls, typed), cls)
    assert ":" not in wire.usage(cls, typed=True)


@MANY
@given(st.sampled_from(sorted(COMMANDS)), st.text("abcQK 019=+-:@,.%~\u00fe", max_size=60))
def test_no_arguments_break_a_command(verb: str, rest: str) -> None:
    for read in (wire.read_command, wire.read_typed):
        try:
            read(COMMANDS[verb], rest)
        except Malformed as wrong:
            assert str(wrong)


def test_json_is_compact_and_typed() -> None:
    line = write_json(EVENTS["DEALT"](2, 1, ("QH",)), on="t7", seq=3)
    assert line == '{"ev":"DEALT","on":"t7","seq":3,"seat":2,"n":1,"cards":["QH"]}'
    assert json.loads(line)["cards"] == ["QH"]


def test_the_longest_question_fits_on_a_line() -> None:
    turn = EVENTS["TURN"](
        9999,
        12,
        "play",
        60000,
        120000,
        beat=("A",) * 13,
        choose="one",
        nlegal=99999,
        legal=("A" * 15,) * 256,
        low=("2",) * 13,
        default="+".join("2" * 13),
        truncated=True,
        hand=("TC",) * 13,
    )
    prose = "x" * 2000
    assert len(write(turn, on="t9999999", seq=10**6, text=prose)) < MAX_SERVER_LINE
    assert len(write_json(turn, on="t9999999", seq=10**6, text=prose)) < MAX_SERVER_LINE


@together("text", ["one\ntwo", "\none", "one\n", "a\n\nb"])
def test_a_text_of_several_lines_is_one_in_both_forms(text: str) -> None:
    flat, record = write(Line(text), re_="x"), json.loads(write_json(Line(text), re_="x"))
    assert "\n" not in flat
    assert record["text"] == text.replace("\n", "  ")
    assert (parse(flat) or ParsedLine("")).text == record["text"]


@together("code", [0x00, 0x1B, 0x7F, 0x80, 0x9B, 0x9F])
def test_a_control_in_a_value_is_written_so_that_it_reads_back(code: int) -> None:
    said = parse(f"OPTION on=t1 seq=8 key=title value=a%{code:02X}b")
    assert said is not None
    found = decode(said)
    assert isinstance(found, Option_)
    assert parse(write(found, on="t1", seq=8)) == said
