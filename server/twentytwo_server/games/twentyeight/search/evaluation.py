"""What a score, a contract and all hands are worth: the simple models that a search judges by."""

from __future__ import annotations

from functools import lru_cache
from math import exp

from ..policy import best_suit, worth
from ..rules import SEATS, TwentyEightRules, stakes
from ..states import Hands

# What the partner's and the others' cards add was found by regression over hands that were played
# out by the search's policy.

LEAD = 1.5
"""How much a lead in the score is worth: the power of the odds in `chance`. With it the chances are
those of a random walk in which seven bids of ten are made, for targets of 5 to 10 and any limit."""


FROM_PARTNER = 0.85
"""What the partner's cards add, or the others' take away, of what they would be worth here."""
ALL_KNOWN = 12.3
"""Points that four cards may expect beside what they are worth, where the others' are known: one
less than the policy would take, since a searching defence is the better one."""
TEMPERED, AROUND = 0.8, 16.0
"""How much of what is foreseen comes true, above and below that many points."""
OFF = 2.75
"""How far off that is, in points: the scale of the logistic curve."""


def foreseen(hands: Hands, bidder: int) -> float:
    """The points that the bidders may expect, of everybody's first four cards."""
    _, trump = best_suit(hands[bidder - 1])
    bring = [worth(hand, trump) for hand in hands]
    ours = bring[(bidder + 1) % SEATS]
    theirs = bring[bidder % SEATS] + bring[(bidder + 2) % SEATS]
    found = ALL_KNOWN + bring[bidder - 1] + FROM_PARTNER * (ours - theirs)
    return AROUND + TEMPERED * (found - AROUND)


def chance(rules: TwentyEightRules, totals: tuple[int, int]) -> float:
    """About how likely side 0 is to win the game from a score before a hand."""
    first, second = totals
    if first >= rules.target or (rules.loss_limit and second <= -rules.loss_limit):
        return 1.0
    if second >= rules.target or (rules.loss_limit and first <= -rules.loss_limit):
        return 0.0
    ours = _pull(rules.target - first, rules.loss_limit and rules.loss_limit + second)
    theirs = _pull(rules.target - second, rules.loss_limit and rules.loss_limit + first)
    return ours / (ours + theirs)


def _pull(to_go: int, others_left: int) -> float:
    """How near a side is to winning: by its own points, or by those that the others lose."""
    return float((1 / to_go + (1 / others_left if others_left else 0.0)) ** LEAD)


@lru_cache(maxsize=1 << 12)
def ends(
    rules: TwentyEightRules, totals: tuple[int, int], side: int, bid: int
) -> tuple[float, float]:
    """The chance of side 0 when a side makes its bid, and when it does not."""
    score, loss = stakes(bid)
    first, second = totals
    if side:
        return chance(rules, (first, second + score)), chance(rules, (first, second - loss))
    return chance(rules, (first + score, second)), chance(rules, (first - loss, second))


def made(over: float, spread: float) -> float:
    """How likely a bid is made, so many points above it expected; `spread` is their error."""
    return 1 / (1 + exp(-(over + 0.5) / spread))
