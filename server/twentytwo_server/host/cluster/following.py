"""Follows the tables of all other servers that share the store."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from ...facts import OpenTable, Owned
from ...games.game import Games
from ...ports import Bus, Store
from ...subjects import RINGS_FOR_ALL
from ..tables.followed_table import FollowedTable
from ..tables.input_log import ReplayMismatch
from ..tables.shown_table import ShownTableContext, beginning
from .rings import read_ring

log = logging.getLogger("twentytwo.cluster")

LOOK = 1000
"""Milliseconds between two looks into the store for inputs that no ring has announced."""


class Following:
    """The tables of other servers, as this one shows them.

    The store says which tables there are, who owns them and which inputs they have. A ring only
    says when to look. `tables` has the tables by id. A table that cannot be followed is logged and
    left out. `node` is the name of this server. `closed` is called with a table that is no longer
    in `tables`, because it is closed or left out.
    """

    def __init__(
        self,
        services: ShownTableContext,
        games: Games,
        store: Store,
        bus: Bus,
        node: str,
        closed: Callable[[FollowedTable], None],
    ) -> None:
        self.tables: dict[str, FollowedTable] = {}
        self._services = services
        self._games = games
        self._store = store
        self._node = node
        self._closed = closed
        self._due: set[str] = set()
        self._left_out: set[str] = set()
        self._reading = False
        self._stop_listening = bus.listen(RINGS_FOR_ALL, self._heard)
        bus.watch(self._reconnected)
        self._stopped = False
        self._look()

    def stop(self) -> None:
        """Follows nothing any more."""
        self._stopped = True
        self._stop_listening()

    def _heard(self, data: bytes) -> None:
        ring = read_ring(data)
        if ring is None or ring.node == self._node:
            return
        known = ring.tables.keys() & self.tables.keys()
        self._due |= {table for table in known if self._last(table) < ring.tables[table]}
        if ring.tables.keys() - known - self._left_out:
            self._store.owners(self._found)
        self._read()

    def _reconnected(self, connected: bool) -> None:
        """Looks at once, because rings were lost meanwhile."""
        if connected and not self._stopped:
            self._store.owners(self._found)

    def _look(self) -> None:
        if not self._stopped:
            self._store.owners(self._found)
            self._services.clock.later(LOOK, self._look)

    def _found(self, owners: Mapping[str, Owned] | None) -> None:
        if owners is None:
            return
        others = {table: own.last for table, own in owners.items() if own.node != self._node}
        self._left_out &= others.keys()
        self._due |= {table for table, last in others.items() if self._last(table) < last}
        self._due |= self.tables.keys() - others.keys()  # closed
        self._due -= self._left_out
        self._read()

    def _last(self, table: str) -> int:
        return self.tables[table].last if table in self.tables else 0

    def _read(self) -> None:
        """Reads the inputs of the tables that are due, one question at a time."""
        if self._reading or self._stopped or not self._due:
            return
        self._reading = True
        due, self._due = self._due, set()

        def read(found: Sequence[OpenTable] | None) -> None:
            self._reading = False
            if found is None:
                return  # the next look asks again
            for stored in found:
                self._take_in(stored)
            self._read()

        self._store.newer_inputs({table: self._last(table) for table in due}, read)

    def _take_in(self, stored: OpenTable) -> None:
        table = self.tables.get(stored.table)
        try:
            if table is not None:
                table.follow(stored)
                if stored.closed:
                    self._remove(stored.table)
                return
            if stored.closed:
                return
            table = FollowedTable(self._services, stored.table, *beginning(stored, self._games))
            table.catch_up(stored)
            self.tables[stored.table] = table
        except Exception as wrong:  # it must not affect other tables
            unforeseen = not isinstance(wrong, ReplayMismatch)
            log.error("table %s cannot be followed: %s", stored.table, wrong, exc_info=unforeseen)
            self._left_out.add(stored.table)
            self._remove(stored.table)

    def _remove(self, table: str) -> None:
        if table in self.tables:
            self._closed(self.tables.pop(table))
