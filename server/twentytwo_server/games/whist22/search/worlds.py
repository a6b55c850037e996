"""Samples worlds for a seat: deals the hidden cards at random so that they fit the bids."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import exp

from twentytwo_protocol.cards import FOOL, TAROT, Card

from ...chance import RandomBelow
from ..policy import best_bid, bid_costs, bits, blind_costs, numbers, pack_bits
from ..states import Bidding, Playing
from .knowledge import Imagined, Knowledge

SOFT = 0.15
"""The cost difference in points that divides the likelihood of a bid by e."""
TRIES = 8
"""Maximum number of hands dealt to a seat until one fits its bid."""
FINE = 1 << 20
"""Resolution of a random probability: the number of its possible values."""


class Chance:
    """A quick random generator seeded by one pick, good enough for dealing."""

    __slots__ = ("_at",)

    def __init__(self, pick: RandomBelow) -> None:
        self._at = pick(1 << 62)

    def below(self, n: int) -> int:
        """A number from 0 to n-1."""
        self._at = self._at * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        return (self._at >> 33) * n >> 31

    def happens(self, likely: float) -> bool:
        """True with the probability `likely`."""
        return likely >= 1 or self.below(FINE) < likely * FINE


def imagined(seen: Knowledge, pick: RandomBelow) -> Bidding | Playing:
    """A state that fits the knowledge, with the seat on turn."""
    chance = Chance(pick)
    hidden = seen.hidden()
    hands = _blind(seen, hidden, chance) if seen.blind else _dealt(seen, hidden, chance)
    stock = bits(map(numbers(seen.rules).__getitem__, hidden))
    standing = Imagined(seen.rules, seen.totals, seen.no, seen.dealer, stock)
    held = tuple(hands[seat] for seat in range(1, seen.seats + 1))
    if not seen.trick:
        return Bidding(standing, held, tuple(seen.bids))
    first = standing.after(seen.dealer)
    bids = tuple(seen.bids[(seat - first) % seen.seats] for seat in sorted(hands))
    won = tuple(seen.won[seat] for seat in sorted(hands))
    return Playing(
        standing,
        held,
        seen.blind,
        bids,
        won,
        seen.trick,
        seen.leader,
        seen.seat,
        seen.best,
        seen.winner,
    )


Hands = dict[int, tuple[Card, ...]]


def _dealt(seen: Knowledge, hidden: list[Card], chance: Chance) -> Hands:
    """Deals the hidden cards; the rest is the stock."""
    hands: Hands = {seen.seat: seen.hand}
    for seat in _order(seen.seats, chance):
        if seat != seen.seat:
            hands[seat] = TAROT.sort(_held(seen, seat, hidden, chance))
            for card in hands[seat]:
                hidden.remove(card)
    return hands


def _held(seen: Knowledge, seat: int, hidden: list[Card], chance: Chance) -> list[Card]:
    """Possible cards of a seat; if no hand fits its bid, the likeliest."""
    count, likely = seen.left[seat], _likely(seen, seat)
    found, likeliest = hidden[:count], -1.0
    for _ in range(TRIES):
        _draw(hidden, count, chance)
        fits = likely(hidden[:count])
        if chance.happens(fits):
            return hidden[:count]
        if fits > likeliest:
            found, likeliest = hidden[:count], fits
    return found


def _draw(cards: list[Card], count: int, chance: Chance) -> None:
    """Moves `count` random cards to the front."""
    for at in range(count):
        other = at + chance.below(len(cards) - at)
        cards[at], cards[other] = cards[other], cards[at]


def _likely(seen: Knowledge, seat: int) -> Callable[[Sequence[Card]], float]:
    """The likelihood of a seat's bid, 0 to 1, given its remaining cards."""
    index = (seat - seen.dealer - 1) % seen.seats
    if index >= len(seen.bids):
        return lambda cards: 1.0
    of, pack = numbers(seen.rules), pack_bits(seen.rules, seen.size)
    hook, bid, others = seen.hook(index), seen.bids[index], seen.seats - 1
    gone = [of[card] for card in seen.played[seat]]
    return lambda cards: _fitting(
        tuple(sorted([of[card] for card in cards] + gone)), others, pack, hook, bid
    )


@lru_cache(maxsize=1 << 17)
def _fitting(hand: tuple[int, ...], others: int, pack: int, hook: int | None, bid: int) -> float:
    """The likelihood of a bid with a hand, 0 to 1, relative to the best bid."""
    return fit(bid_costs(hand, others, pack), hook, bid)


def fit(costs: Sequence[float], hook: int | None, bid: int) -> float:
    """The likelihood of a bid, 0 to 1, relative to the best, given the costs of all bids."""
    return exp((costs[best_bid(costs, hook)] - costs[bid]) / SOFT)


def _order(seats: int, chance: Chance) -> list[int]:
    order = list(range(1, seats + 1))
    for last in range(seats - 1, 0, -1):
        other = chance.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _blind(seen: Knowledge, hidden: list[Card], chance: Chance) -> Hands:
    """The cards of a hand of one: the others' as shown, our own drawn to fit the others' bids.

    A card to be played is assumed to be the Fool if possible: its declared value counts only then.
    """
    hands: Hands = {s: (seen.shown[s],) if s in seen.shown else () for s in seen.left}
    if seen.trick and FOOL in hidden:
        hidden.remove(FOOL)
        hands[seen.seat] = (FOOL,)
    else:
        weights = list(accumulate(_likely_own(seen, card) for card in hidden))
        at = bisect(weights, chance.below(FINE) / FINE * weights[-1])
        hands[seen.seat] = (hidden.pop(min(at, len(hidden) - 1)),)
    return hands


def _likely_own(seen: Knowledge, card: Card) -> float:
    """The likelihood of the others' bids if this is the seat's own card."""
    of, pack = numbers(seen.rules), pack_bits(seen.rules, seen.size)
    everybody = {seat: of[c] for seat, c in seen.shown.items()}
    everybody |= {seat: of[c] for seat, cards in seen.played.items() for c in cards}
    everybody[seen.seat] = of[card]
    likely = 1.0
    for index in range(len(seen.bids)):
        seat = (seen.dealer + index) % seen.seats + 1
        if seat != seen.seat:
            others = [c for s, c in everybody.items() if s != seat]
            likely *= fit(blind_costs(others, pack), seen.hook(index), seen.bids[index])
    return likely + 1e-9
