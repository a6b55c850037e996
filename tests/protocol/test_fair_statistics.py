"""The fair shuffle favours no order: chi square against chance, from fixed seeds.

    python -m tests.protocol.test_fair_statistics 20000000

computes the same figures from many more shuffles.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt

from twentytwo_protocol.cards import pack
from twentytwo_protocol.fair import FairShuffle

LIMIT = 5.0
"""A table that is chance's own is further off than this once in 1.7 million times."""
EIGHT = "789TJQKA"


def shuffled(cards: Sequence[str], games: int, each: int) -> Iterator[tuple[str, ...]]:
    """Shuffles 1 to `each` of so many games, every game with a seed of its own."""
    for number in range(games):
        fair = FairShuffle(f"{number:0128x}", f"g{number}", "1=kitten,2=-")
        for n in range(1, each + 1):
            yield fair.house(n, cards)


def z(found: Sequence[int], expected: float, degrees: int) -> float:
    """How far chi square is off, in standard deviations."""
    chi2 = sum((count - expected) ** 2 for count in found) / expected
    return (chi2 - degrees) / sqrt(2 * degrees)


def orders(count: int) -> float:
    """Of all 120 orders of five cards."""
    found = Counter(shuffled("ABCDE", count // 10, 10))
    assert len(found) == 120
    return z([*found.values()], count / 120, 119)


def positions(count: int) -> float:
    """Of the 52 places of 52 cards."""
    found: Counter[tuple[int, str]] = Counter()
    for cards in shuffled(pack(), count // 10, 10):
        found.update(enumerate(cards))
    return z([found[place, card] for place in range(52) for card in pack()], count / 52, 51 * 51)


def neighbours(count: int) -> float:
    """Of the pairs that follow each other: the second card, by the first."""
    found: Counter[tuple[str, str]] = Counter()
    for cards in shuffled(pack(), count // 10, 10):
        found.update(pairwise(cards))
    pairs = [found[one, other] for one in pack() for other in pack() if one != other]
    return z(pairs, count * 51 / (52 * 51), 52 * 51 - 1)


def following(count: int) -> float:
    """Of the top card of shuffle n + 1, by the top card of shuffle n of the same game."""
    tops = (cards[0] for cards in shuffled(EIGHT, count // 100, 100))
    found: Counter[tuple[str, str]] = Counter()
    last = ""
    for number, top in enumerate(tops):
        if number % 100:
            found[last, top] += 1
        last = top
    total = sum(found.values())
    return z([found[a, b] for a in EIGHT for b in EIGHT], total / 64, 63)


def test_every_order_is_as_likely_as_any_other() -> None:
    assert abs(orders(200_000)) < LIMIT


def test_every_card_is_as_likely_in_every_place() -> None:
    assert abs(positions(20_000)) < LIMIT


def test_no_card_likes_to_follow_another() -> None:
    assert abs(neighbours(20_000)) < LIMIT


def test_one_shuffle_tells_nothing_of_the_next() -> None:
    assert abs(following(40_000)) < LIMIT


def test_a_shuffle_that_is_slightly_unfair_is_noticed() -> None:
    def biased(cards: Sequence[str], number: int) -> tuple[str, ...]:
        fair = FairShuffle(f"{number:0128x}", "g1").house(1, cards)
        # One time in fifty the card on top stays there.
        return (cards[0], *(c for c in fair if c != cards[0])) if number % 50 == 0 else fair

    found = Counter(biased("ABCDE", number) for number in range(60_000))
    assert z([*found.values()], 60_000 / 120, 119) > LIMIT


if __name__ == "__main__":
    shuffles = int(sys.argv[1])
    for what in (orders, positions, neighbours, following):
        print(f"{what.__name__:12} {shuffles:>12,} shuffles  z = {what(shuffles):+.2f}")
