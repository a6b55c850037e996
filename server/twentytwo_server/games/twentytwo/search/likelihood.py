"""The likelihood of a hand, given the plays of its seat.

Players are assumed to follow `policy` approximately: the higher it rates a play, the likelier they
make it. So hands that explain the plays of their seat are likelier than others. Likelihoods are
natural logarithms in hundredths, as integers of at most 0. So their sums are the same on every
machine, and only decrease with further terms.
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
"""Loss of likelihood for each point by which a play is rated below the best: for choosing a bot's
move, and for displayed chances.

`steady` follows the policy exactly, `hard` and people less so. Against three bots of the previous
version, the bot won .331 +- .046 of its games with 100, and .242 +- .043 with 250 (100 deals).
Among `steady` bots, chances in hints were 7 percentage points too optimistic with 100, and 3 with
250 and 600. Both were measured with 0.9 and 0.1 for the exchange: see below.
"""
WAYWARD = -300
"""The lowest likelihood of a legal play: players may judge differently from the policy."""
IMPOSSIBLE = -1500
"""The likelihood of a violation of the rules: finite, so that sampling can leave it."""
THROWN, KEPT = 0.98, 0.02
"""The probabilities of exchanging a card that the policy would exchange, and one that it would
keep.

With 0.9 and 0.1, sampled hands of others had too many middle cards. Chances in hints were then too
optimistic by 3 percentage points in Twenty-Two and 6 in Twenty-Six; with these values, by 1 and 4.
"""


@lru_cache(maxsize=1 << 17)
def play_likelihood(held: Ranks, act: Act, must: bool, keenness: int) -> int:
    """The likelihood of a play from this hand; `must` is as in `follows`."""
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
    """The likelihood of these plays and this number of kept cards, given the hand.

    `kept` is None if the exchange gave no information. A result below `least` is only an upper
    bound.
    """
    found = 0
    for act in reversed(acts):
        held = bytes(sorted(held + act[1]))
        found += play_likelihood(held, act, must, keenness)
        if found < least:
            return found
    return found if kept is None else found + kept_likelihood(held, kept)


def kept_likelihood(held: Ranks, kept: int) -> int:
    """The likelihood that `kept` of these cards were kept in the exchange and the others drawn."""
    among = _among(held, len(held))
    return _kept_of(among, len(held) - among, kept)


@lru_cache(maxsize=1 << 12)
def _kept_of(middling: int, others: int, kept: int) -> int:
    # the mean probability over all choices of the kept cards
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
    """The number of these cards that the policy would exchange."""
    return sum(map(cards.count, middling(size)))


_THROWN, _KEPT = round(100 * log(THROWN)), round(100 * log(KEPT))
