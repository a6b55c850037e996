"""Cards inside the engine: a hand is a byte string with one byte for each card.

A card's byte is its rank times four plus its suit, so that bytes sort as cards do: ranks from the
two (0) to the ace (12) and the joker (13), suits clubs, diamonds, hearts, spades. A hand is sorted
in ascending order. The rules compare only ranks, which are also one byte each. The ranks of a play
are in descending order, as it is written.
"""

from __future__ import annotations

from collections.abc import Iterable

from twentytwo_protocol.cards import JOKER, RANK_ORDER, RANKS, SUITS, Card

Cards = bytes
"""Card bytes; a hand is ascending."""
Ranks = bytes
"""Rank bytes: ascending in a hand, descending in a play."""

ACE = RANK_ORDER["A"]
JOKERS = RANK_ORDER[JOKER]
"""The rank byte of a joker. It is above the ace, because as a last card a joker outranks an ace
(twentysix).
"""
X = bytes([JOKERS])
ONE = [bytes([rank]) for rank in range(JOKERS + 1)]
"""Every rank as a play of one card."""

RANK_LETTERS = RANKS + JOKER
CARD_TOKENS: tuple[Card, ...] = (*(rank + suit for rank in RANKS for suit in SUITS), JOKER)
"""The token of every card byte."""
BYTES: dict[Card, int] = {token: byte for byte, token in enumerate(CARD_TOKENS)}
"""The byte of every card token."""
_byte = BYTES.__getitem__

LETTERS = RANK_LETTERS.encode().ljust(256)
"""The table that translates rank bytes into their letters."""
RANK_OF = bytes(byte >> 2 for byte in range(256))
"""The table that translates card bytes into rank bytes."""


def ranks(cards: Cards) -> Ranks:
    """The ranks of the cards, in the same order."""
    return cards.translate(RANK_OF)


def tokens(cards: Iterable[int]) -> tuple[Card, ...]:
    """The tokens of the cards, in the same order."""
    found = []
    for card in cards:  # for a hand it is faster than `map`
        found.append(CARD_TOKENS[card])
    return tuple(found)


def letters(of: Ranks) -> tuple[str, ...]:
    """The letters of the ranks, in the same order."""
    return tuple(of.translate(LETTERS).decode())


def packed(cards: Iterable[Card]) -> Cards:
    """The bytes of the cards, in the same order. Raises `KeyError` for an invalid card."""
    return bytes(map(_byte, cards))


def sorted_hand(cards: Iterable[int]) -> Cards:
    """The cards, sorted as a hand."""
    return bytes(sorted(cards))


def without(cards: Cards, gone: Cards) -> Cards:
    """The cards or ranks without `gone`, a part of them; removes the first of equal ones."""
    if len(found := cards.replace(gone, b"", 1)) < len(cards):
        return found  # one card, or adjacent cards, such as equal ranks
    unequal = cards.translate(None, gone)
    if len(unequal) == len(cards) - len(gone):
        return unequal
    left = bytearray(cards)
    for card in gone:
        left.remove(card)
    return bytes(left)
