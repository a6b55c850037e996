"""Rulings on what the source leaves open, one test each, named by the number of the ruling.

What a vector covers is not repeated.
"""

from __future__ import annotations

import random

import pytest

from tests.games.whist22.setting import Table, of, rules_of, stacked
from tests.kit.cases import together
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import (
    Bid,
    Bid_,
    Dealt,
    Gameover,
    Hand_,
    Handover,
    Pass,
    Play,
    Played,
    Result,
    Scored,
    Shuffle,
    Took,
    Trick,
)
from twentytwo_server.games.game import HOUSE, Illegal
from twentytwo_server.games.options import BadOption
from twentytwo_server.games.whist22 import WHIST22
from twentytwo_server.games.whist22.states import Dealing, Drawing, Over, State

THREE = ("1 4 7", "2 5 8", "3 6 F")
"""Hands for three players."""


def three(**options: object) -> Table:
    """Three players with these cards, seat 1 to bid first."""
    return Table(*THREE, **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------- players


@together("seats", [3, 4, 5, 6, 7])
def test_w1_as_many_as_seven_may_play_and_all_get_equally_many(seats: int) -> None:
    rules = rules_of(max_players=7)
    assert WHIST22.players(rules) == range(3, 8)
    state = dealing(rules, seats)
    _, events = WHIST22.play(state, Shuffle(WHIST22.pack(state)))
    (hand,) = of(events, Hand_)
    assert hand.size * seats + hand.stock == 22
    assert hand.stock < seats


def test_w1_two_may_play_with_nine_cards_and_not_with_eleven() -> None:
    rules = rules_of("bga")
    assert WHIST22.players(rules) == range(2, 8)
    assert rules.size_of(1, 2) == 9
    with pytest.raises(BadOption, match="first_size"):
        rules_of(max_players=2)
    with pytest.raises(BadOption) as wrong:
        WHIST22.new(rules_of(), 2)
    assert wrong.value.option == "max_players"


def dealing(rules: object, seats: int, dealer: int = 1) -> State:
    """Before the first deal."""
    state = WHIST22.new(rules, seats)  # type: ignore[arg-type]
    order = [str((dealer - 1 + i) % seats + 1) for i in range(seats)]
    return WHIST22.play(state, Shuffle(tuple(order)))[0]


# -------------------------------------------------------------------------------------- sizes


def test_w2_neither_end_of_the_sequence_comes_twice() -> None:
    rules = rules_of()
    assert [rules.size_of(n, 4) for n in range(1, 18)] == [
        5, 4, 3, 2, 1, 2, 3, 4, 5, 4, 3, 2, 1, 2, 3, 4, 5
    ]  # fmt: skip


def test_w2_by_option_both_ends_come_twice() -> None:
    rules = rules_of(sequence="bounce_repeat")
    found = [rules.size_of(n, 4) for n in range(1, 13)]
    assert found == [5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 5, 4]


def test_w3_bga_begins_again_at_the_most() -> None:
    found = [rules_of("bga").size_of(n, 7) for n in range(1, 8)]
    assert found == [3, 2, 1, 3, 2, 1, 3]


def test_w3_the_hands_of_a_game_have_the_sizes_of_the_sequence() -> None:
    rules, chance = rules_of(start_score=50), random.Random(3)
    state, sizes = WHIST22.new(rules, 4), list[int]()
    while (seat := WHIST22.turn(state)) is not None and len(sizes) < 9:
        if seat == HOUSE:
            pack = list(WHIST22.pack(state))
            chance.shuffle(pack)
            state, events = WHIST22.play(state, Shuffle(tuple(pack)))
            sizes += [hand.size for hand in of(events, Hand_)]
        else:
            state, _ = WHIST22.play(state, WHIST22.moves(state).any(chance.randrange))
    assert sizes == [5, 4, 3, 2, 1, 2, 3, 4, 5]


# --------------------------------------------------------------------------------- the dealer


def test_w4_the_house_picks_the_first_dealer_among_all_seats() -> None:
    state = WHIST22.new(rules_of(), 3)
    assert isinstance(state, Drawing)
    assert WHIST22.pack(state) == ("1", "2", "3")
    after, events = WHIST22.play(state, Shuffle(("3", "1", "2")))
    assert events == []
    assert isinstance(after, Dealing)
    assert after.standing.dealer == 3


def test_w4_the_deal_goes_to_the_left_every_hand() -> None:
    table = Table("9", "17", "6", dealer=2)
    table.bid(0, 0, 0)
    table.play("6", "9", "17")
    assert isinstance(table.state, Dealing)
    assert table.state.standing.dealer == 3
    table = Table("9", "17", "6", dealer=3)
    table.bid(0, 0, 0)
    table.play("9", "17", "6")
    assert isinstance(table.state, Dealing)
    assert table.state.standing.dealer == 1


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left_who_bids_and_leads_first() -> None:
    state = dealing(rules_of(), 3, dealer=2)
    state, events = WHIST22.play(state, Shuffle(WHIST22.pack(state)))
    assert events[0] == Hand_(1, 2, 7, 1)
    assert events[1] == Dealt(3, 7, ("1", "4", "7", "10", "13", "16", "19"))
    assert [event.seat for event in of(events, Dealt)] == [3, 1, 2]
    turns = []
    for _ in range(4):
        turns.append(WHIST22.turn(state))
        state, events = WHIST22.play(state, WHIST22.moves(state).default)
    assert turns == [3, 1, 2, 3]


@together("wrong", [("1",), ("ZZ",) * 22, ("1",) * 22, ()])
def test_a_shuffle_of_anything_but_the_pack_is_an_error(wrong: tuple[str, ...]) -> None:
    for state in (WHIST22.new(rules_of(), 3), dealing(rules_of(), 3)):
        with pytest.raises(ValueError):
            WHIST22.play(state, Shuffle(wrong))


def test_nobody_moves_for_the_house_and_the_house_for_nobody() -> None:
    house, seat = WHIST22.new(rules_of(), 3), three().state
    with pytest.raises(ValueError):
        WHIST22.play(house, Play(("1",)))
    with pytest.raises(ValueError):
        WHIST22.moves(house)
    with pytest.raises(ValueError):
        WHIST22.play(seat, Shuffle(("1",)))
    with pytest.raises(ValueError):
        WHIST22.pack(seat)


# ----------------------------------------------------------------------------------- the bids


def test_w5_nobody_bids_more_than_the_hand_has_tricks_and_nobody_passes() -> None:
    table = three()
    assert table.legal == ["0", "1", "2", "3"]
    assert table.why("4").reason == "TOO_HIGH"
    assert table.why("pass").reason == "NO_PASS"
    assert table.moves.why(Pass()) is not None
    assert table.moves.why(Play(("1",))) is not None


def test_everybody_bids_once_and_the_first_trick_follows() -> None:
    table = three()
    assert table.bid(1) == [Bid_(1, "1")]
    assert table.bid(2) == [Bid_(2, "2")]
    assert table.bid(1) == [Bid_(3, "1"), Trick(1, 1)]


def test_the_lowest_bid_is_the_default() -> None:
    table = three()
    assert table.moves.default == Bid("0")
    table.bid(0, 3)
    assert (table.legal, table.moves.default) == (["1", "2", "3"], Bid("1"))


def test_a_bid_may_be_written_with_zeros_before_it() -> None:
    table = three()
    assert table.say(Bid("03")) == [Bid_(1, "3")]


def test_w6_where_the_others_are_above_the_tricks_the_dealer_is_free() -> None:
    table = three()
    table.bid(3, 1)
    assert table.legal == ["0", "1", "2", "3"]


def test_w7_in_hands_of_one_card_too_the_dealer_may_not_make_it_add_up() -> None:
    table = Table("9", "17", "6")
    table.bid(0, 0)
    assert table.legal == ["0"]
    assert len(table.moves) == 1
    wrong = table.why("1")
    assert wrong.reason == "HOOK"
    assert "bid 0." in wrong.text


def test_a_refused_bid_says_what_may_be_bid() -> None:
    table = three()
    table.bid(1, 1)
    assert table.why("1").text == (
        "With 1 the bids would add up to 3, the number of tricks, and the last bidder may not do "
        "that: bid 0, 2 or 3."
    )


def test_without_the_hook_the_dealer_may_make_it_add_up_and_nobody_need_lose() -> None:
    table = Table("9", "17", "6", hook="no")
    table.bid(0, 1, 0)
    events = table.play("9", "17", "6")
    assert [event.points for event in of(events, Scored)] == [0, 0, 0]
    assert of(events, Handover) == [Handover(7, (), (14, 14, 14))]


# ----------------------------------------------------------------------------------- the plays


def test_any_card_may_be_played_at_any_time() -> None:
    table = three()
    table.bid(0, 0, 0)
    assert table.legal == ["1", "4", "7"]
    table.play("7")
    assert table.legal == ["2", "5", "8"]
    assert table.moves.beat == ("7",)
    table.play("2")
    assert table.moves.beat == ("7",)
    assert table.legal == ["F0", "3", "6", "F22"]


def test_the_highest_takes_the_trick_and_leads_the_next() -> None:
    table = three()
    table.bid(0, 0, 0)
    assert table.play("4", "8", "6") == [
        Played(3, ("6",), "follow", 2),
        Took(2, 1, ("8",)),
        Trick(2, 2),
    ]
    assert table.seat == 2
    assert table.moves.beat is None


def test_w8_the_fool_is_declared_at_once_when_it_is_led() -> None:
    table = Table("F 1 2", "3 4 5", "6 7 8")
    table.bid(0, 0, 0)
    assert table.why("F").reason == "DECLARE_FOOL"
    assert table.why("F7").reason == "DECLARE_FOOL"
    assert table.play("F22") == [Played(1, ("F22",), "lead", 2)]
    assert of(table.play("3", "8"), Took) == [Took(1, 1, ("F22",))]


def test_w8_people_may_say_the_fool_and_its_value_in_two_words() -> None:
    table = Table("F 1 2", "3 4 5", "6 7 8")
    table.bid(0, 0, 0)
    assert table.say(Play(("F", "0"))) == [Played(1, ("F0",), "lead", 2)]


def test_w9_the_fool_as_0_loses_to_everything_even_where_it_is_led() -> None:
    table = Table("F 20 2", "3 4 5", "6 7 1")
    table.bid(0, 0, 0)
    assert of(table.play("F0", "3", "1"), Took) == [Took(2, 1, ("3",))]


def test_w11_the_pack_is_the_twenty_one_trumps_and_the_fool() -> None:
    assert WHIST22.pack(dealing(rules_of(), 3)) == (*map(str, range(1, 22)), "F")


@together(("token", "reason"), [("9", ""), ("1+4", "ONE_CARD"), ("-", "ONE_CARD"), ("F0", "")])
def test_a_play_is_one_card_that_is_held(token: str, reason: str) -> None:
    table = three()
    table.bid(0, 0, 0)
    assert table.why(token).reason == reason
    assert table.moves.why(Bid("1")) is not None


@pytest.mark.parametrize(("fool", "value", "winner"), [("low", "0", 2), ("high", "22", 3)])
def test_the_fool_may_always_count_the_same(fool: str, value: str, winner: int) -> None:
    table = three(fool=fool)
    table.bid(0, 0, 0)
    table.play("1", "2")
    assert sorted(table.legal) == sorted(["3", "6", f"F{value}"])
    other = "22" if value == "0" else "0"
    assert table.why(f"F{other}").reason == "DECLARE_FOOL"
    assert of(table.play("F"), Took)[0].seat == winner
    assert of(table.events, Played)[-1].cards == (f"F{value}",)


def test_the_fool_may_be_out_in_hands_of_one_card() -> None:
    rules = rules_of(fool="out-in-ones")
    for hand, size in ((1, 7), (7, 1)):
        state = dealing(rules, 3)
        assert isinstance(state, Dealing)
        standing = type(state.standing)(rules, state.standing.totals, hand - 1, 1)
        state = Dealing(standing)
        assert (state.size, "F" in state.pack) == (size, size > 1)
        assert len(WHIST22.pack(state)) == 22 - (size == 1)


# ------------------------------------------------------------------- the hand that nobody sees


def blind(*hands: str, **options: object) -> Table:
    """A hand of one card that everybody sees but its owner."""
    return Table(*hands, preset="bga", **options)  # type: ignore[arg-type]


def test_w10_everybody_sees_the_others_cards_and_nobody_their_own() -> None:
    table = blind("9", "F", "6")
    for dealt in of(table.events, Dealt):
        assert redact(dealt, dealt.seat) == Dealt(dealt.seat, 1)
        assert redact(dealt, None) == Dealt(dealt.seat, 1)
        for other in {1, 2, 3} - {dealt.seat}:
            assert redact(dealt, other).seen == dealt.seen
    assert {d.seat: d.seen for d in of(table.events, Dealt)} == {1: ("9",), 2: ("F",), 3: ("6",)}


@together("fool", ["choice", "low", "high", "out-in-ones"])
def test_w10_nothing_that_the_owner_is_asked_or_told_depends_on_the_card(fool: str) -> None:
    def asked(card: str) -> list[object]:
        table = blind(card, "8", "6", fool=fool)
        found: list[object] = [table.moves.hand, table.legal]
        table.bid(0, 0, 0)
        moves = table.moves
        found += [moves.hand, table.legal, moves.default, moves.beat, moves.low, len(moves)]
        for token in ("F", "F0", "F22", "9", "12", "0", "22", "-", "9+12"):
            wrong = moves.why(Play.of(token))
            found.append(wrong and (wrong.reason, wrong.text))
        return found

    cards = ["9", "12", "21"] if fool == "out-in-ones" else ["9", "12", "21", "F"]
    assert all(asked(card) == asked("9") for card in cards)


def test_w10_the_play_says_what_the_card_counts_if_it_is_the_fool() -> None:
    for token, winner in (("22", 1), ("0", 2)):
        table = blind("F", "8", "6")
        table.bid(0, 0, 0)
        assert table.legal == ["22", "0"]
        assert table.play(token) == [Played(1, (f"F{token}",), "lead", 0)]
        assert of(table.play("0", "0"), Took)[0].seat == winner


def test_w10_otherwise_the_card_counts_what_it_is() -> None:
    table = blind("9", "8", "6")
    table.bid(0, 0, 0)
    assert table.play("0") == [Played(1, ("9",), "lead", 0)]
    assert of(table.play("22", "22"), Took) == [Took(1, 1, ("9",))]


def test_w10_the_card_is_not_played_by_its_name() -> None:
    table = blind("9", "8", "6")
    table.bid(0, 0, 0)
    with pytest.raises(Illegal, match="You do not see your card"):
        table.play("9")


def test_w10_22_is_the_default() -> None:
    table = blind("9", "8", "6")
    table.bid(0, 0, 0)
    assert table.moves.default == Play(("22",))


@pytest.mark.parametrize(
    ("fool", "legal"), [("low", ["0"]), ("high", ["22"]), ("out-in-ones", ["0"])]
)
def test_w10_where_there_is_nothing_to_say_there_is_one_move(fool: str, legal: list[str]) -> None:
    table = blind("9", "8", "6", fool=fool)
    table.bid(0, 0, 0)
    assert table.legal == legal


def test_w10_larger_hands_are_dealt_as_ever() -> None:
    table = Table(*THREE, preset="bga")
    assert all(dealt.seen is None for dealt in of(table.events, Dealt))
    assert table.moves.hand == ("1", "4", "7")


def test_w10_by_the_rules_of_gamerules_everybody_sees_their_own_one_card() -> None:
    table = Table("9", "17", "6")
    assert [dealt.cards for dealt in of(table.events, Dealt)] == [("9",), ("17",), ("6",)]


# ----------------------------------------------------------------------------------- the score


def test_each_trick_too_many_or_too_few_costs_a_point_and_nothing_is_gained() -> None:
    table = three(totals=(14, 13, 5))
    table.bid(2, 1, 3)
    events = [*table.play("7", "8", "3"), *table.play("2", "6", "4"), *table.play("F22", "1", "5")]
    assert of(events, Scored) == [
        Scored(1, -2, 12, bid=2, won=0),
        Scored(2, 0, 13, bid=1, won=1),
        Scored(3, -1, 4, bid=3, won=2),
    ]
    assert of(events, Handover) == [Handover(5, (1, 3), (12, 13, 4))]


def test_w12_a_score_below_zero_is_kept_as_it_is_and_w13_ends_the_game_after_the_hand() -> None:
    table = three(totals=(14, 13, 1))
    table.bid(3, 1, 3)
    table.play("7", "8", "3")
    assert table.seat == 2  # seat 3 can no longer make it, but the hand is played
    table.play("5", "6", "4")
    events = table.play("F0", "1", "2")
    assert isinstance(table.state, Over)
    assert WHIST22.totals(table.state) == (11, 12, -1)
    assert events[-4:] == [
        Result(2, 1, 12),
        Result(1, 2, 11),
        Result(3, 3, -1),
        Gameover((2,), "zero"),
    ]
    assert WHIST22.turn(table.state) is None


def test_w14_a_tie_for_the_highest_is_won_by_all_of_them() -> None:
    table = Table("9", "17", "6", totals=(6, 5, 1))
    table.bid(1, 1, 1)
    events = table.play("9", "17", "6")
    assert events[-4:] == [
        Result(1, 1, 5),
        Result(2, 1, 5),
        Result(3, 3, 0),
        Gameover((1, 2), "zero"),
    ]


def test_w15_the_highest_wins_even_where_nobody_is_above_zero() -> None:
    table = Table("9", "17", "6", totals=(1, 1, 1))
    table.bid(1, 0, 1)
    events = table.play("9", "17", "6")
    assert of(events, Gameover) == [Gameover((1, 2, 3), "zero")]
    table = three(totals=(1, 1, 1))
    table.bid(3, 2, 3)
    table.play("7", "8", "3")
    table.play("5", "6", "4")
    events = table.play("F0", "1", "2")
    assert [event.total for event in of(events, Result)] == [1, -1, -2]


def test_w16_cards_that_are_not_dealt_are_shown_in_no_event() -> None:
    table = three()
    table.bid(0, 0, 0)
    table.play("7", "8", "3")
    table.play("2", "6", "4")
    table.play("F22", "1", "5")
    told = " ".join(map(repr, table.events))
    for card in map(str, range(9, 22)):
        assert f"'{card}'" not in told


def test_w17_everybody_plays_for_themselves() -> None:
    assert not any("partner" in option.name for option in WHIST22.options(rules_of()))
    table = three()
    table.bid(0, 0, 0)
    events = [*table.play("7", "8", "3"), *table.play("2", "6", "4"), *table.play("F22", "1", "5")]
    assert all(event.side is None for event in of(events, Scored))
    assert [event.seat for event in of(events, Scored)] == [1, 2, 3]


def test_w18_nobody_drops_out_before_the_end() -> None:
    rules, chance = rules_of(start_score=1), random.Random(5)
    for _ in range(20):
        state = WHIST22.new(rules, 3)
        hands = 0
        while (seat := WHIST22.turn(state)) is not None:
            if seat == HOUSE:
                pack = list(WHIST22.pack(state))
                chance.shuffle(pack)
                state, events = WHIST22.play(state, Shuffle(tuple(pack)))
                hands += len(of(events, Hand_))
            else:
                state, _ = WHIST22.play(state, WHIST22.moves(state).any(chance.randrange))
        assert hands == 1  # by the hook somebody loses the only point at once


def test_with_the_hook_a_game_is_over_after_a_bounded_number_of_hands() -> None:
    chance = random.Random(8)
    state, hands = WHIST22.new(rules_of(), 3), 0
    while (seat := WHIST22.turn(state)) is not None:
        if seat == HOUSE:
            pack = list(WHIST22.pack(state))
            chance.shuffle(pack)
            state, events = WHIST22.play(state, Shuffle(tuple(pack)))
            hands += len(of(events, Hand_))
        else:
            state, events = WHIST22.play(state, WHIST22.moves(state).any(chance.randrange))
            for over in of(events, Handover):
                assert over.losers
    assert hands <= 13 * 3 + 1


def test_the_helper_deals_what_it_is_told() -> None:
    table = three()
    state = Dealing(table.state.standing)
    assert stacked(state, [hand.split() for hand in THREE]).cards[:3] == ("1", "2", "3")
