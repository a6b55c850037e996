"""Runs queries, each in a read transaction of its own.

For SQLite a query is one call in the thread of the only connection, as a commit is. With a call per
statement, commits would wait while the event loop does other work. The thread receives one query at
a time, so that a commit waits for at most one query.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine, StaticPool, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine

from .engines import READ_ONLY, begin_in_sqlite

_T = TypeVar("_T")


class Questions(Protocol):
    """Runs queries on one database."""

    async def ask(self, question: Callable[[Connection], _T]) -> _T:
        """Returns the result of the query. Raises the errors of the query and of SQLAlchemy."""


def questions(engine: AsyncEngine) -> Questions:
    """The `Questions` for the engine's database."""
    return _ToSqlite(engine) if engine.dialect.name == "sqlite" else _ToPostgres(engine)


class _ToSqlite:
    """Queries for SQLite. `_plain` is a synchronous engine that borrows the driver's only
    connection.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._one = asyncio.Lock()
        self._lent: sqlite3.Connection | None = None
        self._plain: Engine | None = None

    async def ask(self, question: Callable[[Connection], _T]) -> _T:
        """See `Questions`."""
        async with self._one:
            lent = await self._engine.raw_connection()
            try:
                driver = lent.driver_connection
                assert driver is not None
                found: _T = await driver._execute(self._carry_out, driver._conn, question)
                return found
            finally:
                lent.close()

    def _carry_out(self, db: sqlite3.Connection, question: Callable[[Connection], _T]) -> _T:
        if self._plain is None or self._lent is not db:
            self._lent = db
            self._plain = create_engine(
                "sqlite://",
                creator=lambda: db,
                poolclass=StaticPool,
                pool_reset_on_return=None,
                hide_parameters=True,
            )
            begin_in_sqlite(self._plain)
        with self._plain.execution_options(**READ_ONLY).begin() as connection:
            return question(connection)


class _ToPostgres:
    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine.execution_options(**READ_ONLY)

    async def ask(self, question: Callable[[Connection], _T]) -> _T:
        """See `Questions`."""
        async with self._engine.begin() as db:
            return await db.run_sync(question)
