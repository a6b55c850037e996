"""Which card of a hand is meant: it is named whole, or by its rank alone where that suffices."""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.cards import Card

from ..game import Illegal
from . import refusals


def card_meant(
    words: Sequence[Card], hand: Sequence[Card], legal: Sequence[Card]
) -> Card | Illegal:
    """The card that the words mean, which need not be legal; or why they mean none.

    A rank alone means the only card of that rank, or the only one that is legal.
    """
    if len(words) == 1 and words[0] in legal:
        return words[0]
    if len(words) != 1:
        for word in words:
            if not _named(word, hand):
                return refusals.not_held(word, hand)
        return refusals.one_card(legal or hand)
    (word,) = words
    found = _named(word, hand)
    if not found:
        return refusals.not_held(word, hand)
    may = [card for card in found if card in legal]
    if len(found) == 1 or not may:
        return found[0]
    return may[0] if len(may) == 1 else refusals.which_suit(word, may)


def _named(word: str, hand: Sequence[Card]) -> list[Card]:
    return [card for card in hand if word in (card, card[0])]
