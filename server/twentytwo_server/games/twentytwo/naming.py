"""Naming cards: from the words of a deed to cards of the hand.

A word is a whole card (`QH`), a rank that stands for any card of it (`Q`), or a joker, alone
(`X`) or with the rank that it takes (`XK`). The suits of ranks are chosen here, clubs first.
"""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import JOKER
from twentytwo_protocol.value import Value

from .hands import BYTES, CARD_TOKENS, JOKERS, RANK_LETTERS, Cards, Ranks, without

NO_CARD = b"\xff"
"""A rank byte in no hand; it stands for an unknown word."""
NO_CLAIMS: frozenset[int] = frozenset()
RANKS_BY_LETTER = {letter: rank for rank, letter in enumerate(RANK_LETTERS)}
"""The rank byte of every word that is only a rank, or a joker."""
_rank = RANKS_BY_LETTER.__getitem__


class Named(Value):
    """The cards in a deed.

    `ranks` are all their ranks, descending. `whole` are the cards named with a suit, `loose` the
    ranks named without a suit, ascending. `claims` are the ranks claimed for jokers; `unknown` is
    an invalid word.
    """

    ranks: Ranks
    whole: Cards
    loose: Ranks
    claims: frozenset[int] = NO_CLAIMS
    unknown: str = ""


def read(words: tuple[str, ...]) -> Named:
    """Parses the words of a deed, in any order."""
    try:
        loose = bytes(sorted(map(_rank, words)))
    except KeyError:
        return _read_any(words)
    return Named(loose[::-1], b"", loose)


named = lru_cache(maxsize=1 << 12)(read)
"""`read` with a cache, because the same words occur often."""


def _read_any(words: tuple[str, ...]) -> Named:
    whole, loose, claims = bytearray(), bytearray(), set()
    for word in words:
        if word in RANKS_BY_LETTER:
            loose.append(RANKS_BY_LETTER[word])
        elif word in BYTES:
            whole.append(BYTES[word])
        elif len(word) == 2 and word[0] == JOKER and word[1] in RANK_LETTERS[:-1]:
            loose.append(JOKERS)
            claims.add(RANK_LETTERS.index(word[1]))
        else:
            return Named(b"", b"", NO_CARD, NO_CLAIMS, word)
    every = sorted([*loose, *(card >> 2 for card in whole)], reverse=True)
    return Named(bytes(every), bytes(whole), bytes(sorted(loose)), frozenset(claims))


def held_cards(hand: Cards, held: Ranks, by: Named) -> Cards | None:
    """The named cards, highest first; None if the hand does not have all of them.

    `held` are the ranks of the hand.
    """
    loose, count = by.loose, len(by.ranks)
    if loose and loose.count(loose[0]) == count:  # equal ranks lie together in the hand
        index = held.find(loose)
        return hand[index : index + count][::-1] if index >= 0 else None
    for card in by.whole:
        if card not in hand:
            return None
        hand = without(hand, bytes([card]))
    left, found = iter(hand), []
    for rank in loose:
        for card in left:
            if card >> 2 == rank:
                found.append(card)
                break
        else:
            return None
    return bytes(sorted([*found, *by.whole], reverse=True) if by.whole else found[::-1])


def missing(hand: Cards, by: Named) -> str:
    """The first named card that the hand lacks or has too few of; empty if all are held."""
    held = bytes(card >> 2 for card in hand)
    lacking = [CARD_TOKENS[card] for card in by.whole if by.whole.count(card) > hand.count(card)]
    lacking += [RANK_LETTERS[rank] for rank in by.ranks if by.ranks.count(rank) > held.count(rank)]
    return by.unknown or next(iter(lacking), "")
