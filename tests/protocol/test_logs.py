"""Logs of games, and the voice that tells every hand."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from twentytwo_protocol import logs, wire
from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import OpenVoice, PastVoice
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Dealt,
    Exchanged,
    Game_,
    Gameover,
    Played,
    Turn,
)
from twentytwo_protocol.words.seating import Joined

GAME: list[Event] = [
    Joined(1, "ann", False),
    Joined(2, "bob", True),
    Game_("twentytwo", "g5", 2, 1, "abcd", 22),
    Dealt(1, 2, cards=("2C", "3D")),
    Turn(1, 1, "play", default="2"),
    Played(1, ("2C",), "lead", 1),
    Gameover((2,), "last"),
]


def test_a_log_is_read_as_it_was_written() -> None:
    assert list(logs.read(logs.written("g5", "A game", GAME))) == GAME


def test_a_log_begins_as_a_server_does() -> None:
    greeting, hello, guest, first, *_ = logs.written("g5", "A game", GAME)
    assert greeting.startswith("# cardline/1 ") and len(greeting) <= 79
    assert [wire.parse(line).id for line in (hello, guest)] == ["1", "2"]  # type: ignore[union-attr]
    assert first == "JOINED on=g5 seq=1 seat=1 name=ann bot=0"


def test_the_game_is_found_among_other_lines() -> None:
    lines = [
        "# cardline/1 somewhere",
        "@1 OK proto=1",
        "ONLINE on=people seq=4 name=eve bot=0",
        "JOINED on=t9 seq=1 seat=1 name=eve bot=0",
        *(wire.write(event, on="t1", seq=i) for i, event in enumerate(GAME[:4], 1)),
        "PING no=1",
        "@2 GAME game=twentytwo min=2 max=12",
        "PLAYED on=t9 seq=7 seat=1 cards=AS kind=lead left=1",
        "XGNOISE on=t1 seq=5",
        *(wire.write_json(event, on="t1", seq=i) for i, event in enumerate(GAME[4:], 6)),
        "SAID on=t1 seq=20 by=ann :again?",
    ]
    assert list(logs.read(lines)) == GAME


def test_a_log_ends_with_the_first_game_and_asks_for_no_more() -> None:
    def endless() -> object:
        yield from logs.written("g5", "A game", GAME)
        raise AssertionError("it went on reading")

    assert list(logs.read(endless())) == GAME  # type: ignore[arg-type]


@together("event", GAME)
def test_a_game_is_over_with_its_end_and_not_before(event: Event) -> None:
    assert logs.over(event) is isinstance(event, Gameover)
    assert logs.over(Aborted("agreed"))


@together(
    ("lines", "line"),
    [
        (["hello there"], 1),
        (["# cardline/1", "GAME on=g1 seq=1 game=twentytwo"], 2),
        (["JOINED on=g1 seq=1 seat=1 name=ann bot=0"], 1),
        ([], 1),
    ],
)
def test_what_is_no_log_is_refused_with_its_line(lines: list[str], line: int) -> None:
    with pytest.raises(logs.NotALog) as refused:
        list(logs.read(lines))
    assert refused.value.line == line


def test_the_open_voice_tells_whose_the_cards_are() -> None:
    voice = OpenVoice({1: "ann", 2: "bob"}, None, "twentytwo")
    assert voice.sentence(GAME[3]) == "(ann: 2C 3D)"
    swapped = Exchanged(2, 1, gave=("AD",), got=("TC",))
    assert voice.sentence(swapped) == "bob exchanges 1 card. (bob: gave AD, got 10C)"
    assert voice.sentence(GAME[5]) == "ann leads 2C."


def test_the_voice_of_the_past_tells_nobody_what_to_type() -> None:
    voice = PastVoice({1: "ann", 2: "bob"}, 2, "twentytwo")
    assert voice.sentence(GAME[-1]) == "*** Game over. You win!"
    assert voice.sentence(Turn(1, 2, "play", legal=("2",), default="2", hand=("2C",))) == ""


def test_the_open_voice_asks_nobody() -> None:
    voice = OpenVoice({1: "ann", 2: "bob"}, None, "twentytwo")
    assert voice.sentence(Turn(1, 1, "play", legal=("2",), default="2", hand=("2C",))) == ""
