"""How many lines of play there are, to a depth, from a small deal by each preset.

Five integers pin the generator of moves, the order of turns and the ends of tricks.
"""

from __future__ import annotations

import pytest

from twentytwo_server.games.twentytwo.engine import TwentyTwo
from twentytwo_server.games.twentytwo.states import Dealing, Playing, State

from .setting import GAME, rules_of, shuffled, standing

TOP = "AC 2C 7C KC 2D 7D 9C 2H QC 9D 5C QD 5D 5H QH".split()
"""Three seats: A K 9 9 5, 2 2 2 5 5 and 7 7 Q Q Q; two jokers more by twentysix."""

COUNTS = {
    "pagat": (),
    "gamerules": (),
    "tvtropes": (),
    "rasmussen": (),
    "twentysix": (),
}


def dealt(preset: str) -> Playing:
    """The deal, without an exchange; the dealer is such that seat 1 leads."""
    rules = rules_of(preset, {"exchange": "off", "first_hand": 5})
    dealer = 3 if rules.direction == "cw" else 2
    state = Dealing(standing(rules, 3, wanted=5, dealer=dealer))
    top = ["X" if preset == "twentysix" and card in ("KC", "5C") else card for card in TOP]
    after, _ = GAME[preset].play(state, shuffled(GAME[preset], state, top))
    assert isinstance(after, Playing)
    return after


def perft(game: TwentyTwo, state: State, depth: int) -> int:
    """How many ways there are to make so many moves; a hand that ends sooner counts once."""
    if depth == 0 or not isinstance(state, Playing):
        return 1
    return sum(
        perft(game, game.play(state, deed)[0], depth - 1) for deed in game.moves(state)
    )


@pytest.mark.parametrize("preset", COUNTS)
def test_the_lines_of_play_are_as_many_as_ever(preset: str) -> None:
    state = dealt(preset)
    found = tuple(perft(GAME[preset], state, depth) for depth in (1, 2, 3, 4, 6))
    assert found == COUNTS[preset]


def test_there_are_counts_for_every_preset() -> None:
    assert set(COUNTS) == set(GAME)
