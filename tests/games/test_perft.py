"""How many lines of play there are, to a depth, from a small deal by each preset.

Five integers pin the generator of moves, the order of turns and the ends of tricks.
"""

from __future__ import annotations

from tests.games import naive
from tests.games.setting import GAME, rules_of, shuffled, standing
from tests.kit.cases import together
from twentytwo_server.games.twentytwo import TwentyTwoRules
from twentytwo_server.games.twentytwo.engine import TwentyTwo
from twentytwo_server.games.twentytwo.states import Dealing, Playing, State

HANDS = ("3C 5C 5D 9C 9D KC AC", "2C 4C 6C 8C TC QC AD", "3D 3H 7C 7D JC QD KD")
"""What the seats hold; by twentysix the kings are jokers."""

COUNTS = {
    "pagat": (7, 36, 120, 666, 2935),
    "gamerules": (7, 36, 120, 666, 2935),
    "tvtropes": (7, 29, 73, 403, 1576),
    "rasmussen": (7, 29, 140, 761, 2126),
    "twentysix": (12, 79, 243, 1581, 6212),
}


def dealt(preset: str) -> Playing:
    """The deal, without an exchange; the dealer is such that seat 1 leads."""
    rules = rules_of(preset, {"exchange": "off", "first_hand": 7})
    dealer = 3 if rules.direction == "cw" else 2
    state = Dealing(standing(rules, 3, wanted=7, dealer=dealer))
    top = [card for round_ in zip(*map(str.split, HANDS), strict=True) for card in round_]
    if preset == "twentysix":
        top = ["X" if card[0] == "K" else card for card in top]
    after, _ = GAME[preset].play(state, shuffled(GAME[preset], state, top))
    assert isinstance(after, Playing)
    return after


def perft(game: TwentyTwo, state: State, depth: int) -> int:
    """How many ways there are to make so many moves; a hand that ends sooner counts once."""
    if depth == 0 or not isinstance(state, Playing):
        return 1
    return sum(perft(game, game.play(state, deed)[0], depth - 1) for deed in game.moves(state))


@together("preset", COUNTS)
def test_the_lines_of_play_are_as_many_as_ever(preset: str) -> None:
    state = dealt(preset)
    found = tuple(perft(GAME[preset], state, depth) for depth in range(1, 6))
    assert found == COUNTS[preset]


def first_trick(hands: list[naive.Ranks], rules: TwentyTwoRules) -> tuple[int, int, int]:
    """How many ways there are to lead, to follow once, and to follow twice, by trying all."""
    one, two, three = hands
    bars = [_counts_as(lead) for lead in naive.leads(one)]
    thirds = []
    for bar in bars:
        for play in naive.follows(two, bar, rules.heading == "mandatory"):
            raised = rules.bar == "best" and naive.covers(play, bar)
            thirds.append(_counts_as(play) if raised else bar)
    must = rules.heading == "mandatory"
    return len(bars), len(thirds), sum(len(naive.follows(three, bar, must)) for bar in thirds)


def _counts_as(play: naive.Ranks) -> naive.Ranks:
    return max(naive.readings(play))


@together("preset", COUNTS)
def test_the_first_trick_agrees_with_trying_everything(preset: str) -> None:
    state = dealt(preset)
    hands = [tuple(card >> 2 for card in hand) for hand in state.hands]
    assert first_trick(hands, state.standing.rules) == COUNTS[preset][:3]


def test_there_are_counts_for_every_preset() -> None:
    assert set(COUNTS) == set(GAME)
