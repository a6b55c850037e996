"""A store that is late, in trouble, or loses what was not yet safe."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twentytwo_server.facts import Fact, Remembered
from twentytwo_server.ports import StorageListener
from twentytwo_server.store.memory import MemoryStore


class Unsteady(MemoryStore):
    """`ports.Store` whose disk does as the test wants; a `MemoryStore` while nobody wants anything.

    `late`: what is kept is safe only after `release`. `fail`: nothing is kept until `mend`.
    `crash` loses what waits. Questions are answered from what is safe.
    """

    def __init__(self, late: bool = False) -> None:
        super().__init__()
        self.late = late
        self.kept: list[Fact] = []
        self.waiting: list[tuple[Sequence[Fact], Callable[[], None]]] = []
        self._why: str | None = None
        self._watchers: list[StorageListener] = []

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        self.waiting.append((facts, done))
        if not self.late and self._why is None:
            self.release()

    def watch(self, trouble: StorageListener) -> None:
        self._watchers.append(trouble)

    def release(self, most: int | None = None, answering: bool = True) -> None:
        """So many of the calls that wait, the first, are safe; unless their answers are lost."""
        ready = self.waiting[:most]
        del self.waiting[: len(ready)]
        for facts, done in ready:
            super().keep(facts, done if answering else _nothing)
            self.kept += facts

    def fail(self, why: str = "the disk is full") -> None:
        """From here on nothing can be kept."""
        self._tell(why)

    def mend(self) -> None:
        """Everything can be kept again, and is, unless the store is late as well."""
        self._tell(None)
        if not self.late:
            self.release()

    def _tell(self, why: str | None) -> None:
        self._why = why
        for watcher in self._watchers:
            watcher(why)

    def crash(self) -> Remembered:
        """The server is gone, and with it all that waits: what the next one remembers."""
        self.waiting.clear()
        self._watchers.clear()
        self._why = None
        return self.remembered()


def _nothing() -> None:
    """Nobody is there any more to be answered."""
