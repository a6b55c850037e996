"""Commits a batch of facts in one transaction, with as few driver calls as possible.

SQLite needs one call in the thread of its connection; the call executes all statements and syncs.
PostgreSQL needs one round trip: all statements are sent together with the commit. SQLAlchemy
provides the connection but executes nothing: for eight rows it took ten times as long as SQLite
itself.

Every transaction compares and sets the number of the batch in the row of this server, under its
epoch (`nodes.Fence`). A server from which another one has taken over can therefore write nothing.
With PostgreSQL this is the last statement before the commit, in the same message: a server that
freezes earlier holds no lock on the row, so another one can take over.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import chain
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncEngine

from ..failpoints import failpoint
from . import Conflict
from .nodes import Fence
from .writing import Batch, Row, statements

_FENCE = (
    "UPDATE nodes SET batch = ? WHERE node = ? AND epoch = ? AND batch = ? AND state = 'serving'"
)
_LAST = "SELECT batch FROM nodes WHERE node = ? AND epoch = ?"
_DUPLICATE = "23505"
"""PostgreSQL's error code for a row with a key that is there already."""

_CALL = "SELECT fence(%s, %s, %s)"
_CALL_ACTIVE = "SELECT fence_active(%s, %s, %s, %s, %s)"

MOST_ROWS = 256
"""Maximum number of rows in a statement. Statements have 1, 2, 4 ... rows, because the driver
caches 128 prepared statements.
"""


class Committer(Protocol):
    """Commits batches to one database."""

    async def commit(self, batch: Batch, again: bool) -> None:
        """Commits and syncs a batch. Raises the driver's errors, `Conflict` and `Moved`.

        `again`: an earlier attempt may have committed the batch although its answer was lost. Then
        the batch is not written a second time.
        """


def committer(engine: AsyncEngine, fence: Fence, present: Callable[[], None]) -> Committer:
    """The committer for a database; `present` is called after each commit and may raise."""
    if engine.dialect.name == "sqlite":
        return _ToSqlite(engine, fence, present)
    return _ToPostgres(engine, fence)


def _in_order(batch: Batch, known: Mapping[str, str]) -> Iterator[tuple[str, Sequence[Row]]]:
    """The statements of a batch with their rows, in order of execution."""
    for stage in batch.stages:
        for name, text in known.items():
            if rows := stage.get(name):
                yield text, rows


class _ToSqlite:
    """Executes a whole transaction in the thread of SQLite's only connection."""

    def __init__(self, engine: AsyncEngine, fence: Fence, present: Callable[[], None]) -> None:
        self._engine = engine
        self._fence = (fence.node, fence.epoch)
        self._present = present
        self._statements = statements("?")

    async def commit(self, batch: Batch, again: bool) -> None:
        """See `Committer`."""
        lent = await self._engine.raw_connection()
        try:
            driver = lent.driver_connection
            assert driver is not None
            await driver._execute(self._carry_out, driver._conn, batch, again)
        finally:
            lent.close()

    def _carry_out(self, db: sqlite3.Connection, batch: Batch, again: bool) -> None:
        # An open cursor, held by the traceback of an error, would keep the file locked.
        with closing(db.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            try:
                if not (again and self._is_there(cursor, batch)):
                    self._write(cursor, batch)
                db.commit()
            except BaseException:
                with suppress(sqlite3.Error):  # the first error is the relevant one
                    db.rollback()
                raise
        self._present()

    def _is_there(self, cursor: sqlite3.Cursor, batch: Batch) -> bool:
        found: object = cursor.execute(_LAST, self._fence).fetchone()
        return found == (batch.marks.batch,)

    def _write(self, cursor: sqlite3.Cursor, batch: Batch) -> None:
        failpoint("transaction begun")
        cursor.execute(_FENCE, (batch.marks.batch, *self._fence, batch.before.batch))
        if cursor.rowcount != 1:
            raise Conflict("another server writes into the same database")
        for text, rows in _in_order(batch, self._statements):
            _carry_out_rows(cursor, text, rows)
            failpoint("rows inserted")
        if risen := batch.risen():
            cursor.executemany(self._statements["mark"], risen)
        failpoint("all inserted")


def _carry_out_rows(cursor: sqlite3.Cursor, text: str, rows: Sequence[Row]) -> None:
    """Executes a statement for all rows, with few calls of SQLite.

    The driver releases Python's interpreter lock in each call, and then waits milliseconds for it
    while the event loop is busy. One call per row took up to 300 ms for a hundred rows.
    """
    head, values, rest = text.partition(f"({', '.join('?' * len(rows[0]))})")
    if not (values and head.endswith("VALUES ")):
        cursor.executemany(text, rows)
        return
    begin = 0
    while left := len(rows) - begin:
        count = min(MOST_ROWS, 1 << left.bit_length() - 1)
        several = f"{head}{', '.join([values] * count)}{rest}"
        cursor.execute(several, tuple(chain.from_iterable(rows[begin : begin + count])))
        begin += count


class _ToPostgres:
    """Sends all statements of a transaction and its commit at once.

    PostgreSQL rolls back instead if a statement fails.
    """

    def __init__(self, engine: AsyncEngine, fence: Fence) -> None:
        self._engine = engine
        self._fence = (fence.node, fence.epoch)
        self._active = fence.active
        self._statements = statements("%s")
        self._last = f"{_LAST.replace('?', '%s')} FOR UPDATE"

    async def commit(self, batch: Batch, again: bool) -> None:
        """See `Committer`."""
        async with self._engine.connect() as lent:
            driver: Any = (await lent.get_raw_connection()).driver_connection
            try:
                if again and await self._is_there(driver, batch):
                    await driver.commit()
                else:
                    await self._write(driver, batch)
            except BaseException as error:
                await lent.invalidate()  # the server may still be executing statements on it
                if getattr(error, "sqlstate", None) == _DUPLICATE and await self._is_fenced():
                    raise Conflict("another server has taken over this database") from error
                raise

    async def _is_fenced(self) -> bool:
        """True if the epoch of this server has ended: a row is there because another wrote it."""
        async with self._engine.connect() as db:
            driver: Any = (await db.get_raw_connection()).driver_connection
            last = self._last.removesuffix(" FOR UPDATE")
            return await (await driver.execute(last, self._fence)).fetchone() is None

    async def _is_there(self, driver: Any, batch: Batch) -> bool:
        """True if an earlier attempt committed this batch although its answer was lost.

        The row lock makes this query wait for that transaction if it is still running.
        """
        found = await (await driver.execute(self._last, self._fence)).fetchone()
        return bool(found == (batch.marks.batch,))

    async def _write(self, driver: Any, batch: Batch) -> None:
        async with driver.pipeline():
            failpoint("transaction begun")
            cursor = driver.cursor()
            for text, rows in _in_order(batch, self._statements):
                await cursor.executemany(text, rows)
                failpoint("rows inserted")
            if self._active:
                counters = batch.before.batch, batch.marks.at, batch.marks.promise
                await driver.execute(_CALL_ACTIVE, (*self._fence, *counters))
            else:
                if risen := batch.risen():
                    await cursor.executemany(self._statements["mark"], risen)
                await driver.execute(_CALL, (*self._fence, batch.before.batch))
            failpoint("all inserted")
            await driver.commit()
