"""A clock that tests advance by hand."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

BEGIN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def nothing() -> None:
    """Does nothing."""


@dataclass(slots=True, eq=False)
class Due:
    """A scheduled call; like the reactor's, it drops its references afterwards."""

    at: int
    call: Callable[[], None]
    waiting: bool = True

    def active(self) -> bool:
        return self.waiting

    def cancel(self) -> None:
        assert self.waiting, "cancelled twice, or after it came"
        self.waiting, self.call = False, nothing


class HandClock:
    """`ports.Clock` for tests: time passes only when the test advances it."""

    def __init__(self, at: int = 1_000_000) -> None:
        self._now = at
        self._began = at
        self._calls: list[tuple[int, int, Due]] = []
        """A heap: calls at the same time keep their order."""
        self._numbers = itertools.count()

    def now(self) -> int:
        return self._now

    def later(self, ms: int, call: Callable[[], None]) -> Due:
        assert ms >= 0
        due = Due(self._now + ms, call)
        heapq.heappush(self._calls, (due.at, next(self._numbers), due))
        return due

    def wall(self) -> int:
        return int(BEGIN.timestamp() * 1000) + self._now - self._began

    @property
    def waiting(self) -> list[Due]:
        """The scheduled calls, the next one first."""
        return [due for _, _, due in sorted(self._calls) if due.waiting]

    def _next(self, until: int) -> Due | None:
        """The next scheduled call, if it comes no later than `until`."""
        calls = self._calls
        while calls and not calls[0][2].waiting:
            heapq.heappop(calls)
        return calls[0][2] if calls and calls[0][0] <= until else None

    def turn(self) -> int:
        """Runs all due calls, but not calls that these schedule. Returns their number."""
        ready: list[Due] = []
        while due := self._next(self._now):
            ready.append(due)
            heapq.heappop(self._calls)
        for due in ready:
            if due.waiting:
                call, due.waiting, due.call = due.call, False, nothing
                call()
        return len(ready)

    def settle(self) -> None:
        """Runs turns of the loop until no call is due."""
        for _ in range(100_000):
            if not self.turn():
                return
        raise AssertionError("it never settles")

    def advance(self, ms: int) -> None:
        """Advances the time by `ms` milliseconds, and runs all due calls in order."""
        end = self._now + ms
        self.settle()
        while due := self._next(end):
            self._now = max(self._now, due.at)
            self.settle()
        self._now = end

    def jump(self, ms: int) -> None:
        """Advances the time without running calls, as if the process were frozen."""
        self._now += ms


class BusyClock(HandClock):
    """A clock that advances a millisecond at each reading while `busy`, to simulate work."""

    busy = False

    def now(self) -> int:
        self._now += self.busy
        return self._now
