"""Chance, as it is handed to whatever needs it: nothing in here makes any of its own."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import TypeVar

T = TypeVar("T")

RandomBelow = Callable[[int], int]
"""A source of chance: for n it gives a whole number from 0 to n-1, each as likely as the others.

`random.Random(seed).randrange` is one.
"""


def shuffle(things: MutableSequence[T], pick: RandomBelow) -> None:
    """Puts things into an order at random, every order as likely as the others."""
    for last in range(len(things) - 1, 0, -1):
        other = pick(last + 1)
        things[last], things[other] = things[other], things[last]
