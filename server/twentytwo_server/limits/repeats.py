"""The limit on repeated lines: a person may say the same thing three times, then once a minute."""

from __future__ import annotations

from .gcra import Limiter, Rate

MOST_REPEATS = 3
"""Maximum number of times that a person may say the same thing within `REPEAT_WINDOW`."""
REPEAT_WINDOW = 60_000
"""Milliseconds after which one repetition is forgotten."""
REMEMBERED = 32
"""Number of different lines of a person that are remembered."""
REPEATED = Rate.of(MOST_REPEATS, 1, REPEAT_WINDOW)


def repeats() -> Limiter[str]:
    """The limiter of one person; its keys are lines after `bare`."""
    return Limiter(REPEATED, REMEMBERED)


def bare(text: str) -> str:
    """A line in lower case with single spaces, for the comparison."""
    return " ".join(text.casefold().split())
