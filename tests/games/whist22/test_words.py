"""What people read and type: every question can be answered by what the screen says."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from tests.games.whist22.setting import Table
from tests.kit import tables
from tests.kit.cases import together
from twentytwo_protocol.cards import TAROT, NotACard
from twentytwo_protocol.games.whist22 import VOCABULARY
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Malformed, Refused
from twentytwo_protocol.typed import read_person
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import (
    Bid,
    Bid_,
    Dealt,
    Game_,
    Hand_,
    Handover,
    Move,
    Play,
    Played,
    Scored,
    Took,
    Turn,
)
from twentytwo_server.games.whist22 import WHIST22

NAMES = {1: "ann", 2: "youri", 3: "cat", 4: "dan"}


def said(event: Event, me: int | None = 1) -> str:
    """The sentence for a seat."""
    return Voice(NAMES, me, "whist22").sentence(event)


def bid(legal: Iterable[int], *bids: int, tricks: int = 5, ms: int | None = None) -> Turn:
    """The question for a bid, of a hand of two cards."""
    tokens = tuple(map(str, legal))
    return Turn(
        9, 1, "bid", ms, legal=tokens, default=tokens[0], hand=("3", "12"), tricks=tricks, bids=bids
    )


def play(*legal: str, hand: str = "", beat: str = "", won: int = 1) -> Turn:
    """The question for a play."""
    held = tuple(hand.split())
    return Turn(
        9, 1, "play", legal=legal, default=legal[0], hand=held, bid=2, won=won,
        beat=(beat,) if beat else None,
    )  # fmt: skip


@together(
    ("turn", "last"),
    [
        (bid(range(6)), "Your bid, 0 to 5: you are the first, and there are 5 tricks."),
        (bid(range(2), tricks=1), "Your bid, 0 to 1: you are the first, and there is 1 trick."),
        (bid(range(6), 2, 1), "Your bid, 0 to 5: 3 of 5 tricks bid so far."),
        (
            bid((0, 2, 3, 4, 5), 2, 1, 1),
            "Your bid, 0 to 5 but not 1: 4 bid so far; you may not make it 5.",
        ),
        (
            bid(range(1, 6), 3, 2),
            "Your bid, 1 to 5: 5 bid so far; you may not make it 5.",
        ),
        (
            bid(range(5), 0, 0),
            "Your bid, 0 to 4: 0 bid so far; you may not make it 5.",
        ),
        (
            bid((0,), 0, 0, tricks=1),
            "Your bid, only 0: 0 bid so far; you may not make it 1.",
        ),
        (
            bid((0, 1, 2, 4), 1, 0, 0, 0, ms=120_000, tricks=4),
            "Your bid (120 s), 0 to 4 but not 3: 1 bid so far; you may not make it 4.",
        ),
        (play("3", "12", hand="3 12"), "Your lead: bid 2, won 1.  3 | 12"),
        (
            play("3", "12", hand="3 12", beat="F0", won=0),
            "Your turn: bid 2, won 0. Highest is the Fool as 0.  3 | 12",
        ),
        (
            play("22", "0"),
            "Your card, unseen: type 22 or 0 to play it (it counts that if it is the Fool).",
        ),
        (play("0"), "Your card, unseen: type 0 to play it."),
    ],
)
def test_the_last_line_of_a_question_says_what_may_be_done(turn: Turn, last: str) -> None:
    sentence = said(turn)
    assert sentence.split("\n")[-1].endswith(last)
    assert max(map(len, sentence.split("\n"))) <= 80


def test_a_hand_with_the_fool_says_how_to_play_it() -> None:
    sentence = said(play("F0", "3", "F22", hand="3 F"))
    assert sentence.startswith("Your cards: 3 F   (F0: the Fool loses to all; F22: it beats all)\n")
    fixed = said(play("F0", "3", hand="3 F"))
    assert fixed.startswith("Your cards: 3 F   (F0: the Fool loses to all)\n")
    assert "(" not in said(bid(range(3), tricks=2))


def test_of_a_question_to_somebody_else_only_who_is_asked_is_said() -> None:
    assert said(Turn(9, 2, "bid", tricks=5, bids=(1,))) == "Waiting for youri to bid."


@together(
    ("event", "sentence"),
    [
        (Hand_(3, 1, 4, 6), "--- Hand 3: you deal 4 cards each, 6 cards left out."),
        (Hand_(1, 2, 1, 0), "--- Hand 1: youri deals 1 card each, none left out."),
        (Bid_(2, "1"), "youri bids 1."),
        (Bid_(1, "0"), "You bid 0."),
        (Played(2, ("12",), "lead", 3), "youri leads 12."),
        (Played(1, ("F22",), "follow", 3), "You play the Fool as 22."),
        (Took(3, 2, ("F22",)), "cat takes trick 2 with the Fool as 22."),
        (Took(1, 2, ("10",)), "You take trick 2 with 10."),
        (Scored(2, -1, 12, bid=2, won=1), "youri bid 2, won 1: -1, 12 left."),
        (Scored(1, 0, 14, bid=0, won=0), "You bid 0, won 0: nothing lost, 14 left."),
        (Handover(3, (2,), (14, 12, 3)), ""),
    ],
)
def test_what_happened_is_said_to_seat_one(event: Event, sentence: str) -> None:
    assert said(event) == sentence


def test_the_beginning_says_what_the_game_is_about() -> None:
    sentence = said(Game_("whist22", "g1", 3, 1, "abc", 0, 14))
    assert sentence.startswith("*** A game of Whist 22 begins: you, youri and cat.\n")
    assert "Everybody has 14 points." in sentence


def test_the_help_fits_the_screen() -> None:
    assert all(len(line) <= 78 for line in VOCABULARY.help.splitlines())


# ------------------------------------------------------------------------------ what is typed


@together(
    ("typed", "cards"),
    [
        ("10", ("10",)),
        ("f", ("F",)),
        ("F22", ("F22",)),
        ("fool 0", ("F", "0")),
        ("f7", ("F7",)),
        ("3 12", ("3", "12")),
        ("22", ("22",)),
    ],
)
def test_trumps_as_they_are_typed(typed: str, cards: tuple[str, ...]) -> None:
    assert TAROT.read(typed.split()) == cards


@together("typed", ["23", "123", "q", "10h", "-1", "f221"])
def test_what_is_no_trump(typed: str) -> None:
    with pytest.raises(NotACard):
        TAROT.read([typed])


def test_a_hand_is_written_from_the_one_to_the_fool() -> None:
    assert TAROT.sort(["F", "10", "9", "21", "1"]) == ("1", "9", "10", "21", "F")
    assert TAROT.sort(["F22", "21", "F0", "1"]) == ("F0", "1", "21", "F22")


def test_a_bare_number_is_a_bid_when_a_bid_is_asked_and_a_card_when_a_card_is() -> None:
    asked = bid((0, 2), tricks=2)
    for typed in ("2", "1", "7"):
        found = read_person(typed, named=True, deck=TAROT, asked=asked)
        assert found == Move(typed)
    found = read_person("12", named=True, deck=TAROT, asked=play("3", "12", hand="3 12"))
    assert found == Play(("12",))


def test_a_number_that_may_not_be_bid_is_refused_by_the_rule_and_not_as_a_riddle() -> None:
    run = tables.started(3, game=WHIST22)
    for _ in range(2):
        run.order(run.mover, Move("2"))
    typed = read_person("3", named=True, deck=TAROT, asked=run.asked)
    wrong = run.refused(run.mover, typed)
    assert (wrong.code, wrong.fields) == ("ILLEGAL", {"reason": "HOOK"})
    assert "bid 0, 1, 2, 4, 5, 6 or 7" in wrong.text


def test_every_question_of_a_game_is_answered_by_a_token_it_shows() -> None:
    run, chance = tables.started(3, game=WHIST22), random.Random(4)
    while run.playing:
        asked = run.asked
        voice = Voice(run.table.names, asked.seat, "whist22")
        last = voice.sentence(asked).split("\n")[-1]
        legal = [*(asked.legal or ())]
        if asked.act == "play" and len(legal) > 1:
            assert last.split("  ")[-1].split(" | ") == legal
        elif asked.act == "play":
            assert last.endswith(f". All you may play is {legal[0]}.")
        else:
            assert f"{legal[0]} to {legal[-1]}" in last or f"only {legal[0]}" in last
        try:
            run.order(run.mover, Move(chance.choice(asked.legal or ())))
        except Refused as wrong:  # pragma: no cover
            raise AssertionError(f"{last}: {wrong.text}") from wrong


def test_a_trump_with_a_suit_is_answered_by_its_number() -> None:
    table = Table("3 14", "5 6", "7 8")
    while table.moves.act == "bid":
        table.say(Bid("0") if "0" in [deed.token for deed in table.moves] else Bid("1"))
    for typed in ("14h", "14\N{BLACK HEART SUIT}", "14H"):
        deed = read_person(typed, named=True, deck=WHIST22.deck, asked=None)
        assert isinstance(deed, Play)
        wrong = table.moves.why(deed)
        assert wrong and wrong.text == "The trumps have no suits: type 14."
    assert WHIST22.deck.read(["14", "f22", "fool"]) == ("14", "F22", "F")


def test_whoever_knows_the_table_reads_the_cards_of_the_others_again() -> None:
    table = TableModel("t1", 1)
    for seat, name in NAMES.items():
        table.sit(seat, name, False)
    turn = replace(bid((0, 1), tricks=1), hand=())
    events = [
        Hand_(7, 4, 1, 18),
        Dealt(1, 1),
        Dealt(2, 1, seen=("18",)),
        Dealt(3, 1, seen=("9",)),
    ]
    for seq, event in enumerate((*events, turn), 1):
        table.see(event, seq)
    asked = Voice(NAMES, 1, "whist22", known=table).sentence(turn).split("\n")
    assert asked[0] == "youri holds 18, cat holds 9." and asked[1].startswith("Your bid")


def test_a_word_is_no_bid_and_nobody_passes() -> None:
    with pytest.raises(Malformed, match=r"^a bid is a number$"):
        Bid.of("two")
