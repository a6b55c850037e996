"""Sums that are the same with every version of Python."""

from __future__ import annotations

from collections.abc import Iterable


def added(figures: Iterable[float]) -> float:
    """The sum, added from left to right.

    The built-in `sum` rounds differently from Python 3.12 on. One bit can change the best card, and
    then a seed would give other games, and a record another review.
    """
    found = 0.0
    for figure in figures:
        found += figure
    return found
