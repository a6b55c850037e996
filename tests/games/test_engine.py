"""Rulings on what the sources leave open, one test each, named by the number of the ruling.

A rulings are Twenty-Two's, J rulings those on jokers. What a vector covers is not repeated.
"""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from tests.games.setting import (
    hand,
    play,
    rules_of,
    shuffled,
    standing,
    suited,
    trick,
    until_player,
)
from tests.kit.cases import together
from twentytwo_protocol.games.twentytwo import Exchange, Keep
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.words.cardplay import (
    Dealt,
    Drew,
    Exchanged,
    Gameover,
    Hand_,
    Handover,
    Out,
    Play,
    Played,
    Result,
    Scored,
    Shown,
    Shuffle,
    Took,
    Trick,
)
from twentytwo_server.games.game import HOUSE, Illegal
from twentytwo_server.games.twentytwo import TWENTYSIX, TWENTYTWO, refusals
from twentytwo_server.games.twentytwo.dealer import choosing, drawn, draws
from twentytwo_server.games.twentytwo.hands import packed, tokens
from twentytwo_server.games.twentytwo.legal import Exchanges, Plays
from twentytwo_server.games.twentytwo.showdown import showdown
from twentytwo_server.games.twentytwo.states import (
    Dealing,
    Drawing,
    Exchanging,
    Over,
    Playing,
    State,
    full_pack,
)

PAGAT = rules_of("pagat")
TVTROPES = rules_of("tvtropes")
RASMUSSEN = rules_of("rasmussen")
TWENTYSIX_RULES = rules_of("twentysix")


def last_cards(
    state_of: dict[str, object], cards: list[str], first: int = 1
) -> tuple[State, list[Event]]:
    """The showdown of these last cards between seats at a table described by `standing`."""
    at = standing(seats=len(cards), **state_of)  # type: ignore[arg-type]
    return showdown(at, tuple(packed([card]) for card in suited(cards)), first)


def of(events: list[Event], kind: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


def dealt(preset: str, seats: int, seed: int = 1, **options: object) -> Exchanging | Playing:
    """A game up to its first question."""
    rules = rules_of(preset, options)
    game = TWENTYSIX if preset == "twentysix" else TWENTYTWO
    state, _ = until_player(game, game.new(rules, seats), random.Random(seed))
    assert isinstance(state, Exchanging | Playing)
    return state


# ------------------------------------------------------------------------ the draw for the deal


def test_the_whole_pack_is_shuffled_and_everybody_draws_a_card_from_the_top() -> None:
    state = TWENTYTWO.new(PAGAT, 3)
    assert TWENTYTWO.turn(state) == HOUSE
    assert len(TWENTYTWO.pack(state)) == 52
    state, events = TWENTYTWO.play(state, shuffled(TWENTYTWO, state, ["8S", "AC", "KH"]))
    assert events == [Drew(1, "8S"), Drew(2, "AC"), Drew(3, "KH")]
    assert isinstance(state, Dealing)
    assert state.standing.dealer == 2


def test_a4_only_those_tied_for_highest_draw_again_and_from_the_same_pack() -> None:
    state = TWENTYTWO.new(PAGAT, 3)
    top = ["8S", "AC", "AH", "8D", "AS"]
    state, events = TWENTYTWO.play(state, shuffled(TWENTYTWO, state, top))
    drew = [(1, "8S"), (2, "AC"), (3, "AH"), (2, "8D"), (3, "AS")]
    assert events[:3] == [Drew(seat, card) for seat, card in drew[:3]]
    assert events[3:] == [Drew(seat, card, True) for seat, card in drew[3:]]
    assert state.standing.dealer == 3


def test_a4_when_the_pack_runs_dry_the_house_shuffles_again_for_those_tied() -> None:
    tied, events = draws((1, 2, 3), ["2C", "AC", "AD", "KC"])
    assert tied == (2, 3)
    assert len(events) == 3
    state, _ = drawn(Drawing(standing(PAGAT, 2, dealer=0), (1, 2), False), ["2C", "2D"])
    assert isinstance(state, Drawing)
    after, events = TWENTYTWO.play(state, shuffled(TWENTYTWO, state, ["KC", "2C"]))
    assert events == [Drew(1, "KC", True), Drew(2, "2C", True)]
    assert after.standing.dealer == 1


def test_a5_a_joker_is_the_highest_card_to_draw() -> None:
    state = TWENTYSIX.new(TWENTYSIX_RULES, 2)
    state, _ = TWENTYSIX.play(state, shuffled(TWENTYSIX, state, ["AC", "X"]))
    assert state.standing.dealer == 2


def test_a_random_first_dealer_is_the_top_of_the_shuffled_seats() -> None:
    state = TWENTYTWO.new(rules_of("pagat", {"first_dealer": "random"}), 3)
    assert TWENTYTWO.pack(state) == ("1", "2", "3")
    state, events = TWENTYTWO.play(state, Shuffle(("3", "1", "2")))
    assert (events, state.standing.dealer) == ([], 3)


@together("wrong", [("2C",), ("ZZ",) * 52, ("2C",) * 52, ()])
def test_a_shuffle_of_anything_but_the_pack_is_an_error(wrong: tuple[str, ...]) -> None:
    state = TWENTYTWO.new(PAGAT, 3)
    with pytest.raises(ValueError):
        TWENTYTWO.play(state, Shuffle(wrong))


def test_nobody_moves_for_the_house_and_the_house_for_nobody() -> None:
    with pytest.raises(ValueError):
        TWENTYTWO.play(TWENTYTWO.new(PAGAT, 3), Play(("Q",)))
    with pytest.raises(ValueError):
        TWENTYTWO.play(dealt("pagat", 3), Shuffle(("2C",)))
    with pytest.raises(ValueError):
        TWENTYTWO.moves(TWENTYTWO.new(PAGAT, 3))
    with pytest.raises(ValueError):
        TWENTYTWO.pack(dealt("pagat", 3))


# ------------------------------------------------------------------------------------- the deal


def deal(state: Dealing) -> tuple[State, list[Event]]:
    return TWENTYTWO.play(state, Shuffle(TWENTYTWO.pack(state)))


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    state, events = deal(Dealing(standing(PAGAT, 3, wanted=2, dealer=1)))
    assert events[:4] == [
        Hand_(2, 1, 2, 46),
        Dealt(2, 2, ("2C", "5C")),
        Dealt(3, 2, ("3C", "6C")),
        Dealt(1, 2, ("4C", "7C")),
    ]
    assert TWENTYTWO.turn(state) == 2


def test_a1_by_tvtropes_the_first_player_is_on_the_left_and_the_dealer_plays_second() -> None:
    # Counterclockwise the seat on the left is the one before in the order of play.
    state, events = deal(Dealing(standing(TVTROPES, 4, dealer=3)))
    assert [event.seat for event in of(events, Dealt)] == [2, 3, 4, 1]  # type: ignore[attr-defined]
    assert TWENTYTWO.turn(state) == 2


def test_a2_the_exchange_goes_in_the_order_of_play() -> None:
    state, _ = deal(Dealing(standing(TVTROPES, 4, dealer=3)))
    order = []
    while isinstance(state, Exchanging):
        order.append(TWENTYTWO.turn(state))
        state, _ = TWENTYTWO.play(state, Keep())
    assert order == [2, 3, 4, 1]


def test_a10_the_first_deal_is_equal_too_when_the_pack_does_not_suffice() -> None:
    one = rules_of("pagat", {"decks": 1, "first_hand": 13})
    _, events = deal(Dealing(standing(one, 5, wanted=13, hand=0)))
    assert events[0] == Hand_(1, 1, 10, 2)


def test_a12_where_scoring_cards_leave_too_few_those_of_players_who_are_out_come_back() -> None:
    rules = rules_of("pagat", {"limit": 100, "decks": 1})
    kept = TWENTYTWO.pack(TWENTYTWO.new(rules, 3))[2:]
    state, _ = showdown(
        standing(rules, 3, playing=(2, 3), kept=kept, totals=(100, 0, 0)),
        (b"", packed(["2C"]), packed(["3C"])),
        2,
    )
    assert isinstance(state, Dealing)
    # The three of clubs is kept by seat 3, whose it was; all the others are back.
    assert len(TWENTYTWO.pack(state)) == 51


def test_a12_if_nobody_is_out_all_scoring_cards_come_back_and_the_points_stay() -> None:
    rules = rules_of("pagat", {"limit": 100, "decks": 1})
    kept = TWENTYTWO.pack(TWENTYTWO.new(rules, 2))[2:]
    cards = (packed(["2C"]), packed(["3C"]))
    state, _ = showdown(standing(rules, 2, kept=kept, totals=(90, 5)), cards, 1)
    assert len(TWENTYTWO.pack(state)) == 52
    assert TWENTYTWO.totals(state) == (90, 8)


def test_a12_cards_come_back_too_where_no_dealer_could_be_drawn_from_those_of_one_rank() -> None:
    rules = rules_of("pagat", {"limit": 100, "decks": 2})
    kept = [card for card in TWENTYTWO.pack(TWENTYTWO.new(rules, 3)) if card[0] != "K"]
    cards = tuple(packed([card]) for card in ("KC", "KD", "KH"))
    state, _ = showdown(standing(rules, 3, kept=kept), cards, 1)
    assert isinstance(state, Drawing)
    assert len(TWENTYTWO.pack(state)) == 104


def test_a17_an_eliminated_dealer_deals_but_neither_exchanges_nor_plays() -> None:
    at = standing(PAGAT, 4, playing=(1, 3, 4), dealer=2)
    state, events = deal(Dealing(at))
    assert [event.seat for event in of(events, Dealt)] == [3, 4, 1]  # type: ignore[attr-defined]
    assert isinstance(state, Exchanging)
    assert state.waiting == (3, 4, 1)
    assert state.hands[1] == b""


# --------------------------------------------------------------------------------- the exchange


def test_a13_each_exchanges_once() -> None:
    state: State = dealt("pagat", 3)
    asked = []
    while isinstance(state, Exchanging):
        asked.append(state.waiting[0])
        state, _ = TWENTYTWO.play(state, Keep())
    assert sorted(asked) == [1, 2, 3]


def test_a14_replacements_come_at_once_from_the_top_and_thrown_cards_stay_out() -> None:
    state = dealt("pagat", 2)
    assert isinstance(state, Exchanging)
    seat = state.waiting[0]
    held = TWENTYTWO.moves(state).hand
    top = tokens(state.stock[:2])
    after, events = TWENTYTWO.play(state, Exchange((held[3], held[0])))
    assert events == [Exchanged(seat, 2, (held[0], held[3]), top)]
    assert isinstance(after, Exchanging)
    assert after.stock == state.stock[2:]
    everything = b"".join(after.hands) + after.stock
    assert len(everything) == 50
    assert not set(packed([held[0], held[3]])) & set(everything)


def test_a15_the_number_exchanged_is_public_and_the_cards_are_not() -> None:
    happened = Exchanged(1, 2, ("2C", "3C"), ("4C", "5C"))
    assert redact(happened, 2) == Exchanged(1, 2)
    assert redact(happened, None) == Exchanged(1, 2)
    assert redact(happened, 1) == happened


def test_a16_without_a_stock_nobody_is_asked() -> None:
    _, events = deal(Dealing(standing(PAGAT, 4, wanted=13)))
    assert of(events, Hand_) == [Hand_(2, 1, 13, 0)]
    assert events[-1] == Trick(1, 2)


def test_a16_who_can_get_no_card_is_not_asked() -> None:
    state, _ = deal(Dealing(standing(PAGAT, 3, wanted=17)))
    assert isinstance(state, Exchanging)
    one = TWENTYTWO.moves(state).hand[:1]
    state, events = TWENTYTWO.play(state, Exchange(one))
    assert events[1:] == [Trick(1, 2)]


def test_without_the_exchange_the_first_trick_follows_the_deal() -> None:
    state = dealt("pagat", 3, exchange="off")
    assert isinstance(state, Playing)


def test_an_exchange_takes_whole_cards_or_ranks_in_any_order() -> None:
    moves = Exchanges(hand("2-5-5-K"), 4)
    for words in (("5", "2"), ("5C", "5"), ("K", "5D", "2C"), ()):
        assert moves.why(Exchange(words)) is None
    assert moves.judged(Exchange(("5", "5D"))) == packed(["5C", "5D"])


@together("words", [("9",), ("5", "5", "5"), ("5H",), ("X",), ("XK",), ("Z",)])
def test_what_is_not_held_cannot_be_exchanged(words: tuple[str, ...]) -> None:
    wrong = Exchanges(hand("2-5-5-K"), 4).why(Exchange(words))
    assert wrong is not None
    assert wrong.reason == ""


def test_no_more_may_be_exchanged_than_the_stock_holds() -> None:
    wrong = Exchanges(hand("2-5-5-K"), 2).why(Exchange(("2", "5", "K")))
    assert wrong is not None
    assert wrong.reason == "TOO_MANY"
    assert "only 2" in wrong.text


# ---------------------------------------------------------------------------------- the tricks


def test_a20_the_last_cards_are_shown_from_the_winner_of_the_last_trick_on() -> None:
    state: State = trick(PAGAT, ["K-3", "A-4", "9-5"])
    for text in ("K", "A", "5"):
        state, events = TWENTYTWO.play(state, play(text))
    assert events[1:5] == [Took(2, 1, ("AD",)), Shown(2, "4D"), Shown(3, "9H"), Shown(1, "3C")]


def test_a20_with_hands_of_one_the_showdown_follows_the_exchange() -> None:
    at = Dealing(standing(PAGAT, 3, wanted=1, dealer=1))
    state, events = TWENTYTWO.play(at, shuffled(TWENTYTWO, at, ["KC", "AC", "2C", "4D", "3H"]))
    assert isinstance(state, Exchanging)
    state, _ = TWENTYTWO.play(state, Keep())
    state, _ = TWENTYTWO.play(state, Exchange(("A",)))
    state, events = TWENTYTWO.play(state, Keep())
    assert events[1:5] == [Shown(2, "KC"), Shown(3, "4D"), Shown(1, "2C"), Scored(2, 10, 10, "KC")]


def test_a18_hands_stay_equal_whatever_is_played() -> None:
    rng = random.Random(5)
    state: State = dealt("pagat", 4)
    for _ in range(400):
        state, _ = until_player(TWENTYTWO, state, rng)
        if isinstance(state, Over):
            break
        if isinstance(state, Playing) and not state.bar:
            assert len({len(held) for held in state.hands if held}) == 1
        state, _ = TWENTYTWO.play(state, TWENTYTWO.moves(state).any(rng.randrange))


def test_a22_the_lowest_play_that_covers_is_the_play_to_beat() -> None:
    state: State = trick(PAGAT, ["5-9", "7-8", "6-9"])
    state, _ = TWENTYTWO.play(state, play("5"))
    state, events = TWENTYTWO.play(state, play("7"))
    assert events == [Played(2, ("7D",), "beat", 1)]
    assert TWENTYTWO.moves(state).beat == ("7",)


def test_a24_an_incomparable_play_is_a_low_one_and_does_not_change_the_bar() -> None:
    state: State = trick(PAGAT, ["2-2-9", "K-2-9", "Q-3-A", "A-A-A"])
    for text in ("2-2", "K-2"):
        state, _ = TWENTYTWO.play(state, play(text))
    state, events = TWENTYTWO.play(state, play("Q-3"))
    assert events == [Played(3, ("QH", "3H"), "low", 1)]
    assert TWENTYTWO.moves(state).beat == ("K", "2")


def test_by_bar_lead_it_is_not_told_whether_a_play_that_covers_is_the_lowest() -> None:
    for held in ("8-3-2", "8-9-A"):
        state: State = trick(rules_of("pagat", {"bar": "lead"}), ["7-2-3", "10-2-3", held])
        for text in ("7", "10"):
            state, _ = TWENTYTWO.play(state, play(text))
        assert TWENTYTWO.play(state, play("8"))[1][0] == Played(3, ("8H",), "follow", 2)


def test_a_play_that_covers_the_lead_but_cannot_win_is_a_follow() -> None:
    state: State = trick(RASMUSSEN, ["6-6-2", "Q-10-2", "7-7-2"])
    state, _ = TWENTYTWO.play(state, play("6-6"))
    state, events = TWENTYTWO.play(state, play("Q-10"))
    assert events == [Played(2, ("QD", "TD"), "follow", 1)]
    assert TWENTYTWO.moves(state).beat == ("6", "6")  # a26: the lead, whatever follows
    _, events = TWENTYTWO.play(state, play("7-7"))
    assert of(events, Took) == [Took(3, 1, ("7S", "7H"))]


def test_bar_best_with_winner_set_raises_the_bar_and_still_the_highest_set_wins() -> None:
    rules = rules_of("pagat", {"winner": "set"})
    state: State = trick(rules, ["6-6-2", "Q-10-2", "J-J-2"])
    for text in ("6-6", "Q-10"):
        state, _ = TWENTYTWO.play(state, play(text))
    assert TWENTYTWO.moves(state).beat == ("Q", "T")
    assert TWENTYTWO.moves(state).why(play("J-J")) is not None
    _, events = TWENTYTWO.play(state, play("J-2"))
    assert of(events, Took) == [Took(1, 1, ("6D", "6C"))]


def test_a21_any_of_equal_cards_may_be_thrown_as_the_lowest() -> None:
    moves = Plays(hand("K-3-3-2"), bytes([12, 12]), PAGAT)  # two aces are to be beaten
    for words in (("3C", "2"), ("3D", "2C"), ("2", "3")):
        assert Play(words) in moves
    assert Play(("3C", "3D")) not in moves


def test_suits_are_chosen_clubs_first_and_named_cards_are_kept_to() -> None:
    state: State = trick(PAGAT, ["7-7-7-7-2", "2-3-4-5-6"])
    _, events = TWENTYTWO.play(state, Play(("7", "7")))
    assert events[0] == Played(1, ("7D", "7C"), "lead", 3)
    _, events = TWENTYTWO.play(state, Play(("7S", "7")))
    assert events[0] == Played(1, ("7S", "7C"), "lead", 3)


def test_a_suited_straight_finds_its_suit() -> None:
    rules = rules_of("tvtropes", {"straights": "on", "straight_suited": "yes"})
    moves = Plays(hand("7C-7H-6H-5H-6D-2C"), b"", rules)
    assert moves.judged(Play(("5", "7", "6"))) == packed(["7H", "6H", "5H"])
    assert moves.judged(Play(("7H", "6", "5"))) == packed(["7H", "6H", "5H"])
    wrong = moves.why(Play(("7C", "6", "5")))
    assert wrong is not None
    assert wrong.reason == "SAME_RANK"


def test_a41_a_straight_uses_each_rank_once() -> None:
    moves = Plays(hand("7-6-6-5-2"), b"", rules_of("tvtropes", {"straights": "on"}))
    wrong = moves.why(play("7-6-6-5"))
    assert wrong is not None
    assert wrong.reason == "SAME_RANK"


# ------------------------------------------------------------------------- showdown and scores


def test_a29_a_king_loses_to_a_queen_though_both_are_ten_points() -> None:
    _, events = last_cards({"rules": PAGAT}, ["Q", "K", "J"])
    assert of(events, Scored) == [Scored(2, 10, 10, "KC")]


def test_scoring_cards_lie_on_the_table_and_are_out_of_the_pack() -> None:
    state, _ = last_cards({"rules": PAGAT}, ["9", "K", "K"])
    assert set(TWENTYTWO.pack(state)) == set(full()) - {"KC", "KD"}


def full() -> tuple[str, ...]:
    return TWENTYTWO.pack(TWENTYTWO.new(PAGAT, 3))


def test_rasmussen_shuffles_the_losing_cards_back() -> None:
    state, _ = last_cards({"rules": RASMUSSEN}, ["9", "K", "Q"])
    assert TWENTYTWO.pack(state) == full()


def test_a11_the_cards_of_a_player_who_is_out_stay_out() -> None:
    at = {"rules": PAGAT, "totals": (20, 0, 0), "kept": ("TH", "TS")}
    state, events = last_cards(at, ["K", "9", "Q"])
    assert of(events, Out) == [Out(1, 30)]
    assert len(TWENTYTWO.pack(state)) == 49


def test_a11_by_dead_cards_back_they_return() -> None:
    rules = rules_of("pagat", {"dead_cards": "back"})
    state, _ = last_cards({"rules": rules, "totals": (20, 0, 0), "kept": ("TH", "TS")}, list("K9Q"))
    assert len(TWENTYTWO.pack(state)) == 52


def test_of_equal_cards_of_two_packs_the_first_is_left_out() -> None:
    two = rules_of("pagat", {"decks": 2})
    state, _ = last_cards({"rules": two}, ["9", "K", "Q"])
    pack = TWENTYTWO.pack(state)
    assert len(pack) == 103
    assert pack.index("KC") == 11 + 51


def test_j11_a_kept_joker_is_out_of_the_pack() -> None:
    state, _ = last_cards({"rules": TWENTYSIX_RULES}, ["A", "X", "Q"])
    assert TWENTYSIX.pack(state).count("X") == 3


def test_j8_a_joker_makes_hands_of_thirteen() -> None:
    state, events = last_cards({"rules": TWENTYSIX_RULES}, ["A", "X", "Q"])
    assert state.standing.wanted == 13
    assert of(events, Scored) == [Scored(2, 13, 13, "X")]


def test_a9_losers_of_equal_rank_agree_on_the_next_hand() -> None:
    state, events = last_cards({"rules": PAGAT}, ["9", "A", "A"])
    assert {event.points for event in of(events, Scored)} == {11}  # type: ignore[attr-defined]
    assert state.standing.wanted == 11


# ----------------------------------------------------------------------------------- next dealer


def test_several_losers_draw_before_the_hand_is_over() -> None:
    state, events = last_cards({"rules": PAGAT}, ["9", "K", "K"], first=3)
    assert isinstance(state, Drawing)
    assert state.among == (3, 2)
    assert not of(events, Handover)
    state, events = TWENTYTWO.play(state, shuffled(TWENTYTWO, state, ["JC", "9C"]))
    assert events == [Drew(3, "JC"), Drew(2, "9C"), Handover(1, (3, 2), (0, 10, 10))]
    assert state.standing.dealer == 3


def test_a30_losers_who_are_all_out_still_draw_for_the_deal() -> None:
    at = {"rules": PAGAT, "totals": (0, 15, 15, 0)}
    state, events = last_cards(at, ["9", "K", "K", "2"])
    assert len(of(events, Out)) == 2
    assert isinstance(state, Drawing)
    state, _ = TWENTYTWO.play(state, shuffled(TWENTYTWO, state, ["JC", "QC"]))
    assert state.standing.dealer == 3
    assert state.standing.playing == (1, 4)


def test_a33_if_the_right_neighbour_is_out_too_the_next_on_the_right_deals() -> None:
    # By tvtropes the order of play goes to the right: seat 3 is on the right of seat 2.
    at = {"rules": TVTROPES, "playing": (1, 2, 4), "totals": (0, 15, 30, 0)}
    state, _ = last_cards(at, ["9", "K", "2", "3"])
    assert isinstance(state, Dealing)
    assert state.standing.dealer == 4


def test_a34_a_rotating_deal_skips_who_is_out() -> None:
    rules = rules_of("tvtropes", {"dealer": "rotate"})
    at = {"rules": rules, "dealer": 1, "totals": (0, 15, 0, 0)}
    state, _ = last_cards(at, ["9", "K", "2", "3"])
    assert state.standing.dealer == 3


def test_a32_by_tvtropes_the_last_of_tied_losers_deals() -> None:
    state, _ = last_cards({"rules": TVTROPES}, ["K", "9", "K"], first=2)
    assert state.standing.dealer == 1


def test_a_tie_drawn_by_lot_is_a_shuffle_of_the_losers() -> None:
    rules = rules_of("pagat", {"dealer_tie": "random"})
    state, _ = last_cards({"rules": rules}, ["K", "9", "K"])
    assert TWENTYTWO.pack(state) == ("1", "3")
    state, events = TWENTYTWO.play(state, Shuffle(("3", "1")))
    assert events == [Handover(1, (1, 3), (10, 0, 10))]
    assert state.standing.dealer == 3


# -------------------------------------------------------------------------------------- the end


def test_the_last_one_below_the_limit_wins_and_later_outs_are_placed_higher() -> None:
    at = standing(PAGAT, 3, playing=(1, 3), totals=(15, 25, 7), hand=4)
    state, events = showdown(at, (packed(["KC"]), b"", packed(["2C"])), 1)
    assert isinstance(state, Over)
    assert events[3:] == [
        Out(1, 25),
        Handover(4, (1,), (25, 25, 7)),
        Result(3, 1, 7),
        Result(1, 2, 25),
        Result(2, 3, 25),
        Gameover((3,), "last"),
    ]


def test_those_who_go_out_together_are_placed_by_score_and_equals_share() -> None:
    at = {"rules": PAGAT, "totals": (15, 12, 15, 0)}
    state, _ = last_cards(at, ["K", "K", "K", "2"])
    assert isinstance(state, Over)
    assert state.places == (3, 2, 3, 1)


def test_a36_when_all_go_out_together_all_win_by_pagat() -> None:
    state, events = last_cards({"rules": PAGAT, "totals": (15, 12)}, ["K", "K"])
    assert isinstance(state, Over)
    assert state.places == (1, 1)
    assert events[-1] == Gameover((1, 2), "shared")


def test_a37_by_gamerules_the_lowest_wins_and_equals_share() -> None:
    rules = rules_of("gamerules")
    _, events = last_cards({"rules": rules, "totals": (15, 12, 12)}, ["K", "K", "K"])
    assert events[-1] == Gameover((2, 3), "lowest")


def test_a38_a_run_off_is_a_hand_of_seven_with_a_drawn_dealer_among_those_tied() -> None:
    state, events = _run_off()
    assert of(events, Out) == [Out(1, 28)]
    assert isinstance(state, Drawing)
    assert state.among == (2, 3)
    state, events = until_player(TWENTYTWO, state, random.Random(1))
    assert isinstance(state, Exchanging)
    assert [type(event) for event in events][:3] == [Drew, Drew, Handover]
    assert [event.n for event in of(events, Dealt)] == [7, 7]  # type: ignore[attr-defined]


def test_a38_a_run_off_has_the_first_size_where_other_hands_go_by_the_last_card() -> None:
    rules = rules_of("pagat", {"all_out": "runoff", "first_hand": "6"})
    assert rules.hand_size == "loser_card"
    state, _ = last_cards({"rules": rules, "totals": (15, 15)}, ["K", "K"])
    for _ in range(2):  # and so has the next one, where everybody has lost this one
        state, events = until_player(TWENTYTWO, state, random.Random(1))
        assert [event.n for event in of(events, Dealt)] == [6, 6]  # type: ignore[attr-defined]
        state, _ = showdown(state.standing, (packed(["4C"]), packed(["4D"])), 1)


def test_a_dealer_is_drawn_from_cards_for_all_who_draw_and_not_only_for_those_who_play() -> None:
    whole = [card for card in tokens(full_pack(PAGAT, 6)) if card not in ("2C", "3C")]
    at = standing(PAGAT, 6, playing=(5, 6), kept=whole)
    state = choosing(at, (1, 2, 3, 4), False, Handover(1, (1, 2, 3, 4), (25,) * 6))
    drawing = list(tokens(state.standing.pack))
    random.Random(1).shuffle(drawing)
    _, events = drawn(state, drawing)
    assert [event.seat for event in of(events, Drew)][:4] == [1, 2, 3, 4]  # type: ignore[attr-defined]


def _run_off() -> tuple[State, list[Event]]:
    return last_cards({"rules": TVTROPES, "totals": (15, 12, 12)}, ["K", "K", "K"])


def test_a38_the_losers_of_a_run_off_drop_out_without_scoring() -> None:
    state, _ = _run_off()
    second = replace(state.standing, hand=2)
    state, events = showdown(second, (b"", packed(["4C"]), packed(["5C"])), 2)
    assert isinstance(state, Over)
    assert events[2:] == [
        Out(3, 25),
        Handover(2, (3,), (28, 25, 25)),
        Result(2, 1, 25),
        Result(3, 2, 25),
        Result(1, 3, 28),
        Gameover((2,), "runoff"),
    ]


def test_a38_a_run_off_that_everybody_loses_is_played_again() -> None:
    state, _ = _run_off()
    state, events = showdown(state.standing, (b"", packed(["4C"]), packed(["4D"])), 2)
    assert isinstance(state, Drawing)
    assert state.among == (2, 3)
    assert not of(events, Out)


def test_a38_a_run_off_of_three_goes_on_between_those_left() -> None:
    state, _ = last_cards({"rules": TVTROPES, "totals": (12, 12, 12)}, ["K", "K", "K"])
    cards = (packed(["4C"]), packed(["5C"]), packed(["4D"]))
    state, events = showdown(state.standing, cards, 1)
    assert isinstance(state, Drawing)
    assert state.among == state.standing.playing == (1, 3)
    assert of(events, Out) == [Out(2, 25)]


def test_a38_who_drops_out_of_a_run_off_later_has_the_better_place() -> None:
    state, _ = last_cards({"rules": TVTROPES, "totals": (12, 12, 12)}, ["K", "K", "K"])
    for hand_no, cards in ((2, ("4C", "5C", "4D")), (3, ("4C", "2C", "6D"))):
        at = replace(state.standing, hand=hand_no)
        state, _ = showdown(at, tuple(packed([card]) for card in cards), 1)
    assert isinstance(state, Over)
    assert state.places == (1, 3, 2)


def test_a39_twenty_two_exactly_is_out() -> None:
    _, events = last_cards({"rules": PAGAT, "totals": (12, 0, 0)}, ["K", "2", "3"])
    assert of(events, Out) == [Out(1, 22)]


# ------------------------------------------------------------------------- defaults and refusals


@together(
    ("preset", "held", "bar", "default"),
    [
        ("pagat", "9-9-3", "", "3"),
        ("pagat", "Q-9-3", "7", "3"),
        ("tvtropes", "Q-9-3", "7", "9"),
        ("tvtropes", "K-K-9-7-6-3", "8-6", "9-6"),
        ("tvtropes", "6-5-3", "8-6", "5-3"),
        ("twentysix", "X-8-5", "", "5"),
        ("twentysix", "X-X", "", "X"),
    ],
)
def test_a48_the_default_commits_to_least(preset: str, held: str, bar: str, default: str) -> None:
    ranks = bytes(sorted((card >> 2 for card in hand(bar)), reverse=True))
    moves = Plays(hand(held), ranks, rules_of(preset))
    assert moves.default == play(default)
    assert moves.default in moves


def test_a48_a_cover_without_jokers_comes_before_one_with() -> None:
    mandatory = rules_of("twentysix", {"heading": "mandatory"})
    bar = bytes([7, 7])  # two nines
    assert Plays(hand("X-A-K-9-2"), bar, mandatory).default == play("K-9")
    assert Plays(hand("X-A-3-2"), bar, mandatory).default == play("X-A")


def test_a48_keeping_all_is_the_default_of_an_exchange() -> None:
    assert Exchanges(hand("2-3-4"), 3).default.token == "-"


def test_low_is_named_only_where_it_is_legal() -> None:
    bar = bytes([5])
    assert Plays(hand("Q-9-3"), bar, PAGAT).low == ("3",)
    assert Plays(hand("Q-9-3"), bar, TVTROPES).low is None
    assert Plays(hand("4-3-2"), bar, TVTROPES).low == ("2",)
    assert Plays(hand("4-3-2"), b"", PAGAT).low is None


@together(
    ("preset", "held", "bar", "tried", "reason", "text"),
    [
        ("pagat", "A-Q-3", "A", "Q", "BEAT_OR_LOWEST",
         "You cannot play Q: A is the play to beat. "
         "Equal or beat it card for card, or throw your lowest: 3."),
        ("pagat", "Q-10-3", "A", "10", "BEAT_OR_LOWEST",
         "You cannot play 10: A is the play to beat, and you cannot equal or beat it, so throw "
         "your lowest: 3."),
        ("tvtropes", "Q-9-3", "7", "3", "MUST_BEAT",
         "You cannot play 3: 7 is the play to beat. You can equal or beat it, so you must. "
         "You may play 9, for example."),
        ("pagat", "Q-9-3", "7-7", "Q", "WRONG_COUNT",
         "You cannot play Q: play 2 cards. You may play 9 3, for example."),
        ("pagat", "Q-9-3", "7", "K", "",
         "You do not hold K. Your cards: 3 9 Q."),
        ("twentysix", "Q-9-3", "7", "X", "",
         "You hold no joker. Your cards: 3 9 Q."),
        ("pagat", "Q-Q-3", "", "Q-Q-Q", "", "You hold Q only twice. Your cards: 3 Q Q."),
        ("pagat", "Q-Q", "", "Q-Q", "KEEP_ONE",
         "You must keep at least one card. You may lead Q, for example."),
        ("pagat", "Q-Q-3", "", "Q-3", "SAME_RANK",
         "Q 3 are not all of one rank. You may lead Q Q, for example."),
        ("pagat", "Q-3", "", "", "EMPTY", "Lead at least one card. You may lead 3, for example."),
        ("twentysix", "X-8-5", "", "X", "JOKER_ALONE",
         "A joker can only be played with an ordinary card, as one more of its rank. "
         "You may lead joker 5, for example."),
        ("twentysix", "X-K-8-5", "", "XK", "JOKER_ALONE",
         "A joker can only be played with an ordinary card, as one more of its rank. "
         "You may lead joker K, for example."),
        ("twentysix", "X-8-5", "9", "X", "JOKER_ALONE",
         "A joker can only be played with an ordinary card, as one more of its rank, and you must "
         "play one card. You may play 5, for example."),
        ("twentysix", "X-X-8-5", "8-8", "X-X", "JOKER_ALONE",
         "A joker can only be played with an ordinary card, as one more of its rank. "
         "You may play joker 8, for example."),
        ("twentysix", "X-8-5", "9-9", "X-X", "", "You hold only 1 joker. Your cards: 5 8 joker."),
    ],
)  # fmt: skip
def test_a_refusal_names_the_rule_and_a_move_that_would_do(
    preset: str, held: str, bar: str, tried: str, reason: str, text: str
) -> None:
    ranks = bytes(sorted((card >> 2 for card in hand(bar)), reverse=True))
    wrong = Plays(hand(held), ranks, rules_of(preset)).why(play(tried))
    assert wrong is not None
    assert (wrong.reason, wrong.text) == (reason, text)


def test_a_deed_that_answers_another_question_is_refused() -> None:
    assert Plays(hand("Q-3"), b"", PAGAT).why(Exchange(())) is not None
    assert Exchanges(hand("Q-3"), 2).why(Play(("Q",))) is not None
    with pytest.raises(Illegal):
        TWENTYTWO.play(trick(PAGAT, ["Q-3", "K-4"]), Keep())


# ---------------------------------------------------------------------------------------- jokers


def test_j2_a_joker_is_shown_with_the_rank_that_it_takes() -> None:
    state: State = trick(TWENTYSIX_RULES, ["5-5-2", "X-7-2", "9-9-9"])
    state, _ = TWENTYSIX.play(state, play("5-5"))
    for words in (("X", "7"), ("7", "X7"), ("X7", "7D")):
        after, events = TWENTYSIX.play(state, Play(words))
        assert events == [Played(2, ("X7", "7D"), "beat", 1)]
        assert TWENTYSIX.moves(after).beat == ("7", "7")


def test_j3_a_joker_cannot_be_wished_another_rank() -> None:
    moves = Plays(hand("X-K-J-2-2"), bytes([10, 9]), TWENTYSIX_RULES)
    wrong = moves.why(Play(("XQ", "K")))
    assert wrong is not None
    assert wrong.reason == "JOKER_RANK"
    assert wrong.text == "The joker counts as K, the highest card beside it. Play joker K."


def test_j4_jokers_from_a_hand_of_jokers_are_aces_and_cover() -> None:
    state: State = trick(TWENTYSIX_RULES, ["A-A-2", "X-X-X"])
    state, _ = TWENTYSIX.play(state, play("A-A"))
    _, events = TWENTYSIX.play(state, play("X-X"))
    assert events[:2] == [Played(2, ("XA", "XA"), "beat", 1), Took(2, 1, ("XA", "XA"))]


def test_j5_a_hand_that_becomes_all_jokers_is_played_by_that_rule() -> None:
    assert list(Plays(hand("X-X-X"), b"", TWENTYSIX_RULES)) == [play("X"), play("X-X")]


def test_j6_of_a_joker_and_one_ordinary_card_the_ordinary_one_is_led() -> None:
    assert list(Plays(hand("X-8"), b"", TWENTYSIX_RULES)) == [play("8")]


def test_j7_a_joker_in_a_lowest_play_that_covers_takes_the_trick() -> None:
    state: State = trick(TWENTYSIX_RULES, ["2-2-9", "X-X-3"])
    state, _ = TWENTYSIX.play(state, play("2-2"))
    _, events = TWENTYSIX.play(state, play("X-3"))
    assert events[0] == Played(2, ("X3", "3D"), "beat", 1)


def test_j9_where_heading_is_mandatory_being_able_includes_the_jokers() -> None:
    mandatory = rules_of("twentysix", {"heading": "mandatory"})
    moves = Plays(hand("X-9-3-2"), bytes([7, 7]), mandatory)
    wrong = moves.why(play("3-2"))
    assert wrong is not None
    assert wrong.reason == "MUST_BEAT"
    assert list(moves) == [play("X-9")]


def test_j10_a_joker_makes_a_set_with_equal_cards_only() -> None:
    rules = rules_of("rasmussen", {"jokers": 4, "decks": 2})
    pair: State = trick(rules, ["6-6-2", "X-7-2"])
    pair, _ = TWENTYTWO.play(pair, play("6-6"))
    assert of(TWENTYTWO.play(pair, play("X-7"))[1], Took) == [Took(2, 1, ("X7", "7D"))]
    three: State = trick(rules, ["6-6-6-2", "X-8-7-2"])
    three, _ = TWENTYTWO.play(three, play("6-6-6"))
    assert of(TWENTYTWO.play(three, play("X-8-7"))[1], Took) == [Took(1, 1, ("6H", "6D", "6C"))]


@together(
    ("typed", "hand", "text"),
    [
        ("2S", "2D 5C 7H", "You hold 2D, not 2S: type 2."),
        ("TS", "TD TH 7H", "You hold 10D and 10H, not 10S: type 10."),
        ("KS", "2D 5C 7H", "You do not hold KS. Your cards: 2 5 7."),
        ("XK", "5C KH X", "You do not hold XK. Your cards: 5 K joker."),
    ],
)
def test_a_card_of_another_suit_is_answered_by_the_one_that_is_held(
    typed: str, hand: str, text: str
) -> None:
    assert refusals.not_held(typed, packed(hand.split())).text == text
