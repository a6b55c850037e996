"""The time of the event loop, shared among those who want it: usually addresses.

Whatever may take long is done in pieces of a few milliseconds. Who has used up their slice of a
turn of the loop waits for the next one, and those who wait take turns (round robin). So it does not
matter how many connections one address has, nor what they ask for: the others wait for one slice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from twisted.internet.defer import Deferred

from .ports import Clock, Timer

SLICE = 2
"""Milliseconds of work for one key in a turn of the loop; the clock tells whole ones: almost 3."""
ROUND = 4
"""Milliseconds of waiting work, of all keys together, in a turn of the loop."""


class Scheduler:
    """Runs waiting work in turns, key by key; a key is whoever the time is for.

    `_used` has what each key has used of this turn of the loop. A key is in `_waiting` while it has
    work there.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: dict[str, deque[Callable[[], object]]] = {}
        self._used: dict[str, int] = {}
        self._next: Timer | None = None
        self._counting = False

    def __len__(self) -> int:
        """For how many keys work waits."""
        return len(self._waiting)

    def may_run(self, key: str) -> bool:
        """True if work for this key may be done at once: none waits, and its slice is not over."""
        return key not in self._waiting and self._used.get(key, 0) < SLICE

    @contextmanager
    def counted(self, key: str) -> Iterator[None]:
        """Counts what is done within as work for this key, once if it is within other work."""
        if self._counting:
            yield
            return
        self._counting = True
        began = self._clock.now()
        try:
            yield
        finally:
            self._counting = False
            self._count(key, self._clock.now() - began)

    def _count(self, key: str, ms: int) -> None:
        if ms:
            self._used[key] = self._used.get(key, 0) + ms
            self._wake()

    def later(self, key: str, work: Callable[[], object]) -> None:
        """Does a piece of work when it is the key's turn; pieces of one key stay in order."""
        self._waiting.setdefault(key, deque()).append(work)
        self._wake()

    def soon(self, key: str, work: Callable[[], object]) -> None:
        """Does a piece of work at once if the key may run, otherwise when it is its turn."""
        if self.may_run(key):
            with self.counted(key):
                work()
        else:
            self.later(key, work)

    def turn(self, key: str) -> Deferred[None]:
        """Fires when it is the key's turn; what it resumes counts as a piece of work.

        When it is cancelled, nothing happens in that turn.
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
        """Does the work of one key until its slice is over; then the key comes last."""
        pieces = self._waiting[key]
        began = now = self._clock.now()
        try:
            for _ in range(len(pieces)):  # not what is added meanwhile
                pieces.popleft()()
                now = self._clock.now()
                if now - began >= SLICE:
                    break
        finally:
            del self._waiting[key]
            if pieces:
                self._waiting[key] = pieces
            self._count(key, now - began)
