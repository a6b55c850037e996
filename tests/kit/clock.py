"""A clock turned by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

BEGIN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def nothing() -> None:
    """There is nothing to do."""


@dataclass(slots=True, eq=False)
class Due:
    """A call that is to come at a moment; like the reactor's it holds nothing afterwards."""

    at: int
    call: Callable[[], None]
    waiting: bool = True

    def active(self) -> bool:
        return self.waiting

    def cancel(self) -> None:
        assert self.waiting, "cancelled twice, or after it came"
        self.waiting, self.call = False, nothing


class HandClock:
    """`ports.Clock` for tests: time goes on only when it is told to."""

    def __init__(self, at: int = 1_000_000) -> None:
        self._now = at
        self._began = at
        self._calls: list[Due] = []

    def now(self) -> int:
        return self._now

    def later(self, ms: int, call: Callable[[], None]) -> Due:
        assert ms >= 0
        due = Due(self._now + ms, call)
        self._calls.append(due)
        return due

    def wall(self) -> int:
        return int(BEGIN.timestamp() * 1000) + self._now - self._began

    @property
    def waiting(self) -> list[Due]:
        """The calls to come, the next first."""
        self._calls = [due for due in self._calls if due.waiting]
        return sorted(self._calls, key=lambda due: due.at)  # stable: first come, first served

    def turn(self) -> int:
        """One turn of the loop: what is due now, but not what that brings. How many calls."""
        ready = [due for due in self.waiting if due.at <= self._now]
        for due in ready:
            if due.waiting:
                call, due.waiting, due.call = due.call, False, nothing
                call()
        return len(ready)

    def settle(self) -> None:
        """Turns of the loop until nothing is due now."""
        for _ in range(100_000):
            if not self.turn():
                return
        raise AssertionError("it never settles")

    def advance(self, ms: int) -> None:
        """Lets so much time go by, with everything that falls due, in order."""
        end = self._now + ms
        self.settle()
        while (calls := self.waiting) and calls[0].at <= end:
            self._now = max(self._now, calls[0].at)
            self.settle()
        self._now = end

    def jump(self, ms: int) -> None:
        """Time has gone by while nothing could run: what is due comes with the next turn."""
        self._now += ms


class BusyClock(HandClock):
    """Once it is `busy`, work takes time: a millisecond each time that somebody looks at it."""

    busy = False

    def now(self) -> int:
        self._now += self.busy
        return self._now
