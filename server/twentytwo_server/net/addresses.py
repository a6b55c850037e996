"""Admission by address: the number of connections, penalties, and shared limits."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from enum import Enum
from functools import partial

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.connection import Bye

from ..accounts.login_limits import network_of
from ..metrics import Metrics
from .limits import Limits, TokenBucket, is_local

log = logging.getLogger("twentytwo.net")


FREE_AGAIN = 5_000
"""Retry delay in ms if no connection is free: the server cannot know when one closes."""


class Full(Enum):
    """The reason for turning a connection away: the code and the text of its BYE.

    The line fits into 79 columns for people.
    """

    BANNED = "KICKED", "Your address is banned from this server for a time."
    ADDRESS = "BUSY", "Too many connections from your address."
    SERVER = "BUSY", "The server is full."
    TOO_FAST = "RATE", "Too many new connections from your address."
    PENALTY = "RATE", "Your address has to wait, because of its earlier connections."

    @property
    def text(self) -> str:
        """The sentence for people."""
        return self.value[1]


class Refusal(Value):
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


class ConnectionLimits:
    """Counts open connections: up to `each` of one address, up to `most` in all.

    All addresses of an IPv6 /64 network count as one.
    """

    def __init__(self, each: int, most: int) -> None:
        self._each = each
        self._most = most
        self._open: dict[str, int] = {}
        self._all = 0

    def change(self, each: int, most: int) -> None:
        """Changes the limits; open connections stay."""
        self._each = each
        self._most = most

    def __len__(self) -> int:
        """The number of addresses with open connections; the others are not remembered."""
        return len(self._open)

    def enter(self, address: str) -> Full | None:
        """Counts one more connection and returns None, or returns the reason of a refusal."""
        place = network_of(address)
        count = self._open.get(place, 0)
        if count >= self._each:
            return Full.ADDRESS
        if self._all >= self._most:
            return Full.SERVER
        self._open[place] = count + 1
        self._all += 1
        return None

    def leave(self, address: str) -> None:
        """Takes a closed connection out of the count; one that was not counted is ignored."""
        place = network_of(address)
        count = self._open.pop(place, 0)
        self._all -= count > 0
        if count > 1:
            self._open[place] = count - 1


class AddressBuckets:
    """A token bucket for each address (IPv6: for each /64), `times` as large for local ones.

    Above `most` buckets the one unused for longest is dropped.
    """

    def __init__(
        self,
        size: float,
        rate: float,
        now: Callable[[], int],
        times: int = 1,
        most: int = 65_536,
    ) -> None:
        self._new = partial(TokenBucket, size, rate, now)
        self._new_local = partial(TokenBucket, size * times, rate * times, now)
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def of(self, address: str) -> TokenBucket:
        """The bucket of an address, made full when it is first asked for."""
        place = network_of(address)
        bucket = self._buckets.pop(place, None)
        if bucket is None:
            bucket = self._new_local() if is_local(address) else self._new()
        self._buckets[place] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket


class Penalties:
    """The penalties of each address (IPv6: of each /64).

    As with OpenSSH's server, each penalty is a time; they add up to at most `most`, and expire with
    time. From `least` on, an address is refused until all its penalties have expired. Local
    addresses have none, because all people behind a tunnel would share them. With more than `kept`
    addresses the one with the oldest penalty is forgotten.
    """

    def __init__(self, least: int, most: int, now: Callable[[], int], kept: int = 65_536) -> None:
        self._least = least
        self._most = most
        self._now = now
        self._kept = kept
        self._until: OrderedDict[str, int] = OrderedDict()
        self._refused: set[str] = set()

    def __len__(self) -> int:
        """The number of addresses that are remembered."""
        return len(self._until)

    def add(self, address: str, ms: int) -> None:
        """Adds a penalty."""
        if is_local(address) or not (ms and self._most):
            return
        place, now = network_of(address), self._now()
        until = min(max(now, self._until.get(place, 0)) + ms, now + self._most)
        self._until[place] = until
        if until - now >= self._least:
            self._refused.add(place)
        if len(self._until) > self._kept:
            self._forget(next(iter(self._until)))

    def wait(self, address: str) -> int:
        """Milliseconds for which an address is still refused; 0 if it is not."""
        place, now = network_of(address), self._now()
        until = self._until.get(place, now)
        if until <= now:
            self._forget(place)
        return until - now if place in self._refused else 0

    def _forget(self, place: str) -> None:
        self._until.pop(place, None)
        self._refused.discard(place)


class Complaints:
    """Logs faults of addresses: each kind of fault of each address once a minute."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._told: dict[str, AddressBuckets] = {}

    def complain(self, address: str, kind: str, detail: str = "") -> None:
        """Logs a fault of an address. `kind` is one of few sentences, `detail` any text."""
        told = self._told.setdefault(kind, AddressBuckets(1, 1 / 60, self._now))
        if not told.of(address).take():
            log.warning("%s%s%s", address, kind, detail)


class Addresses:
    """Decides which connections are refused, and has the buckets shared by each address.

    `chats`, `budgets` and `bytes` are the buckets for talk, for all commands and for all bytes of
    an address. Addresses for which `is_banned` is true are refused first.
    """

    def __init__(
        self,
        limits: Limits,
        now: Callable[[], int],
        metrics: Metrics,
        is_banned: Callable[[str], bool] = lambda address: False,
    ) -> None:
        self.is_banned = is_banned
        self._now = now
        self._metrics = metrics
        self._counted = ConnectionLimits(limits.each_address, limits.connections)
        self._limit_to(limits)
        self._told_of = AddressBuckets(1, 1 / 60, now)
        self.complaints = Complaints(now)

    def change(self, limits: Limits) -> None:
        """Changes the limits; open connections stay."""
        self._counted.change(limits.each_address, limits.connections)
        if limits != self.limits:  # new objects for the same limits would forget all penalties
            self._limit_to(limits)

    def _limit_to(self, limits: Limits) -> None:
        now, times = self._now, limits.local_times
        self.limits = limits
        self.chats = AddressBuckets(limits.address_chat_burst, limits.address_chat_rate, now)
        self.budgets = AddressBuckets(limits.address_burst, limits.address_rate, now, times)
        self.bytes = AddressBuckets(limits.address_bytes, limits.address_bytes_rate, now, times)
        self._newcomers = AddressBuckets(limits.connect_burst, limits.connect_rate / 60, now, times)
        self._penalties = Penalties(limits.penalty_least, limits.penalty_most, now)

    def admit(self, address: str) -> Refusal | None:
        """Counts one more connection and returns None, or returns its refusal.

        Call it before `Channels.open`; `leave` takes the connection out of the count again.
        """
        refusal = self._refusal_of(address)
        if refusal is not None:
            self._metrics.turned_away[refusal.why.name.lower()] += 1
            if not self._told_of.of(address).take():  # once a minute: a flood is one line
                log.info("turned away %s: %s", address, refusal.why.text)
        return refusal

    def _refusal_of(self, address: str) -> Refusal | None:
        if self.is_banned(address):
            return Refusal(Full.BANNED)
        if wait := self._penalties.wait(address):
            return Refusal(Full.PENALTY, wait)
        if wait := self._newcomers.of(address).take():
            self._penalties.add(address, self.limits.penalty_refused)
            return Refusal(Full.TOO_FAST, wait)
        full = self._counted.enter(address)
        return None if full is None else Refusal(full, FREE_AGAIN)

    def leave(self, address: str) -> None:
        """Takes a connection that was admitted out of the count, because it is closed."""
        self._counted.leave(address)

    def penalize(self, address: str, ms: int) -> None:
        """Adds a penalty to an address."""
        self._penalties.add(address, ms)
