"""Compares moves by samples in the same worlds, so that the luck of the deal is the same."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

from ..sums import added

CLEARLY = 2.5
"""Number of standard errors that make a move clearly worse."""


def difference(more: Sequence[float], less: Sequence[float]) -> tuple[float, float]:
    """The mean difference over the common worlds, and its standard error (inf for one world)."""
    differences = [a - b for a, b in zip(more, less, strict=False)]
    n = len(differences)
    mean = added(differences) / n
    if n < 2:
        return mean, inf
    variance = added((d - mean) ** 2 for d in differences) / (n - 1)
    return mean, sqrt(variance / n)


def clearly_less(values: Sequence[float], than: Sequence[float]) -> bool:
    """True if a move is clearly worth less than another in their common worlds."""
    by, error = difference(than, values)
    return by > CLEARLY * error + 1e-9
