"""The pace of the checks: they wait as the server tells them, and no longer than there is time for.

Whatever a server refuses because it is too much is no fault of the server. It is said again when
the server allows it, or the check is made once more, or left out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from threading import Lock, Semaphore

from .check import skip

TOO_MANY = "this server has had enough of it for now"
"""The reason for skipping a check that would have to wait for too long."""
FULL = 2.0
"""Seconds to wait where a server has refused something for now, and did not say for how long."""
APART = 2.0
"""Seconds between two new connections at most: a longer wait is for something else."""

LEAST = 0.5
"""Seconds to wait at least where a person is told so: their seconds are rounded."""

_WAIT = re.compile(r'(?:class"?[=:]"?limit\b|^BYE code=(?:RATE|BUSY)\b).*\bwait"?[=:](\d+)')
_QUOTA = re.compile(r'\bERR\b.*\bcode"?[=:]"?QUOTA\b')
LONG = 3600.0
"""Seconds to wait where a person is only told: later."""
_LATER = re.compile(r"(?:^|\ufffd.)! .*try again (?:later|in ([0-9.]+) (s|min)\b)")
"""The refusal of a person; what telnet is answered may come right before it."""


def later(line: str) -> float:
    """Seconds to wait where a person has said too much at once; else 0."""
    if not (found := _LATER.search(line)):
        return 0
    if not found[1]:
        return LONG
    return max(LEAST, float(found[1]) * (60 if found[2] == "min" else 1))


def told_wait(line: str) -> float:
    """Seconds after which a refused command may be said again; 0 if the line refuses nothing."""
    if found := _WAIT.search(line):
        return int(found[1]) / 1000
    return later(line) or (FULL if _QUOTA.search(line) else 0)


@dataclass
class Trace:
    """The last lines of a check, for the report of its failure, and the pace that it keeps.

    `ends` is when it has taken too long, `until` when nothing is waited for any more, both on the
    monotonic clock. `patient`: what is refused because it is too much is said again. `refused`
    counts what could not be said again, and `told` is how many seconds the server wants to pass.
    Only so many checks run as there are `running`.
    """

    ends: float = float("inf")
    until: float = float("inf")
    patient: bool = True
    running: Semaphore = field(default_factory=Semaphore)
    failed: bool = False
    refused: int = 0
    told: float = 0
    sent: str = ""
    came: str = ""

    def note(self, *, sent: bytes = b"", came: bytes = b"") -> None:
        """Notes the last line that is more than a `ping` which waits for what there is."""
        for line in sent.decode(errors="replace").splitlines():
            self.sent = self.sent if line.endswith(" ping") else line
        for line in came.decode(errors="replace").splitlines():
            self.came = self.came if line.endswith(" OK pong=-") else line
            if wait := told_wait(line):
                self.refused += 1
                self.told = max(self.told, wait)

    def check(self) -> None:
        """Raises `AssertionError` when it has taken too long."""
        if time.monotonic() > self.ends:
            raise AssertionError("it goes on and on")

    def wait(self, seconds: float, *, aside: bool = False) -> None:
        """Waits as the server says; raises `Skipped` where there is no time for it.

        A check that has little in its hands yet steps `aside` for another meanwhile.
        """
        if time.monotonic() + seconds > self.until:
            skip(TOO_MANY)
        if not seconds:
            return
        began = time.monotonic()
        if aside:
            self.running.release()
        time.sleep(seconds)
        if aside:
            self.running.acquire()
        self.ends += time.monotonic() - began

    def wait_again(self, seconds: float, *, aside: bool = False) -> None:
        """Waits before what was just refused is said again."""
        self.refused -= 1
        self.wait(seconds, aside=aside)


_TRACE: ContextVar[Trace | None] = ContextVar("_TRACE", default=None)


def trace() -> Trace:
    """The trace of the check that runs now; outside of all checks nothing is kept in it."""
    return _TRACE.get() or Trace(patient=False)


@contextmanager
def keeping(trace: Trace) -> Iterator[None]:
    """A context in which `trace` is the trace of the check that runs."""
    token = _TRACE.set(trace)
    try:
        yield
    finally:
        _TRACE.reset(token)


@dataclass
class Door:
    """The way into one server, for all checks: one after the other, once it turns some away.

    It also knows until when the server takes no new names, so that nobody comes for one in vain,
    and whether it has refused any command because it was too much.
    `now` gives seconds of a clock that never goes back.
    """

    now: Callable[[], float] = time.monotonic
    limits: bool = False
    _apart: float = 0
    _next: float = 0
    _names: float = 0
    _lock: Lock = field(default_factory=Lock)

    def turn(self) -> float:
        """Seconds until it is the turn of one more connection."""
        with self._lock:
            now = self.now()
            at = max(now, self._next)
            self._next = at + self._apart
            return at - now

    def turned_away(self, seconds: float) -> None:
        """Lets nobody come until so many seconds have passed, and then one after the other."""
        with self._lock:
            self._apart = max(self._apart, min(seconds, APART))
            self._next = max(self._next, self.now() + seconds)

    def no_names(self, seconds: float) -> None:
        """Notes that the server takes no new name for so many seconds."""
        self._names = max(self._names, self.now() + seconds)

    def name_wait(self) -> float:
        """Seconds until the server takes a new name again; 0 as far as is known."""
        return max(0.0, self._names - self.now())


@cache
def door_of(host: str, port: int) -> Door:
    """The way into the server at an address."""
    return Door()
