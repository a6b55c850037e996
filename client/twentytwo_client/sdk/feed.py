"""What happened and has not been looked at yet."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from twentytwo_protocol.schema import Event

MOST = 10_000
"""Events that are kept for a reader: some twenty games at a table."""


@dataclass(frozen=True, slots=True)
class Reconnected:
    """The connection was lost, and is there again.

    `complete` is whether every event is told all the same. Otherwise some before this one are
    missing (so they are, too, for a reader that is thousands of events behind): what came of them
    is in `state`.
    """

    complete: bool


class Feed:
    """Events in their order, until they are read; `closed` once there will be no more."""

    def __init__(self, *, closed: bool = False) -> None:
        self.closed = closed
        self._waiting: deque[Event | Reconnected] = deque()

    def __bool__(self) -> bool:
        """Whether a reader need not wait."""
        return self.closed or bool(self._waiting)

    def put(self, what: Event | Reconnected) -> None:
        """Adds one at the end."""
        if len(self._waiting) >= MOST:
            self._waiting.clear()
            self._waiting.append(Reconnected(complete=False))
        self._waiting.append(what)

    def take(self) -> Event | Reconnected | None:
        """The next one; None if there is none."""
        return self._waiting.popleft() if self._waiting else None

    def clear(self) -> None:
        """Forgets what was not read."""
        self._waiting.clear()
