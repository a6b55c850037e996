"""Deletes the inputs of closed tables, after the other servers had time to read them."""

from __future__ import annotations

from collections.abc import Sequence

from ...facts import Fact, InputsDropped, TableClosed
from ...ports import Clock, Store

KEPT = 60_000
"""Milliseconds for which the inputs of a closed table are kept at least."""


class KeptInputs:
    """Deletes the inputs of all closed tables `KEPT` milliseconds later.

    They include inputs that an earlier server has left, or one whose tables this server takes.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        store.after_commit(self._committed)
        store.after_taking(lambda _: self._find())
        self._find()

    def _find(self) -> None:
        self._store.kept_inputs(self._found)

    def _found(self, tables: Sequence[str] | None) -> None:
        if tables is None:
            self._clock.later(KEPT, self._find)
        else:
            self._drop_later(tables)

    def _committed(self, facts: Sequence[Fact]) -> None:
        self._drop_later([fact.table for fact in facts if type(fact) is TableClosed and fact.kept])

    def _drop_later(self, tables: Sequence[str]) -> None:
        if tables:
            dropped = InputsDropped(tuple(tables))
            self._clock.later(KEPT, lambda: self._store.keep([dropped], lambda: None))
