"""The heartbeat of the event loop: measures its delay, and detects when it is stuck."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from ..metrics import Histogram

EVERY = 0.25
"""Seconds between two beats."""
STUCK = 10.0
"""Seconds without a beat after which the loop counts as stuck. All its work takes less than a tenth
of that, even on a busy machine.
"""
AWAKE = 1.0
"""Seconds within which a loop must beat again after a freeze of the process."""


class Heartbeat:
    """Beats in the event loop from construction until `stop`.

    `now` returns seconds of a monotonic clock, in any thread. `lag` has the delays of beats in
    seconds, which delay every user. `sleep` waits for a number of seconds, in any thread.
    """

    def __init__(
        self,
        reactor: Any,
        now: Callable[[], float],
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.lag = Histogram()
        self._now = now
        self._sleep = sleep
        self._reactor = reactor
        self._due = now()
        self._next: Any = None
        self._beat()

    def _beat(self) -> None:
        now = self._now()
        self.lag.observe(max(0.0, now - self._due))
        self._due = now + EVERY
        self._next = self._reactor.callLater(EVERY, self._beat)

    @property
    def late(self) -> float:
        """Seconds since the next beat was due; 0 if it is not due yet. Callable in any thread."""
        return max(0.0, self._now() - self._due)

    def stuck(self) -> bool:
        """True if the loop hangs. Call it in any thread except the loop's.

        A process that was frozen is late too; so a late loop has `AWAKE` seconds to beat again.
        """
        if self.late > STUCK:
            self._sleep(AWAKE)
        return self.late > STUCK

    def stop(self) -> None:
        """Stops beating."""
        if self._next.active():
            self._next.cancel()
