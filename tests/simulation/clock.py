"""Simulated time: it advances only to the next scheduled call, and calls happen in order."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

BEGIN = 1_767_322_800_000
"""The wall clock at the beginning, in milliseconds since 1970."""


class Due:
    """A scheduled call."""

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
        """Advances the time by `ms`, and runs all due calls."""
        end = self.at + ms
        while self._calls and self._calls[0][0] <= end:
            at, _, due = heapq.heappop(self._calls)
            self.at = max(self.at, at)
            due.come()
        self.at = end


class ServerClock:
    """`ports.Clock` of one server process, whose timers end with it.

    `skew` is the difference between its clocks and the world's; both may be wrong.
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
        """Ends the process: its timers never fire."""
        for due in self._waiting:
            due.cancel()
