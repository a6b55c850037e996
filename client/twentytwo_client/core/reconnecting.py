"""Decides when to connect again, and when to ask whether the server is still there.

Nothing here waits. Times are seconds of any clock that never goes back.
"""

from __future__ import annotations

from enum import Enum

from twentytwo_protocol.value import Value

from .updates import Reconnecting


class Timing(Value):
    """The times of a link, all in seconds.

    - `connect`: to make a connection. `greeting`: until the first bytes of the server.
    - `quiet`: silence after which the server is probed. `answer`: for its answer to the probe,
      without which the connection counts as lost.
    - `first`: the pause before the next connection, which doubles with every failure in a row, up
      to `longest`.
    """

    connect: float = 30
    greeting: float = 15
    quiet: float = 45
    answer: float = 15
    first: float = 1
    longest: float = 15

    def pause(self, failures: int) -> float:
        """Seconds before the next attempt, after so many failures in a row: 1, 2, 4, 8, 15, 15."""
        return min(self.longest, self.first * (1 << min(failures, 30)))


class Alarm(Enum):
    """What to do about a silent server."""

    PROBE = "ask the server for a sign of life"
    LOST = "nobody is there any more, whatever the network says"


FROZEN = 3.0
"""Seconds after a deadline at which we must have been frozen: stopped, or a machine asleep."""


class Heartbeat:
    """Notices when a connection has gone silent.

    A peer that vanishes without closing (a pulled cable, a sleeping machine) just stops sending,
    and the system does not tell. Call `overdue` at the time `deadline`.
    """

    def __init__(self, timing: Timing, now: float) -> None:
        self.deadline = now + timing.greeting
        self._timing = timing
        self._greeted = False
        self._probed = False

    def heard(self, now: float) -> None:
        """Call when bytes have come."""
        self._greeted, self._probed = True, False
        self.deadline = now + self._timing.quiet

    def overdue(self, now: float) -> Alarm | None:
        """The alarm that is due; None before the deadline.

        A client that was frozen has unread bytes: the server gets the time for an answer again.
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
    """Why there will be no further connection."""

    UNREACHABLE = "no connection was ever of use"
    DISMISSED = "the server will not have us, or we have quit"
    GIVEN_UP = "the server did not come back"


class Attempts:
    """Decides after each connection whether and when to make another.

    `most` is how many attempts in a row may fail after the first success; None for no limit.
    """

    def __init__(self, timing: Timing, most: int | None = None) -> None:
        self._timing = timing
        self._most = most
        self._failures = 0
        self._succeeded = False

    def after(
        self, *, useful: bool, dismissed: bool, moved: bool = False, wait: float = 0
    ) -> Reconnecting | Ending:
        """What to do after a connection. It was `useful` if we got as far as being logged in.

        `moved`: the server has sent us elsewhere. `wait`: it wants us back after so many seconds.
        """
        self._succeeded = self._succeeded or useful
        if dismissed:
            return Ending.DISMISSED
        if not (self._succeeded or moved or wait):
            return Ending.UNREACHABLE
        self._failures = 0 if useful else self._failures + 1
        if self._most is not None and self._failures > self._most:
            return Ending.GIVEN_UP
        return Reconnecting(max(wait, self._timing.pause(self._failures)), self._failures)
