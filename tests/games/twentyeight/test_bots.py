"""The players of Twenty-Eight: they play by the rules, and a steady pair is the stronger."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.games.twentyeight.setting import of, rules_of, words
from twentytwo_protocol.schema import Deed, Event, redact
from twentytwo_protocol.words.cardplay import Hand_, Scored, Shuffle
from twentytwo_server.games.game import HOUSE
from twentytwo_server.games.twentyeight import TWENTYEIGHT
from twentytwo_server.games.twentyeight.bots import BOTS
from twentytwo_server.games.twentyeight.policy import expected
from twentytwo_server.games.twentyeight.states import Over, State
from twentytwo_server.table.match import question


def play(
    levels: list[str], chance: random.Random, preset: str, **options: Any
) -> tuple[State, list[Event]]:
    """A game between players of these levels; they are shown what their seats are."""
    rules = rules_of(preset, **options)
    bots = {
        seat: TWENTYEIGHT.bots.new(level, rules, seat, chance.randrange)
        for seat, level in enumerate(levels, 1)
    }
    state: State = TWENTYEIGHT.new(rules, 4)
    happened: list[Event] = []
    while (seat := TWENTYEIGHT.turn(state)) is not None:
        deed: Deed | Shuffle
        if seat == HOUSE:
            pack = list(TWENTYEIGHT.pack(state))
            chance.shuffle(pack)
            deed = Shuffle(tuple(pack))
        else:
            moves = TWENTYEIGHT.moves(state)
            asked = question(moves, turn=1, seat=seat, ms=None, bank=None)
            token = bots[seat].choose(redact(asked, seat))
            assert token in (asked.legal or ())
            deed = TWENTYEIGHT.deeds[moves.act].of(token)
        state, events = TWENTYEIGHT.play(state, deed)
        for number, bot in bots.items():
            for event in events:
                bot.see(redact(event, number))
        happened += events
    return state, happened


@pytest.mark.parametrize("preset", ["denexa", "pagat"])
def test_a_steady_pair_wins_most_games_against_an_easy_pair(preset: str) -> None:
    chance = random.Random(28)
    games, won = 30, 0
    for number in range(games):
        levels = ["steady", "easy"] * 2 if number % 2 else ["easy", "steady"] * 2
        state, _ = play(levels, chance, preset, target=5, loss_limit=8)
        assert isinstance(state, Over)
        won += state.winners == ((1, 3) if number % 2 else (2, 4))
    assert won / games > 0.6  # by the usual target 0.88 over 500 games


@pytest.mark.parametrize("preset", ["denexa", "pagat"])
@pytest.mark.parametrize("level", BOTS.levels)
def test_every_level_makes_more_bids_than_it_must(level: str, preset: str) -> None:
    _, happened = play([level] * 4, random.Random(level), preset, target=5, loss_limit=20)
    made = [event.points > 0 for event in of(happened, Scored) if event.bid]
    assert sum(made) / len(made) > 0.5
    assert len(made) == len(of(happened, Hand_))


def test_a_jack_and_a_nine_are_worth_more_than_small_cards() -> None:
    strong = words("JH 9H AH 8C")
    assert expected(strong, "H") > expected(words("7H 8H QH 8C"), "H") > 14
    assert expected(strong, "H") > expected(strong, "C")


def test_unknown_levels_are_refused() -> None:
    with pytest.raises(KeyError):
        TWENTYEIGHT.bots.new("hopeless", rules_of(), 1, lambda _: 0)
