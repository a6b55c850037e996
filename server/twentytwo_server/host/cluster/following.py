"""Follows the tables of all other servers that share the store."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Protocol

from ...facts import OpenTable, Owned
from ...games.game import Games
from ...ports import Bus, Store
from ...subjects import RINGS_FOR_ALL
from ..tables.input_log import ReplayMismatch
from ..tables.remote_room import RemoteRoom
from ..tables.shown_table import beginning
from .remote_tables import RemoteTables
from .rings import Ring, read_ring

log = logging.getLogger("twentytwo.cluster")

LOOK = 1000
"""Milliseconds between two looks into the store while rings may be missing."""
SELDOM = 10 * LOOK
"""The same while all owners ring, because nobody trusts their rings."""
UNSEEN = 100
"""Milliseconds in which the rings for tables that nobody here sees are collected: a question to the
store costs more than deciding ten inputs.
"""


class Heir(Protocol):
    """Makes the rooms of tables that belong to this server now."""

    def take(self, remote: RemoteRoom) -> None:
        """Takes a table that this server has followed.

        All of its inputs are shown, and no other server adds any. Call `RemoteRoom.move_to`.
        """

    def take_unseen(self, stored: OpenTable) -> None:
        """Takes a table that this server has not followed, or could not follow."""


class Following:
    """The tables of other servers, as this one shows them.

    The store says which tables there are, who owns them and which inputs they have. A ring only
    says when to look. `tables` has the tables by id. A table that cannot be followed is logged and
    left out. `node` is the name of this server. `heir` gets the tables that belong to this server
    now, and are followed no more.
    """

    def __init__(
        self,
        services: RemoteTables,
        games: Games,
        store: Store,
        bus: Bus,
        node: str,
        heir: Heir,
    ) -> None:
        self.tables: dict[str, RemoteRoom] = {}
        self._owners: Mapping[str, Owned] = {}
        self._services = services
        self._games = games
        self._store = store
        self._node = node
        self._heir = heir
        self._due: set[str] = set()
        self._due_later: set[str] = set()
        """Tables with newer inputs that nobody here sees."""
        self._left_out: set[str] = set()
        self._mine: set[str] = set()
        self._unseen: set[str] = set()
        """Tables that were taken, and are not followed."""
        self._given: set[str] = set()
        """Tables that were given away while a question about the owners was open."""
        self._nodes: Set[str] = set()
        self._heard_at: dict[str, float] = {}
        """When this server heard of new inputs of a table, in seconds."""
        self._rang: dict[str, tuple[int, int]] = {}
        """The number of each server's last ring, and its time."""
        self._asked = 0
        self._waiting: list[Callable[[], None]] = []
        """The callbacks that wait for the next question to the store."""
        self._answered: list[Callable[[], None]] = []
        """The callbacks whose question to the store is under way."""
        self._listed_for: list[Callable[[], None]] = []
        """The callbacks that wait only until the due inputs are read."""
        self._asking = False
        self._ask_again = False
        self._unanswered = False
        self._listed = False
        self._reading = False
        self._collecting = False
        self._stopped = False
        self._bus = bus
        self._stop_listening = bus.listen(RINGS_FOR_ALL, self._heard)
        bus.watch(self._reconnected)
        store.after_taking(self._take)
        self.find_owners()
        self._look()

    def count(self, nodes: Iterable[str]) -> Mapping[str, int]:
        """The number of open tables of each of these servers, as far as it is known."""
        known = Counter(own.node for own in self._owners.values())
        return {node: known[node] for node in nodes}

    def stop(self) -> None:
        """Follows nothing any more."""
        self._stopped = True
        self._stop_listening()

    def give(self, remote: RemoteRoom) -> None:
        """Follows a table that this server has given to another one."""
        self.tables[remote.id] = remote
        self._mine.discard(remote.id)
        if self._asking:  # the answer may be older than the change
            self._given.add(remote.id)
            self._ask_again = True

    def is_behind(self, table: str) -> bool:
        """True if the table has newer inputs that are read a little later."""
        return table in self._due_later

    def look(self, table: str) -> None:
        """Reads the newer inputs of a table."""
        self._due.add(table)
        self._read()

    def _take(self, tables: Sequence[str]) -> None:
        """Takes tables of a server that has ended. Some may be this server's own already."""
        if self._services.availability.restoring:  # they may be among those
            self._services.clock.later(LOOK, lambda: self._take(tables))
            return
        rooms = self._services.rooms
        mine = rooms.own.keys() | {room.id for room in rooms.opening}
        self._unseen |= set(tables) - self.tables.keys() - mine
        self.find_owners()

    def refresh(self, done: Callable[[], None]) -> None:
        """Calls `done` when this server shows all tables that there are now, or cannot look."""
        self._waiting.append(done)
        self.find_owners()

    def _heard(self, data: bytes) -> None:
        ring = read_ring(data)
        if ring is None or ring.node == self._node:
            return
        doubtful = self._is_one_missing(ring)
        known = ring.tables.keys() & self.tables.keys()
        new = {table for table in known if self._last(table) < ring.tables[table]}
        seen = {table for table in new if self._is_seen(table)}
        self._heard_at |= dict.fromkeys(seen, self._services.metrics.now())
        self._due |= seen
        self._due_later |= new - seen
        if self._due_later and not self._collecting:
            self._collecting = True
            self._services.clock.later(UNSEEN, self._read_unseen)
        doubtful |= any(self.tables[table].owner != ring.node for table in known)
        doubtful |= 0 in ring.tables.values()
        if doubtful or ring.tables.keys() - known - self._left_out:
            self.find_owners()
        self._read()

    def _is_seen(self, table: str) -> bool:
        """True if somebody here is at the table."""
        names = self.tables[table].audience.seats
        return any(self._services.people.session_of(name) is not None for name in names)

    def _read_unseen(self) -> None:
        self._collecting = False
        self._due |= self._due_later
        self._due_later = set()
        self._read()

    def _is_one_missing(self, ring: Ring) -> bool:
        """Notes a ring; returns True if there was one before it that is not here."""
        last, _ = self._rang.get(ring.node, (0, 0))
        if ring.no <= last:
            return False  # doubled or late
        self._rang[ring.node] = ring.no, self._services.clock.now()
        return ring.no > last + 1

    def _reconnected(self, connected: bool) -> None:
        """Looks at once, because rings were lost meanwhile."""
        if connected:
            self.find_owners()

    def _look(self) -> None:
        if self._stopped:
            return
        ago = self._services.clock.now() - LOOK // 2
        heard = {node for node, (_, at) in self._rang.items() if at > ago}
        doubtful = self._unanswered or self._nodes - heard or not self._bus.connected
        if self._services.clock.now() - self._asked >= (LOOK if doubtful else SELDOM):
            self.find_owners()
        self._services.clock.later(LOOK // 2, self._look)

    def find_owners(self) -> None:
        """Asks the store who owns which tables, one question at a time: no answer is older than
        the one before.
        """
        if self._asking or self._stopped:
            self._ask_again = self._asking
            return
        self._asking, self._asked = True, self._services.clock.now()
        self._answered += self._waiting
        self._waiting = []
        self._store.owners(self._found)

    def _found(self, owners: Mapping[str, Owned] | None) -> None:
        self._asking = False
        self._unanswered = owners is None
        self._listed_for += self._answered
        self._answered = []
        if owners is not None:
            self._take_owners(owners)
        self._read()
        if self._ask_again:
            self._ask_again = False
            self.find_owners()

    def _take_owners(self, owners: Mapping[str, Owned]) -> None:
        self._nodes = {own.node for own in owners.values()} - {self._node}
        given, self._given = self._given, set()
        self._mine = {table for table, own in owners.items() if own.node == self._node} - given
        others = {table: own.last for table, own in owners.items() if own.node != self._node}
        self._owners = owners
        self._left_out &= others.keys()
        for id, table in self.tables.items():
            if id in others:
                table.owner = owners[id].node
                self._services.check_presence(table)
        self._due |= {table for table, last in others.items() if self._last(table) < last}
        self._due |= self.tables.keys() - others.keys()  # closed, or mine
        self._due -= self._left_out
        self._due |= self._unseen
        self._listed = True

    def _last(self, table: str) -> int:
        return self.tables[table].last if table in self.tables else 0

    def _read(self) -> None:
        """Reads the inputs of the tables that are due, one question at a time."""
        due = self._due - (self._mine - self.tables.keys() - self._unseen)
        if self._reading or self._stopped:
            return
        listed_for, self._listed_for = self._listed_for, []
        if not due:
            if self._listed:
                self._services.all_known()
            _call(listed_for)
            return
        self._reading = True
        self._due, mine, unseen = set(), self._mine, due & self._unseen

        def read(found: Sequence[OpenTable] | None) -> None:
            self._reading = False
            if found is None or self._stopped:
                self._unanswered = True  # the next look asks again
            else:
                for stored in found:
                    self._take_in(stored, mine, unseen)
            _call(listed_for)
            if found is not None:
                self._read()

        self._store.newer_inputs({table: self._last(table) for table in due}, read)

    def _take_in(self, stored: OpenTable, mine: Set[str], unseen: Set[str]) -> None:
        """Shows what is new of a table.

        `mine` are the tables of this server before the reading, `unseen` those of them that were
        not followed.
        """
        id = stored.table
        try:
            if id in self.tables:
                self.tables[id].follow(stored)
                if (heard := self._heard_at.pop(id, None)) is not None:
                    metrics = self._services.metrics
                    metrics.follow_lag.observe(metrics.now() - heard)
            elif id in unseen:
                self._unseen.discard(id)
                if not stored.closed:
                    self._heir.take_unseen(stored)
                    if id in self._services.rooms:
                        self._services.tell_seekers(self._services.rooms[id])
            elif not stored.closed:
                table = RemoteRoom(self._services, id, *beginning(stored, self._games))
                table.owner = self._owners[id].node if id in self._owners else ""
                self.tables[id] = table
                if self._services.has_seated(table):
                    self._services.rooms.follow(table)
                    table.follow(stored)
                else:
                    table.catch_up(stored)
                self._services.opened(table)
                self._services.tell_seekers(table)
            if stored.closed:
                self._remove(id, self._services.closed)
            elif id in mine:
                self._remove(id, self._heir.take)
        except Exception as wrong:  # it must not affect other tables
            unforeseen = not isinstance(wrong, ReplayMismatch)
            log.error("table %s cannot be followed: %s", id, wrong, exc_info=unforeseen)
            self._left_out.add(id)
            self._remove(id, self._services.left_out)

    def _remove(self, table: str, told: Callable[[RemoteRoom], None]) -> None:
        if table in self.tables:
            told(self.tables.pop(table))


def _call(waiting: Iterable[Callable[[], None]]) -> None:
    for done in waiting:
        done()
