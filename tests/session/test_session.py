"""A conversation: its mode, its capabilities, how a person likes to see things."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import tables
from tests.kit.cases import together
from tests.kit.lines import in_lines
from twentytwo_protocol import wire
from twentytwo_protocol.framing import MAX_CLIENT_LINE, MAX_SERVER_LINE, Flaw
from twentytwo_protocol.schema import Event, Refused, Row
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.cardplay import Dealt, Played, Turn
from twentytwo_protocol.words.connection import Bye, Note, Ping_
from twentytwo_protocol.words.replies import Ok
from twentytwo_protocol.words.seating import Joined
from twentytwo_protocol.words.session import Hello
from twentytwo_protocol.words.talk import Invited, Said
from twentytwo_server.session.display import CHOICES, DisplaySettings, wrapped
from twentytwo_server.session.recipient import Mode
from twentytwo_server.session.session import Session
from twentytwo_server.session.streams import Stream

VOICE = Voice({1: "ann", 2: "bob"})


class Talk:
    """A session and what it has written."""

    def __init__(self, first: str = "") -> None:
        self.lines: list[str] = []
        self.session = Session(lambda data: self.lines.extend(in_lines(data)))
        if first:
            asked = self.session.hear(first, None, None)
            assert asked is not None
            if isinstance(asked.command, Hello):
                with suppress(Refused):
                    self.session.greet(asked.command, "k3f9")

    def take(self) -> list[str]:
        taken = self.lines[:]
        self.lines.clear()
        return taken

    def shown(self, event: Event, seat: int | None = None, *, blocked: bool = False) -> list[str]:
        entry = Stream("t1").append(event, names={1: "ann", 2: "bob"}, game="twentytwo")
        self.session.show(entry, seat, blocked=blocked)
        return self.take()

    def replied(self, *rows: Row | Event, id: str = "7") -> list[str]:
        *most, last = rows
        assert isinstance(last, Row)
        self.session.reply(id, most, last, VOICE)
        return self.take()

    def set(self, **settings: object) -> Talk:
        for key, value in settings.items():
            self.session.display = self.session.display.with_(key, str(value))
        return self


def people() -> Talk:
    talk = Talk("help")
    assert talk.session.mode is Mode.PEOPLE
    return talk


# --------------------------------------------------------------------------------- the mode


@together(
    "line",
    ["hello 1", "HELLO 1", "@1 hello 1 client=x", "hello 2", "hello x", " hello 1", "hello 1 a"],
)
def test_hello_with_a_number_first_is_a_programs(line: str) -> None:
    assert Talk(line).session.mode is Mode.PROGRAM


@together("line", ["hello", "ann", "help", "guest ann", "hello? 1", "@1 guest bob", "?"])
def test_any_other_first_line_is_a_persons(line: str) -> None:
    assert Talk(line).session.mode is Mode.PEOPLE


def test_blank_lines_decide_nothing() -> None:
    talk = Talk()
    assert talk.session.hear("", None, None) is None
    assert talk.session.hear("   ", None, None) is None
    assert talk.session.mode is Mode.UNDECIDED


def test_the_mode_stays() -> None:
    talk = Talk("ann")
    talk.session.hear("hello 1", None, None)
    assert talk.session.mode is Mode.PEOPLE


def test_a_line_that_cannot_be_read_gets_its_code_and_no_id() -> None:
    for flaw in Flaw:
        asked = Talk("hello 1").session.hear(flaw, None, None)
        assert asked is not None
        assert asked.id == "*"
        assert asked.refusal is not None
        assert asked.refusal.code == flaw.value


def test_ids_come_back_also_with_what_is_refused() -> None:
    talk = Talk("hello 1")
    for line, id in (
        ("@7 ping", "7"),
        ("@a.b-C_9 nonsense", "a.b-C_9"),
        ("ping", "*"),
        ("@8 sync", "8"),
        ("@9", "9"),
        ("@" + "x" * 33 + " ping", "*"),
        ("@* ping", "*"),
    ):
        asked = talk.session.hear(line, None, None)
        assert asked is not None
        assert asked.id == id, line


# -------------------------------------------------------------------------------- programs


def greeting(caps: Sequence[str] | None, **fields: object) -> tuple[Talk, Ok]:
    talk = Talk()
    talk.session.mode = Mode.PROGRAM
    said = Hello((1,), caps=tuple(caps) if caps is not None else None, **fields)  # type: ignore[arg-type]
    return talk, talk.session.greet(said, "k3f9")


@together(
    ("asked", "on"),
    [
        (None, ()),
        ([], ()),
        (["json"], ("json",)),
        (["text", "json"], ("json", "text")),
        (["json", "text", "time", "grease"], ("json", "text", "time", "grease")),
        (["zip", "time", "JSON"], ("time",)),
    ],
)
def test_hello_answers_with_what_is_on_now(asked: list[str] | None, on: tuple[str, ...]) -> None:
    _, ok = greeting(asked, client="test/1")
    assert ok.caps == on
    assert ok.knows == ("json", "text", "time", "grease", *["xgcap"] * ("grease" in on))
    assert (ok.proto, ok.boot) == (1, "k3f9")
    assert (ok.maxin, ok.maxout) == (MAX_CLIENT_LINE, MAX_SERVER_LINE) == (1024, 8192)


def test_json_is_the_same_record() -> None:
    flat, _ = greeting([], client="c")
    other, _ = greeting(["json"], client="c")
    for event in (Joined(2, "bob", True), Played(2, ("6S", "4H"), "beat", 4), Said("ann", "a :b")):
        (one,), (two,) = flat.shown(event), other.shown(event)
        assert wire.parse(one) == wire.parse_json(two)
    (one,), (two,) = flat.replied(Ok(n=0, text="ok")), other.replied(Ok(n=0, text="ok"))
    assert wire.parse(one) == wire.parse_json(two)
    assert json.loads(two) == {"ev": "OK", "re": "7", "n": 0, "text": "ok"}


def test_with_text_an_event_ends_with_what_a_person_would_read() -> None:
    talk, _ = greeting(["text"], client="c")
    assert talk.shown(Played(2, ("6S",), "lead", 4), 2) == [
        "PLAYED on=t1 seq=1 seat=2 cards=6S kind=lead left=4 :You lead 6S."
    ]


def test_a_reply_stands_together_and_ends_with_ok() -> None:
    talk, _ = greeting([], client="c")
    assert talk.replied(words.Setting("width", "79"), Ok(n=1)) == [
        "@7 SETTING key=width value=79",
        "@7 OK n=1",
    ]


def test_a_refusal_is_one_line_with_its_fields() -> None:
    talk, _ = greeting([], client="c")
    talk.session.refuse("7", Refused("STALE_TURN", "Too late.", turn=9), VOICE)
    assert talk.take() == ["@7 ERR code=STALE_TURN class=turn turn=9 :Too late."]


def test_a_refusal_never_breaks_the_line_whatever_was_said() -> None:
    talk, _ = greeting([], client="c")
    for word in ("😀", "ü", "a,b", "%41", "=", "\u2028", "\ufffe", "x" * 900):
        talk.session.refuse("7", Refused("BAD_ARG", f"Not {word}.", arg=word), VOICE)
        (line,) = talk.take()
        record = wire.parse(line)
        assert record is not None
        assert record.fields["code"] == "BAD_ARG"


def test_who_does_not_say_what_it_is_learns_to_ignore_what_it_does_not_know() -> None:
    for caps, fields, greased in (
        ([], {}, True),
        ([], {"client": "c"}, False),
        (["grease"], {"client": "c"}, True),
        (["json"], {}, True),
    ):
        talk, _ = greeting(caps, **fields)
        events = [Said("ann", f"n {n}") for n in range(30)]
        lines = [line for event in events for line in talk.shown(event)]
        read = wire.parse_json if caps == ["json"] else wire.parse
        records = [record for record in map(read, lines) if record is not None]
        strange = [record for record in records if record.word.startswith("XG")]
        fields_ = [key for record in records for key in record.fields if key.startswith("xg")]
        assert bool(strange) == greased
        assert bool(fields_) == greased
        known = [wire.decode(r) for r in records if not r.word.startswith("XG")]
        assert known == events


@pytest.mark.parametrize("caps", [["grease"], ["grease", "json"]])
def test_replies_are_greased_too(caps: list[str]) -> None:
    talk, ok = greeting(caps, client="c")
    assert ok.knows is not None and ok.knows[-1] == "xgcap"
    read = wire.parse_json if "json" in caps else wire.parse
    fields = rows = 0
    for _ in range(20):
        records = [read(line) for line in talk.replied(words.Setting("width", "79"), Ok(n=1))]
        rows += (found := [record.word for record in records if record]).count("XGROW")
        assert [word for word in found if word != "XGROW"] == ["SETTING", "OK"]
        assert {record.id for record in records if record} == {"7"}
        known = [wire.decode(record) for record in records if record and record.word != "XGROW"]
        assert known == [words.Setting("width", "79"), Ok(n=1)]
        fields += sum(key[:2] == "xg" for record in records if record for key in record.fields)
    assert fields > 10 and rows == 10
    talk.session.turn_on(())
    assert len(talk.replied(Ok())) == 1


def test_notices_are_never_greased() -> None:
    talk, _ = greeting(["grease"])
    for _ in range(20):
        talk.session.notice(Ping_(3))
        assert talk.take() == ["PING no=3"]


def test_what_somebody_blocked_says_keeps_its_number_and_loses_its_text() -> None:
    talk, _ = greeting(["text"], client="c")
    assert talk.shown(Said("bob", "rude"), blocked=True) == ["SAID on=t1 seq=1 by=bob"]
    talk, _ = greeting([], client="c")
    assert talk.shown(Said("bob", "rude"), blocked=True) == ["SAID on=t1 seq=1 by=bob"]
    assert talk.shown(Invited("bob", "t7", "twentytwo"), blocked=True) == [
        "INVITED on=t1 seq=1 by=bob table=t7 game=twentytwo"
    ]
    assert people().shown(Said("bob", "rude"), blocked=True) == []


def test_hiding_a_text_from_one_hides_it_from_nobody_else() -> None:
    entry = Stream("t1").append(Said("bob", "rude"))
    one, other = greeting([], client="c")[0], greeting([], client="c")[0]
    other.session.show(entry, 1)
    one.session.show(entry, 1, blocked=True)
    other.session.show(entry, 1)
    assert other.take() == ["SAID on=t1 seq=1 by=bob :rude"] * 2


# ---------------------------------------------------------------------------------- people


def test_people_read_sentences() -> None:
    talk = people()
    assert talk.shown(Played(2, ("6S",), "lead", 4), 1) == ["bob leads 6S."]
    assert talk.shown(Played(2, ("TS",), "lead", 4), 2) == ["You lead 10S."]
    talk.session.refuse("", Refused("NOT_HELD", "You do not hold that."), VOICE)
    assert talk.take() == ["! You do not hold that."]
    talk.session.notice(Bye("QUIT", True, text="Goodbye, ann."))
    assert talk.take() == ["Goodbye, ann."]


def test_what_is_nothing_to_read_writes_nothing() -> None:
    assert people().shown(Dealt(2, 7), 1) == []
    assert people().replied(Ok()) == []


def test_a_person_who_asks_for_no_more_reads_ascii_only() -> None:
    assert people().shown(Said("ann", "grüße ♥ 日本 😀")) == ["ann: gr??e ? ?? ?"]
    talk = people().set(charset="utf8")
    assert talk.shown(Said("ann", "grüße ♥")) == ["ann: grüße ♥"]


def test_suits_are_signs_where_the_charset_has_them() -> None:
    talk = people()
    with pytest.raises(Refused) as refused:
        talk.set(suits="signs")
    assert "charset utf8" in refused.value.text
    talk.set(charset="utf8", suits="signs")
    assert talk.shown(Played(2, ("TH", "6S"), "lead", 4)) == ["bob leads 10♥ 6♠."]
    talk.set(charset="ascii")
    assert talk.shown(Played(2, ("TH", "6S"), "lead", 4)) == ["bob leads 10H 6S."]


def test_red_suits_are_red_where_that_is_wanted() -> None:
    talk = people().set(colour="on")
    assert talk.shown(Played(2, ("TH", "6S"), "lead", 4)) == ["bob leads \x1b[31m10H\x1b[0m 6S."]
    assert people().set(color="on").session.display.colour == "on"


def my_turn() -> Turn:
    return Turn(
        3, 1, "play", choose="one", nlegal=2, legal=("2", "Q"), default="2", hand=("2C", "QH")
    )


def test_the_bell_rings_when_it_is_ones_turn_and_only_where_that_is_wanted() -> None:
    assert not any("\a" in line for line in people().shown(my_turn(), 1))
    talk = people().set(bell="turn")
    assert talk.shown(my_turn(), 1)[-1].endswith("\a")
    assert "\a" not in "".join(talk.shown(Turn(3, 2, "play"), 1))
    assert "\a" not in "".join(talk.shown(Played(2, ("6S",), "lead", 4), 1))


def test_terse_leaves_out_the_hand() -> None:
    assert people().shown(my_turn(), 1) == ["Your cards: 2C QH", "Your lead: 2 | Q"]
    assert people().set(terse="on").shown(my_turn(), 1) == ["Your lead: 2 | Q"]


@pytest.mark.parametrize("width", [30, 40, 79, 400])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    talk = people().set(width=width)
    run = tables.over(4)
    for entry in run.stream.after(0):
        for viewer in (None, 1):
            talk.session.show(entry, viewer)
    talk.shown(Said("ann", "x" * 200 + " " + "word " * 40))
    assert talk.session.display.width == width
    for line in talk.take():
        assert len(line) <= width


def test_a_long_sentence_goes_on_indented_and_loses_no_word() -> None:
    talk = people().set(width=30)
    text = "it is a long way to the end of this sentence, well-known or not"
    first, *others = talk.shown(Said("ann", text))
    assert all(line.startswith("    ") for line in others)
    assert " ".join([first, *(line.strip() for line in others)]) == f"ann: {text}"


def test_a_choice_is_not_torn_apart_at_the_end_of_a_line() -> None:
    lines = wrapped("Your turn: 10 4 to beat.  8 7 (lowest) | J 7 | J 8 | A J", 40)
    assert lines == ["Your turn: 10 4 to beat.  8 7 (lowest) |", "    J 7 | J 8 | A J"]
    assert wrapped("Your lead: K K | Q J 10 9 8 7 6 (lowest)", 18) == [
        "Your lead: K K | Q",
        "    J 10 9 8 7 6",
        "    (lowest)",
    ]


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=300), st.integers(30, 120))
def test_whatever_is_said_people_read_printable_ascii_within_their_width(
    text: str, width: int
) -> None:
    for line in people().set(width=width).shown(Said("ann", text)):
        assert len(line) <= width
        assert line.isascii()
        assert line.isprintable()


@together(
    "said",
    [
        "\u4f60\u597d" * 40,  # Chinese, without a space
        "\ud55c\uad6d " * 30,  # Korean
        "\u1112\u1161\u11ab" * 60,  # Korean in letters that join
        "e\u0301o\u0308" * 60,  # a mark on every letter
        "\U0001f600" * 60,
    ],
)
@together("width", [30, 31, 79])
def test_lines_are_measured_in_columns_and_marks_stay_with_their_letter(
    said: str, width: int
) -> None:
    talk = people().set(charset="utf8", width=width)
    lines = talk.shown(Said("ann", said))
    assert width - 5 < max(map(wcwidth.width, lines)) <= width
    assert not any(wcwidth.width(line[0]) == 0 for line in lines)
    assert "".join(lines).replace(" ", "") == f"ann:{said}".replace(" ", "")


@together("key", CHOICES)
def test_every_setting_takes_its_values_and_nothing_else(key: str) -> None:
    taste = DisplaySettings().with_("charset", "utf8")
    for value in CHOICES[key]:
        assert getattr(taste.with_(key, value.upper()), key) == value
    with pytest.raises(Refused) as refused:
        taste.with_(key, "mauve")
    assert refused.value.code == "BAD_ARG"
    assert all(value in refused.value.text for value in CHOICES[key])


@together("value", ["29", "401", "x", "", "-5", "٧٩", "1e2", "99999999999999999999"])
def test_a_width_that_will_not_do_is_refused(value: str) -> None:
    with pytest.raises(Refused) as refused:
        DisplaySettings().with_("width", value)
    assert refused.value.code == "BAD_ARG"


def test_a_setting_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused) as refused:
        DisplaySettings().with_("font", "big")
    assert refused.value.code == "NO_SUCH_OPTION"
    assert "width" in refused.value.text


def test_a_connection_that_has_not_said_what_it_is_reads_comments_and_the_last_line() -> None:
    talk = Talk()
    talk.session.comment("hi")
    talk.session.notice(Note("DRAINING", text="The server stops soon."))
    talk.session.notice(Bye("SHUTDOWN", True, 1000, text="The server stops."))
    assert talk.take() == [
        "# hi",
        "# The server stops soon.",
        "BYE code=SHUTDOWN resume=1 wait=1000 :The server stops.",
    ]


def test_a_voice_is_the_viewers() -> None:
    entry = Stream("t1").append(Played(2, ("6S",), "lead", 4), names={2: "bob"})
    assert entry.voice(2).sentence(entry.seen_by(2)) == "You lead 6S."


def test_a_number_and_its_per_cent_stay_on_one_line() -> None:
    told = "It costs less than what you played by 5: 92 % of the hands, or 7 %."
    for width in range(30, 50):
        lines = wrapped(told, width)
        assert not any(line.lstrip().startswith("%") for line in lines)
