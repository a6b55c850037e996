"""Finds the named card of a hand: named in full, or by its rank if only one card fits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from twentytwo_protocol.cards import PIQUET, SUIT_NAMES, Card

from ..game import Illegal
from . import refusals

SUITS_BY_NAME: Mapping[str, str] = {name.upper(): suit for suit, name in SUIT_NAMES.items()}
"""The suits by their names, for deeds that name a suit."""

DECK = replace(PIQUET, pattern=re.compile(f"{PIQUET.pattern.pattern}|{'|'.join(SUITS_BY_NAME)}"))
"""The cards, and the names of suits, so that a refusal can explain that a suit is no card."""


def card_meant(
    words: Sequence[Card], hand: Sequence[Card], legal: Sequence[Card], verb: str
) -> Card | Illegal:
    """The named card, which may be illegal, or the reason why there is none.

    A rank alone means the only card of that rank, or the only legal one. `verb` is for the refusal.
    """
    if len(words) == 1 and words[0] in legal:
        return words[0]
    if len(words) == 1 and words[0] in SUITS_BY_NAME:
        return refusals.suit_named(SUITS_BY_NAME[words[0]], hand, legal, verb)
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
