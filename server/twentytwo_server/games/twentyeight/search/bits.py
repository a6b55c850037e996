"""Cards as bits, for the search: a hand is an int, eight bits a suit, low ranks first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from twentytwo_protocol.cards import SUITS, Card
from twentytwo_protocol.games.twentyeight import RANKINGS

from ..ranking import POINTS

SUIT_MASKS = tuple(0xFF << 8 * index for index in range(4))
"""All cards of each suit, in the order of `SUITS`."""
MASK_OF: Mapping[str, int] = MappingProxyType(dict(zip(SUITS, SUIT_MASKS, strict=True)))
"""All cards of a suit, by its letter."""


def _bits(ranks: str) -> dict[Card, int]:
    return {
        rank + suit: 1 << 8 * index + power
        for index, suit in enumerate(SUITS)
        for power, rank in enumerate(ranks)
    }


BIT: Mapping[str, Mapping[Card, int]] = {order: _bits(ranks) for order, ranks in RANKINGS.items()}
"""The bit of every card, for each value of `order`."""

POINTS_OF: Mapping[str, Mapping[int, int]] = {
    order: {bit: POINTS.get(card[0], 0) for card, bit in bits.items()}
    for order, bits in BIT.items()
}
"""The card points of every bit."""

SUIT_OF: Mapping[int, int] = {
    bit: mask for mask in SUIT_MASKS for bit in BIT["denexa"].values() if bit & mask
}
"""The suit of every bit, as a mask."""


def hand_bits(cards: Iterable[Card], order: str) -> int:
    """A set of cards as an int."""
    bits, found = BIT[order], 0
    for card in cards:
        found |= bits[card]
    return found
