"""Simple models for the value of a score, of a contract, and of all hands."""

from __future__ import annotations

from functools import lru_cache
from math import exp

from ..policy import best_suit, worth
from ..rules import PLAYERS, TwentyEightRules, stakes
from ..states import Hands

# The contributions of the partner's and the opponents' cards were found by regression over hands
# played out by the search's policy.

LEAD = 1.5
"""The value of a lead in the score: the exponent of the odds in `chance`. With this value the
chances are those of a random walk in which seven of ten bids are made, for targets of 5 to 10 and
any limit.
"""


FROM_PARTNER = 0.85
"""The fraction of their worth that the partner's cards add and the opponents' cards subtract."""
ALL_KNOWN = 12.3
"""Base points of four cards if the others' cards are known. It is one less than in the policy,
because a defence that searches is better.
"""
TEMPERED, AROUND = 0.8, 16.0
"""The fraction of the predicted difference from `AROUND` points that occurs on average."""
OFF = 2.75
"""The error of the prediction in points: the scale of the logistic curve."""


def foreseen(hands: Hands, bidder: int) -> float:
    """The expected points of the bidders, from all players' first four cards."""
    _, trump = best_suit(hands[bidder - 1])
    bring = [worth(hand, trump) for hand in hands]
    ours = bring[(bidder + 1) % PLAYERS]
    theirs = bring[bidder % PLAYERS] + bring[(bidder + 2) % PLAYERS]
    found = ALL_KNOWN + bring[bidder - 1] + FROM_PARTNER * (ours - theirs)
    return AROUND + TEMPERED * (found - AROUND)


def chance(rules: TwentyEightRules, totals: tuple[int, int]) -> float:
    """The approximate chance of side 0 to win the game from a score before a hand."""
    first, second = totals
    if first >= rules.target or (rules.loss_limit and second <= -rules.loss_limit):
        return 1.0
    if second >= rules.target or (rules.loss_limit and first <= -rules.loss_limit):
        return 0.0
    ours = _pull(rules.target - first, rules.loss_limit and rules.loss_limit + second)
    theirs = _pull(rules.target - second, rules.loss_limit and rules.loss_limit + first)
    return ours / (ours + theirs)


def _pull(to_go: int, others_left: int) -> float:
    """The progress of a side towards winning, by its own points or by the losses of the others."""
    return float((1 / to_go + (1 / others_left if others_left else 0.0)) ** LEAD)


@lru_cache(maxsize=1 << 12)
def ends(
    rules: TwentyEightRules, totals: tuple[int, int], side: int, bid: int
) -> tuple[float, float]:
    """The chances of side 0 to win after the bid of a side is made, and after it fails."""
    score, loss = stakes(bid)
    first, second = totals
    if side:
        return chance(rules, (first, second + score)), chance(rules, (first, second - loss))
    return chance(rules, (first + score, second)), chance(rules, (first - loss, second))


def made(over: float, spread: float) -> float:
    """The probability of making a bid, if `over` more points than the bid are expected. `spread` is
    the error of that expectation.
    """
    return 1 / (1 + exp(-(over + 0.5) / spread))
