"""The knobs of Twenty-Two: presets, values, and combinations that make no sense."""

from __future__ import annotations

import pytest

from tests.games.setting import GAME, rules_of, standing
from tests.kit.cases import together
from twentytwo_protocol.words.cardplay import Handover
from twentytwo_server.games.options import BadOption, described, knobs
from twentytwo_server.games.twentytwo import TWENTYSIX, TWENTYTWO, TwentyTwoRules
from twentytwo_server.games.twentytwo.dealer import next_dealer, substitute
from twentytwo_server.games.twentytwo.states import full_pack

TABLE = """
max_players      12          6          12           12         8
decks            auto        1          auto         auto       2
jokers           0           0          0            0          4
direction        cw          cw         ccw          cw         cw
first_dealer     draw        draw       draw         draw       draw
first_hand       7           7          7            7          7
hand_size        loser_card  loser_card fixed        loser_card loser_card
exchange         on          on         on           on         on
heading          optional    optional   mandatory    mandatory  optional
bar              best        best       best         lead       best
winner           bar         bar        bar          set        bar
straights        off         off        off          off        off
straight_min     3           3          3            3          3
straight_max     0           0          0            0          0
straight_suited  no          no         no           no         no
points           11/10       11/10      sequential   11/10      11/10
keep_cards       yes         yes        yes          no         yes
dead_cards       out         out        out          out        out
limit            22          22         22           22         26
dealer           loser       loser      loser        loser      loser
dealer_tie       draw        draw       last_to_play draw       draw
eliminated_deals yes         yes        no           yes        yes
all_out          shared      lowest     runoff       shared     shared
"""
PRESETS = ("pagat", "gamerules", "tvtropes", "rasmussen", "twentysix")


def test_the_presets_are_the_table_of_the_sources() -> None:
    rows = [line.split() for line in TABLE.strip().splitlines()]
    for column, preset in enumerate(PRESETS, 1):
        found = {o.name: o.value for o in described(rules_of(preset))}
        assert found == {row[0]: row[column] for row in rows}, preset


def test_pagat_is_what_twentytwo_plays_unless_told_otherwise() -> None:
    assert next(iter(TWENTYTWO.presets)) == "pagat"
    assert TWENTYTWO.presets["pagat"] == TwentyTwoRules()
    assert list(TWENTYSIX.presets) == ["twentysix"]


def test_every_knob_says_what_it_is_and_where_it_comes_from() -> None:
    for option in TWENTYTWO.options(rules_of("pagat")):
        assert option.help
        assert option.allowed
        assert any(
            tag in option.source
            for tag in ("pagat", "gamerules", "tvtropes", "rasmussen", "twentysix", "all:")
        ), option.name


@together("preset", PRESETS)
def test_every_value_of_every_knob_can_be_chosen_alone(preset: str) -> None:
    game = GAME[preset]
    for name, knob in knobs(TwentyTwoRules()).items():
        for value in knob.allowed:
            changes = {name: str(value)}
            if (preset, changes) == ("rasmussen", {"straights": "on"}):
                continue  # refused, see below
            assert getattr(game.rules(preset, changes), name) == value


@together(
    ("changes", "option"),
    [
        ({"winner": "set", "straights": "on"}, "straights"),
        ({"straights": "on", "straight_min": "5", "straight_max": "4"}, "straight_max"),
        ({"limit": "9"}, "limit"),
        ({"limit": "101"}, "limit"),
        ({"decks": "5"}, "decks"),
        ({"jokers": "9"}, "jokers"),
        ({"first_hand": "0"}, "first_hand"),
        ({"straight_max": "1"}, "straight_max"),
        ({"max_players": "1"}, "max_players"),
        ({"heading": "always"}, "heading"),
        ({"speed": "fast"}, "speed"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(changes: dict[str, str], option: str) -> None:
    with pytest.raises(BadOption) as refused:
        TWENTYTWO.rules("pagat", changes)
    assert refused.value.option == option
    assert refused.value.text.endswith(".")


def test_rasmussens_highest_set_and_straights_do_not_go_together() -> None:
    with pytest.raises(BadOption, match="winner=bar or straights=off"):
        TWENTYTWO.rules("rasmussen", {"straights": "on"})


def test_jokers_and_straights_go_together_as_j26_29_says() -> None:
    assert TWENTYSIX.rules("twentysix", {"straights": "on"}).jokers == 4


def test_straight_max_does_not_matter_while_straights_are_off() -> None:
    rules = TWENTYTWO.rules("pagat", {"straight_min": "5", "straight_max": "4"})
    assert rules.straights == "off"


def test_unknown_rules_are_named_with_those_there_are() -> None:
    with pytest.raises(BadOption, match="pagat, gamerules, tvtropes, rasmussen"):
        TWENTYTWO.rules("hoyle", {})


def test_more_than_max_players_are_refused() -> None:
    with pytest.raises(BadOption, match="2 to 6 can play, not 7"):
        TWENTYTWO.new(rules_of("gamerules"), 7)
    with pytest.raises(BadOption, match="not 1"):
        TWENTYTWO.new(rules_of("pagat"), 1)


def test_a12_ten_players_are_too_many_for_one_pack() -> None:
    one = rules_of("pagat", {"decks": 1})
    assert TWENTYTWO.new(one, 9)
    with pytest.raises(BadOption) as refused:
        TWENTYTWO.new(one, 10)
    assert refused.value.option == "decks"


def test_a6_above_six_players_there_is_a_pack_for_every_four() -> None:
    sizes = [len(full_pack(rules_of("pagat"), seats)) // 52 for seats in range(2, 13)]
    assert sizes == [1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3]


def test_no_pack_is_larger_than_the_fair_shuffle_can_take() -> None:
    largest = rules_of("twentysix", {"decks": 4, "jokers": 8})
    assert len(full_pack(largest, 8)) <= 256


def test_players_and_target_are_those_of_the_rules() -> None:
    assert TWENTYTWO.players(rules_of("gamerules")) == range(2, 7)
    assert TWENTYTWO.target(rules_of("pagat")) == 22
    assert TWENTYSIX.target(rules_of("twentysix")) == 26


@pytest.mark.parametrize(("direction", "deals"), [("cw", 1), ("ccw", 4)])
def test_the_next_to_the_right_of_a_loser_who_is_out_deals_in_their_stead(
    direction: str, deals: int
) -> None:
    # Seats count in the order of play: the right is the seat before or, counterclockwise, after.
    rules = rules_of("pagat", {"direction": direction, "eliminated_deals": "no"})
    between = standing(rules, 5, playing=(1, 4, 5), totals=(3, 22, 22, 7, 9), dealer=5)
    assert substitute(between, 3) == deals
    assert substitute(between, 2) == deals
    assert substitute(between, 5) == 5
    state, _ = next_dealer(between, (3,), Handover(1, (3,), between.totals), [])
    assert state.standing.dealer == deals


def test_a_loser_who_is_out_deals_once_more_where_the_rules_have_it_so() -> None:
    between = standing(rules_of("pagat"), 4, playing=(1, 2, 4), totals=(3, 4, 22, 7))
    assert substitute(between, 3) == 3
