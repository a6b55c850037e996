"""A store that is late, fails, or loses unsaved facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twentytwo_server.facts import Fact, Remembered
from twentytwo_server.ports import StorageListener
from twentytwo_server.store.memory import MemoryStore


class Unsteady(MemoryStore):
    """`ports.Store` with a disk controlled by the test; by default it behaves as `MemoryStore`.

    `late`: facts are saved only by `release`. `fail`: nothing is saved until `mend`. `crash` loses
    the waiting facts. Queries see only saved facts.
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
        """Saves the facts of the first `most` waiting calls; `answering` runs their callbacks."""
        ready = self.waiting[:most]
        del self.waiting[: len(ready)]
        for facts, done in ready:
            super().keep(facts, done if answering else _nothing)
            self.kept += facts

    def fail(self, why: str = "the disk is full") -> None:
        """Makes all later writes fail."""
        self._tell(why)

    def mend(self) -> None:
        """Ends the failure; all waiting facts are saved, unless the store is late as well."""
        self._tell(None)
        if not self.late:
            self.release()

    def _tell(self, why: str | None) -> None:
        self._why = why
        for watcher in self._watchers:
            watcher(why)

    def crash(self) -> Remembered:
        """Ends the server and loses all waiting facts; returns the data for the next server."""
        self.waiting.clear()
        self._watchers.clear()
        self._why = None
        return self.remembered()


def _nothing() -> None:
    """Does nothing: the caller is gone."""
