"""A queue of events that the program has not read yet."""

from __future__ import annotations

from collections import deque

from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value

MOST = 10_000
"""Events that a queue holds: some twenty games of a table."""


class Reconnected(Value):
    """The connection was lost and has been made again.

    If `complete`, no event was missed. If not, events before this point are missing, and `state` of
    the table holds what came of them. A reader that is 10,000 events behind gets one of these, too.
    """

    complete: bool


class Feed:
    """The unread events, the oldest first. `closed` is True once no more will come."""

    def __init__(self, *, closed: bool = False) -> None:
        self.closed = closed
        self._waiting: deque[Event | Reconnected] = deque()

    def __bool__(self) -> bool:
        """True if a reader need not wait: there is an event, or none will come."""
        return self.closed or bool(self._waiting)

    def put(self, what: Event | Reconnected) -> None:
        """Adds an event at the end; if the queue is full, its events are dropped."""
        if len(self._waiting) >= MOST:
            self._waiting.clear()
            self._waiting.append(Reconnected(complete=False))
        self._waiting.append(what)

    def take(self) -> Event | Reconnected | None:
        """Removes and returns the next event; None if there is none."""
        return self._waiting.popleft() if self._waiting else None

    def clear(self) -> None:
        """Drops all unread events."""
        self._waiting.clear()
