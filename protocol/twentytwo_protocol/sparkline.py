"""A series of numbers as a row of characters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

__all__ = ["ASCII", "BLOCKS", "SPARKLINE_WIDTH", "sparkline"]

ASCII, BLOCKS = "_.-=+*#@", "▁▂▃▄▅▆▇█"
"""The characters of each level, lowest first."""
SPARKLINE_WIDTH = 40
"""The maximum number of characters."""


def sparkline(values: Sequence[float], steps: str = ASCII, width: int = SPARKLINE_WIDTH) -> str:
    """The values as characters. Each character stands for the mean of equally many values."""
    if not values:
        return ""
    count = min(width, len(values))
    cuts = [len(values) * at // count for at in range(count + 1)]
    means = [sum(values[a:b]) / (b - a) for a, b in pairwise(cuts)]
    low, span = min(means), max(means) - min(means)
    top = len(steps) - 1
    return "".join(steps[round((mean - low) / span * top) if span else top // 2] for mean in means)
