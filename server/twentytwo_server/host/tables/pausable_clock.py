"""The timeline of the tables: a clock that stops while nothing can be stored, and between two runs.

Turn clocks measure time on it, so that no player loses time to a full disk or a restart.
"""

from __future__ import annotations

from collections.abc import Callable

from ...consequences import of_no_command
from ...ports import Clock, Timer


class PausableClock:
    """A `Clock` that starts at `at` milliseconds and can be stopped.

    Timers do not stop with it: `later` counts real time. So what a timer calls must compare `now`
    with the time that it waits for, and set another timer if it is too early.
    """

    def __init__(self, clock: Clock, at: int = 0) -> None:
        self._clock = clock
        self._lag = 0
        self._stopped: int | None = None
        self.set(at)

    @property
    def stopped(self) -> bool:
        """True between `stop` and `resume`."""
        return self._stopped is not None

    def now(self) -> int:
        """Milliseconds on the timeline; never goes back."""
        return (self._clock.now() if self._stopped is None else self._stopped) - self._lag

    def set(self, at: int) -> None:
        """Makes `at` the current time."""
        self._lag = self._clock.now() - at

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Calls after `ms` milliseconds of real time, even if the clock is stopped.

        The call does not count as a consequence of the command that sets the timer.
        """
        return self._clock.later(ms, lambda: of_no_command(call))

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for showing."""
        return self._clock.wall()

    def stop(self) -> None:
        """Stops the time. Has no effect if it is stopped already."""
        if self._stopped is None:
            self._stopped = self._clock.now()

    def resume(self) -> None:
        """Continues from the time at which it was stopped."""
        if self._stopped is not None:
            self._lag += self._clock.now() - self._stopped
            self._stopped = None
