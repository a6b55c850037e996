"""The rate limiter: a generic cell rate algorithm (GCRA), after ITU-T I.371, for any kind of key.

Each event adds the interval of the rate to the debt of its key, and the debt shrinks as time
passes. An event is allowed while the debt fits into the room that the rate has for a burst. So the
whole state of a key is one number, the time at which its debt is paid; after that the key can be
forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Generic, TypeVar

from twentytwo_protocol.value import Value

MS = 1_000_000
"""A millisecond in nanoseconds. Debts are counted in nanoseconds, because a byte may cost less than
4000 of them.
"""

K = TypeVar("K", bound=Hashable)


class Rate(Value):
    """A rate: `room` nanoseconds of debt at most, `interval` nanoseconds for each event."""

    interval: int
    room: int

    @classmethod
    def of(cls, burst: float, events: float, ms: int) -> Rate:
        """A rate of `burst` events at once, and then `events` in `ms` milliseconds."""
        interval = max(1, round(ms * MS / events))
        return cls(interval, int(burst * interval))


class Limiter(Generic[K]):
    """The debts of many keys under one rate; `now` is always in milliseconds.

    `cost` is the number of events that an event counts as, and `times` the multiplier of the rate
    for this key. A cost beyond the burst counts as the whole burst. Above `most_keys` keys the
    least recently used key is forgotten.
    """

    def __init__(self, rate: Rate, most_keys: int = 65_536) -> None:
        self.rate = rate
        self._most_keys = most_keys
        self._free_at: OrderedDict[K, int] = OrderedDict()

    def __len__(self) -> int:
        """The number of keys that are remembered."""
        return len(self._free_at)

    def wait(self, key: K, now: int, cost: int = 1, times: int = 1) -> int:
        """Milliseconds until an event is allowed; 0 if it is allowed now."""
        rate = self.rate
        debt = self._free_at.get(key, 0) - now * MS
        room = rate.room - cost * rate.interval // times
        excess = (debt if debt > 0 else 0) - (room if room > 0 else 0)
        return -(-excess // MS) if excess > 0 else 0

    def fill(self, key: K, now: int, cost: int = 1, times: int = 1) -> None:
        """Counts an event; the debt never exceeds the room."""
        rate, at = self.rate, now * MS
        debt = self._owing(key, at) + cost * rate.interval // times
        most = at + rate.room
        self._free_at[key] = debt if debt < most else most

    def charge(self, key: K, now: int, cost: int = 1, times: int = 1) -> int:
        """Counts an event even if the debt then exceeds the room. Returns the milliseconds until
        the debt fits again.
        """
        rate, at = self.rate, now * MS
        debt = self._free_at[key] = self._owing(key, at) + cost * rate.interval // times
        excess = debt - at - rate.room
        return -(-excess // MS) if excess > 0 else 0

    def take(self, key: K, now: int, cost: int = 1, times: int = 1) -> int:
        """Counts an event and returns 0, or counts nothing and returns the milliseconds to wait."""
        wait = self.wait(key, now, cost, times)
        if not wait:
            self.fill(key, now, cost, times)
        return wait

    def raise_to(self, key: K, now: int, level: int) -> int:
        """Raises the debt of a key to `level` events; returns the number of events added."""
        added = max(0, level - self.level(key, now))
        self.fill(key, now, added)
        return added

    def take_back(self, key: K, cost: int = 1, times: int = 1) -> None:
        """Uncounts an event."""
        if key in self._free_at:
            self._free_at[key] -= cost * self.rate.interval // times

    def level(self, key: K, now: int) -> int:
        """The number of events that a key still owes, rounded up."""
        return max(0, -(-(self._free_at.get(key, 0) - now * MS) // self.rate.interval))

    def merge(self, others: Limiter[K]) -> None:
        """Adds the debts under another limiter with the same rate; the greater debt counts."""
        for key, free_at in others._free_at.items():
            self._free_at[key] = max(free_at, self._free_at.get(key, 0))

    def _owing(self, key: K, at: int) -> int:
        """The time, not before `at`, from which a new debt of this key counts, in nanoseconds.

        Marks the key as the latest used.
        """
        free_at = self._free_at
        if key in free_at:
            free_at.move_to_end(key)
            owed = free_at[key]
            return owed if owed > at else at
        while free_at and (len(free_at) >= self._most_keys or free_at[next(iter(free_at))] <= at):
            free_at.popitem(last=False)
        return at


Price = tuple[Limiter[Any], Hashable, int, int]
"""The cost of one event for one of several limiters: the limiter, the key, `cost` and `times`."""


def take_from_all(now: int, *prices: Price) -> int:
    """Counts an event under every limiter and returns 0.

    If any of them refuses it, counts nothing and returns the milliseconds until all allow it.
    """
    longest = 0
    for limiter, key, cost, times in prices:
        wait = limiter.wait(key, now, cost, times)
        if wait > longest:
            longest = wait
    if not longest:
        for limiter, key, cost, times in prices:
            limiter.fill(key, now, cost, times)
    return longest
