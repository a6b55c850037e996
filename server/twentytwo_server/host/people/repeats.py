"""Whoever says the same again and again is heard three times a minute."""

from __future__ import annotations

from collections import deque

MOST = 3
"""How often somebody may say the same thing, whatever they say it by..."""
WITHIN = 60_000
"""...in so many milliseconds."""
REMEMBERED = 32
"""How many things said are remembered of somebody."""


class Repeats:
    """What one person has said of late."""

    def __init__(self) -> None:
        self._said: deque[tuple[int, str]] = deque(maxlen=REMEMBERED)

    def wait(self, text: str, now: int) -> int:
        """Milliseconds until they may say this; 0 if they may. Nothing is noted."""
        same = [at for at, said in self._said if said == _bare(text)]
        return max(0, same[-MOST] + WITHIN - now) if len(same) >= MOST else 0

    def note(self, text: str, now: int) -> None:
        """They have said this."""
        self._said.append((now, _bare(text)))

    def take(self, others: Repeats) -> None:
        """All that somebody else has said, who is the same person now."""
        self._said.extend(others._said)


def _bare(text: str) -> str:
    """The text as far as it counts: a blank or a capital more does not make it another."""
    return " ".join(text.casefold().split())
