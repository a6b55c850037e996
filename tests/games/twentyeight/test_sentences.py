"""What people read at a table of Twenty-Eight, and that it fits a screen of 80 columns."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.games.twentyeight.setting import Table, playing, resumed
from tests.kit.cases import together
from twentytwo_client.display.typed_cards import held
from twentytwo_protocol.cards import PIQUET
from twentytwo_protocol.games.twentyeight import (
    GAME_KEY,
    RANKINGS,
    VOCABULARY,
    Call,
    Declared,
    Redeal,
    Redealt,
    Trump,
    Trump_,
    tell_scores,
)
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Malformed, redact
from twentytwo_protocol.typed import read_person
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import (
    Contract,
    Dealt,
    Game_,
    Gameover,
    Hand_,
    Handover,
    Scored,
    Took,
    Trick,
    Turn,
)
from twentytwo_protocol.words.seating import Option_
from twentytwo_server.games.twentyeight import TWENTYEIGHT
from twentytwo_server.table.match import question

NAMES = {1: "ann", 2: "bob", 3: "cat", 4: "dan"}
COUNT = (
    "A jack counts 3, a nine 2, an ace or a ten 1.\n"
    "In every suit, high to low: J 9 A K Q 10 8 7 (rules=pagat: J 9 A 10 K Q 8 7)."
)


def said(event: Event, me: int | None = None) -> str:
    return Voice(NAMES, me, GAME_KEY).sentence(redact(event, me))


def asked(table: Table, ms: int | None = None) -> str:
    """What whoever is on turn reads."""
    seat = table.turn
    assert seat
    turn = question(TWENTYEIGHT.moves(table.state), turn=1, seat=seat, ms=ms, bank=None)
    others: Any = [said(turn, viewer) for viewer in (None, 1, 2, 3, 4) if viewer != seat]
    assert others == [""] * 4
    return said(turn, seat)


@together(
    ("event", "spectator", "ann"),
    [
        (
            Game_(GAME_KEY, "g1", 4, 1, "0", 10),
            "*** A game of Twenty-Eight begins. ann and cat play against bob and dan. "
            f"10 points win.\n{COUNT}",
            "*** A game of Twenty-Eight begins. You and cat play against bob and dan. "
            f"10 points win.\n{COUNT}",
        ),
        (
            Hand_(2, 1, 4, 16),
            "--- Hand 2: ann deals 4 cards each, to bid from.",
            "--- Hand 2: you deal 4 cards each, to bid from.",
        ),
        (Dealt(1, 4, ("9H", "JH", "AH", "8C")), "", "You get 8C AH 9H JH."),
        (
            Contract(1, 18, (1, 3)),
            "ann and cat play for 18; ann chooses the trump.",
            "You and cat play for 18; you choose the trump.",
        ),
        (
            Trump_(1, False, "H", "9H"),
            "ann lays a card face down: its suit is the trump.",
            "You lay 9H face down: hearts are trump, and only you know it.",
        ),
        (
            Trump_(1, True, "H", "9H", 2),
            "bob cannot follow suit: ann turns up 9H, hearts are trump.",
            "bob cannot follow suit: you turn up 9H, hearts are trump.",
        ),
        (
            Trump_(1, True, "H", "9H", 1),
            "ann cannot follow suit, and turns up 9H: hearts are trump.",
            "You cannot follow suit, and turn up 9H: hearts are trump.",
        ),
        (
            Trump_(1, True, "S", "9S"),
            "ann turns up 9S: spades are trump.",
            "You turn up 9S: spades are trump.",
        ),
        (Declared(1, "call"), "", ""),
        (
            Declared(1, "no"),
            "ann cannot follow suit, and does not call.",
            "You cannot follow suit, and do not call.",
        ),
        (
            Redealt(1),
            "ann has no card that counts, and asks for a new deal.",
            "You have no card that counts, and ask for a new deal.",
        ),
        (
            Took(1, 3, ("JC",), 5),
            "ann takes trick 3 with JC: 5 points.",
            "You take trick 3 with JC: 5 points.",
        ),
        (
            Took(1, 8, ("KC",), 0),
            "ann takes the last trick with KC: no points.",
            "You take the last trick with KC: no points.",
        ),
        (
            Scored(None, 2, 3, side=(1, 3), bid=20, won=21),
            "ann and cat bid 20 and took 21: they score 2.",
            "You and cat bid 20 and took 21: you score 2.",
        ),
        (
            Scored(None, -2, -2, side=(2, 4), bid=16, won=9),
            "bob and dan bid 16 and took 9: they lose 2.",
            "bob and dan bid 16 and took 9: they lose 2.",
        ),
        (Scored(None, 0, 3, side=(2, 4)), "", ""),
        (
            Handover(1, (2, 4), (3, -2, 3, -2)),
            "Scores: ann and cat 3, bob and dan -2.",
            "Scores: you and cat 3, bob and dan -2.",
        ),
        (
            Gameover((1, 3), "target"),
            "*** Game over. ann and cat win.",
            "*** Game over. You and cat win.\nrematch plays another, leave gets up.",
        ),
    ],
)
def test_what_happened(event: Event, spectator: str, ann: str) -> None:
    assert said(event) == spectator
    assert said(event, 1) == ann


def test_the_other_side_reads_of_itself_first() -> None:
    assert said(Handover(1, (2, 4), (3, -2, 3, -2)), 4) == "Scores: you and bob -2, ann and cat 3."


def test_the_first_bid() -> None:
    assert asked(Table(), ms=25_000) == (
        "Your cards: 8C AH 9H JH.\nYour bid (25 s): 14 to 28. You speak first, and may not pass."
    )


def test_the_first_bid_where_there_may_be_a_new_deal() -> None:
    fours = ("7H 8H QC KC", "JH 9H AH 8C", "7D 8D 9D TD", "7S 8S QS KS")
    more = ("TH AD KD JS", "7C 9C QH KH", "TC JC JD QD", "AC 9S TS AS")
    question = asked(Table(fours, more, preset="pagat"))
    assert question.endswith("and may not pass. redeal asks for a new deal.")


def test_a_bid_says_who_holds_it() -> None:
    table = Table()
    table.bid(17)
    assert asked(table).endswith("Your bid: pass, or 18 to 28 (ann holds it at 17).")
    table.bid("pass")
    over = "Your bid: pass, or 20 to 28 (over your partner ann, who holds it at 17)."
    assert asked(table).endswith(over)
    table.bid(27)
    assert asked(table).endswith("Your bid: pass, or 28 (cat holds it at 27).")


def test_the_choice_of_the_trump() -> None:
    table = Table()
    table.bid(14, "pass", "pass", "pass")
    assert asked(table) == (
        "Your cards: 8C AH 9H JH.\n"
        "The card lies face down, and cannot be played before it is shown.\n"
        "Choose the trump: 8C | AH | 9H | JH"
    )


def test_a_lead_of_the_bidder_shows_the_card_that_lies_face_down() -> None:
    table = Table()
    table.contract(trump="8C")
    assert asked(table) == (
        "Your cards: KD AD 10H AH 9H JH JS.  Face down: 8C.  Your side: 0 of 14.\n"
        "Your lead: KD | AD | 10H | AH | 9H | JH | JS"
    )


def test_a_play_says_what_is_best_and_whose_it_is() -> None:
    state = playing(
        ["7D", "AD 8D 10C", "9D", "TD"], down="KS", bidder=4, plays="7D", won=(4, 6), bid=16
    )
    assert asked(resumed(state)) == (
        "Your cards: 10C 8D AD.  Your side: 6 of 16.\nYour turn: ann's 7D is best so far.  8D | AD"
    )
    state = playing(["8D 9C", "AD", "QD JS", "7D"], leader=3, plays="QD 7D", shown=True)
    assert asked(resumed(state)) == (
        "Your cards: 9C 8D.  Trumps: spades.  Your side: 0 of 14.\n"
        "Your turn: your partner's QD is best so far. All you may play is 8D."
    )


def test_the_other_side_reads_its_points_alone() -> None:
    state = playing(["7D 9C", "AD 8D"], down="KS", bidder=1, plays="7D", won=(0, 5), bid=16)
    assert asked(resumed(state)).startswith("Your cards: 8D AD.  Your side: 5 points.\n")


def test_the_question_whether_to_call() -> None:
    state = playing(["7D 9C", "AC 8S", "9D", "TD"], down="KS", bidder=4, preset="pagat")
    table = resumed(state)
    table.play("7D")
    assert asked(table) == (
        "Your cards: AC 8S.  Your side: 0 of 14.\n"
        'After "call" you must trump if you can; after "no" you may throw any card.\n'
        "You cannot follow suit: call, or no? ann's 7D is best so far."
    )


def test_no_line_of_the_help_is_wrapped() -> None:
    assert max(map(len, VOCABULARY.help.splitlines())) <= 75  # it is shown two columns in


def test_a_question_with_a_full_hand_fits_the_screen() -> None:
    state = playing(["TC JC QC TD JD TH JH"], down="TS", won=(10, 0), bid=28)
    assert max(map(len, asked(resumed(state), ms=25_000).splitlines())) <= 79


def test_a_turn_of_another_seat_says_nothing() -> None:
    assert said(Turn(1, 2, "play"), 1) == ""


def test_whoever_knows_the_table_reads_what_both_sides_have() -> None:
    table = TableModel("t1", 1)
    for seat, name in NAMES.items():
        table.sit(seat, name, False)
    turn = Turn(9, 1, "play", legal=("9H",), default="9H", hand=("9H",), won=3, nlegal=1)
    hand = [Hand_(1, 1, 4, 16), Contract(2, 14, (2, 4)), Trick(1, 1), Took(3, 1, ("JC",), 3)]
    events = [Game_(GAME_KEY, "g1", 4, 1, "0", 10), *hand, Took(2, 2, ("9S",), 5), turn]
    for seq, event in enumerate(events, 1):
        table.see(event, seq)
    voice = Voice(NAMES, 1, GAME_KEY, known=table)
    assert voice.sentence(turn).split("\n")[1] == (
        "You and cat: 3 points. bob and dan: 5 of 14 points."
    )
    assert tell_scores(table, voice) == [
        "You and cat: 0, 3 points in this hand.",
        "bob and dan: 0, 5 of 14 points in this hand.",
    ]
    old = replace(turn, turn=4)
    assert "Your side: 3 points." in voice.sentence(old)


@pytest.mark.parametrize("order", RANKINGS)
def test_a_game_begins_with_how_its_cards_rank(order: str) -> None:
    table, begins = TableModel("t1", 1), Game_(GAME_KEY, "g1", 4, 1, "0", 10)
    for seat, name in NAMES.items():
        table.sit(seat, name, False)
    for seq, event in enumerate((Option_("order", order), begins), 1):
        table.see(event, seq)
    last = Voice(NAMES, 1, GAME_KEY, known=table).sentence(begins).split("\n")[-1]
    ranks = [card.replace("T", "10") for card in reversed(RANKINGS[order])]
    assert last == f"In every suit, high to low: {' '.join(ranks)}."


@pytest.mark.parametrize(
    ("limit", "said"), [("0", "5 points win."), ("5", "5 points win, 5 below zero lose.")]
)
def test_a_game_begins_with_what_wins_and_what_loses_it(limit: str, said: str) -> None:
    table, begins = TableModel("t1", 1), Game_(GAME_KEY, "g1", 4, 1, "0", 5)
    for seat, name in NAMES.items():
        table.sit(seat, name, False)
    for seq, event in enumerate((Option_("loss_limit", limit), begins), 1):
        table.see(event, seq)
    first = Voice(NAMES, 1, GAME_KEY, known=table).sentence(begins).split("\n")[0]
    assert first.endswith(f"against bob and dan. {said}")


def test_a_bidder_whose_trump_lies_face_down_is_told_what_calling_does() -> None:
    turn = Turn(9, 1, "declare", legal=("no", "call"), default="no", hand=("9H", "8C"), down="8C")
    assert said(turn, 1).split("\n")[1] == (
        "Your 8C lies face down: call turns it up (then you must trump), no leaves it there and "
        "you throw any other card."
    )


def test_yes_calls_for_the_trump() -> None:
    turn = Turn(9, 1, "declare", legal=("no", "call"), default="no", hand=("9H", "8C"))
    assert read_person("yes", named=True, deck=PIQUET, asked=turn) == Call()


def test_a_word_is_no_bid() -> None:
    with pytest.raises(Malformed, match=r"^a bid is a number or pass$"):
        Redeal.of("two")


@together(
    ("typed", "answer"),
    [
        ("trump hearts", "Name a card, not a suit: of hearts you hold 9H, JH and AH."),
        ("trump h", "Name a card, not a suit: of hearts you hold 9H, JH and AH."),
        ("trump c", "Name a card, not a suit: of clubs you hold 8C, so trump 8c."),
        ("Spades", "Name a card, not a suit; you hold no spades."),
        (
            "make a heart trump",
            "Name a card, not a suit: of hearts you hold 9H, JH and AH.",
        ),
    ],
)
def test_a_suit_is_no_card_to_lay_down(typed: str, answer: str) -> None:
    table = Table()
    table.bid(14, "pass", "pass", "pass")
    moves = TWENTYEIGHT.moves(table.state)
    turn = question(moves, turn=1, seat=1, ms=None, bank=None)
    deed = read_person(typed, named=True, deck=TWENTYEIGHT.deck, asked=turn)
    assert isinstance(deed, Trump)
    wrong = moves.why(Trump(TWENTYEIGHT.deck.read(deed.cards)))
    assert wrong and wrong.text == answer


@pytest.mark.parametrize(
    ("order", "hand"), [("denexa", "7H 10H QH KH AH 9H JH"), ("pagat", "7H QH KH 10H AH 9H JH")]
)
def test_a_hand_is_written_low_to_high_by_the_rules_of_the_table_everywhere(
    order: str, hand: str
) -> None:
    cards = ("7H", "9H", "TH", "JH", "QH", "KH", "AH")
    table = TableModel("t1", 1)
    for seat, name in NAMES.items():
        table.sit(seat, name, False)
    question = Turn(3, 1, "trump", legal=cards, default="7H", hand=cards)
    told = (
        Option_("order", order),
        Game_(GAME_KEY, "g1", 4, 1, "0", 10),
        Hand_(1, 4, 7, 4),
        Dealt(1, 7, cards),
        question,
    )
    for seq, event in enumerate(told, 1):
        table.see(event, seq)
    voice = Voice(NAMES, 1, GAME_KEY, known=table)
    assert voice.sentence(Dealt(1, 7, cards)) == f"You get {hand}."
    assert f"Your cards: {hand}." in voice.sentence(question)
    assert voice.sentence(question).endswith(hand.replace(" ", " | "))
    assert voice.show(held(table)) == hand
