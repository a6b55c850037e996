"""How many lines of play there are, to a depth, from a small deal by each preset.

The numbers pin the generator of moves, the order of turns and the ends of tricks. The bids can
be counted by hand: where three bid on three tricks the dealer has three or four of them.
"""

from __future__ import annotations

from itertools import product
from math import factorial

import pytest

from tests.games.whist22.setting import Table
from twentytwo_server.games.whist22 import WHIST22
from twentytwo_server.games.whist22.states import Bidding, Dealing, State

HANDS = ("1 9 F", "2 10 20", "5 12 21")


def perft(state: State, depth: int) -> int:
    """How many ways there are to make so many moves; a hand that ends sooner counts once."""
    if depth == 0 or isinstance(state, Dealing):
        return 1
    after = (WHIST22.play(state, deed)[0] for deed in WHIST22.moves(state))
    return sum(perft(each, depth - 1) for each in after)


BIDS = sum(1 for bids in product(range(4), repeat=3) if sum(bids) != 3)
"""All bids of three on three tricks that do not add up."""

PLAYS = factorial(3) ** 3 * 2
"""Every order of the cards of each seat, whoever leads; and the Fool counts twice."""


@pytest.mark.parametrize("preset", WHIST22.presets)
def test_the_lines_of_play_are_as_many_as_can_be_counted_by_hand(preset: str) -> None:
    state = Table(*HANDS, preset=preset).state
    assert isinstance(state, Bidding)
    assert [perft(state, depth) for depth in range(1, 5)] == [4, 16, BIDS, 4 * BIDS]
    assert BIDS == 54


@pytest.mark.parametrize("preset", WHIST22.presets)
def test_a_whole_hand_can_be_played_in_so_many_ways(preset: str) -> None:
    table = Table(*HANDS, preset=preset)
    table.bid(0, 0, 0)
    assert perft(table.state, 9) == PLAYS == 432


def test_a_hand_that_nobody_sees_can_be_played_in_two_to_the_power_of_three_ways() -> None:
    table = Table("1", "F", "5", preset="bga")
    assert [perft(table.state, depth) for depth in range(1, 4)] == [2, 4, 5]
    table.bid(0, 0, 0)
    assert perft(table.state, 3) == 2**3
