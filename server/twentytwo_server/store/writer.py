"""The one writer of a database: facts go in one after the other, many to a transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ..facts import Fact, Promise
from ..failpoints import failpoint
from ..ports import StorageListener
from . import Conflict
from .common import in_order
from .engines import checkpoint
from .faults import fault
from .schema import marks
from .writing import Batch, Counters, statements

GATHER = 0.003
"""Seconds from one commit to the next, while there is always something to write."""

MOST = 2000
"""Facts of one transaction, as long as those of one call are fewer."""

SLOW = 1.0
"""Seconds after which a commit that is not done is trouble."""

WAITS = (0.05, 2.0)
"""Seconds before a failed transaction is tried again: at first, and at most."""

PATIENCE = 5.0
"""Seconds for the last commit when the server stops; nobody was told that it is safe."""

LOG = 2000
"""Facts after which the log of SQLite is moved into the file."""

Fatal = Callable[[str], None]
"""Ends the process, for it must not go on: what is kept is to be read anew."""


class Writer:
    """Writes what it is handed, in order; see `ports.Store`.

    It writes at once when nothing has been written for a while, and otherwise gathers what comes
    in the meantime. A transaction that fails is tried again until it succeeds. Each has a number
    that the database keeps, so that one whose answer was lost is not written twice, and a second
    server that writes into the same database is found out. `present` raises `Moved` where what has
    been committed would be lost: then it is not said to be safe until it is where it should be.
    `damaged` is told where the database cannot be written because it is damaged.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        now: Counters,
        fatal: Fatal,
        present: Callable[[], None] = lambda: None,
        damaged: Callable[[str], None] = lambda why: None,
    ) -> None:
        self._engine = engine
        self._present = present
        self._damaged = damaged
        self._marks = now
        self._promised = now.promise
        self._fatal = fatal
        self._statements = statements(engine.dialect)
        self._troubles: list[StorageListener] = []
        self._why: str | None = None
        self._queue: deque[tuple[Sequence[Fact], Callable[[], None]]] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._logged = 0
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run())

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """As in `ports.Store`. After `close` nothing is kept, nor `done` called."""
        for fact in facts:
            if isinstance(fact, Promise):
                self._promised = in_order(fact, self._promised).no
        if not self._closing:
            self._queue.append((facts, done))
            self._wake.set()

    def watch(self, trouble: StorageListener) -> None:
        """Who is to be told of trouble."""
        self._troubles.append(trouble)
        if self._why is not None:
            self._loop.call_soon(trouble, self._why)

    async def close(self) -> None:
        """Writes what is waiting; gives up where that cannot be done soon."""
        self._closing = True
        self._wake.set()
        await asyncio.wait({self._task}, timeout=PATIENCE)
        self._task.cancel()
        await asyncio.wait({self._task})

    # ------------------------------------------------------------------------- the task

    async def _run(self) -> None:
        begun = self._loop.time()
        while True:
            if self._queue:  # it came while the last was written: there is more to come
                await asyncio.sleep(begun + GATHER - self._loop.time())
            elif not await self._something():
                return
            begun = self._loop.time()
            batch, dones = self._take()
            failpoint("batch taken")
            try:
                await self._write(batch)
                self._written(batch, dones)
                await self._move_log()
            except Exception as error:
                self._closing = True
                found = fault(error)
                if found.damaged:
                    self._damaged(found.why)
                self._loop.call_soon(self._fatal, found.why)
                return

    def _written(self, batch: Batch, dones: list[Callable[[], None]]) -> None:
        failpoint("committed")
        self._marks = batch.marks
        self._logged += batch.size
        for done in dones:
            self._loop.call_soon(done)
        self._tell(None)

    async def _move_log(self) -> None:
        """Keeps the log of SQLite short. Where there is no room for that now, there may be later.

        Raises what does not pass.
        """
        if self._logged < LOG or self._engine.dialect.name != "sqlite":
            return
        self._logged = 0
        failpoint("log to be moved")
        try:
            await checkpoint(self._engine)
            failpoint("log moved")
        except sqlite3.Error as error:
            if not fault(error).passing:
                raise

    async def _something(self) -> bool:
        """Waits until there is something to write; False when there will be nothing more."""
        while not self._queue:
            if self._closing:
                return False
            self._wake.clear()
            await self._wake.wait()
        return True

    def _take(self) -> tuple[Batch, list[Callable[[], None]]]:
        batch = Batch(self._marks)
        dones: list[Callable[[], None]] = []
        while self._queue and (not dones or batch.size + len(self._queue[0][0]) <= MOST):
            facts, done = self._queue.popleft()
            for fact in facts:
                batch.add(fact)
            dones.append(done)
        return batch, dones

    async def _write(self, batch: Batch) -> None:
        """Writes a batch, however long it takes. Raises what will not pass."""
        slow = self._loop.call_later(SLOW, self._tell, "the storage is slow")
        wait, most = WAITS
        again = False
        try:
            while True:
                try:
                    await self._commit(batch, again)
                    return self._present()
                except Exception as error:
                    found = fault(error)
                    if not found.passing:
                        raise
                    self._tell(found.why)
                await asyncio.sleep(wait)
                wait, again = min(2 * wait, most), True
        finally:
            slow.cancel()

    async def _commit(self, batch: Batch, again: bool) -> None:
        async with self._engine.begin() as db:
            if again and await self._is_there(db, batch):
                return
            failpoint("transaction begun")
            await self._number(db, batch)
            for stage in batch.stages:
                for name, statement in self._statements.items():
                    if rows := stage.get(name):
                        await db.execute(statement, rows)
                        failpoint("rows inserted")
            if risen := batch.risen():
                await db.execute(self._statements["mark"], risen)
            failpoint("all inserted")

    async def _is_there(self, db: AsyncConnection, batch: Batch) -> bool:
        """Whether a batch was written, though the answer was lost; waits while that is open."""
        wanted = select(marks.c.value).where(marks.c.name == "batch").with_for_update()
        found: int = (await db.execute(wanted)).scalar_one()
        return found == batch.marks.batch

    async def _number(self, db: AsyncConnection, batch: Batch) -> None:
        """Gives the batch its number, the next. Raises `Conflict`."""
        last, next = batch.before.batch, batch.marks.batch
        mine = marks.update().where(marks.c.name == "batch", marks.c.value == last)
        if (await db.execute(mine.values(value=next))).rowcount != 1:
            raise Conflict("another server writes into the same database")

    def _tell(self, why: str | None) -> None:
        if why != self._why:
            self._why = why
            for trouble in self._troubles:
                self._loop.call_soon(trouble, why)
