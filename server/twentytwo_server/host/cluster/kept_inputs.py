"""Deletes the inputs of closed tables, after the servers that follow the tables could read them."""

from __future__ import annotations

from collections.abc import Sequence

from ...facts import Fact, InputsDropped, TableClosed
from ...ports import Clock, Store

KEPT = 60_000
"""Milliseconds for which the inputs of a closed table are kept at least."""


class KeptInputs:
    """Deletes the inputs of all closed tables `KEPT` milliseconds later.

    It begins with those that an earlier server has left, whatever its name was.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        store.after_commit(self._committed)
        self.find()

    def find(self) -> None:
        """Finds what a dead server has left. Call it when this server takes the tables of one."""
        self._store.kept_inputs(self._found)

    def _found(self, tables: Sequence[str] | None) -> None:
        if tables is None:
            self._clock.later(KEPT, self.find)
        else:
            self._drop_later(tables)

    def _committed(self, facts: Sequence[Fact]) -> None:
        self._drop_later([fact.table for fact in facts if type(fact) is TableClosed and fact.kept])

    def _drop_later(self, tables: Sequence[str]) -> None:
        if tables:
            dropped = InputsDropped(tuple(tables))
            self._clock.later(KEPT, lambda: self._store.keep([dropped], lambda: None))
