"""The rulings E1 to E34 of docs/rules/twentyeight.md, each by what it decides at the table.

The tests use one deal (`setting.FOURS` and `MORE`): seat 4 deals, seat 1 speaks and leads first.

    seat 1   JH 9H AH 8C  TH AD KD JS
    seat 2   7H 8H 7C 9C  QH KH TC JC
    seat 3   7D 8D 9D TD  QC KC JD QD
    seat 4   7S 8S QS KS  AC 9S TS AS
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.games.twentyeight.setting import Table, of, playing, resumed, rules_of
from tests.kit.cases import together
from twentytwo_protocol.games.twentyeight import (
    Call,
    Declared,
    Redeal,
    Redealt,
    Trump,
    Trump_,
    partner,
)
from twentytwo_protocol.schema import Malformed, redact
from twentytwo_protocol.words.cardplay import (
    Bid,
    Bid_,
    Contract,
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
from twentytwo_server.games.game import HOUSE
from twentytwo_server.games.options import BadOption
from twentytwo_server.games.twentyeight import TWENTYEIGHT
from twentytwo_server.games.twentyeight.rules import stakes
from twentytwo_server.games.twentyeight.states import Dealing, Playing

# ------------------------------------------------------------------- the deal and the seats


def test_e1_the_ten_is_below_the_queen_by_denexa_and_next_to_the_ace_by_pagat() -> None:
    for preset, winner in (("denexa", 2), ("pagat", 1)):
        hands = ["TD 7S", "QD 8S", "7D QS", "8D KS"]
        table = resumed(playing(hands, trump="H", shown=True, preset=preset))
        (took,) = of(table.play("TD", "QD", "7D", "8D"), Took)
        assert took.seat == winner


def test_e2_the_deal_the_bidding_and_the_play_go_round_by_number() -> None:
    table = Table(dealer=2)
    assert [event.seat for event in of(table.events, Dealt)] == [3, 4, 1, 2]
    table.bid(14, "pass", "pass", "pass")
    assert [event.seat for event in of(table.events, Bid_)] == [3, 4, 1, 2]
    table.token("TD")
    assert [event.seat for event in of(table.events, Dealt)][4:] == [3, 4, 1, 2]
    assert of(table.events, Trick)[0].seat == 3


def test_e3_the_first_dealer_is_picked_by_the_house_and_then_the_deal_passes_on() -> None:
    start = TWENTYEIGHT.new(rules_of(), 4)
    assert TWENTYEIGHT.turn(start) == HOUSE
    assert TWENTYEIGHT.pack(start) == ("1", "2", "3", "4")
    dealing, events = TWENTYEIGHT.play(start, Shuffle(("3", "1", "4", "2")))
    assert events == []
    assert dealing.standing.dealer == 3
    table = Table(dealer=4)
    table.contract()
    table.defaults()
    assert isinstance(table.state, Dealing)
    assert table.state.standing.dealer == 1


def test_e4_partners_sit_opposite() -> None:
    assert [partner(seat) for seat in (1, 2, 3, 4)] == [3, 4, 1, 2]
    table = Table()
    table.bid(14, 15, "pass", "pass", "pass")
    assert of(table.events, Contract) == [Contract(2, 15, (2, 4))]


def test_the_house_deals_four_cards_to_each_one_at_a_time_and_then_four_more() -> None:
    table = Table()
    assert of(table.events, Hand_) == [Hand_(1, 4, 4, 16)]
    assert of(table.events, Dealt)[0] == Dealt(1, 4, ("8C", "9H", "JH", "AH"))
    table.contract()
    more = of(table.events, Dealt)[4:]
    assert more[0] == Dealt(1, 4, ("KD", "AD", "TH", "JS"))
    assert [len(hand) for hand in table.state.hands] == [8, 8, 8, 8]  # type: ignore[union-attr]


def test_only_four_can_play() -> None:
    assert TWENTYEIGHT.players(rules_of()) == range(4, 5)
    for seats in (2, 3, 5):
        with pytest.raises(BadOption):
            TWENTYEIGHT.new(rules_of(), seats)


# ----------------------------------------------------------------------------- the auction


def test_the_first_to_speak_must_bid() -> None:
    table = Table()
    assert table.why(Bid("pass"))[0] == "MUST_BID"
    assert table.why(Pass())[0] == "MUST_BID"
    assert "14" in table.why(Pass())[1]


def test_e5_one_more_is_enough() -> None:
    table = Table()
    table.bid(14)
    assert table.legal[:2] == ["pass", "15"]
    reason, text = table.why(Bid("14"))
    assert reason == "TOO_LOW"
    assert "15 to 28" in text


@pytest.mark.parametrize("opening", [14, 17, 28])
def test_e6_the_opening_may_be_anything_from_14_to_28(opening: int) -> None:
    table = Table()
    assert table.legal == [str(bid) for bid in range(14, 29)]
    table.bid(opening)
    assert of(table.events, Bid_) == [Bid_(1, str(opening))]


def test_no_bid_is_below_14_or_above_28() -> None:
    table = Table()
    assert table.why(Bid("13"))[0] == "TOO_LOW"
    assert table.why(Bid("29"))[0] == "ONLY_28"


def test_e7_who_has_passed_may_bid_again() -> None:
    table = Table()
    table.bid(14, "pass", "pass", 15, 16)
    assert table.turn == 2
    table.bid(17)
    assert of(table.events, Bid_)[-1] == Bid_(2, "17")


def test_e7_where_a_pass_is_final_who_has_passed_is_not_asked_again() -> None:
    table = Table(pass_out="yes")
    table.bid(14, "pass", "pass", 15)
    assert table.turn == 1
    table.bid(16)
    assert table.turn == 4
    table.bid("pass")
    assert of(table.events, Contract) == [Contract(1, 16, (1, 3))]


def test_over_a_partners_bid_it_takes_20() -> None:
    table = Table()
    table.bid(14, "pass")
    assert table.legal[:2] == ["pass", "20"]
    assert table.why(Bid("19"))[0] == "PARTNER_20"
    assert table.why(Bid("14"))[0] == "PARTNER_20"
    table.bid(20)
    assert of(table.events, Bid_)[-1] == Bid_(3, "20")


@together(("partners", "least"), [(18, 20), (19, 20), (20, 21), (25, 26)])
def test_e8_over_a_partners_20_merely_more(partners: int, least: int) -> None:
    table = Table()
    table.bid(partners, "pass")
    assert table.legal[1] == str(least)
    reason, _ = table.why(Bid(str(least - 1)))
    assert reason == ("PARTNER_20" if partners < 19 else "TOO_LOW")


@pytest.mark.parametrize("pass_out", ["no", "yes"])
def test_e9_a_standing_bid_never_comes_back_to_its_owner(pass_out: str) -> None:
    table = Table(pass_out=pass_out)
    table.bid(14, 15, "pass", "pass", 16)
    asked = []
    while table.act == "bid":
        asked.append(table.turn)
        table.bid("pass")
    assert asked == ([2, 3, 4] if pass_out == "no" else [2])
    assert of(table.events, Contract)[0].seat == 1


def test_e10_if_all_pass_after_the_opening_it_stands() -> None:
    table = Table()
    table.bid(14, "pass", "pass", "pass")
    assert of(table.events, Contract) == [Contract(1, 14, (1, 3))]
    assert (table.turn, table.act) == (1, "trump")


def test_e11_a_bid_of_28_ends_the_bidding() -> None:
    table = Table()
    table.bid(14, 28)
    assert of(table.events, Contract) == [Contract(2, 28, (2, 4))]
    assert (table.turn, table.act) == (2, "trump")


# ------------------------------------------------------------------------------- the trump


def test_e12_the_trump_is_one_of_the_first_four_cards() -> None:
    table = Table()
    table.bid(14, "pass", "pass", "pass")
    assert sorted(table.legal) == sorted(("JH", "9H", "AH", "8C"))
    assert table.why(Trump(("TH",)))[0] == ""  # dealt only afterwards
    assert len(of(table.events, Dealt)) == 4


def test_e13_one_card_of_the_suit_is_enough() -> None:
    table = Table()
    table.contract(trump="8C")
    assert of(table.events, Trump_) == [Trump_(1, False, "C", "8C")]


def test_the_default_trump_is_the_lowest_card_of_the_longest_suit() -> None:
    table = Table()
    table.bid(14, "pass", "pass", "pass")
    assert table.legal[0] == "AH"
    assert table.legal[-1] == "8C"


def test_only_the_bidder_knows_the_trump_before_it_is_shown() -> None:
    chosen = Trump_(1, False, "C", "8C")
    assert redact(chosen, 1) == chosen
    for viewer in (None, 2, 3, 4):
        assert redact(chosen, viewer) == Trump_(1, False)
        assert redact(Trump_(1, True, "C", "8C", 2), viewer) == Trump_(1, True, "C", "8C", 2)


def test_e14_the_bidder_may_lead_trumps_only_once_they_are_shown() -> None:
    hands = ["JS 9H 7D", "7S", "8S", "QS"]
    hidden = resumed(playing(hands, down="9S"))
    assert hidden.legal == ["7D", "9H"]
    assert hidden.why(Play(("JS",)))[0] == "TRUMP_LEAD"
    assert "9H" in hidden.why(Play(("JS",)))[1]
    shown = resumed(playing(hands, shown=True))
    assert shown.legal == ["7D", "9H", "JS"]


def test_e14_the_others_may_lead_what_they_like() -> None:
    table = resumed(playing(["JS 9H 7D", "7S", "8S", "QS"], down="9S", bidder=2))
    assert table.legal == ["7D", "9H", "JS"]


def test_e15_a_bidder_who_has_nothing_else_may_lead_trumps_and_shows_nothing() -> None:
    table = resumed(playing(["JS 8S", "7S 7H", "AS 8H", "QS QH"], down="9S"))
    assert table.legal == ["8S", "JS"]
    (played,) = table.play("JS")
    assert played == Played(1, ("JS",), "lead", 2)
    assert isinstance(table.state, Playing)
    assert table.state.down == "9S"


def test_the_card_face_down_cannot_be_played() -> None:
    table = resumed(playing(["AD 8S", "7S", "8H", "QS"], down="9S"))
    reason, text = table.why(Play(("9S",)))
    assert reason == "TRUMP_CARD_DOWN"
    assert "AD" in text


# -------------------------------------------------------------------------------- the call


def test_e16_by_denexa_the_trump_is_shown_as_soon_as_somebody_cannot_follow() -> None:
    table = resumed(playing(["7D 7C", "AC 7S", "8H 9C", "QH QD"], down="9S", bidder=3))
    events = table.play("7D")
    assert events[1:] == [Trump_(3, True, "S", "9S", 2)]
    assert table.legal == ["7S"]


def test_e16_by_pagat_who_cannot_follow_is_asked() -> None:
    table = resumed(
        playing(["7D 7C", "AC 7S", "8H 9C", "QH QD"], down="9S", bidder=3, preset="pagat")
    )
    assert table.play("7D")[1:] == []
    assert (table.act, table.legal) == ("declare", ["no", "call"])
    assert table.why(Play(("AC",)))[0] == ""
    assert table.token("no") == [Declared(2, "no")]
    assert (table.act, table.legal) == ("play", ["7S", "AC"])
    assert table.play("AC") == [Played(2, ("AC",), "discard", 1)]
    assert of(table.events, Trump_) == []


def test_e17_who_can_follow_may_not_call_and_nobody_calls_before_a_lead() -> None:
    table = resumed(playing(["7D 7C", "8D 7S"], preset="pagat", down="9S"))
    assert table.act == "play"
    assert table.why(Call())[0] == ""
    table.play("7D")
    assert table.act == "play"


@pytest.mark.parametrize("preset", ["denexa", "pagat"])
def test_e18_who_calls_must_trump(preset: str) -> None:
    table = resumed(
        playing(["7D 7C", "AC 7S", "8H 9C", "QH QD"], down="9S", bidder=3, preset=preset)
    )
    table.play("7D")
    if preset == "pagat":
        declared, shown = table.token("call")
        assert declared == Declared(2, "call")
        assert shown == Trump_(3, True, "S", "9S", 2)
    assert table.legal == ["7S"]
    assert table.why(Play(("AC",)))[0] == "MUST_TRUMP"
    assert table.play("7S")[0] == Played(2, ("7S",), "trump", 1)


@pytest.mark.parametrize(("preset", "legal"), [("denexa", ["8S"]), ("pagat", ["8S", "KH"])])
def test_e19_later_voids_must_trump_by_denexa_and_are_free_by_pagat(
    preset: str, legal: list[str]
) -> None:
    table = resumed(
        playing(["7D 7C", "AC 7S", "KH 8S", "QH QD"], down="9S", bidder=4, preset=preset)
    )
    table.play("7D")
    if preset == "pagat":
        table.token("call")
    table.play("7S")
    assert table.legal == legal


def test_e19_by_pagat_the_caller_is_free_again_in_the_next_trick() -> None:
    table = resumed(
        playing(["7D 7H", "AC KC 7S 8S", "8D 8H", "QD QH"], down="9S", bidder=4, preset="pagat")
    )
    table.play("7D")
    table.token("call")
    table.play("8S", "8D", "QD")
    assert isinstance(table.state, Playing)
    assert table.turn == 2
    table.state = replace(table.state, seat=1, leader=1)
    table.play("7H")
    assert table.legal == ["7S", "KC", "AC"]


def test_e20_nobody_must_go_above_a_trump() -> None:
    table = resumed(playing(["7D", "9S", "7S JS", "QD"], trump="S", shown=True, plays="7D 9S"))
    assert table.turn == 3
    assert table.legal == ["7S", "JS"]


def test_e21_the_card_face_down_does_not_count_as_held_by_denexa() -> None:
    # Seat 1 has no spade but the one that lies face down, and seat 4 leads spades.
    table = resumed(playing(["AC 8D", "7H", "8H", "QS KS"], down="9S", leader=4, preset="denexa"))
    assert table.play("QS")[1:] == [Trump_(1, True, "S", "9S", 1)]
    assert table.legal == ["9S"]
    assert table.why(Play(("AC",)))[0] == "FOLLOW_SUIT"


def test_e21_by_pagat_he_may_throw_any_card_and_stay_hidden() -> None:
    table = resumed(playing(["AC 8D", "7H", "8H", "QS KS"], down="9S", leader=4, preset="pagat"))
    table.play("QS")
    table.token("no")
    assert table.legal == ["8D", "AC"]
    assert table.why(Play(("9S",)))[0] == "TRUMP_CARD_DOWN"
    assert table.play("AC")[0].kind == "discard"  # type: ignore[attr-defined]


def test_e22_a_bidder_who_calls_may_play_any_trump() -> None:
    table = resumed(playing(["7S AC", "7H", "8H", "QH KH"], down="9S", leader=4))
    table.play("QH")
    assert table.legal == ["7S", "9S"]


def test_e23_a_bidder_may_throw_a_trump_that_nobody_can_tell_from_a_discard() -> None:
    table = resumed(playing(["7S AC", "7H", "8H", "QH KH"], down="9S", leader=4, preset="pagat"))
    table.play("QH")
    table.token("no")
    assert table.legal == ["7S", "AC"]
    assert table.play("7S") == [Played(1, ("7S",), "discard", 2)]
    (took,) = of(table.play("7H", "8H"), Took)
    assert took.seat == 4


def test_e24_trumps_played_before_the_trump_is_shown_have_no_power() -> None:
    # pagat's example: 8H, AC, a call that shows clubs, QC, AH. The queen wins.
    hands = ["8H 7D", "AC 8D", "QC 9D", "AH TD"]
    for early, winner in (("no", 3), ("yes", 2)):
        table = resumed(
            playing(hands, trump="C", down="JC", bidder=1, preset="pagat", early_trump=early)
        )
        table.play("8H")
        table.token("no")
        table.play("AC")
        table.token("call")
        (took,) = of(table.play("QC", "AH"), Took)
        assert took.seat == winner


def test_e25_where_the_suit_led_turns_out_to_be_trump_the_highest_of_it_wins() -> None:
    table = resumed(
        playing(["JS 7D", "AD 8D", "7S 9D", "QS TD"], down="KS", bidder=3, preset="denexa")
    )
    assert table.play("JS")[1:] == [Trump_(3, True, "S", "KS", 2)]
    (took,) = of(table.play("AD", "7S", "QS"), Took)
    assert (took.seat, took.cards) == (1, ("JS",))


def test_e26_in_the_eighth_trick_the_card_is_shown_as_it_is_played() -> None:
    table = resumed(playing(["AH", "", "8H", "KH"], trump="S", down="7S", bidder=2))
    table.play("AH")
    assert table.legal == ["7S"]
    shown, played = table.play("7S")
    assert shown == Trump_(2, True, "S", "7S")
    assert played == Played(2, ("7S",), "trump", 0)
    (took,) = of(table.play("8H", "KH"), Took)
    assert took.seat == 2


def test_e26_cards_of_the_suit_that_were_played_before_are_no_trumps() -> None:
    table = resumed(playing(["AH", "JS", "", "KH"], trump="S", down="7S", bidder=3, preset="pagat"))
    table.play("AH")
    table.token("no")
    table.play("JS", "7S")
    (took,) = of(table.play("KH"), Took)
    assert took.seat == 3


def test_e26_a_bidder_who_leads_to_the_eighth_trick_leads_trumps() -> None:
    table = resumed(playing(["", "9S", "AH", "JH"], trump="S", down="7S", bidder=1))
    shown, played = table.play("7S")
    assert (shown, played) == (Trump_(1, True, "S", "7S"), Played(1, ("7S",), "lead", 0))
    (took,) = of(table.play("9S", "AH", "JH"), Took)
    assert took.seat == 2


def test_e27_a_call_in_the_eighth_trick_comes_before_the_bidders_turn() -> None:
    table = resumed(playing(["AH", "7D", "", "KH"], trump="S", down="7S", bidder=3))
    assert table.play("AH")[1:] == [Trump_(3, True, "S", "7S", 2)]
    table.play("7D")
    assert table.play("7S") == [Played(3, ("7S",), "trump", 0)]


# ------------------------------------------------------------------------------- the score


@together(
    ("bid", "won", "points"),
    [
        (14, 14, 1),
        (14, 28, 1),
        (19, 18, -2),
        (20, 20, 2),
        (24, 23, -3),
        (25, 25, 3),
        (28, 27, -4),
    ],
)
def test_e28_the_bidders_points_decide_and_exactly_the_bid_is_enough(
    bid: int, won: int, points: int
) -> None:
    last = playing(["7S", "7H", "7D", "7C"], shown=True, bid=bid, won=(won, 28 - won))
    events = resumed(last).play("7S", "7H", "7D", "7C")
    ours, theirs = of(events, Scored)
    assert ours == Scored(None, points, points, side=(1, 3), bid=bid, won=won)
    assert theirs == Scored(None, 0, 0, side=(2, 4))
    losers = (2, 4) if points > 0 else (1, 3)
    assert of(events, Handover) == [Handover(1, losers, (points, 0, points, 0))]


def test_the_stakes_are_those_of_the_table_of_denexa() -> None:
    found = {bid: stakes(bid) for bid in (14, 19, 20, 24, 25, 28)}
    assert found == {14: (1, 2), 19: (1, 2), 20: (2, 3), 24: (2, 3), 25: (3, 4), 28: (3, 4)}


def test_e29_the_side_that_reaches_the_target_wins() -> None:
    last = playing(["7S", "7H", "7D", "7C"], shown=True, bid=20, won=(20, 8))
    last = replace(last, standing=replace(last.standing, totals=(8, 9)))
    events = resumed(last).play("7S", "7H", "7D", "7C")
    assert of(events, Gameover) == [Gameover((1, 3), "target")]
    assert of(events, Result) == [
        Result(1, 1, 10), Result(3, 1, 10), Result(2, 3, 9), Result(4, 3, 9)
    ]  # fmt: skip


@pytest.mark.parametrize("preset", ["denexa", "pagat"])
def test_e30_by_the_sources_ten_points_win_and_totals_fall_without_end(preset: str) -> None:
    last = playing(["7S", "7H", "7D", "7C"], shown=True, bid=28, won=(2, 26), preset=preset)
    nine = replace(last, won=(28, 0), standing=replace(last.standing, totals=(6, 9)))
    assert of(resumed(nine).play("7S", "7H", "7D", "7C"), Gameover) == []
    ten = replace(nine, standing=replace(last.standing, totals=(7, 9)))
    events = resumed(ten).play("7S", "7H", "7D", "7C")
    assert of(events, Gameover) == [Gameover((1, 3), "target")]
    table = resumed(replace(last, standing=replace(last.standing, totals=(-40, 0))))
    assert of(table.play("7S", "7H", "7D", "7C"), Scored)[0].total == -44
    assert table.turn == HOUSE


@pytest.mark.parametrize(("before", "ends"), [(-2, True), (-1, False)])
def test_e30_a_limit_of_losses_ends_the_game(before: int, ends: bool) -> None:
    last = playing(["7S", "7H", "7D", "7C"], shown=True, bid=28, won=(2, 26), loss_limit=6)
    last = replace(last, standing=replace(last.standing, totals=(before, -3)))
    events = resumed(last).play("7S", "7H", "7D", "7C")
    assert of(events, Gameover) == ([Gameover((2, 4), "loss")] if ends else [])


def test_e30_by_evening_five_points_win_and_five_below_zero_lose() -> None:
    last = playing(["7S", "7H", "7D", "7C"], shown=True, bid=28, won=(2, 26), preset="evening")
    for before, ends in ((-1, True), (0, False)):
        standing = replace(last.standing, totals=(before, 4))
        events = resumed(replace(last, standing=standing)).play("7S", "7H", "7D", "7C")
        assert of(events, Gameover) == ([Gameover((2, 4), "loss")] if ends else [])
    made = replace(last, won=(28, 0), standing=replace(last.standing, totals=(2, 4)))
    events = resumed(made).play("7S", "7H", "7D", "7C")
    assert of(events, Gameover) == [Gameover((1, 3), "target")]


def test_e31_all_eight_tricks_are_played_though_the_bid_is_made() -> None:
    table = Table()
    table.contract(trump="AH")
    events = table.defaults()
    assert [event.trick for event in of(events, Took)] == [*range(1, 9)]
    assert sum(event.points for event in of(events, Took)) == 28


def test_e32_there_is_one_auction_only_and_no_double() -> None:
    assert {*TWENTYEIGHT.deeds} == {"bid", "trump", "declare", "play"}
    with pytest.raises(Malformed):
        TWENTYEIGHT.deeds["bid"].of("double")
    table = Table()
    table.contract()
    assert table.act == "play"


NOTHING = ("7H 8H QC KC", "JH 9H AH 8C", "7D 8D 9D TD", "7S 8S QS KS")
"""First cards of which none counts for seat 1."""
THEN = ("TH AD KD JS", "7C 9C QH KH", "TC JC JD QD", "AC 9S TS AS")


def test_e33_the_first_to_speak_may_ask_for_a_new_deal_with_no_card_that_counts() -> None:
    table = Table(NOTHING, THEN, preset="pagat")
    assert table.legal[0] == "14"
    assert table.legal[-1] == "redeal"
    (asked,) = table.token("redeal")
    assert asked == Redealt(1)
    assert isinstance(table.state, Dealing)
    assert TWENTYEIGHT.turn(table.state) == HOUSE
    table.say(Shuffle(TWENTYEIGHT.pack(table.state)))
    again = of(table.events, Hand_)
    assert again == [Hand_(1, 4, 4, 16)] * 2


def test_e33_nobody_else_may_and_not_with_a_card_that_counts() -> None:
    table = Table(preset="pagat")
    assert "redeal" not in table.legal
    assert table.why(Redeal())[0] == "NO_REDEAL"
    swapped = (NOTHING[1], NOTHING[0], *NOTHING[2:])
    table = Table(swapped, THEN, preset="pagat")
    table.bid(14)
    assert "redeal" not in table.legal
    assert table.why(Redeal())[0] == "NO_REDEAL"
    table = Table(NOTHING, THEN)
    assert "redeal" not in table.legal
    assert table.why(Redeal()) == (
        "NO_REDEAL", "By these rules there are no new deals. Bid 14, or more."
    )  # fmt: skip


def test_e34_what_the_other_side_takes_scores_nothing() -> None:
    last = playing(["7S", "7H", "7D", "7C"], shown=True, bid=20, won=(2, 26))
    table = resumed(last)
    _, theirs = of(table.play("7S", "7H", "7D", "7C"), Scored)
    assert (theirs.points, theirs.total) == (0, 0)
    assert TWENTYEIGHT.totals(table.state) == (-3, 0, -3, 0)


# ------------------------------------------------------------------------ naming the card


def test_a_rank_alone_will_do_where_it_can_mean_one_card_only() -> None:
    table = resumed(playing(["7D AD AC", "8D", "9D", "TD"], shown=True))
    assert table.play("7")[0].cards == ("7D",)  # type: ignore[attr-defined]


def test_a_rank_of_which_one_card_is_legal_means_that_card() -> None:
    table = resumed(playing(["7D AD AC", "8D", "9D", "TD"], shown=True, leader=4, plays="TD"))
    assert table.play("A")[0].cards == ("AD",)  # type: ignore[attr-defined]


def test_a_rank_of_which_several_are_legal_is_asked_about() -> None:
    table = resumed(playing(["7D AD AC", "8D", "9D", "TD"], shown=True))
    assert table.why(Play(("A",))) == ("WHICH_SUIT", "Which A? Name the suit too: AC or AD.")


def test_one_card_is_played_and_it_is_held() -> None:
    table = resumed(playing(["7D AD AC", "8D", "9D", "TD"], shown=True))
    assert table.why(Play(("7D", "AD")))[0] == "WRONG_COUNT"
    assert table.why(Play(()))[0] == "WRONG_COUNT"
    assert table.why(Play(("7D", "9D")))[0] == ""
    assert table.why(Play(("9D",)))[0] == ""
    assert table.why(Play(("Q",)))[0] == ""
