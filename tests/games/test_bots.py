"""The players of Twenty-Two: they play by the rules, and `steady` is the stronger."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.setting import GAME, rules_of, until_player
from tests.kit.cases import together
from tests.kit.length import times
from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_server.games.twentytwo import TWENTYTWO
from twentytwo_server.games.twentytwo.bots import BOTS
from twentytwo_server.games.twentytwo.engine import TwentyTwo
from twentytwo_server.games.twentytwo.states import Over, State
from twentytwo_server.table.match import question


def winners(
    game: TwentyTwo, rules: Any, levels: list[str], chance: random.Random
) -> tuple[int, ...]:
    """Who wins a game between players of these levels; they are shown what their seats are."""
    bots = {
        seat: game.bots.new(level, rules, seat, chance.randrange)
        for seat, level in enumerate(levels, 1)
    }
    state: State = game.new(rules, len(levels))
    state, events = until_player(game, state, chance)
    while (seat := game.turn(state)) is not None:
        moves = game.moves(state)
        asked = question(moves, turn=1, seat=seat, ms=None, bank=None)
        for number, bot in bots.items():
            for event in (*events, asked):
                bot.see(redact(event, number))
        deed = game.deeds[moves.act].of(bots[seat].choose(redact(asked, seat)))
        state, events = game.play(state, deed)
        state, more = until_player(game, state, chance)
        events += more
    assert isinstance(state, Over)
    return state.winners


def test_a_steady_player_wins_more_than_sixty_of_a_hundred_games_against_three_easy_ones() -> None:
    chance = random.Random(22)
    rules = rules_of("pagat")
    games, won = times(60, long=200), 0.0
    for number in range(games):
        levels = ["easy"] * 4
        levels[number % 4] = "steady"
        first = winners(TWENTYTWO, rules, levels, chance)
        won += (number % 4 + 1 in first) / len(first)
    assert won / games > 0.85  # more than 0.95 over thousands of games


@together("preset", GAME)
def test_every_level_finishes_a_game_by_every_preset(preset: str) -> None:
    chance = random.Random(preset)
    game, rules = GAME[preset], rules_of(preset)
    for seats in (2, 5):
        assert winners(game, rules, [chance.choice([*BOTS.levels]) for _ in range(seats)], chance)


def test_bots_answer_a_question_whose_list_is_cut_short() -> None:
    listed = ("3+2", "4+2")
    asked = Turn(
        1,
        1,
        "play",
        beat=("2", "2"),
        choose="one",
        nlegal=900,
        legal=listed,
        low=("3", "2"),
        default="3+2",
        truncated=True,
        hand=("2C", "3C", "4C", "9C"),
    )
    for level in BOTS.levels:
        assert TWENTYTWO.bots.new(level, rules_of("pagat"), 1, lambda _: 0).choose(asked) in listed


def test_steady_ends_with_the_lower_of_two_cards() -> None:
    asked = Turn(1, 1, "play", choose="one", legal=("3", "K"), default="3", hand=("3C", "KC"))
    assert TWENTYTWO.bots.new("steady", rules_of("pagat"), 1, lambda _: 0).choose(asked) == "K"


def asked_to_lead(hand: str, *legal: str) -> Turn:
    """A question for a lead from these ranks."""
    cards = tuple(rank + suit for rank, suit in zip(hand, "CDHSC", strict=False))
    return Turn(1, 1, "play", choose="one", legal=legal, default=legal[0], hand=cards)


def steady(asked: Turn) -> str:
    """What the steady bot answers."""
    return TWENTYTWO.bots.new("steady", rules_of("pagat"), 1, lambda _: 0).choose(asked)


@pytest.mark.parametrize(
    ("hand", "legal", "led"),
    [
        ("3JJ", ("3", "J", "J+J"), "J+J"),
        ("23QQ", ("2", "3", "Q", "Q+Q"), "Q+Q"),
        ("2555", ("2", "5", "5+5", "5+5+5"), "5+5+5"),
    ],
)
def test_steady_leads_the_set_that_ends_the_hand(
    hand: str, legal: tuple[str, ...], led: str
) -> None:
    assert steady(asked_to_lead(hand, *legal)) == led


@together(
    ("hand", "thrown"),
    [
        ("5C QD", "QD"),
        ("2C 5D KH", "KH"),
        ("2C 5D 6H QS", "6H QS"),
        ("5C 6D TH QS AC", "6D TH QS"),
        ("2C 5D 8H JS QC KD AH", "5D 8H JS"),
    ],
)
def test_steady_throws_pictures_and_keeps_fives_in_hands_of_few_cards(
    hand: str, thrown: str
) -> None:
    cards = tuple(hand.split())
    asked = Turn(1, 1, "exchange", choose="subset", min=0, max=len(cards), cards=cards, default="-")
    assert sorted(steady(asked).split("+")) == sorted(thrown.split())
