"""The likelihood of a hand, given the plays of its seat.

Players are assumed to choose about as `policy` has it: the better a play looks to that, the
likelier they make it. So a hand that explains the plays of its seat is likelier than others.
Likelihoods are natural logarithms in hundredths, as whole numbers of at most 0: so their sums are
the same on every machine, and only get smaller as more is added.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb, log

from ...sums import added
from ..following import fault
from ..hands import JOKERS, Ranks
from ..policy import MILLION, choose, choose_lead, middling, worth_following, worth_leading
from .knowledge import Act

CHOOSING, TELLING = 100, 250
"""How much less likely a play gets for each point that it looks worse than the best: for a bot
that chooses a move, and where chances are told.

`steady` plays just by the policy, `hard` and people less so. Against three of the version before
the bot won .331 +- .046 of its games with 100, .242 +- .043 with 250 (100 deals); among `steady`
what hints say was too hopeful by 7 points of a hundred with 100, by 3 with 250 and with 600. Both
were measured with 0.9 and 0.1 for the exchange: see below.
"""
WAYWARD = -300
"""The lowest likelihood of a legal play: players may judge differently from the policy."""
IMPOSSIBLE = -1500
"""The logarithm for what the rules forbid: finite, so that a start in such a world gets out."""
THROWN, KEPT = 0.98, 0.02
"""How often a card is exchanged that the policy would exchange, and one that it would keep.

With 0.9 and 0.1 others were imagined with too many middling cards, and what hints say of plays was
too hopeful by 3 points of a hundred in Twenty-Two, by 6 in Twenty-Six; with these by 1 and 4.
"""


@lru_cache(maxsize=1 << 17)
def play_likelihood(held: Ranks, act: Act, must: bool, keenness: int) -> int:
    """The likelihood of a play by this hand; `must` as in `follows`."""
    bar, play, last = act
    if bar:
        if fault(held, bar, play, must):
            return IMPOSSIBLE
        best = choose(held, bar, must, last)
        if best == play:
            return 0
        gap = worth_following(held, bar, best, last) - worth_following(held, bar, play, last)
    else:
        best = choose_lead(held)
        if best == play:
            return 0
        gap = worth_leading(held, best) - worth_leading(held, play)
    return max(WAYWARD, min(0, -round(keenness * gap / MILLION)))


def hand_likelihood(
    held: Ranks,
    acts: Sequence[Act],
    kept: int | None,
    must: bool,
    keenness: int,
    least: int = -1_000_000,
) -> int:
    """How likely a holder of these cards is to have played so, having kept that many before.

    `kept` is None where that tells nothing. Below `least` the answer is only that it is less.
    """
    found = 0
    for act in reversed(acts):
        held = bytes(sorted(held + act[1]))
        found += play_likelihood(held, act, must, keenness)
        if found < least:
            return found
    return found if kept is None else found + kept_likelihood(held, kept)


def kept_likelihood(held: Ranks, kept: int) -> int:
    """The likelihood that `kept` of these cards were kept in the exchange, and the others drawn."""
    among = _among(held, len(held))
    return _kept_of(among, len(held) - among, kept)


@lru_cache(maxsize=1 << 12)
def _kept_of(middling: int, others: int, kept: int) -> int:
    # the mean over all choices of the kept cards of the chance that just these were kept
    chance = added(
        _ways(middling, few, 1 - THROWN) * _ways(others, kept - few, 1 - KEPT)
        for few in range(kept + 1)
    )
    return round(100 * log(chance / comb(middling + others, kept)))


def _ways(cards: int, count: int, chance: float) -> float:
    return comb(cards, count) * chance**count


@lru_cache(maxsize=1 << 7)
def thrown_likelihoods(size: int) -> Sequence[int]:
    """The likelihood that a card was exchanged from a hand of that size, by its rank."""
    return [_THROWN if rank in middling(size) else _KEPT for rank in range(JOKERS + 1)]


def _among(cards: Ranks, size: int) -> int:
    """Number of the cards that the policy would exchange."""
    return sum(map(cards.count, middling(size)))


_THROWN, _KEPT = round(100 * log(THROWN)), round(100 * log(KEPT))
