"""A simulated disk: slow, full, or without power. Only committed data survives."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from tests.simulation.clock import ServerClock
from twentytwo_server.facts import Fact, Input, Remembered
from twentytwo_server.ports import StorageListener, Store
from twentytwo_server.store.memory import MemoryStore

AGAIN = 200
"""Milliseconds until a failed commit is retried."""


class Disk:
    """The stored data of all server processes."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.inputs: list[Input] = []
        self.full = False

    def commit(self, facts: Sequence[Fact]) -> None:
        self.store.keep(facts, lambda: None)
        self.inputs += [fact for fact in facts if isinstance(fact, Input)]

    def remembered(self) -> Remembered:
        return self.store.remembered()


class LateStore:
    """`ports.Store` of one server process: group commits that take time, and sometimes fail."""

    def __init__(self, disk: Disk, clock: ServerClock, dice: random.Random, latency: int) -> None:
        self.disk = disk
        self._clock = clock
        self._dice = dice
        self._latency = latency
        self._queue: list[tuple[Sequence[Fact], Callable[[], None]]] = []
        self._writing = False
        self._since = 0
        self._trouble: StorageListener | None = None

    # Planted bugs of the store override this method.
    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        if not self._queue:
            self._since = self._clock.now()
        self._queue.append((facts, done))
        if not self._writing:
            self._writing = True
            self._clock.later(self._dice.randint(0, self._latency), self._commit)

    def watch(self, trouble: StorageListener) -> None:
        self._trouble = trouble

    def _commit(self) -> None:
        if self.disk.full:
            self._tell("the disk is full")
            self._clock.later(AGAIN, self._commit)
            return
        self._tell(None)
        batch, self._queue = self._queue, []
        for facts, _ in batch:
            self.disk.commit(facts)
        for _, done in batch:
            self._clock.later(0, done)
        self._writing = bool(self._queue)
        if self._queue:
            self._clock.later(self._dice.randint(0, self._latency), self._commit)

    def waiting(self, ms: int) -> bool:
        """True if facts have waited this long to be written."""
        return bool(self._queue) and self._clock.now() - self._since >= ms

    def _tell(self, why: str | None) -> None:
        if self._trouble is not None:
            self._trouble(why)

    def power_off(self) -> None:
        """Cuts the power: a part of the current write has reached the disk."""
        if not self.disk.full:
            for facts, _ in self._queue[: self._dice.randint(0, len(self._queue))]:
                self.disk.commit(facts)
        self._queue.clear()

    def __getattr__(self, name: str) -> Any:
        """Queries are answered from committed data."""
        return getattr(self.disk.store, name)


def as_store(store: LateStore) -> Store:
    """The store with the type `Store`, because mypy does not know its delegated methods."""
    found: Any = store
    kept: Store = found
    return kept
