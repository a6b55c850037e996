"""What the server needs from its surroundings, as small interfaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


class Timer(Protocol):
    """A call that is still to come."""

    def active(self) -> bool:
        """Whether it is still to come."""

    def cancel(self) -> None:
        """It will not come."""


class Clock(Protocol):
    """Time: `now` in milliseconds that never go back, and calls later."""

    def now(self) -> int:
        """Milliseconds since some moment; never goes back."""

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Calls after so long."""

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for showing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One input of a table: who gave it ("" for the house) and its line."""

    who: str
    line: str


class Store(Protocol):
    """What is remembered of tables: their inputs, in order."""

    def append(self, table: str, rows: Sequence[Row], done: Callable[[], None]) -> None:
        """Writes the rows down, then calls `done`; nothing is told before."""

    def forget(self, table: str) -> None:
        """The table is closed."""


class Link(Protocol):
    """A connection as the host sees it."""

    def hang_up(self) -> None:
        """Closes it, after what was written."""

    def toll(self, chat: bool) -> int:
        """0 if one more command may be given now, else the wait in milliseconds."""
