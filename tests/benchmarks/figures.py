"""Small sums over what was measured."""

from __future__ import annotations

from collections.abc import Sequence


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which that part (0 to 1) of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
