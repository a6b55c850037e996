"""A queue of unread events."""

from __future__ import annotations

from collections import deque

from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value

__all__ = ["MOST", "Feed", "Reconnected"]

MOST = 10_000
"""The capacity of a queue, in events: about twenty games of a table."""


class Reconnected(Value):
    """The connection was lost and has been made again.

    If `complete`, no event was missed. Otherwise events before this point are missing, and `state`
    of the table includes their effects. A reader that is 10,000 events behind gets it as well.
    """

    complete: bool


class Feed:
    """The unread events, the oldest first. `closed` is True once no more will come."""

    def __init__(self, *, closed: bool = False) -> None:
        self.closed = closed
        self._waiting: deque[Event | Reconnected] = deque()

    def __bool__(self) -> bool:
        """True if a reader need not wait: there is an event, or no more will come."""
        return self.closed or bool(self._waiting)

    def put(self, what: Event | Reconnected) -> None:
        """Appends an event. If the queue is full, all its events are dropped first."""
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
