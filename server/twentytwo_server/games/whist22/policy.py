"""The rules of thumb of the steady bot, as functions of numbers only: bids, and plays to a trick.

Cards are small integers, sets of cards are bits. Trumps are 1 to 21. The Fool is 23 if its player
may choose its value; otherwise it is its fixed value, 0 or 22, and counts as any other card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import sqrt

from twentytwo_protocol.cards import FOOL, TAROT, Card, trumps22

from ..sums import added
from .rules import Whist22Rules

WILD = 23
"""The number of a Fool whose player may declare 0 or 22."""
SPREAD = 0.64
"""The weight of the standard deviation of later tricks in the expected miss, as for a normal
distribution.
"""


@lru_cache
def numbers(rules: Whist22Rules) -> Mapping[Card, int]:
    """The number of every card in a hand."""
    counts = rules.fool_values
    fool = WILD if len(counts) > 1 else int(counts[0])
    return {card: TAROT.order[card] for card in trumps22()} | {FOOL: fool}


@lru_cache
def pack_bits(rules: Whist22Rules, size: int) -> int:
    """The pack for hands of `size` cards."""
    has_fool = rules.has_fool(size)
    return bits(n for card, n in numbers(rules).items() if has_fool or card != FOOL)


def bits(cards: Iterable[int]) -> int:
    """The set of these cards."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


# ---------------------------------------------------------------------------------- the bids


@lru_cache(maxsize=1 << 16)
def bid_costs(hand: tuple[int, ...], others: int, pack: int) -> tuple[float, ...]:
    """The average loss of every bid, from bid 0 on, if everybody plays random cards."""
    unseen = pack & ~bits(hand)
    takes = _takes(unseen.bit_count(), others)
    chances = [1.0]
    for card in hand:
        if card != WILD:
            chance = takes[(unseen & (1 << card) - 1).bit_count()]
            chances = one_more(chances, chance)
    wild = WILD in hand
    return tuple(
        added(p * _missed(bid - tricks, wild) for tricks, p in enumerate(chances))
        for bid in range(len(hand) + 1)
    )


def blind_costs(shown: Sequence[int], pack: int) -> tuple[float, ...]:
    """The average loss of the bids 0 and 1 on an unseen card; `shown` are the others' cards."""
    unseen = pack & ~bits(shown)
    lower = (unseen & (1 << max(shown)) - 1).bit_count()
    loses = lower / unseen.bit_count() if unseen else 1.0
    return 1 - loses, loses


def best_bid(costs: Sequence[float], hook: int | None) -> int:
    """The bid with the lowest cost, the lowest of equal ones."""
    best = 1 if hook == 0 else 0
    for bid in range(best + 1, len(costs)):
        if costs[bid] < costs[best] and bid != hook:
            best = bid
    return best


def _missed(need: int, wild: bool) -> int:
    return min(abs(need), abs(need - 1)) if wild else abs(need)


def one_more(chances: Sequence[float], chance: float) -> list[float]:
    """The chances of 0, 1, 2... tricks with one more card, which takes a trick with `chance`."""
    taken = [0.0, *(each * chance for each in chances)]
    missed = [*(each * (1 - chance) for each in chances), 0.0]
    return [a + b for a, b in zip(taken, missed, strict=True)]


# ---------------------------------------------------------------------------------- the play


@lru_cache(maxsize=1 << 10)
def _takes(unseen: int, others: int) -> tuple[float, ...]:
    """The chance that a card above k of the unseen cards takes a trick, for every k."""
    return tuple((k / unseen) ** others for k in range(unseen + 1)) if unseen else (1.0,)


Coming = tuple[tuple[int, int], ...]
"""The later seats of a trick: the number of cards and the needed tricks of each."""


@lru_cache(maxsize=1 << 15)
def _stays(unseen: int, coming: Coming) -> tuple[float, ...]:
    """The chance that a card above k of the unseen cards is not beaten, for every k."""
    return tuple(_stay(k / unseen if unseen else 1.0, coming) for k in range(unseen + 1))


def _stay(below: float, coming: Coming) -> float:
    chance = 1.0
    for cards, need in coming:
        wish = min(1.0, max(0.0, need / cards))
        # A seat beats the card if it can and wants to, or if it has to.
        chance *= 1 - wish * (1 - below**cards) - (1 - wish) * (1 - below) ** cards
    return chance


def choose(
    hand: Sequence[int], need: int, best: int, others: int, unseen: int, coming: Coming
) -> tuple[int, int]:
    """The card with the least expected miss, and its value; `best` is -1 for a lead.

    The expected miss grows with the distance between the expected and the needed tricks, and with
    their standard deviation. It is a single function because a search spends its time here.
    """
    count = unseen.bit_count()
    takes, stays = _takes(count, others), _stays(count, coming)
    wild = hand[-1] == WILD
    below = [(unseen & (1 << card) - 1).bit_count() for card in hand]
    if wild:
        below.pop()
    chances = [takes[k] for k in below]
    tricks = added(chances)
    spread = tricks + 1e-9
    for chance in chances:
        spread -= chance * chance
    # With the Fool in the hand, either of two numbers of tricks will do.
    want = need - tricks - 0.5 if wild else need - tricks
    found, least = (0, 0), 99.0
    for card, k, chance in zip(hand, below, chances, strict=False):
        rest, vary = want + chance, SPREAD * (spread - chance + chance * chance)
        if card < best:
            cost = sqrt(rest * rest + vary)
        else:
            stay, less = stays[k], rest - 1
            cost = (1 - stay) * sqrt(rest * rest + vary) + stay * sqrt(less * less + vary)
        if cost < least - 1e-9:
            found, least = (card, card), cost
    return _with_the_fool(found, least - 0.5, need - tricks, spread) if wild else found


def _with_the_fool(
    found: tuple[int, int], least: float, want: float, spread: float
) -> tuple[int, int]:
    """The play found so far, or the Fool if declaring it 0 or 22 has a lower expected miss."""
    vary = SPREAD * spread
    loses, wins = sqrt(want * want + vary), sqrt((want - 1) ** 2 + vary)
    if min(loses, wins) >= least:
        return found
    return (WILD, 0) if loses <= wins else (WILD, 22)
