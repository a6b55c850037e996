"""Sums of figures that must be the same with every Python."""

from __future__ import annotations

from collections.abc import Iterable


def added(figures: Iterable[float]) -> float:
    """The sum, added up one after the other.

    The built-in `sum` rounds differently from Python 3.12 on. One bit can change the best card, and
    then a seed would give other games, and a record another review.
    """
    found = 0.0
    for figure in figures:
        found += figure
    return found
