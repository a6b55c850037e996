"""Naming cards: from the words of a deed to cards of the hand.

A word is a whole card (`QH`), a rank that stands for any card of it (`Q`), or a joker, alone
(`X`) or with the rank that it takes (`XK`). The suits of ranks are chosen here, clubs first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from twentytwo_protocol.cards import JOKER

from .hands import BYTES, JOKERS, LETTERS, TOKENS, Cards, Ranks, without


@dataclass(frozen=True, slots=True)
class Named:
    """Cards as a deed names them.

    `ranks` are all their ranks, descending; `whole` the cards named with their suit; `loose`
    how many of which rank are named without, highest first; `claims` the ranks that jokers are
    said to take; `unknown` a word that is no card.
    """

    ranks: Ranks
    whole: Cards
    loose: tuple[tuple[int, int], ...]
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
            return Named(b"", b"", (), frozenset(), word)
    every = sorted([*loose, *(card >> 2 for card in whole)], reverse=True)
    counted = tuple(sorted(Counter(loose).items(), reverse=True))
    return Named(bytes(every), bytes(whole), counted, frozenset(claims))


def held_cards(hand: Cards, held: Ranks, by: Named) -> Cards | None:
    """The cards named, highest first; None where the hand has not all of them.

    `held` are the ranks of the hand.
    """
    if not by.whole:
        return _first_of_each(hand, held, by.loose)
    left = hand
    for card in by.whole:
        if card not in left:
            return None
        left = without(left, bytes([card]))
    loose = _first_of_each(left, bytes(card >> 2 for card in left), by.loose)
    return None if loose is None else bytes(sorted(by.whole + loose, reverse=True))


def _first_of_each(hand: Cards, held: Ranks, loose: tuple[tuple[int, int], ...]) -> Cards | None:
    found = b""
    for rank, count in loose:
        place = held.find(rank)
        if place < 0 or (count > 1 and held.count(rank) < count):
            return None
        cards = hand[place : place + count]
        found += cards[::-1] if count > 1 else cards
    return found


def missing(hand: Cards, by: Named) -> str:
    """The first card named that is not held, or not so often; empty if all are held."""
    held = bytes(card >> 2 for card in hand)
    lacking = [TOKENS[card] for card in by.whole if by.whole.count(card) > hand.count(card)]
    lacking += [LETTERS[rank] for rank in by.ranks if by.ranks.count(rank) > held.count(rank)]
    return by.unknown or next(iter(lacking), "")
