"""Simulated time: calls come in order, and nothing else makes time go by."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

BEGIN = 1_767_322_800_000
"""What the wall clock says at first, in milliseconds since 1970."""


class Due:
    """A call that is to come, unless it is cancelled."""

    __slots__ = ("_waiting", "at", "call")

    def __init__(self, at: int, call: Callable[[], None]) -> None:
        self.at, self.call = at, call
        self._waiting = True

    def active(self) -> bool:
        return self._waiting

    def cancel(self) -> None:
        self._waiting = False

    def come(self) -> None:
        if self._waiting:
            self._waiting = False
            self.call()


class Time:
    """The time of the whole world, in milliseconds."""

    def __init__(self) -> None:
        self.at = 0
        self._calls: list[tuple[int, int, Due]] = []
        self._order = itertools.count()

    def later(self, ms: int, call: Callable[[], None]) -> Due:
        due = Due(self.at + max(0, ms), call)
        heapq.heappush(self._calls, (due.at, next(self._order), due))
        return due

    def pass_by(self, ms: int) -> None:
        """Lets so much time go by, with all that falls due in it."""
        end = self.at + ms
        while self._calls and self._calls[0][0] <= end:
            at, _, due = heapq.heappop(self._calls)
            self.at = max(self.at, at)
            due.come()
        self.at = end


class ServerClock:
    """`ports.Clock` of one run of a server: what it waits for dies with it.

    `skew` is how far its clocks are from the world's; both may be set wrong.
    """

    def __init__(self, time: Time, skew: int = 0) -> None:
        self._time = time
        self._skew = skew
        self._waiting: list[Due] = []
        self.wall_skew = 0

    def now(self) -> int:
        return self._time.at + self._skew

    def wall(self) -> int:
        return BEGIN + self._time.at + self.wall_skew

    def later(self, ms: int, call: Callable[[], None]) -> Due:
        due = self._time.later(ms, call)
        self._waiting.append(due)
        if len(self._waiting) > 500:
            self._waiting = [each for each in self._waiting if each.active()]
        return due

    def die(self) -> None:
        """The process is gone."""
        for due in self._waiting:
            due.cancel()
