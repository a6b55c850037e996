"""Whether what is kept is whole: the database, its schema, the chain of promises, the tables."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from ..facts import OpenTable, Promise
from . import Refused
from .engines import READ, database, engine
from .faults import fault, is_locked
from .migrating import check_schema, newest
from .reading import read_marks, read_remembered
from .reckoning import chained
from .schema import promises

Replay = Callable[[OpenTable], str | None]
"""Replays a table; what is wrong with it, or None."""


async def complaints(where: str | Path, replay: Replay | None = None) -> AsyncIterator[str]:
    """What is wrong with the data, a line each; `replay` is tried on every open table.

    Raises `Refused` where it cannot be looked at: a server may be using it.
    """
    url = database(where)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise Refused(f"there is no data in {where}")
    made = engine(url)
    try:
        async with made.execution_options(**READ).begin() as db:
            async for found in _all(db, replay):
                yield found
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        if is_locked(error):
            raise Refused(f"a server is using {where}: check a backup of it") from error
        yield fault(error).why
    finally:
        await made.dispose()


async def _all(db: AsyncConnection, replay: Replay | None) -> AsyncIterator[str]:
    if db.dialect.name == "sqlite":
        async for found in _damage(db):
            yield found
    schema = await db.run_sync(check_schema)
    if schema != newest():
        yield f"the schema is {schema or 'missing'}, not {newest()}: migrate it"
        return
    async for found in _chain(db):
        yield found
    for table in (await read_remembered(db, await read_marks(db), False)).tables:
        if wrong := _table(table) or (replay and replay(table)):
            yield f"table {table.table}: {wrong}"


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


def _table(table: OpenTable) -> str | None:
    numbers = [given.seq for given in table.inputs]
    if numbers != list(range(1, len(numbers) + 1)):
        return "an input is missing"
    return None
