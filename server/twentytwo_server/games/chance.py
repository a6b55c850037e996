"""Sources of randomness, which are always arguments: the games have no generator of their own."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TypeVar

T = TypeVar("T")

RandomBelow = Callable[[int], int]
"""A source of randomness: for n it returns a whole number from 0 to n-1, all equally likely.

`random.Random(seed).randrange` is one.
"""


def shuffle(things: MutableSequence[T], pick: RandomBelow) -> None:
    """Shuffles a list in place, every order equally likely."""
    for last in range(len(things) - 1, 0, -1):
        other = pick(last + 1)
        things[last], things[other] = things[other], things[last]
