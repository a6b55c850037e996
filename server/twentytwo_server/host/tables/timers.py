"""The timers of one table: a single one for its turn clock, and one for each other call."""

from __future__ import annotations

from collections.abc import Callable

from ...ports import Clock, Timer


class Timers:
    """Delayed calls, until `stop`.

    Every move restarts the turn clock, but not its timer: when the timer of an earlier turn fires,
    it waits for the rest of the current turn. So a table sets one or two timers a minute, however
    fast it is played.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._others: set[Timer] = set()
        self._turn: Callable[[], None] | None = None
        self._turn_ends = 0
        self._turn_timer: Timer | None = None
        self._turn_comes = 0
        self._stopped = False

    def later(self, ms: int, call: Callable[[], None]) -> None:
        """Calls after `ms` milliseconds."""
        if self._stopped:
            return

        def due() -> None:
            self._others.discard(timer)
            call()

        timer = self._clock.later(ms, due)
        self._others.add(timer)

    def at_end_of_turn(self, ms: int, call: Callable[[], None]) -> None:
        """Calls after `ms` milliseconds; replaces the waiting call of an earlier turn."""
        if self._stopped:
            return
        self._turn, self._turn_ends = call, self._clock.now() + ms
        if self._turn_timer is None or self._turn_ends < self._turn_comes:
            self._wait_for_turn(ms)

    def _wait_for_turn(self, ms: int) -> None:
        _cancel(self._turn_timer)
        self._turn_timer = self._clock.later(ms, self._turn_due)
        self._turn_comes = self._clock.now() + ms

    def _turn_due(self) -> None:
        self._turn_timer = None
        left = self._turn_ends - self._clock.now()
        if left > 0:
            self._wait_for_turn(left)
            return
        call, self._turn = self._turn, None
        if call is not None:
            call()

    def stop(self) -> None:
        """Cancels all calls."""
        self._stopped = True
        for timer in (self._turn_timer, *self._others):
            _cancel(timer)
        self._others.clear()


def _cancel(timer: Timer | None) -> None:
    if timer is not None and timer.active():
        timer.cancel()
