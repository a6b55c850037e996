"""The time for which this process runs: a clock that stands still while the process is frozen.

A process is frozen by SIGSTOP, `docker pause`, Ctrl-Z, or a machine that is set aside with all its
programs. Afterwards every timer is overdue, and the lines that came in time are not read yet. On
this clock no time has passed: the lines are read first, and everybody has the time left that they
had before.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from .ports import Clock, Timer

log = logging.getLogger("twentytwo.clock")

FROZEN = 3000
"""Milliseconds without a look at the time that count as a freeze. Work is done in pieces of a few
milliseconds, so no load makes the loop as late as that."""
BEAT = 1000
"""Milliseconds between two looks at the time, if nobody else looks."""
THAW = 1000
"""Milliseconds for which the clock still stands after a freeze: all that has come is read."""
LATE = 50
"""Milliseconds from which on a timer is overdue: the loop reads what has come before it calls."""
SOON = 20
"""Milliseconds that the loop gets for reading."""


class ProcessClock:
    """A `Clock` on another one, which leaves out the time in which the process was frozen.

    It looks at the time until `stop`: a freeze shows as a long time without a look.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen = self._now = clock.now()
        self._lag = 0
        self._beat()

    def now(self) -> int:
        """Milliseconds for which the process has run; never goes back."""
        seen, self._seen = self._seen, self._clock.now()
        passed = self._seen - seen
        if passed > FROZEN:
            self._lag += passed + THAW
            log.warning("frozen for %.1f s: the clocks have stood still", passed / 1000)
        self._now = max(self._now, self._seen - self._lag)
        return self._now

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Calls after `ms` milliseconds of this clock, once what has come by then is read."""
        return _ProcessTimer(self, self._clock, ms, call) if ms else self._clock.later(0, call)

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for showing."""
        return self._clock.wall()

    def stop(self) -> None:
        """Looks at the time no more."""
        if self._next.active():
            self._next.cancel()

    def _beat(self) -> None:
        self.now()
        self._next = self._clock.later(BEAT, self._beat)


class _ProcessTimer:
    """A call at a moment of a `ProcessClock`; `_timer` is None once it was made or cancelled."""

    __slots__ = ("_at", "_call", "_clock", "_real", "_timer", "_waited")

    def __init__(self, clock: ProcessClock, real: Clock, ms: int, call: Callable[[], None]) -> None:
        self._clock = clock
        self._real = real
        self._at = clock.now() + ms
        self._call = call
        self._waited = False
        self._timer: Timer | None = real.later(ms, self._due)

    def active(self) -> bool:
        """True if it was neither made nor cancelled yet."""
        return self._timer is not None

    def cancel(self) -> None:
        """Prevents the call. Only while it is `active`."""
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
