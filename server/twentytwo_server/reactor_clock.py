"""The reactor's time as a clock of the server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from .ports import Timer


class ReactorClock:
    """The reactor's time, which is monotonic (see cli), and the wall clock for display."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor
        self._seconds = reactor.seconds
        self._loop = asyncio.get_event_loop()

    def now(self) -> int:
        """Milliseconds since an arbitrary moment; never decreases."""
        return int(self._seconds() * 1000)

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Schedules a call in `ms` milliseconds; for 0 in the next turn of the loop."""
        if not ms:  # this runs for every line, and the loop's own call is cheaper
            return _NextTurn(self._loop, call)
        found: Timer = self._reactor.callLater(ms / 1000, call)
        return found

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC."""
        return int(time.time() * 1000)


class _NextTurn:
    """A call in the next turn of the loop."""

    __slots__ = ("_call", "_handle")

    def __init__(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        self._call: Callable[[], None] | None = call
        self._handle = loop.call_soon(self._make)

    def _make(self) -> None:
        call, self._call = self._call, None
        if call is not None:
            call()

    def active(self) -> bool:
        """True until the call happens or is cancelled."""
        return self._call is not None

    def cancel(self) -> None:
        """Cancels the call."""
        self._call = None
        self._handle.cancel()
