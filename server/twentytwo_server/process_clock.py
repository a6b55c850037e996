"""The running time of this process: a clock that stands still while the process is frozen.

A process is frozen by SIGSTOP, `docker pause`, Ctrl-Z, or the suspension of its machine. Afterwards
every timer is overdue, and lines that arrived in time are not read yet. On this clock no time has
passed: the lines are read first, and every player has the same time left as before.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from .ports import Clock, Timer

log = logging.getLogger("twentytwo.clock")

FROZEN = 3000
"""Milliseconds without reading the time that count as a freeze. Work is done in pieces of a few
milliseconds, so no load delays the loop that much.
"""
BEAT = 1000
"""Milliseconds after which the clock itself reads the time, if nothing else has."""
THAW = 1000
"""Milliseconds after a freeze for which the clock still stands, until all waiting input is read."""
LATE = 50
"""A timer that fires this many milliseconds late lets the loop first read all input that has
arrived.
"""
SOON = 20
"""Milliseconds that the loop gets for reading."""


class ProcessClock:
    """A `Clock` that leaves out the time in which the process was frozen.

    It reads another clock regularly until `stop`: a long interval means a freeze.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen = self._now = clock.now()
        self._lag = 0
        self._beat()

    def now(self) -> int:
        """Milliseconds for which the process has run; never decreases."""
        seen = self._clock.now()
        passed, self._seen = seen - self._seen, seen
        if passed > FROZEN:
            self._lag += passed + THAW
            log.warning("the process was frozen for %.1f s; its clocks stood still", passed / 1000)
        now = seen - self._lag
        if now > self._now:  # `max` would cost more than the rest: this runs ten times for a line
            self._now = now
        return self._now

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Schedules a call in `ms` milliseconds of this clock. Input that has arrived by then is
        read before the call.
        """
        return _ProcessTimer(self, self._clock, ms, call) if ms else self._clock.later(0, call)

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for display."""
        return self._clock.wall()

    def stop(self) -> None:
        """Stops reading the other clock."""
        if self._next.active():
            self._next.cancel()

    def _beat(self) -> None:
        self.now()
        self._next = self._clock.later(BEAT, self._beat)


class _ProcessTimer:
    """A scheduled call of a `ProcessClock`; `_timer` is None after the call or its cancellation."""

    __slots__ = ("_at", "_call", "_clock", "_real", "_timer", "_waited")

    def __init__(self, clock: ProcessClock, real: Clock, ms: int, call: Callable[[], None]) -> None:
        self._clock = clock
        self._real = real
        self._at = clock.now() + ms
        self._call = call
        self._waited = False
        self._timer: Timer | None = real.later(ms, self._due)

    def active(self) -> bool:
        """True until the call happens or is cancelled."""
        return self._timer is not None

    def cancel(self) -> None:
        """Cancels the call. Allowed only while it is `active`."""
        assert self._timer is not None
        self._timer.cancel()
        self._timer = None

    def _due(self) -> None:
        left = self._at - self._clock.now()
        if left <= -LATE and not self._waited:
            self._waited, left = True, SOON
        if left > 0:
            self._timer = self._real.later(left, self._due)
        else:
            self._timer = None
            self._call()
