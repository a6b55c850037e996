"""Admission by address: the number of connections, penalties, and shared limits."""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import Enum

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.connection import Bye

from ..metrics import Metrics
from .connections import Limits
from .gcra import Limiter, Rate
from .network import is_local, network_of

log = logging.getLogger("twentytwo.net")

SECOND, MINUTE = 1_000, 60_000
BROWSER = 6
"""Connections that a browser opens for the files of a page."""
ONCE_A_MINUTE = Rate.of(1, 1, MINUTE)

FREE_AGAIN = 5_000
"""Retry delay in ms if no connection is free: the server cannot know when one closes."""


class Full(Enum):
    """The reason for turning a connection away: the code and the text of its BYE.

    The line fits into 79 columns for people.
    """

    SILENT = "BUSY", "The server cannot reach its database now. Come back in a moment."
    BANNED = "KICKED", "Your address is banned from this server for a time."
    ADDRESS = "BUSY", "Too many connections from your address."
    SERVER = "BUSY", "The server is full."
    TOO_FAST = "RATE", "Too many new connections from your address."
    PENALTY = "RATE", "Your address has to wait, because of its earlier connections."

    @property
    def text(self) -> str:
        """The sentence for people."""
        return self.value[1]


class NotAdmitted(Value):
    """The refusal of a connection: the reason, and the retry delay in milliseconds.

    `wait` is None if the client should not come back.
    """

    why: Full
    wait: int | None = None

    @property
    def bye(self) -> Bye:
        """The only line that the connection is sent."""
        code, text = self.why.value
        return Bye(code, self.wait is not None, self.wait, text=text)


class Complaints:
    """Logs faults of addresses: each kind of fault of each address once a minute."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._told: Limiter[tuple[str, str]] = Limiter(ONCE_A_MINUTE)

    def complain(self, address: str, kind: str, detail: str = "") -> None:
        """Logs a fault of an address. `kind` is one of few sentences, `detail` any text."""
        if not self._told.take((kind, network_of(address)), self._now()):
            log.warning("%s%s%s", address, kind, detail)


class Addresses:
    """Decides which connections are refused, and has the limits of connections and addresses.

    `commands` and `talk` limit each connection, by its number; `address_commands` and
    `address_talk` all connections of an address together. An IPv6 /64 is one address. Addresses for
    which `is_banned` is true are refused first. While `speaks` is false, everybody is refused.

    As with OpenSSH's server, each penalty of an address is a time; they add up and expire. From
    `penalty_least` on, the address is refused until all its penalties have expired. Addresses of
    this machine have none, because all people behind a tunnel would share them.
    """

    def __init__(
        self,
        limits: Limits,
        now: Callable[[], int],
        metrics: Metrics,
        is_banned: Callable[[str], bool] = lambda address: False,
        speaks: Callable[[], bool] = lambda: True,
    ) -> None:
        self.is_banned = is_banned
        self._speaks = speaks
        self._now = now
        self._metrics = metrics
        self._open: dict[str, int] = {}
        self._spare: dict[str, dict[Callable[[], None], None]] = {}
        self._all_open = 0
        self._limit_to(limits)
        self._told_of: Limiter[str] = Limiter(ONCE_A_MINUTE)
        self.complaints = Complaints(now)

    def change(self, limits: Limits) -> None:
        """Changes the limits; open connections stay."""
        if limits != self.limits:  # new objects for the same limits would forget all penalties
            self._limit_to(limits)

    def _limit_to(self, it: Limits) -> None:
        self.limits = it
        most = it.connections
        self.commands: Limiter[int] = Limiter(Rate.of(it.burst, it.rate, SECOND), most)
        self.talk: Limiter[int] = Limiter(Rate.of(it.chat_burst, it.chat_rate, SECOND), most)
        self.address_commands = _each(it.address_burst, it.address_rate, SECOND)
        self.address_talk = _each(it.address_chat_burst, it.address_chat_rate, SECOND)
        self._bytes = _each(it.address_bytes, it.address_bytes_rate, SECOND)
        self._requests = _each(it.address_burst, it.address_rate, SECOND)
        self._newcomers = _each(it.connect_burst, it.connect_rate, MINUTE)
        self._visits = _each(it.connect_burst * BROWSER, it.connect_rate * BROWSER, MINUTE)
        self._penalties = _each(it.penalty_most, 1, 1)
        self._refused = _each(it.penalty_most, 1, 1)

    def share(self, address: str) -> int:
        """The multiplier of the limits for this address."""
        return self.limits.local_times if is_local(address) else 1

    def charge(self, network: str, share: int, size: int) -> int:
        """Charges received bytes; returns the milliseconds until more may be read, 0 for now."""
        return self._bytes.charge(network, self._now(), size, share)

    def charge_request(self, address: str) -> int:
        """Charges a request of HTTP; returns the milliseconds until the next one may be answered.

        There may be as many as commands. Each has its own count: a page that is loaded must not
        make the people behind the same address wait in their games.
        """
        return self._requests.charge(network_of(address), self._now(), 1, self.share(address))

    def served(self, address: str) -> None:
        """Counts a connection as one of a browser that loads the page, and no longer as a newcomer.

        The page would else use up the connections of all people behind the address.
        """
        network, share = network_of(address), self.share(address)
        if not self._visits.take(network, self._now(), 1, share):
            self._newcomers.take_back(network, times=share)

    def spare(self, address: str, end: Callable[[], None]) -> None:
        """A connection waits for nothing: `end` ends it when its address needs the place."""
        self._spare.setdefault(network_of(address), {})[end] = None

    def needed(self, address: str, end: Callable[[], None]) -> None:
        """Notes that a connection is in use again, or has ended."""
        network = network_of(address)
        there = self._spare.get(network, {})
        there.pop(end, None)
        if not there:
            self._spare.pop(network, None)

    def _make_room(self, network: str) -> bool:
        """Ends the connection of the address that has been spare for longest, if there is one."""
        end = next(iter(self._spare.get(network, ())), None)
        if end is None:
            return False
        self.needed(network, end)
        end()
        return True

    def admit(self, address: str) -> NotAdmitted | None:
        """Counts one more connection and returns None, or returns its refusal.

        Call it before `Channels.open`; `leave` takes the connection out of the count again.
        """
        refusal = self._refusal_of(address, network_of(address))
        if refusal is not None:
            self._metrics.turned_away[refusal.why.name.lower()] += 1
            if not self._told_of.take(network_of(address), self._now()):  # a flood is one line
                log.info("turned away %s: %s", address, refusal.why.text)
        return refusal

    def _refusal_of(self, address: str, network: str) -> NotAdmitted | None:
        if not self._speaks():
            return NotAdmitted(Full.SILENT, FREE_AGAIN)
        if self.is_banned(address):
            return NotAdmitted(Full.BANNED)
        if wait := self._refused.level(network, self._now()):
            return NotAdmitted(Full.PENALTY, wait)
        if wait := self._newcomers.take(network, self._now(), 1, self.share(address)):
            self.penalize(address, self.limits.penalty_refused)
            return NotAdmitted(Full.TOO_FAST, wait)
        full = self._open.get(network, 0) >= self.limits.each_address
        if full and not self._make_room(network):
            return NotAdmitted(Full.ADDRESS, FREE_AGAIN)
        if self._all_open >= self.limits.connections:
            return NotAdmitted(Full.SERVER, FREE_AGAIN)
        self._open[network] = self._open.get(network, 0) + 1
        self._all_open += 1
        return None

    def leave(self, address: str) -> None:
        """Takes a closed connection out of the count; one that was not counted is ignored."""
        network = network_of(address)
        count = self._open.pop(network, 0)
        self._all_open -= count > 0
        if count > 1:
            self._open[network] = count - 1

    def penalize(self, address: str, ms: int) -> None:
        """Adds a penalty to an address."""
        if is_local(address):
            return
        network, now = network_of(address), self._now()
        self._penalties.fill(network, now, ms)
        total = self._penalties.level(network, now)
        if total >= self.limits.penalty_least or self._refused.level(network, now):
            self._refused.raise_to(network, now, total)


def _each(burst: float, events: float, ms: int) -> Limiter[str]:
    """A limiter of networks."""
    return Limiter(Rate.of(burst, events, ms))
