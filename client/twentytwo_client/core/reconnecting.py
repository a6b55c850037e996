"""Decides when to reconnect, and when to probe a silent server.

The module never waits. Times are seconds of any monotonic clock.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from twentytwo_protocol.value import Value

from .updates import Reconnecting


class Timing(Value):
    """The timeouts of a connection, all in seconds.

    - `connect`: for making a connection.
    - `greeting`: until the server's first bytes.
    - `quiet`: silence after which the server is probed.
    - `answer`: until the reply to the probe, after which the connection counts as lost.
    - `first`: the pause before the next connection, at most. It doubles with every failure in a
      row, up to `longest`. A standby takes over after ten seconds: a longer pause would miss that.
    """

    connect: float = 30
    greeting: float = 15
    quiet: float = 45
    answer: float = 15
    first: float = 1
    longest: float = 5

    def pause(self, failures: int, chance: float = 0) -> float:
        """The pause in seconds after this many failures in a row: 1, 2, 4, 5, 5.

        `chance`, from 0 to 1, takes up to half of it away: the clients of a server lose it at the
        same moment, and must not all come back at one.
        """
        return min(self.longest, self.first * (1 << min(failures, 30))) * (1 - chance / 2)


class Alarm(Enum):
    """The reaction to a silent server."""

    PROBE = "ask the server for a sign of life"
    LOST = "nobody is there any more, whatever the network says"


FROZEN = 3.0
"""A delay in seconds behind a deadline that means that our process was suspended."""


class SilenceDetector:
    """Detects a connection that has gone silent.

    A peer that vanishes without closing the connection (a pulled cable, a sleeping machine) sends
    nothing, and the system reports no error. Call `overdue` at the time `deadline`.
    """

    def __init__(self, timing: Timing, now: float) -> None:
        self.deadline = now + timing.greeting
        self._timing = timing
        self._greeted = False
        self._probed = False

    def heard(self, now: float) -> None:
        """Call when bytes arrive."""
        self._greeted, self._probed = True, False
        self.deadline = now + self._timing.quiet

    def overdue(self, now: float) -> Alarm | None:
        """The due alarm; None before the deadline.

        A suspended client has unread bytes, so the server gets the time for an answer again.
        """
        if now < self.deadline:
            return None
        if now > self.deadline + FROZEN:
            self.deadline = now + self._timing.answer
            return None
        if self._probed or not self._greeted:
            return Alarm.LOST
        self._probed = True
        self.deadline = now + self._timing.answer
        return Alarm.PROBE


class Ending(Enum):
    """The reason for making no further connection."""

    UNREACHABLE = "no connection was ever of use"
    DISMISSED = "the server will not have us, or we have quit"
    GIVEN_UP = "the server did not come back"


class Attempts:
    """Decides after each connection whether and when to make another.

    `most` is how many attempts in a row may fail after the first success; None for any number.
    `chance` returns a random number from 0 to 1.
    """

    def __init__(
        self, timing: Timing, most: int | None = None, chance: Callable[[], float] = lambda: 0
    ) -> None:
        self._timing = timing
        self._chance = chance
        self._most = most
        self._failures = 0
        self._succeeded = False

    def after(
        self, *, useful: bool, dismissed: bool, moved: bool = False, wait: float = 0
    ) -> Reconnecting | Ending:
        """The next step after a connection. It was `useful` if it got as far as the login.

        `moved`: the server has redirected us. `wait`: the delay in seconds that the server asked
        for.
        """
        self._succeeded = self._succeeded or useful
        if dismissed:
            return Ending.DISMISSED
        if not (self._succeeded or moved or wait):
            return Ending.UNREACHABLE
        self._failures = 0 if useful else self._failures + 1
        if self._most is not None and self._failures > self._most:
            return Ending.GIVEN_UP
        pause = self._timing.pause(self._failures, self._chance())
        return Reconnecting(max(wait, pause), self._failures)
