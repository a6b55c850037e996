"""Moves compared by samples: the same worlds for both, so that the luck of the deal is the same."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt

from ..sums import added

CLEARLY = 2.5
"""How many standard errors a move has to be worse, to be clearly worse."""


def difference(more: Sequence[float], less: Sequence[float]) -> tuple[float, float]:
    """The mean difference world by world, and its standard error, of one world infinite.

    Of worlds that only one was tried in nothing is taken.
    """
    differences = [a - b for a, b in zip(more, less, strict=False)]
    n = len(differences)
    mean = added(differences) / n
    if n < 2:
        return mean, inf
    variance = added((d - mean) ** 2 for d in differences) / (n - 1)
    return mean, sqrt(variance / n)


def clearly_less(values: Sequence[float], than: Sequence[float]) -> bool:
    """True if a move is worth less than another in the worlds that both were tried in."""
    by, error = difference(than, values)
    return by > CLEARLY * error + 1e-9
