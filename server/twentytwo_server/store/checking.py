"""Checks stored data: the database, its schema, the chain of promises, the open tables."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import Connection, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from ..facts import OpenTable, Promise, Remembered
from . import Refused
from .common import chained
from .engines import READ, check_there, database, engine
from .faults import fault, is_locked
from .migrating import check_schema, newest
from .reading import read_marks, read_remembered
from .schema import promises

Rehearse = Callable[[Remembered], Mapping[str, str]]
"""Returns the tables that a start would set aside, each with the reason."""


def nothing(remembered: Remembered) -> Mapping[str, str]:
    """A `Rehearse` that does not try any table."""
    return {}


async def complaints(where: str | Path, rehearse: Rehearse = nothing) -> AsyncIterator[str]:
    """Yields what is wrong with the data, a line each; `rehearse` tries to rebuild the open tables.

    Raises `Refused` if there is no data there, or a server is using it.
    """
    try:
        async with _looking(where) as db:
            async for found in _all(db, rehearse):
                yield found
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        yield fault(error).why


async def read_data(where: str | Path) -> Remembered:
    """What a server that started on this data would be given. Raises `Refused`."""
    try:
        async with _looking(where) as db:
            if await db.run_sync(check_schema) != newest():
                raise Refused(f"the data in {where} is of an older version: migrate it")
            return await db.run_sync(_remembered)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise Refused(f"the data in {where} cannot be read: {fault(error).why}") from error


@asynccontextmanager
async def _looking(where: str | Path) -> AsyncGenerator[AsyncConnection]:
    """A connection in a reading transaction. Raises `Refused` if a server is using the data."""
    check_there(where)
    made = engine(database(where))
    try:
        async with made.execution_options(**READ).begin() as db:
            yield db
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        if is_locked(error):
            raise Refused(f"a server is using {where}: check a backup of it") from error
        raise
    finally:
        await made.dispose()


async def _all(db: AsyncConnection, rehearse: Rehearse) -> AsyncIterator[str]:
    if db.dialect.name == "sqlite":
        async for found in _damage(db):
            yield found
    schema = await db.run_sync(check_schema)
    if schema != newest():
        yield f"the schema is {schema or 'missing'}, not {newest()}: migrate it"
        return
    async for found in _chain(db):
        yield found
    remembered = await db.run_sync(_remembered)
    aside = rehearse(remembered)
    for table in remembered.tables:
        if wrong := _table(table) or aside.get(table.table):
            yield f"table {table.table} cannot be built again: {wrong}"


async def _damage(db: AsyncConnection) -> AsyncIterator[str]:
    for row in await db.execute(text("PRAGMA integrity_check(20)")):
        if row[0] != "ok":
            yield str(row[0])
    for row in await db.execute(text("PRAGMA foreign_key_check")):
        yield f"a row of {row[0]} belongs to one of {row[2]} that is missing"


async def _chain(db: AsyncConnection) -> AsyncIterator[str]:
    chain = ""
    for row in await db.execute(select(promises).order_by(promises.c.no)):
        made = Promise(row.game, row.no, row.table_id, row.alg, "", row.digest, row.wall)
        chain = chained(chain, made)
        if row.chain != chain:
            yield f"the chain of promises breaks at number {row.no}"
            return


def _remembered(db: Connection) -> Remembered:
    return read_remembered(db, read_marks(db), False)


def _table(table: OpenTable) -> str | None:
    numbers = [given.seq for given in table.inputs]
    if numbers != list(range(1, len(numbers) + 1)):
        return "an input is missing"
    return None
