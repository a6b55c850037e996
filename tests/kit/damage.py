"""A store whose data somebody else has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from twentytwo_server.facts import OpenTable, Remembered
from twentytwo_server.store.memory import MemoryStore

Change = Callable[[OpenTable], OpenTable]


class DamagedStore(MemoryStore):
    """Keeps all as it is told, and gives back tables as they were changed."""

    def __init__(self) -> None:
        super().__init__()
        self._changes: dict[str, Change] = {}

    def damage(self, table: str, change: Change) -> None:
        """From now on that table is given back so."""
        self._changes[table] = change

    def mend(self, table: str) -> None:
        """It is given back as it was kept."""
        del self._changes[table]

    def remembered(self) -> Remembered:
        whole = super().remembered()
        return replace(whole, tables=tuple(map(self._given_back, whole.tables)))

    def _given_back(self, table: OpenTable) -> OpenTable:
        change = self._changes.get(table.table)
        return change(table) if change else table


def spoiled(place: int = -1, **changed: Any) -> Change:
    """One of a table's orders, the last, is not what it was: its checksum, or what is said."""

    def change(table: OpenTable) -> OpenTable:
        inputs = list(table.inputs)
        wrong = changed or {"digest": inputs[place].digest ^ 1}
        inputs[place] = replace(inputs[place], **wrong)
        return replace(table, inputs=tuple(inputs))

    return change
