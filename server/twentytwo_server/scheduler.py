"""Shares the time of the event loop fairly among keys, which are usually addresses.

Long work is done in pieces of a few milliseconds. A key that has used up its slice in a turn of the
loop waits for the next turn; waiting keys are served round robin. So other addresses wait at most
one slice, however many connections and requests an address has.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeVar

from twisted.internet.defer import Deferred

from .ports import Clock, Timer

T = TypeVar("T")

SLICE = 2
"""Milliseconds of work for one key in a turn of the loop. The clock counts whole milliseconds, so a
slice may last almost 3.
"""
ROUND = 4
"""Milliseconds of waiting work, of all keys together, in a turn of the loop."""


class Scheduler:
    """Runs waiting work round robin by key.

    `_used` has the time used by each key in this turn of the loop. A key is in `_waiting` while it
    has waiting work.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: dict[str, deque[Callable[[], object]]] = {}
        self._used: dict[str, int] = {}
        self._next: Timer | None = None
        self._counting = False

    def __len__(self) -> int:
        """The number of keys with waiting work."""
        return len(self._waiting)

    def may_run(self, key: str) -> bool:
        """True if work for this key may run at once: none is waiting, its slice not used up."""
        return key not in self._waiting and self._used.get(key, 0) < SLICE

    def _count(self, key: str, ms: int) -> None:
        self._used[key] = self._used.get(key, 0) + ms
        self._wake()

    def run(self, key: str, work: Callable[[], T]) -> T:
        """Runs a piece of work and counts it for this key; nested work is counted once."""
        if self._counting:
            return work()
        self._counting = True
        began = self._clock.now()
        try:
            return work()
        finally:
            self._counting = False
            if ms := self._clock.now() - began:
                self._count(key, ms)

    def later(self, key: str, work: Callable[[], object]) -> None:
        """Queues a piece of work; the pieces of one key run in order."""
        self._waiting.setdefault(key, deque()).append(work)
        self._wake()

    def soon(self, key: str, work: Callable[[], object]) -> None:
        """Runs a piece of work at once if the key may run; otherwise queues it."""
        if key in self._waiting or self._used.get(key, 0) >= SLICE:
            self.later(key, work)
        elif self._counting:
            work()
        else:
            self.run(key, work)

    def turn(self, key: str) -> Deferred[None]:
        """Fires when it is the key's turn; the resumed code counts as a piece of work.

        Cancelling it removes the piece.
        """
        turn: Deferred[None] = Deferred()
        self.later(key, lambda: None if turn.called else turn.callback(None))
        return turn

    def _wake(self) -> None:
        if self._next is None:
            self._next = self._clock.later(0, self._run)

    def _run(self) -> None:
        self._next = None
        self._used.clear()
        began = self._clock.now()
        try:
            for key in list(self._waiting):
                if self._clock.now() - began >= ROUND:
                    break
                self._run_slice(key)
        finally:
            if self._waiting:
                self._wake()

    def _run_slice(self, key: str) -> None:
        """Runs the work of one key until its slice is used up; then requeues the key."""
        pieces = self._waiting[key]
        began = now = self._clock.now()
        try:
            for _ in range(len(pieces)):  # pieces added meanwhile wait for the next slice
                pieces.popleft()()
                now = self._clock.now()
                if now - began >= SLICE:
                    break
        finally:
            del self._waiting[key]
            if pieces:
                self._waiting[key] = pieces
            if now > began:
                self._count(key, now - began)
