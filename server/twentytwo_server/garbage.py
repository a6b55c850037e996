"""The schedule of the garbage collector: young objects often, all objects in quiet moments.

Moves and closed connections should leave no reference cycles. A full collection stops the server
for a tenth of a second or more with 1,000 connections, and by default Python starts one whenever
the number of objects has grown by a quarter. So a full collection runs only in three cases: the
server is almost idle, an hour has passed without one, or half a million objects were added, which
may be garbage after all.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

YOUNG = 2000
"""Number of new objects before a collection of the young ones (about half a millisecond)."""

NEVER = 10**9
"""A threshold so high that Python itself never collects older objects."""

LOOK = 60.0
"""Seconds between two checks of the load."""

IDLE_LOAD = 0.02
"""The load of a core below which the server counts as idle."""

LATEST = 60
"""Number of checks of the load after which a full collection runs at any load."""

GROWN = 500_000 // YOUNG
"""Number of young collections, each for `YOUNG` new objects, that cause a full one."""

Later = Callable[[float, Callable[[], None]], object]
"""Calls a function after a number of seconds."""


class Garbage:
    """Schedules the garbage collection of this process. There is none during the start.

    `used` returns the processor seconds of this process. Call `started` when everything is built:
    the objects existing then are never collected.
    """

    def __init__(self, later: Later, used: Callable[[], float]) -> None:
        self._later = later
        self._used = used
        self._looks = 0
        gc.disable()

    def started(self) -> None:
        """Starts collecting, except for the objects that exist now."""
        gc.freeze()
        gc.set_threshold(YOUNG, NEVER, NEVER)
        gc.enable()
        self._wait()

    def _wait(self) -> None:
        self._before = self._used()
        self._later(LOOK, self._look)

    def _look(self) -> None:
        self._looks += 1
        quiet = self._used() - self._before < IDLE_LOAD * LOOK
        if quiet or self._looks >= LATEST or gc.get_count()[1] >= GROWN:
            self._looks = 0
            gc.collect()
        self._wait()
