"""A disk that is late, full, or gone with the power: what was committed stays, nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from tests.simulation.clock import ServerClock
from twentytwo_server.facts import Fact, Input, Remembered
from twentytwo_server.ports import StorageListener, Store
from twentytwo_server.store.memory import MemoryStore

AGAIN = 200
"""Milliseconds until a commit that failed is tried again."""


class Disk:
    """What is kept, over all runs of a server."""

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
    """`ports.Store` of one run: group commits that take a while, and sometimes fail."""

    def __init__(self, disk: Disk, clock: ServerClock, dice: random.Random, latency: int) -> None:
        self.disk = disk
        self._clock = clock
        self._dice = dice
        self._latency = latency
        self._queue: list[tuple[Sequence[Fact], Callable[[], None]]] = []
        self._writing = False
        self._since = 0
        self._trouble: StorageListener | None = None

    # Mistakes that a store may make are planted by overriding this.
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
        """Whether something has waited for so long to be written."""
        return bool(self._queue) and self._clock.now() - self._since >= ms

    def _tell(self, why: str | None) -> None:
        if self._trouble is not None:
            self._trouble(why)

    def power_off(self) -> None:
        """The power fails: of what was being written, some has reached the disk."""
        if not self.disk.full:
            for facts, _ in self._queue[: self._dice.randint(0, len(self._queue))]:
                self.disk.commit(facts)
        self._queue.clear()

    def __getattr__(self, name: str) -> Any:
        """Questions are answered from what is committed."""
        return getattr(self.disk.store, name)


def as_store(store: LateStore) -> Store:
    """The same, for mypy: what it does not define itself it hands on."""
    found: Any = store
    kept: Store = found
    return kept
