"""Cards inside the engine: a hand is a string of bytes, one byte a card.

A card's byte is its rank times four plus its suit, so that bytes sort as cards do: ranks from
the two (0) to the ace (12) and the joker (13), suits clubs, diamonds, hearts, spades. A hand
is sorted ascending. What the rules compare are ranks alone, again one byte each; a play's ranks
are sorted descending, as it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from twentytwo_protocol.cards import JOKER, RANK_ORDER, RANKS, SUITS, Card

Cards = bytes
"""Card bytes, ascending where it is a hand."""
Ranks = bytes
"""Rank bytes: ascending in a hand, descending in a play."""

ACE = RANK_ORDER["A"]
JOKERS = RANK_ORDER[JOKER]
"""The rank byte of a joker: above the ace, as its rank as a last card is (twentysix)."""
X = bytes([JOKERS])
ONE = [bytes([rank]) for rank in range(JOKERS + 1)]
"""Every rank as a play of one card."""

LETTERS = RANKS + JOKER
TOKENS: tuple[Card, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), JOKER)
"""The token of every card byte."""
BYTES: dict[Card, int] = {token: byte for byte, token in enumerate(TOKENS)}
"""The byte of every card token."""
_byte, _token = BYTES.__getitem__, TOKENS.__getitem__

RANK_OF = bytes(byte >> 2 for byte in range(256))
"""The table that translates card bytes into rank bytes."""


def ranks(cards: Cards) -> Ranks:
    """The ranks of the cards, in their order."""
    return cards.translate(RANK_OF)


def tokens(cards: Iterable[int]) -> tuple[Card, ...]:
    """The cards as they are written, in their order."""
    return tuple(map(_token, cards))


@lru_cache(maxsize=1 << 14)
def letters(of: Ranks) -> tuple[str, ...]:
    """The ranks as they are written, in their order."""
    return tuple(LETTERS[rank] for rank in of)


def packed(cards: Iterable[Card]) -> Cards:
    """The cards' bytes, in their order. Raises `KeyError` for what is no card."""
    return bytes(map(_byte, cards))


def sorted_hand(cards: Iterable[int]) -> Cards:
    """The cards as a hand."""
    return bytes(sorted(cards))


def without(cards: Cards, gone: Cards) -> Cards:
    """The cards, or ranks, less others that are among them, the first of equal ones going."""
    if len(found := cards.replace(gone, b"", 1)) < len(cards):
        return found  # one card, or cards that lie side by side, as equal ranks do
    unequal = cards.translate(None, gone)
    if len(unequal) == len(cards) - len(gone):
        return unequal
    left = bytearray(cards)
    for card in gone:
        left.remove(card)
    return bytes(left)
