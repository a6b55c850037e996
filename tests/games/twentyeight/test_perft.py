"""How many lines of play there are, to a depth, from a fixed deal by each preset.

The numbers pin the generator of moves, the order of turns and the ends of tricks.
"""

from __future__ import annotations

import pytest

from tests.games.twentyeight.setting import Table, playing
from twentytwo_server.games.game import HOUSE
from twentytwo_server.games.twentyeight import TWENTYEIGHT
from twentytwo_server.games.twentyeight.states import State

BIDS = {preset: (15, 123, 725) for preset in ("evening", "denexa", "pagat")}
"""From the first bid on."""

PLAYS = {
    "evening": (4, 16, 88, 616, 4312, 17560),
    "denexa": (4, 16, 88, 616, 4312, 17560),
    "pagat": (4, 10, 44, 200, 984, 6760),
}
"""From the first lead on; 9H lies face down before seat 1, who has the bid."""

ENDS = {"evening": (1, 4, 4, 4), "denexa": (1, 4, 4, 4), "pagat": (4, 15, 22, 22)}
"""The last three tricks, the trump still hidden; a hand that ends sooner counts once."""


def perft(state: State, depth: int) -> int:
    """How many ways there are to make so many moves; where the house is next, one."""
    if depth == 0 or TWENTYEIGHT.turn(state) in (HOUSE, None):
        return 1
    moves = TWENTYEIGHT.moves(state)
    return sum(perft(TWENTYEIGHT.play(state, deed)[0], depth - 1) for deed in moves)


@pytest.mark.parametrize("preset", BIDS)
def test_the_bids_are_as_many_as_ever(preset: str) -> None:
    table = Table(preset=preset)
    assert tuple(perft(table.state, depth) for depth in range(1, 4)) == BIDS[preset]


@pytest.mark.parametrize("preset", PLAYS)
def test_the_lines_of_play_are_as_many_as_ever(preset: str) -> None:
    table = Table(preset=preset)
    table.contract(trump="9H")
    assert tuple(perft(table.state, depth) for depth in range(1, 7)) == PLAYS[preset]


@pytest.mark.parametrize("preset", ENDS)
def test_the_ends_of_hands_are_as_many_as_ever(preset: str) -> None:
    hands = ["JS 7D", "AC 9C 8S", "TD KC QS", "9D JC 7S"]
    state = playing(hands, down="KS", preset=preset)
    assert tuple(perft(state, depth) for depth in (4, 8, 12, 16)) == ENDS[preset]


def test_there_are_counts_for_every_preset() -> None:
    assert {*BIDS} == {*PLAYS} == {*ENDS} == {*TWENTYEIGHT.presets}
