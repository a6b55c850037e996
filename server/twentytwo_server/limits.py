"""How much one connection, and one place that connections come from, may ask of the server."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import ceil

TINY = 1e-6
"""What rounding may cost."""


class Bucket:
    """A token bucket: `size` at once, `rate` a second."""

    __slots__ = ("_last", "_left", "_now", "_rate", "_size")

    def __init__(self, size: float, rate: float, now: Callable[[], int]) -> None:
        self._size = size
        self._rate = rate / 1000
        self._now = now
        self._left = size
        self._last = now()

    def take(self, cost: float = 1.0) -> int:
        """0 if there was enough; else how many ms until there is, and nothing was taken."""
        now = self._now()
        self._left = min(self._size, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left > cost - TINY:
            self._left -= cost
            return 0
        return max(1, ceil((cost - self._left) / self._rate))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a connection may do. Sizes in bytes, times in milliseconds, rates a second."""

    burst: float = 20
    rate: float = 10
    chat_burst: float = 5
    chat_rate: float = 0.5
    place_chat_burst: float = 20
    place_chat_rate: float = 2
    unsent: int = 1 << 20
    first_line: int = 120_000
    idle: int = 30 * 60_000
    ping_after: int = 30_000
    gone_after: int = 75_000
    each_place: int = 64
    connections: int = 100_000
    lines_a_turn: int = 32
    waiting: int = 2000
    too_long: int = 10


FREE = Limits(
    burst=1e9,
    rate=1e9,
    chat_burst=1e9,
    chat_rate=1e9,
    place_chat_burst=1e9,
    place_chat_rate=1e9,
    first_line=86_400_000,
    each_place=100_000,
)
"""For development: no limit that a test or a bot of one's own would meet."""


class Doors:
    """How many connections each place has; no more than `most` in all."""

    def __init__(self, each: int, most: int) -> None:
        self._each = each
        self._most = most
        self._open: dict[str, int] = {}
        self._all = 0

    def enter(self, place: str) -> bool:
        """Whether one more connection from there may come in; if so it is counted."""
        count = self._open.get(place, 0)
        if count >= self._each or self._all >= self._most:
            return False
        self._open[place] = count + 1
        self._all += 1
        return True

    def leave(self, place: str) -> None:
        """A connection from there is gone."""
        count = self._open.pop(place, 0)
        self._all -= count > 0
        if count > 1:
            self._open[place] = count - 1


class Places:
    """A bucket for each place, whichever connection is used; the longest unused are forgotten."""

    def __init__(
        self, size: float, rate: float, now: Callable[[], int], most: int = 65_536
    ) -> None:
        self._new = partial(Bucket, size, rate, now)
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, place: str) -> Bucket:
        """The bucket of a place."""
        bucket = self._buckets.pop(place, None) or self._new()
        self._buckets[place] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket
