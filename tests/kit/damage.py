"""A store that returns changed data for some tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from twentytwo_server.facts import OpenTable, Remembered
from twentytwo_server.store.memory import MemoryStore

Change = Callable[[OpenTable], OpenTable]


class DamagedStore(MemoryStore):
    """A store that saves everything, and returns changed data for damaged tables."""

    def __init__(self) -> None:
        super().__init__()
        self._changes: dict[str, Change] = {}

    def damage(self, table: str, change: Change) -> None:
        """Makes the store return changed data for this table."""
        self._changes[table] = change

    def mend(self, table: str) -> None:
        """Makes the store return the saved data for this table again."""
        del self._changes[table]

    def remembered(self) -> Remembered:
        whole = super().remembered()
        return replace(whole, tables=tuple(map(self._given_back, whole.tables)))

    def _given_back(self, table: OpenTable) -> OpenTable:
        change = self._changes.get(table.table)
        return change(table) if change else table


def spoiled(place: int = -1, **changed: Any) -> Change:
    """A change to one order of a table, by default the last: to its checksum or to other fields."""

    def change(table: OpenTable) -> OpenTable:
        inputs = list(table.inputs)
        wrong = changed or {"digest": inputs[place].digest ^ 1}
        inputs[place] = replace(inputs[place], **wrong)
        return replace(table, inputs=tuple(inputs))

    return change
