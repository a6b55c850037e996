"""The sentence a person reads, from the event and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conformance.quoting import quotes
from tests.kit.cases import together
from tests.protocol.values import FEW, MANY, every_event, every_row, messages
from twentytwo_protocol.schema import Event, Row, redact
from twentytwo_protocol.voice import Voice, listed, plural, second_person
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Dealt,
    Drew,
    Exchanged,
    Played,
    Scored,
    Shown,
    Took,
    Turn,
    Vote,
)
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.daily import StandingRow
from twentytwo_protocol.words.lobby import Game, Opened, Sought
from twentytwo_protocol.words.replies import Err
from twentytwo_protocol.words.seating import Host_, Joined, Presence

NAMES = {seat: f"~p{seat}" for seat in range(1, 13)}


@together(
    ("verb", "said"),
    [
        ("takes", "take"),
        ("passes", "pass"),
        ("watches", "watch"),
        ("pushes", "push"),
        ("fixes", "fix"),
        ("is", "are"),
        ("has", "have"),
        ("goes", "go"),
        ("does", "do"),
        ("was", "were"),
        ("carries", "carry"),
        ("plays", "play"),
        ("loses", "lose"),
        ("chooses", "choose"),
    ],
)
def test_verbs_are_said_to_you(verb: str, said: str) -> None:
    assert second_person(verb) == said


def test_things_are_counted_and_listed() -> None:
    assert [plural(n, "card") for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert listed([]) == ""
    assert listed(["ann"]) == "ann"
    assert listed(["ann", "bob"]) == "ann and bob"
    assert listed(iter(["ann", "bob", "cat"])) == "ann, bob and cat"


def test_whoever_plays_only_against_bots_is_alone() -> None:
    assert Voice({1: "ann", 2: "bot:easy"}, 1).alone
    assert not Voice({1: "ann", 2: "bot:easy", 3: "bob"}, 1).alone
    assert not Voice({1: "ann"}, 1).alone
    assert not Voice({1: "ann", 2: "bot:easy"}).alone


def test_the_host_is_told_so_in_the_second_person() -> None:
    assert Voice({1: "ann", 2: "bob"}, 1).sentence(Host_("ann")) == "You are the host."
    assert Voice({1: "ann", 2: "bob"}, 2).sentence(Host_("ann")) == "ann is the host."


@pytest.mark.parametrize(("most", "span"), [(4, "3 to 4"), (3, "3")])
def test_a_game_says_how_many_may_play(most: int, span: str) -> None:
    said = Voice({}).sentence(Game("whist", 3, most, ("seed",), title="Whist"))
    assert said.startswith(f"  Whist (whist), {span} players. ")


def test_the_same_event_is_told_to_everybody_but_you() -> None:
    took = Took(2, 3, ("TD", "TH"))
    assert Voice(NAMES).sentence(took) == "~p2 takes trick 3 with 10D 10H."
    assert Voice(NAMES, 1).sentence(took) == "~p2 takes trick 3 with 10D 10H."
    assert Voice(NAMES, 2).sentence(took) == "You take trick 3 with 10D 10H."


def test_a_seat_without_a_name_is_still_told() -> None:
    assert Voice({}).sentence(Drew(4, "QH")) == "seat 4 draws QH for the deal."


def test_an_unknown_kind_of_play_is_told_as_a_play() -> None:
    assert Voice(NAMES).sentence(Played(1, ("2H",), "moonshot", 3)) == "~p1 plays 2H."


def test_a_hand_is_told_to_its_owner_only() -> None:
    dealt = Dealt(1, 2, ("2H", "9H"))
    assert "2H 9H" in Voice(NAMES, 1).sentence(redact(dealt, 1))
    assert Voice(NAMES, 2).sentence(redact(dealt, 2)) == ""
    exchanged = Exchanged(1, 1, ("2H",), ("9H",))
    voice = Voice(NAMES, 1, "twentytwo")
    assert "9H" in voice.sentence(redact(exchanged, 1))
    assert Voice(NAMES, 2).sentence(redact(exchanged, 2)) == "~p1 exchanges 1 card."


def test_a_question_lists_moves_in_the_words_to_type() -> None:
    turn = Turn(
        9,
        1,
        "play",
        beat=("4", "4"),
        choose="one",
        nlegal=2,
        legal=("3+2", "T+4"),
        low=("3", "2"),
        default="3+2",
        hand=("2H", "3C", "4S", "TD"),
    )
    said = Voice(NAMES, 1, "twentytwo").sentence(turn)
    assert "4 4 to beat" in said and "3 2 (lowest) | 10 4" in said and "2H 3C 4S 10D" in said
    others = Voice(NAMES, 2, "twentytwo").sentence(redact(turn, 2))
    assert not any(word in others for word in ("2H", "3 2", "10", "lowest"))


def test_the_lobby_names_games_by_their_titles() -> None:
    opened = Opened("t3", "whist22", 3, 1, "open", "~ann", False, "Friday night")
    assert Voice({}).sentence(opened) == ("[lobby] ~ann opens t3: Whist 22, 3 seats.  Friday night")
    seek = Sought(7, "~ann", "twentytwo", 3, "pagat")
    assert Voice({}).sentence(seek) == (
        "[lobby] ~ann looks for 3 in all to play Twenty-Two (pagat): accept ann"
    )


@together(
    ("said", "sentence"),
    [
        (Aborted("agreed"), "*** The game ends without a result."),
        (Aborted("abandoned"), "*** The game ends without a result: its players have gone."),
        (
            Aborted("fault", "E17"),
            "*** The game ends without a result: something went wrong here. Quote E17 to the "
            "operator.",
        ),
        (Aborted("comet"), "*** The game ends without a result."),
    ],
)
def test_a_game_without_a_result_says_why_in_words(said: Event, sentence: str) -> None:
    assert Voice({}).sentence(said) == sentence


def test_notes_and_errors_are_marked() -> None:
    assert Voice({}).sentence(Note("X", text="hm")) == "* hm"
    assert Voice({}).sentence(Err("ILLEGAL", "rule", text="No.")) == "! No."


def test_coming_and_going_is_told() -> None:
    assert Voice(NAMES, 1).sentence(Joined(1, "~p1", False)) == "You sit down in seat 1."
    assert "back" in Voice(NAMES).sentence(Presence(1, True))
    assert "120 s" in Voice(NAMES).sentence(Presence(1, False, ms=120_000))


@quotes("A person's lines are made from the same events that programs read", "P6", "V2")
@pytest.mark.parametrize("game", ["", "twentytwo", "twentysix"])
@MANY
@given(data=st.data())
def test_a_sentence_says_nothing_that_the_viewer_may_not_know(
    game: str, data: st.DataObject
) -> None:
    """Two events that look the same to a viewer are told in the same words."""
    cls = data.draw(st.sampled_from([cls for cls in every_event() if cls.private]))
    viewer = data.draw(st.none() | st.integers(1, 12))
    happened = data.draw(messages(cls))
    seen = redact(happened, viewer)
    voice = Voice(NAMES, viewer, game)
    if seen != happened:
        said = voice.sentence(seen)
        for attr in cls.private:
            value = getattr(happened, attr)
            if isinstance(value, tuple) and value and getattr(seen, attr) is None:
                joined = " ".join(map(str, value)).replace("T", "10")
                public = " ".join(
                    " ".join(map(str, shown)) if isinstance(shown, tuple) else str(shown)
                    for field in cls.word.fields
                    if (shown := getattr(seen, field.attr)) is not None
                ).replace("T", "10")
                assert joined not in said or joined in public or len(joined) < 3


@together("cls", [*every_event(), *every_row()])
@FEW
@given(
    data=st.data(),
    viewer=st.none() | st.integers(1, 12),
    game=st.sampled_from(["", "twentytwo", "twentysix"]),
)
def test_every_word_can_be_told(
    cls: type[Event] | type[Row], data: st.DataObject, viewer: int | None, game: str
) -> None:
    message = data.draw(messages(cls))
    assert isinstance(Voice(NAMES, viewer, game).sentence(message), str)


@together(
    ("said", "sentence"),
    [
        (Exchanged(1, 1, ("X",), ("9C",)), "You throw a joker and draw 9C."),
        (Exchanged(1, 2, ("X", "9D"), ("9C", "2C")), "You throw joker 9D and draw 9C 2C."),
        (Shown(2, "X"), "bob shows a joker."),
        (Drew(1, "X"), "You draw a joker for the deal."),
        (Drew(1, "X", True), "Tied for highest, you draw again: a joker."),
        (Drew(2, "9C", True), "Tied for highest, bob draws again: 9C."),
        (Scored(2, 13, 20, "X"), "bob loses the hand: a joker is 13 points, 20 in all."),
    ],
)
def test_one_joker_of_several_is_a_joker(said: Event, sentence: str) -> None:
    assert Voice({1: "ann", 2: "bob"}, 1, "twentysix").sentence(said) == sentence


@together(
    ("said", "names", "sentence"),
    [
        (Vote("ann", "pause", 1, 0, 2), ("ann", "bob"), "You would like to pause; bob must agree."),
        (
            Vote("ann", "abort", 1, 0, 3),
            ("ann", "bob", "bot:hard", "cat"),
            "You would like to abort; bob and cat must agree.",
        ),
        (Vote("ann", "abort", 2, 0, 3), ("ann", "bob", "cat"), "You would like to abort: 2 of 3."),
        (
            Vote("bob", "pause", 1, 0, 2),
            ("ann", "bob"),
            'bob would like to pause: 1 of 2. "pause" agrees.',
        ),
        (Vote("bob", "pause", 2, 0, 2), ("ann", "bob"), "bob agrees to pause: 2 of 2."),
        (Vote("ann", "pause", 2, 0, 2), ("ann", "bob"), "You agree to pause: 2 of 2."),
    ],
)
def test_whoever_has_a_wish_reads_who_must_agree(
    said: Event, names: tuple[str, ...], sentence: str
) -> None:
    assert Voice(dict(enumerate(names, 1)), 1, "twentytwo").sentence(said) == sentence


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (-11, "combined lead over the others: -11 points"),
        (0, "combined lead over the others: 0 points"),
        (1, "combined lead over the others: 1 point"),
    ],
)
def test_a_daily_result_has_the_place_and_the_combined_lead(points: int, said: str) -> None:
    row = StandingRow("ann", 4, points, 2)
    assert Voice({}).sentence(row) == f"  2. ann: 4th; {said}"
