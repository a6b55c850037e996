"""What a move costs."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.cases import together
from tests.review.games import SHORT, short
from twentytwo_server.review import judging
from twentytwo_server.review.judging import Effort, Mark, judged, mark_of, settled
from twentytwo_server.review.played_again import Choice, PlayedAgain
from twentytwo_server.review.review import chance

QUICK = Effort(40, 60, 200)
"""Enough to see a blunder."""


def last_two(seed: int) -> tuple[PlayedAgain, Choice] | None:
    """A decision with a low and a high card, both of which may be played."""
    played = short("twentytwo", seed)
    for each in played.decisions:
        hand = [card[0] for card in each.turn.hand or ()]
        if len(hand) == 2 and hand[0] in "234" and hand[1] in "QKA" and each.turn.nlegal == 2:
            return played, each
    return None


@together(
    ("cost", "error", "mark"),
    [
        (0.04, 0.001, Mark.NONE),
        (0.05, 0.02, Mark.INACCURACY),
        (0.05, 0.03, Mark.NONE),
        (0.10, 0.02, Mark.MISTAKE),
        (0.20, 0.02, Mark.BLUNDER),
        (0.20, 0.11, Mark.NONE),
    ],
)
def test_a_mark_is_beyond_its_threshold_and_beyond_chance(
    cost: float, error: float, mark: Mark
) -> None:
    assert mark_of(cost, error) is mark


@together(
    ("cost", "error", "enough"),
    [
        (0.00, 0.06, False),
        (0.00, 0.04, True),  # may cost 8 points, hardly more than 5
        (0.04, 0.04, False),
        (0.04, 0.02, True),  # precise enough
        (0.15, 0.04, False),
        (0.15, 0.024, True),
        (0.30, 0.06, False),
        (0.31, 0.05, True),
    ],
)
def test_moves_are_compared_until_the_mark_is_settled(
    cost: float, error: float, enough: bool
) -> None:
    assert settled(cost, error) is enough


def test_keeping_a_high_card_to_the_end_is_a_blunder() -> None:
    played, each = next(found for seed in range(20) if (found := last_two(seed)))
    low, high = (replace(each, played=card[0]) for card in each.turn.hand or ())
    blunder = judged(played, low, chance("a"), QUICK)
    right = judged(played, high, chance("b"), QUICK)
    assert blunder is not None
    assert right is not None
    assert (blunder.mark, right.mark) == (Mark.BLUNDER, Mark.NONE)
    assert (blunder.best, right.best) == (high.played, high.played)
    assert blunder.risk > right.risk + 0.2


def test_the_cost_is_that_of_fresh_worlds_and_not_of_those_by_which_the_best_was_chosen() -> None:
    """Of many moves that are as good, one looks best by chance, and only in those worlds."""
    played, each = next(found for seed in range(20) if (found := last_two(seed)))
    (low, _) = (replace(each, played=card[0]) for card in each.turn.hand or ())
    effort = Effort(first=41, chosen=67, most=200)
    blunder = judged(played, low, chance("a"), effort)
    assert blunder is not None
    assert blunder.best != blunder.played
    assert blunder.worlds in (judging.BATCH, effort.most)


@pytest.mark.parametrize("key", SHORT)
def test_moves_are_judged_with_the_same_result_every_time(key: str) -> None:
    played = short(key)
    some = [each for each in played.decisions if not each.forced][:30:10]
    for each in some:
        once, again = (judged(played, each, chance("x"), QUICK) for _ in range(2))
        assert once == again
        if once is not None:
            assert once.cost >= 0
            assert 0 <= once.risk <= 1
            assert 0 <= once.chance <= 1


def test_forced_moves_and_those_of_the_clock_are_left_out() -> None:
    played = short("twentytwo")
    forced = next(each for each in played.decisions if each.forced)
    free = next(each for each in played.decisions if not each.forced)
    assert judged(played, forced, chance("x"), QUICK) is None
    assert judged(played, replace(free, auto=True), chance("x"), QUICK) is None


def test_what_is_judged_is_the_card_that_was_played() -> None:
    """In Whist 22 a 1 is not a 19, though it is written with the same digit."""
    played = short("whist22")
    found = [
        each
        for each in played.decisions
        if each.turn.act == "play" and each.played.isdigit() and int(each.played) > 9
    ]
    judgements = [judged(played, each, chance("x"), QUICK) for each in found]
    assert len([each for each in judgements if each]) > 3
    for each in judgements:
        assert each is None or each.played == each.decision.played


def test_a_card_that_its_owner_did_not_see_is_not_judged() -> None:
    played = short("whist22")
    blind = [each for each in played.decisions if each.turn.act == "play" and not each.turn.hand]
    assert blind
    assert all(judged(played, each, chance("x"), QUICK) is None for each in blind)


def test_a_greater_risk_that_wins_the_game_more_often_is_no_fault() -> None:
    mine, best = judging.Tried(deed=None), judging.Tried(deed=None)  # type: ignore[arg-type]
    for tried, worth, loss in ((mine, 0.6, 1.0), (best, 0.4, 0.0)):
        tried.worths[:] = tried.wins[:] = [worth] * 50
        tried.losses[:] = [loss] * 50
    assert not judging.faulty(mine, best)
    mine.worths[:] = [0.4] * 50
    assert judging.faulty(mine, best)
