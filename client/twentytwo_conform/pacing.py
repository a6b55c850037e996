"""The pace of the checks: they wait if the server says so, as long as there is time.

A refusal by a limit is not a mistake of the server. The command is repeated when the server allows
it, or the whole check is repeated, or skipped.
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
"""The reason for skipping a check that would have to wait too long."""
FULL = 2.0
"""Seconds to wait after a temporary refusal that names no time."""
APART = 2.0
"""Maximum time in seconds between two new connections; a longer wait has another reason."""

LEAST = 0.5
"""Minimum wait in seconds after a sentence for people, whose seconds are rounded."""

_WAIT = re.compile(r'(?:class"?[=:]"?limit\b|^BYE code=(?:RATE|BUSY)\b).*\bwait"?[=:](\d+)')
_QUOTA = re.compile(r'\bERR\b.*\bcode"?[=:]"?QUOTA\b')
LONG = 3600.0
"""Seconds to wait after a sentence for people that only says "later"."""
_LATER = re.compile(r"(?:^|\ufffd.)! .*try again (?:later|in ([0-9.]+) (s|min)\b)")
"""A refusal for people; bytes of telnet may come directly before it."""


def later(line: str) -> float:
    """Seconds to wait if a person was refused by a limit; else 0."""
    if not (found := _LATER.search(line)):
        return 0
    if not found[1]:
        return LONG
    return max(LEAST, float(found[1]) * (60 if found[2] == "min" else 1))


def told_wait(line: str) -> float:
    """Seconds after which a refused command may be repeated; 0 if the line is no such refusal."""
    if found := _WAIT.search(line):
        return int(found[1]) / 1000
    return later(line) or (FULL if _QUOTA.search(line) else 0)


@dataclass
class Trace:
    """The last lines of a check, for the report of its failure, and its time limits.

    `ends` is the time at which the check has taken too long, `until` the time after which it no
    longer waits for the server; both on the monotonic clock. `patient`: commands refused by a limit
    are repeated. `refused` counts those that could not be repeated, and `told` is the longest
    requested wait in seconds. `running` limits the number of checks that run at once.
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
        """Notes the last line in each direction, without the `ping` that only synchronises."""
        for line in sent.decode(errors="replace").splitlines():
            self.sent = self.sent if line.endswith(" ping") else line
        for line in came.decode(errors="replace").splitlines():
            self.came = self.came if line.endswith(" OK pong=-") else line
            if wait := told_wait(line):
                self.refused += 1
                self.told = max(self.told, wait)

    def check(self) -> None:
        """Raises `AssertionError` if the check has taken too long."""
        if time.monotonic() > self.ends:
            raise AssertionError("it goes on and on")

    def wait(self, seconds: float, *, aside: bool = False) -> None:
        """Waits as long as the server requests; raises `Skipped` if there is no time for it.

        With `aside`, another check may run meanwhile; for checks that hold few resources yet.
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
        """Waits before a refused command is repeated."""
        self.refused -= 1
        self.wait(seconds, aside=aside)


_TRACE: ContextVar[Trace | None] = ContextVar("_TRACE", default=None)


def trace() -> Trace:
    """The trace of the running check; outside a check, an unused one."""
    return _TRACE.get() or Trace(patient=False)


@contextmanager
def keeping(trace: Trace) -> Iterator[None]:
    """A context manager: within the block, `trace` returns this trace."""
    token = _TRACE.set(trace)
    try:
        yield
    finally:
        _TRACE.reset(token)


@dataclass
class Throttle:
    """Controls the rate of new connections and new names on one server, for all checks.

    `now` is a monotonic clock in seconds. The throttle knows until when the server refuses new
    names, so that no check asks for one in vain, and whether any command was refused by a limit.
    """

    now: Callable[[], float] = time.monotonic
    limits: bool = False
    _apart: float = 0
    _next: float = 0
    _names: float = 0
    _lock: Lock = field(default_factory=Lock)

    def turn(self) -> float:
        """Seconds until one more connection may be opened."""
        with self._lock:
            now = self.now()
            at = max(now, self._next)
            self._next = at + self._apart
            return at - now

    def pause(self, seconds: float) -> None:
        """Allows no new connection for so many seconds, and then one after the other."""
        with self._lock:
            self._apart = max(self._apart, min(seconds, APART))
            self._next = max(self._next, self.now() + seconds)

    def no_names(self, seconds: float) -> None:
        """Notes that the server refuses new names for so many seconds."""
        self._names = max(self._names, self.now() + seconds)

    def name_wait(self) -> float:
        """Seconds until the server accepts new names again; 0 if unknown."""
        return max(0.0, self._names - self.now())


@cache
def throttle_of(host: str, port: int) -> Throttle:
    """The throttle of the server at an address."""
    return Throttle()
