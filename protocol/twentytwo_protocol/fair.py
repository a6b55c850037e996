"""The fair shuffle fd1: a deal that is fixed before the first card and can be recomputed.

`seed` is 128 hex digits, chosen before the game and published after it. `words` are the words of
the players. Whoever knows both can compute every shuffle of the game. The module uses the standard
library only and is short, so that anybody can reimplement it to check a deal.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count

from .cards import Card
from .value import Value

__all__ = [
    "DAILY_ALG",
    "DUPLICATE_ALG",
    "FAIR_ALG",
    "FINGERPRINT_DIGITS",
    "NO_WORD",
    "REPEATABLE_ALG",
    "TAKEN_ALG",
    "WORD",
    "FairShuffle",
    "below",
    "commitment",
    "entropy",
    "picker",
    "shuffle",
    "stream",
]

FAIR_ALG = "fd1"
"""The `alg` of the fair shuffle, computed from a secret and the players' words."""
REPEATABLE_ALG = "seed"
"""The `alg` of deals from a public seed: anybody can repeat them. Their shuffles have this word in
place of the game's number.
"""
TAKEN_ALG = "taken"
"""The `alg` of deals that continue an earlier game. Nobody can verify them."""
DAILY_ALG = "daily"
"""The `alg` of a daily deal: committed the day before, revealed the day after."""
DUPLICATE_ALG = "duplicate"
"""The `alg` of a pair of tables: both get the same deals, from one secret and the words of both."""

FINGERPRINT_DIGITS = 12
"""The number of hex digits of a fingerprint that people are shown."""

NO_WORD = "-"
"""The word of a seat that gave none."""
WORD = re.compile(r"(?!-$)[A-Za-z0-9_-]{1,64}")
"""A valid word of a player."""


def commitment(seed: str) -> str:
    """The commitment that is published before the game: the SHA-256 of the seed's hex text."""
    return hashlib.sha256(seed.encode()).hexdigest()


def entropy(words: Sequence[str | None]) -> str:
    """The players' words by seat, `-` for none: `1=kitten,2=-`. Raises `ValueError` for an invalid
    word.
    """
    for word in words:
        if word is not None and not WORD.fullmatch(word):
            raise ValueError(f"{word!r} will not do: 1 to 64 letters, digits, - and _")
    return ",".join(f"{seat}={word or '-'}" for seat, word in enumerate(words, 1))


def stream(seed: str, game: str, n: int, words: str) -> Iterator[int]:
    """The random bytes of shuffle `n`."""
    key = hmac.digest(seed.encode(), f"fd1|{game}|{n}|{words}".encode(), "sha512").hex().encode()
    blocks = (hmac.digest(key, str(block).encode(), "sha512") for block in count())
    return chain.from_iterable(blocks)


def below(m: int, source: Iterator[int]) -> int:
    """A uniformly distributed number from 0 to m-1. Bytes that would bias it are skipped."""
    limit = 256 - 256 % m
    while (byte := next(source)) >= limit:
        pass
    return byte % m


def shuffle(pack: Sequence[Card], source: Iterator[int]) -> tuple[Card, ...]:
    """The pack shuffled, top card first; at most 256 cards."""
    cards = list(pack)
    for i in range(len(cards) - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        while (byte := next(source)) >= limit:  # as in `below`, without a call for each card
            pass
        j = byte % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def picker(seed: str) -> Callable[[int], int]:
    """A function that returns a number from 0 to n-1; its results depend on the seed alone."""
    source = stream(seed, "pick", 1, "")

    def pick(n: int) -> int:
        # Takes as many bytes as n needs. Values that would bias the result are skipped.
        whole = 256
        while whole < n:
            whole <<= 8
        limit = value = whole - whole % n
        while value >= limit:
            value, drawn = 0, 1
            while drawn < whole:
                value, drawn = value << 8 | next(source), drawn << 8
        return value % n

    return pick


class FairShuffle(Value):
    """All shuffles of one game. `words` is a result of `entropy`; empty if players add no words."""

    seed: str
    game: str
    words: str = ""

    @classmethod
    def of_seed(cls, number: int) -> FairShuffle:
        """The repeatable deals of `seed=N`: equal numbers give equal cards on every server."""
        return cls(hashlib.sha512(f"seed {number}".encode()).hexdigest(), "seed")

    def house(self, n: int, pack: Sequence[Card]) -> tuple[Card, ...]:
        """Shuffle `n` of the game."""
        return shuffle(pack, stream(self.seed, self.game, n, self.words))

    def __repr__(self) -> str:
        # The seed is secret while the game runs, and a repr may end up in a log.
        return f"FairShuffle({self.game})"
