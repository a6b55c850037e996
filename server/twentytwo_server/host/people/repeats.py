"""The limit on repeated lines: a person may say the same thing three times a minute."""

from __future__ import annotations

MOST_REPEATS = 3
"""Maximum number of times a person may say the same thing within `REPEAT_WINDOW`."""
REPEAT_WINDOW = 60_000
"""Milliseconds after which a line no longer counts."""
REMEMBERED = 32
"""Number of lines of a person that are remembered."""


class Repeats:
    """The last lines of one person. Ask `wait` first, and call `note` once the line is said."""

    def __init__(self) -> None:
        self._said: tuple[tuple[int, str], ...] = ()

    def wait(self, text: str, now: int) -> int:
        """Milliseconds until the person may say this, 0 for now. Does not count it."""
        bare = _bare(text)
        same = [at for at, said in self._said if said == bare]
        return max(0, same[-MOST_REPEATS] + REPEAT_WINDOW - now) if len(same) >= MOST_REPEATS else 0

    def note(self, text: str, now: int) -> None:
        """Counts a line that was said at `now`, in milliseconds."""
        self._said = (*self._said, (now, _bare(text)))[-REMEMBERED:]

    def take(self, others: Repeats) -> None:
        """Adds the lines of a guest who has become this person."""
        self._said = (*self._said, *others._said)[-REMEMBERED:]


def _bare(text: str) -> str:
    """The text in lower case with single spaces, for the comparison."""
    return " ".join(text.casefold().split())
