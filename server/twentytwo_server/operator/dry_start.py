"""A start that keeps nothing and lets nobody in: which tables it would set aside, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ..facts import Fact, Remembered
from ..games.registry import games
from ..host.config import Randomness
from ..host.start import open_host
from ..store.memory import MemoryStore


def set_aside(remembered: Remembered) -> Mapping[str, str]:
    """The tables that a server would set aside if it started with this, each with the reason."""
    chance = Randomness(secret=lambda: 128 * "0", token=lambda: "", pick=lambda _: lambda _: 0)
    only_tables = replace(remembered, unrated=())
    dispatcher = open_host(_StillClock(), _Unkept(), games(), chance, remembered=only_tables)
    return {table.table: table.why for table in dispatcher.host.set_aside}


class _Unkept(MemoryStore):
    """Takes everything and keeps nothing."""

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Says that it is done."""
        done()


class _Never:
    """A call that does not come."""

    def active(self) -> bool:
        """Never."""
        return False

    def cancel(self) -> None:
        """There is nothing to cancel."""


class _StillClock:
    """Time stands still."""

    def now(self) -> int:
        """Always the same."""
        return 0

    def later(self, ms: int, call: Callable[[], None]) -> _Never:
        """Nothing comes later."""
        return _Never()

    def wall(self) -> int:
        """Always the same."""
        return 0
