"""A trial start that stores nothing: it finds the tables that a start would set aside, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from ..facts import Fact, Remembered
from ..games.registry import games
from ..host.config import Randomness
from ..host.start import open_host
from ..host.surroundings import Surroundings
from ..store.memory import MemoryStore


def set_aside(remembered: Remembered) -> Mapping[str, str]:
    """The tables that a server starting with this data would set aside, each with the reason."""
    chance = Randomness(secret=lambda: 128 * "0", token=lambda: "", pick=lambda _: lambda _: 0)
    only_tables = replace(remembered, unrated=())
    outside = Surroundings(_StillClock(), _Unkept(), chance)
    host, _ = open_host(outside, games(), remembered=only_tables)
    return {table.table: table.why for table in host.set_aside}


class _Unkept(MemoryStore):
    """A store that discards all facts."""

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Discards the facts and calls `done`."""
        done()


class _Never:
    """The timer of a call that never happens."""

    def active(self) -> bool:
        """Always False."""
        return False

    def cancel(self) -> None:
        """Does nothing."""


class _StillClock:
    """A clock that stands still; its timers never expire."""

    def now(self) -> int:
        """Always 0."""
        return 0

    def later(self, ms: int, call: Callable[[], None]) -> _Never:
        """Never calls `call`."""
        return _Never()

    def wall(self) -> int:
        """Always 0."""
        return 0
