"""Delays that grow with the number of failures, against guessing."""

from __future__ import annotations

from collections.abc import Callable

from .gcra import Limiter, Rate

DAY_MS = 86_400_000
WAIT_RATE = Rate.of(DAY_MS, 1, 1)
"""Waits are debts under this rate, which pays off one event each millisecond."""


def doubling(
    free: int, window: int, shortest: int, longest: int
) -> tuple[Rate, Callable[[int], int]]:
    """Waits from `free` failures within `window` ms on, which double up to `longest` ms."""
    most = free + (longest // shortest).bit_length()  # leads to the longest wait

    def wait_after(failures: int) -> int:
        return min(longest, shortest << failures - free) if failures >= free else 0

    return Rate.of(most, 1, window), wait_after


class Backoff:
    """The failures and the waits of at most `most_keys` keys; `now` and all waits are in
    milliseconds.

    `failures` is the rate at which failures are forgotten; failures beyond its burst are not
    counted. `wait_after` returns the wait for a number of failures.
    """

    def __init__(
        self, failures: Rate, wait_after: Callable[[int], int], most_keys: int = 65_536
    ) -> None:
        self._failures: Limiter[str] = Limiter(failures, most_keys)
        self._waits: Limiter[str] = Limiter(WAIT_RATE, most_keys)
        self._wait_after = wait_after

    def change(self, failures: Rate, wait_after: Callable[[int], int]) -> None:
        """Changes the waits from the next failure on."""
        self._failures.rate, self._wait_after = failures, wait_after

    def wait(self, key: str, now: int) -> int:
        """The time until the next attempt is allowed; 0 if it is allowed now."""
        return self._waits.level(key, now)

    def failed(self, key: str, now: int, times: int = 1) -> int:
        """Counts a failure; returns the time that this adds to the wait."""
        self._failures.fill(key, now, 1, times)
        return self._waits.raise_to(key, now, self._wait_after(self._failures.level(key, now)))

    def take_back(self, key: str, added: int) -> None:
        """Uncounts a failure that added `added` to the wait."""
        self._failures.take_back(key)
        self._waits.take_back(key, added)
