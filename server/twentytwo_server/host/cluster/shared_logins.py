"""Wrong passwords count at all servers, so guessing at several of them is no faster.

If the bus loses a message, the attempt counts at one server only.
"""

from __future__ import annotations

import itertools

from msgspec import DecodeError, json

from twentytwo_protocol.value import Value

from ...limits.logins import LoginLimits, LoginNews
from ...ports import Bus
from ...subjects import LOGINS


class LoginMessage(Value):
    """A message of one run of a server; `no` numbers its messages from 1."""

    run: str
    no: int
    news: LoginNews


_DECODER = json.Decoder(LoginMessage)


class SharedLogins:
    """Tells the other servers of logins and registrations, and counts theirs.

    `run` is the name of this server and of its run. A message that comes twice, or after a later
    one, does not count.
    """

    def __init__(self, limits: LoginLimits, bus: Bus, run: str) -> None:
        self._limits = limits
        self._bus = bus
        self._run = run
        self._numbers = itertools.count(1)
        self._last: dict[str, int] = {}
        limits.tell_others = self._tell
        self.stop = bus.listen(LOGINS, self._heard)

    def _tell(self, news: LoginNews) -> None:
        message = LoginMessage(self._run, next(self._numbers), news)
        self._bus.tell(LOGINS, json.encode(message))

    def _heard(self, data: bytes) -> None:
        try:
            heard = _DECODER.decode(data)
        except DecodeError:
            return
        if heard.run != self._run and heard.no > self._last.get(heard.run, 0):
            self._last[heard.run] = heard.no
            self._limits.heard(heard.news)
