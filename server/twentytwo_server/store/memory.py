"""A store that lasts as long as the process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ports import Row


class MemoryStore:
    """Keeps the rows of every open table."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Row]] = {}

    def append(self, table: str, rows: Sequence[Row], done: Callable[[], None]) -> None:
        """Writes the rows down, then calls `done`."""
        self.tables.setdefault(table, []).extend(rows)
        done()

    def forget(self, table: str) -> None:
        """The table is closed."""
        self.tables.pop(table, None)
