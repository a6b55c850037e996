"""Follows those tables of other servers that people of this server need."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Protocol

from ...facts import OpenTable, Owned, WantedTables
from ...games.game import Games
from ...ports import Bus, Store
from ...subjects import RINGS_FOR_ALL
from ..tables.input_log import ReplayMismatch
from ..tables.remote_room import RemoteRoom
from ..tables.shown_table import beginning
from .remote_tables import RemoteTables
from .rings import Ring, read_ring
from .table_questions import Done, TableAnswer, TableQuestions

log = logging.getLogger("twentytwo.cluster")

LOOK = 1000
"""Milliseconds between two looks into the store while rings may be missing."""
SELDOM = 10 * LOOK
"""The same while all servers ring, because no server relies on rings alone."""
UNHEARD = 60 * LOOK
"""Milliseconds after which a silent server is no longer expected to ring."""
UNSEEN = 100
"""Milliseconds in which rings for tables that nobody here sees are batched: a query of the store
costs more than the replay of ten inputs.
"""
KEPT = 60 * LOOK
"""Milliseconds for which a table is followed after somebody has asked for it."""
NEW_AT_ONCE = 4
"""The most tables that are rebuilt before other work gets a turn: each takes 10 ms."""


class Heir(Protocol):
    """Makes the rooms of tables that belong to this server now."""

    def take(self, remote: RemoteRoom) -> None:
        """Takes a table that this server has followed.

        All of its inputs are shown, and no other server adds any. Call `RemoteRoom.move_to`.
        """

    def take_unseen(self, stored: OpenTable) -> None:
        """Takes a table that this server has not followed, or could not follow."""


class Following:
    """The tables of other servers that this one follows, and those that come to it.

    A server follows the tables of its people, and those that somebody has asked for. The store says
    who owns a table and which inputs it has. A ring only says when to look. `tables` has the tables
    by id. A table that cannot be followed is logged and left out. `node` is the name of this
    server. `heir` gets the tables that belong to this server now.
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
        self._services = services
        self._games = games
        self._store = store
        self._node = node
        self._heir = heir
        self._due: dict[str, None] = {}
        """Tables to read; those for which somebody waits come first."""
        self._due_later: set[str] = set()
        """Tables with newer inputs that nobody here sees."""
        self._left_out: set[str] = set()
        self._mine: set[str] = set()
        """Followed tables that belong to this server now."""
        self._unseen: set[str] = set()
        """Tables that belong to this server now, and were not followed."""
        self._owners: dict[str, str] = {}
        """The owners of tables that are not read yet."""
        self._used: dict[str, int] = {}
        """The times at which somebody has asked for these tables."""
        self._waiting: list[tuple[set[str], Sequence[Done]]] = []
        """Callbacks that wait until these tables are no longer due."""
        self._heard_at: dict[str, float] = {}
        """When this server heard of new inputs of a table, in seconds."""
        self._rang: dict[str, tuple[int, int]] = {}
        """The number of each server's last ring, and its time."""
        self._looked = 0
        self._listed = False
        self._reading: Set[str] = frozenset()
        """The tables whose inputs are being read."""
        self._collecting = False
        self._stopped = False
        self._bus = bus
        self._questions = TableQuestions(store, self._all_wanted, self._found)
        self._stop_listening = bus.listen(RINGS_FOR_ALL, self._heard)
        bus.watch(self._reconnected)
        store.after_taking(self._take)
        self._look_at_all()
        self._look()

    def stop(self) -> None:
        """Stops following tables."""
        self._stopped = True
        self._questions.stop()
        self._stop_listening()

    # --------------------------------------------------------------------- for the host

    def give(self, remote: RemoteRoom) -> None:
        """Follows a table that this server has given to another one."""
        self.tables[remote.id] = remote
        self._used[remote.id] = self._services.clock.now()
        self._mine.discard(remote.id)
        self._questions.outdate(remote.id)

    def refresh(self, wanted: WantedTables, done: Done) -> None:
        """Calls `done` when this server shows the wanted tables as they are now.

        Calls it with False if the store cannot answer.
        """
        self._questions.want(wanted, done)

    def is_behind(self, table: str) -> bool:
        """True if the table has newer inputs that are read a little later."""
        return table in self._due_later

    def is_coming(self, table: str) -> bool:
        """True if a table may belong to this server soon: it is followed, or is being rebuilt."""
        return table in self.tables or table in self._unseen

    def is_loading(self) -> bool:
        """True while tables that belong to this server now are rebuilt."""
        return bool(self._unseen)

    def look(self, table: str) -> None:
        """Reads the newer inputs of a followed table."""
        self._due[table] = None
        self._read()

    def find_owner(self, table: str) -> None:
        """Looks up the owner of a table."""
        self._questions.want(WantedTables((table,)))

    # ------------------------------------------------------------------------- rings

    def _heard(self, data: bytes) -> None:
        ring = read_ring(data)
        if ring is None or ring.node == self._node:
            return
        if self._is_one_missing(ring):
            self._look_at_all()
        known = ring.tables.keys() & self.tables.keys()
        new = {table for table in known if self._last(table) < ring.tables[table]}
        seen = {table for table in new if self._is_seen(table)}
        self._heard_at |= dict.fromkeys(seen, self._services.metrics.now())
        self._due |= dict.fromkeys(seen)
        self._due_later |= new - seen
        if self._due_later and not self._collecting:
            self._collecting = True
            self._services.clock.later(UNSEEN, self._read_unseen)
        wanted = {table for table in known if self.tables[table].owner != ring.node}
        wanted |= {table for table, names in ring.members.items() if self._is_new(table, names)}
        for table, to in ring.moved.items():
            if to == self._node or table in self.tables:
                wanted.add(table)
        if wanted:
            self._questions.want(WantedTables(tuple(wanted)))
        self._read()

    def _is_seen(self, table: str) -> bool:
        """True if somebody here is at the table."""
        names = self.tables[table].audience.seats
        return any(self._services.people.session_of(name) is not None for name in names)

    def _is_new(self, table: str, names: Iterable[str]) -> bool:
        """True if a table that is not followed has people of this server."""
        known = table in self.tables or table in self._left_out
        return not known and any(map(self._services.keeps, names))

    def _read_unseen(self) -> None:
        self._collecting = False
        self._due |= dict.fromkeys(self._due_later)
        self._due_later = set()
        self._read()

    def _is_one_missing(self, ring: Ring) -> bool:
        """Notes a ring; returns True if an earlier one is missing."""
        last, _ = self._rang.get(ring.node, (0, 0))
        if ring.no <= last:
            return False  # duplicated or late
        self._rang[ring.node] = ring.no, self._services.clock.now()
        return ring.no > last + 1

    def _reconnected(self, connected: bool) -> None:
        """Looks into the store at once, because rings were lost meanwhile."""
        if connected:
            self._look_at_all()

    # -------------------------------------------------------------------- questions

    def _look(self) -> None:
        if self._stopped:
            return
        now = self._services.clock.now()
        self._rang = {node: rang for node, rang in self._rang.items() if rang[1] > now - UNHEARD}
        heard = {node for node, (_, at) in self._rang.items() if at > now - LOOK // 2}
        expected = self._rang.keys() | {table.owner for table in self.tables.values()}
        doubtful = self._questions.unanswered or expected - heard or not self._bus.connected
        if now - self._looked >= (LOOK if doubtful else SELDOM):
            self._look_at_all()
        self._services.clock.later(LOOK // 2, self._look)

    def _look_at_all(self) -> None:
        """Asks for the tables of the people of this server, and for its own."""
        self._looked = self._services.clock.now()
        self._questions.want_all()

    def _all_wanted(self) -> WantedTables:
        return WantedTables((*self.tables, *self._services.table_list.doubtful), all=True)

    def _take(self, tables: Sequence[str]) -> None:
        """Takes tables of a server that has ended. Some may be this server's own already."""
        if self._services.availability.restoring:  # the tables may be among those
            self._services.clock.later(LOOK, lambda: self._take(tables))
            return
        self._add_mine(tables)
        self._look_at_all()
        self._read()

    def _found(self, answer: TableAnswer) -> None:
        """Takes in an answer about owners, and reads the tables that are not up to date."""
        if answer.owners is None:
            for done in answer.waiting:
                done(False)
            return
        due = self._take_owners(answer.asked, answer.owners, answer.outdated)
        if answer.waiting:
            self._due = dict.fromkeys(due) | self._due
            self._waiting.append((due, answer.waiting))
        else:
            self._due |= dict.fromkeys(due)
        self._read()

    def _take_owners(
        self, asked: WantedTables, owners: Mapping[str, Owned], given: Set[str]
    ) -> set[str]:
        """Notes who owns which tables; returns those that have to be read."""
        mine = {id for id, own in owners.items() if own.node == self._node} - given
        others = owners.keys() - mine - given
        self._mine -= others
        self._unseen -= others
        self._owners |= {id: owners[id].node for id in others}
        for id in others & self.tables.keys():
            self.tables[id].owner = owners[id].node
            self._services.check_presence(self.tables[id])
        due = {id for id in others if self._last(id) < owners[id].last} - self._left_out
        due |= self.tables.keys() & set(asked.tables) - owners.keys() - given  # closed
        due |= self._add_mine(mine)
        if asked.all:
            self._services.table_list.checked(asked.tables, owners)
            self._left_out &= owners.keys()
            self._drop_unneeded()
            self._listed = True
        else:
            self._used |= dict.fromkeys(owners, self._services.clock.now())
        return due

    def _add_mine(self, tables: Iterable[str]) -> set[str]:
        """Notes tables that belong to this server; returns those whose rooms are not there yet."""
        services, rooms = self._services, self._services.rooms
        if services.availability.restoring:
            return set()
        there = rooms.own.keys() | {room.id for room in rooms.opening}
        new = set(tables) - there - {each.table for each in services.set_aside}
        self._left_out -= new
        self._mine |= new & self.tables.keys()
        self._unseen |= new - self.tables.keys()
        self._due |= dict.fromkeys(sorted(new))
        return new

    def _drop_unneeded(self) -> None:
        """Stops following tables that nobody here is at or has asked for lately."""
        services, now = self._services, self._services.clock.now()
        needed = {id for id, room in self.tables.items() if services.needs(room)}
        needed |= services.invited_to() & self.tables.keys()
        needed |= {self.tables[id].table.settings.twin for id in needed}
        self._used |= dict.fromkeys(needed, now)
        self._used = {id: at for id, at in self._used.items() if at > now - KEPT}
        for id in self.tables.keys() - self._used.keys() - self._mine - self._reading:
            services.drop(self.tables.pop(id))
            self._due.pop(id, None)
            self._due_later.discard(id)

    # ----------------------------------------------------------------------- reading

    def _last(self, table: str) -> int:
        return self.tables[table].last if table in self.tables else 0

    def _read(self) -> None:
        """Reads the inputs of the tables that are due, one question at a time."""
        if not self._reading:
            self._call(lambda tables: tables.isdisjoint(self._due), known=True)
        if self._reading or self._stopped:
            return
        new = islice((id for id in self._due if id not in self.tables), NEW_AT_ONCE)
        due = {id for id in self._due if id in self.tables}.union(new)
        if not due:
            self._owners.clear()  # of tables that were known already
            if self._listed:
                self._services.all_known()
            return
        self._reading = due
        self._due = {id: None for id in self._due if id not in due}
        mine, unseen = due & self._mine, due & self._unseen

        def read(found: Sequence[OpenTable] | None) -> None:
            if not self._stopped:
                for stored in found or ():
                    self._take_in(stored, mine, unseen)
            self._reading = frozenset()
            if found is None:
                self._questions.unanswered = True  # the next look asks again
                self._call(lambda tables: not tables.isdisjoint(due), known=False)
            else:
                self._unseen -= unseen
                self._read()

        self._store.newer_inputs({table: self._last(table) for table in due}, read)

    def _call(self, over: Callable[[set[str]], bool], *, known: bool) -> None:
        """Calls the callbacks whose wait is `over`, and says whether their tables are known.

        A callback that came during a reading waits for the next one.
        """
        waiting, self._waiting = self._waiting, []
        ended: list[Done] = []
        for tables, callbacks in waiting:
            if over(tables):
                ended += callbacks
            else:
                self._waiting.append((tables, callbacks))
        for done in ended:
            done(known)

    def _take_in(self, stored: OpenTable, mine: Set[str], unseen: Set[str]) -> None:
        """Shows the new events of a table.

        `mine` and `unseen` are those of the read tables that belonged to this server before they
        were read.
        """
        id = stored.table
        try:
            if id in self.tables:
                self.tables[id].follow(stored)
                if (heard := self._heard_at.pop(id, None)) is not None:
                    metrics = self._services.metrics
                    metrics.follow_lag.observe(metrics.now() - heard)
            elif id in unseen:
                if not stored.closed:
                    self._heir.take_unseen(stored)
                    if id in self._services.rooms:
                        self._services.tell_seekers(self._services.rooms[id])
            elif not stored.closed and id not in self._services.rooms.own:
                self._begin(stored)
            if stored.closed:
                self._remove(id, self._services.closed)
            elif id in mine:
                self._mine.discard(id)
                self._remove(id, self._heir.take)
        except Exception as wrong:  # it must not affect other tables
            unforeseen = not isinstance(wrong, ReplayMismatch)
            log.error("table %s cannot be followed: %s", id, wrong, exc_info=unforeseen)
            self._left_out.add(id)
            self._remove(id, self._services.left_out)

    def _begin(self, stored: OpenTable) -> None:
        """Begins to follow a table, and the other one of a pair."""
        id = stored.table
        table = RemoteRoom(self._services, id, *beginning(stored, self._games))
        table.owner = self._owners.pop(id, "")
        self.tables[id] = table
        self._used[id] = self._services.clock.now()
        if self._services.has_seated(table):
            self._services.rooms.follow(table)
            table.follow(stored)
        else:
            table.catch_up(stored)
        self._services.opened(table)
        self._services.tell_seekers(table)
        if id in self._unseen:  # it has come to this server during the reading, and is due again
            self._unseen.discard(id)
            self._mine.add(id)
        twin = table.table.settings.twin
        if twin and twin not in self._services.rooms:
            self.find_owner(twin)
            for tables, _ in self._waiting:
                if id in tables:
                    self._due = {twin: None} | self._due
                    tables.add(twin)

    def _remove(self, table: str, told: Callable[[RemoteRoom], None]) -> None:
        self._due.pop(table, None)
        if table in self.tables:
            told(self.tables.pop(table))
