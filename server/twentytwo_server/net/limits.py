"""How much one connection, and one address that connections come from, may ask of the server."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from ipaddress import ip_address
from math import ceil

from ..accounts.login_limits import network_of

TINY = 1e-6
"""What rounding may cost."""


class TokenBucket:
    """A rate limit: `size` tokens at once, `rate` a second."""

    __slots__ = ("_last", "_left", "_now", "_rate", "_size")

    def __init__(self, size: float, rate: float, now: Callable[[], int]) -> None:
        self._size = size
        self._rate = rate / 1000
        self._now = now
        self._left = size
        self._last = now()

    @property
    def wait(self) -> int:
        """Milliseconds until there is a token; 0 if there is one now."""
        now = self._now()
        self._left = min(self._size, self._left + (now - self._last) * self._rate)
        self._last = now
        return 0 if self._left > 1 - TINY else max(1, ceil((1 - self._left) / self._rate))

    def take(self) -> int:
        """Takes a token and returns 0; or returns the milliseconds to wait, and takes nothing."""
        return take_from_all(self)

    def _spend(self) -> None:
        self._left -= 1


def take_from_all(*buckets: TokenBucket) -> int:
    """Takes a token from each bucket and returns 0.

    Where one has none, nothing is taken from any: the milliseconds until all of them have one.
    """
    wait = max(bucket.wait for bucket in buckets)
    if not wait:
        for bucket in buckets:
            bucket._spend()
    return wait


@dataclass(frozen=True, slots=True)
class Limits:
    """What a connection may do. Sizes in bytes, times in milliseconds, rates a second.

    The `address_` ones are shared by all connections of an address. `unread` is what may wait
    for a peer that does not read, of what it did not ask for; `first_line` and `unfinished_line`
    are the time for the first line, and for any line once it has begun; `waiting` lines may wait
    to be answered, `too_long` of them within a minute be too long.
    """

    burst: float = 20
    rate: float = 10
    chat_burst: float = 5
    chat_rate: float = 0.5
    address_chat_burst: float = 20
    address_chat_rate: float = 2
    unread: int = 1 << 20
    first_line: int = 120_000
    unfinished_line: int = 300_000
    idle: int = 30 * 60_000
    ping_after: int = 30_000
    gone_after: int = 75_000
    each_address: int = 64
    connections: int = 100_000
    lines_a_turn: int = 32
    waiting: int = 2000
    too_long: int = 10


UNLIMITED = Limits(
    burst=1e9,
    rate=1e9,
    chat_burst=1e9,
    chat_rate=1e9,
    address_chat_burst=1e9,
    address_chat_rate=1e9,
    first_line=86_400_000,
    each_address=100_000,
)
"""For development: no limit that a test or a bot of one's own would meet."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Who is at the other end, as the listener knows it.

    `address` is an IP address, or `unix`. `private` is True if nobody on the path can read this
    connection: TLS, a Unix socket or loopback.
    """

    address: str
    private: bool

    @property
    def local(self) -> bool:
        """True if the peer is on this machine."""
        return is_local(self.address)


def is_local(address: str) -> bool:
    """True for an address of this machine only: loopback, or a Unix socket."""
    if address == "unix":
        return True
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


class Full(Enum):
    """Why a connection is turned away; the value is what it is told."""

    ADDRESS = "Too many connections from your address; close one, or try again later."
    SERVER = "The server is full; try again later."


class ConnectionLimits:
    """Counts the connections of each address, and no more than `most` in all.

    All of a network of IPv6 (a /64) count as one address.
    """

    def __init__(self, each: int, most: int) -> None:
        self._each = each
        self._most = most
        self._open: dict[str, int] = {}
        self._all = 0

    def __len__(self) -> int:
        """The number of addresses that have connections: nothing is kept of any other."""
        return len(self._open)

    def enter(self, address: str) -> Full | None:
        """Counts one more connection and returns None; or says why it is turned away."""
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
        """A connection that was counted is gone."""
        place = network_of(address)
        count = self._open.pop(place, 0)
        self._all -= count > 0
        if count > 1:
            self._open[place] = count - 1


class AddressBuckets:
    """A token bucket for each address (IPv6: each /64); the longest unused are forgotten."""

    def __init__(
        self, size: float, rate: float, now: Callable[[], int], most: int = 65_536
    ) -> None:
        self._new = partial(TokenBucket, size, rate, now)
        self._most = most
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def of(self, address: str) -> TokenBucket:
        """The bucket of an address."""
        place = network_of(address)
        bucket = self._buckets.pop(place, None) or self._new()
        self._buckets[place] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket
