"""When Python searches for garbage: among new objects often, among all only in quiet moments.

What a table does, and a connection that ends, should leave no garbage that only such a search could
find. A search through everything stops the server, with 1,000 connections for a tenth of a second
or more, and by itself Python would begin one whenever a quarter more objects are there. So it is
only done when the server has little to do, when it has had no time for it for an hour, or when half
a million objects have been added, which may be garbage after all.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

YOUNG = 2000
"""New objects after which those are searched: about half a millisecond each time."""

NEVER = 10**9
"""As many searches among the new ones until Python searches further by itself."""

LOOK = 60.0
"""Seconds between two looks at how busy the server was."""

QUIET = 0.02
"""The part of a processor that a server with little to do uses."""

LATEST = 60
"""Looks after which everything is searched however busy the server is."""

GROWN = 500_000 // YOUNG
"""As many searches among the new ones, each for `YOUNG` objects more, lead to one through all."""

Later = Callable[[float, Callable[[], None]], object]
"""Calls something after so many seconds."""


class Garbage:
    """Decides when this process searches for garbage. While it starts there is no search at all.

    `used` returns how many seconds of a processor this process has used. Call `started` when
    everything is built: what is there then is never searched.
    """

    def __init__(self, later: Later, used: Callable[[], float]) -> None:
        self._later = later
        self._used = used
        self._looks = 0
        gc.disable()

    def started(self) -> None:
        """Begins to search, but not through what is there now."""
        gc.freeze()
        gc.set_threshold(YOUNG, NEVER, NEVER)
        gc.enable()
        self._wait()

    def _wait(self) -> None:
        self._before = self._used()
        self._later(LOOK, self._look)

    def _look(self) -> None:
        self._looks += 1
        quiet = self._used() - self._before < QUIET * LOOK
        if quiet or self._looks >= LATEST or gc.get_count()[1] >= GROWN:
            self._looks = 0
            gc.collect()
        self._wait()
