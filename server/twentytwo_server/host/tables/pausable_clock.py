"""The time that tables live by: it stands still while nothing can be kept, and between two runs.

A turn's clock compares two moments of this timeline, so that nobody loses time to a full disk
or a restart, and no table needs to know of either.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ports import Clock, Timer


class PausableClock:
    """A `Clock` that goes on from `at` milliseconds and can be stopped.

    Calls made `later` come by the real clock: whoever is called compares moments, and asks
    again where too little time has gone by.
    """

    def __init__(self, clock: Clock, at: int = 0) -> None:
        self._clock = clock
        self._lag = 0
        self._stopped: int | None = None
        self.set(at)

    @property
    def stopped(self) -> bool:
        """Whether time stands still."""
        return self._stopped is not None

    def now(self) -> int:
        """Milliseconds on the timeline; never goes back."""
        return (self._clock.now() if self._stopped is None else self._stopped) - self._lag

    def set(self, at: int) -> None:
        """It is so late from now on."""
        self._lag = self._clock.now() - at

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Calls after so long by the real clock."""
        return self._clock.later(ms, call)

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for showing."""
        return self._clock.wall()

    def stop(self) -> None:
        """Time stands still from now on."""
        if self._stopped is None:
            self._stopped = self._clock.now()

    def resume(self) -> None:
        """Time goes on where it stopped."""
        if self._stopped is not None:
            self._lag += self._clock.now() - self._stopped
            self._stopped = None
