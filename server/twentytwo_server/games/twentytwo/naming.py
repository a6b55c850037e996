"""Naming cards: from the words of a deed to cards of the hand.

A word is a whole card (`QH`), a rank that stands for any card of it (`Q`), or a joker, alone
(`X`) or with the rank that it takes (`XK`). The suits of ranks are chosen here, clubs first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from twentytwo_protocol.cards import JOKER

from .hands import BYTES, JOKERS, LETTERS, TOKENS, Cards, Ranks, ranks, without

NO_CARD = b"\xff"
"""A rank that no hand holds: what an unknown word stands for."""


@dataclass(frozen=True, slots=True)
class Named:
    """Cards as a deed names them.

    `ranks` are all their ranks, descending; `whole` the cards named with their suit; `loose`
    the ranks named without, equal ones together, highest first; `claims` the ranks that jokers
    are said to take; `unknown` a word that is no card.
    """

    ranks: Ranks
    whole: Cards
    loose: tuple[Ranks, ...]
    claims: frozenset[int]
    unknown: str = ""


@lru_cache(maxsize=1 << 14)
def named(words: tuple[str, ...]) -> Named:
    """What the words of a deed name, in any order."""
    whole, loose, claims = bytearray(), bytearray(), set()
    for word in words:
        if word in BYTES and word != JOKER:
            whole.append(BYTES[word])
        elif len(word) == 1 and word in LETTERS:
            loose.append(LETTERS.index(word))
        elif len(word) == 2 and word[0] == JOKER and word[1] in LETTERS[:-1]:
            loose.append(JOKERS)
            claims.add(LETTERS.index(word[1]))
        else:
            return Named(b"", b"", (NO_CARD,), frozenset(), word)
    every = sorted([*loose, *(card >> 2 for card in whole)], reverse=True)
    equal = tuple(bytes(group) for _, group in groupby(sorted(loose, reverse=True)))
    return Named(bytes(every), bytes(whole), equal, frozenset(claims))


def held_cards(hand: Cards, held: Ranks, by: Named) -> Cards | None:
    """The cards named, highest first; None where the hand has not all of them.

    `held` are the ranks of the hand.
    """
    found = by.whole
    for card in found:
        if card not in hand:
            return None
        hand = without(hand, bytes([card]))
        held = ranks(hand)
    for equal in by.loose:
        place = held.find(equal)
        if place < 0:
            return None
        found += hand[place : place + len(equal)][::-1]
    return bytes(sorted(found, reverse=True)) if by.whole else found


def missing(hand: Cards, by: Named) -> str:
    """The first card named that is not held, or not so often; empty if all are held."""
    held = bytes(card >> 2 for card in hand)
    lacking = [TOKENS[card] for card in by.whole if by.whole.count(card) > hand.count(card)]
    lacking += [LETTERS[rank] for rank in by.ranks if by.ranks.count(rank) > held.count(rank)]
    return by.unknown or next(iter(lacking), "")
