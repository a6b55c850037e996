"""Checks stored data: the database, its schema, the hash chain of promises, the open tables."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from enum import Enum
from pathlib import Path

from sqlalchemy import Connection, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from twentytwo_protocol.value import Value

from ..facts import OpenTable, Promise, Remembered
from . import Refused
from .common import chained
from .engines import READ_ONLY, check_there, database, engine, only_read
from .faults import fault, is_locked
from .migrating import check_schema, newest
from .reading import read_marks, read_remembered
from .schema import promises

_ORPHANS = "PRAGMA foreign_key_check"

Rehearse = Callable[[Remembered], Mapping[str, str]]
"""A function that returns the tables that a start would set aside, each with the reason."""


def nothing(remembered: Remembered) -> Mapping[str, str]:
    """A `Rehearse` that does not try any table."""
    return {}


class ComplaintKind(Enum):
    """The kind of a complaint, which determines the remedy."""

    DAMAGE = "pages of the file cannot be read, or do not belong together"
    SCHEMA = "the schema is of another version"
    CHAIN = "a promise was changed"
    TABLE = "an open table cannot be rebuilt"
    ACCESS = "the data cannot be read now"


class Complaint(Value):
    """A fault in the data: its kind, and one line for the operator."""

    kind: ComplaintKind
    line: str


async def complaints(where: str | Path, rehearse: Rehearse = nothing) -> AsyncIterator[Complaint]:
    """Yields the faults of the data; `rehearse` tries to rebuild the open tables.

    Read-only data is checked in place. Raises `Refused` if there is no data or a server is using
    it.
    """
    named = False
    try:
        async with _looking(where) as db:
            async for found in _all(db, rehearse):
                named = named or found.kind is ComplaintKind.DAMAGE
                yield found
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        met = fault(error)
        if not (named and met.damaged):  # an unreadable row was reported above
            kind = ComplaintKind.DAMAGE if met.damaged else ComplaintKind.ACCESS
            yield Complaint(kind, f"{_name(where)}: {met.why}")


def _name(where: str | Path) -> str:
    """The path of an SQLite file, or the name of a PostgreSQL database."""
    url = database(where)
    return url.database or str(where)


async def read_data(where: str | Path) -> Remembered:
    """The data that a server would load at its start. Raises `Refused`."""
    try:
        async with _looking(where) as db:
            if await db.run_sync(check_schema) != newest():
                raise Refused(f"the data in {where} has an older schema: migrate it")
            return await db.run_sync(_remembered)
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise Refused(f"the data in {where} cannot be read: {fault(error).why}") from error


@asynccontextmanager
async def _looking(where: str | Path) -> AsyncGenerator[AsyncConnection]:
    """A connection in a read transaction. Raises `Refused` if a server is using the data."""
    check_there(where, writing=False)
    made = engine(database(where), read_only=bool(only_read(where)))
    try:
        async with made.execution_options(**READ_ONLY).begin() as db:
            yield db
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        if is_locked(error):
            raise Refused(f"a server is using {where}: check a backup of it") from error
        raise
    finally:
        await made.dispose()


async def _all(db: AsyncConnection, rehearse: Rehearse) -> AsyncIterator[Complaint]:
    if db.dialect.name == "sqlite":
        async for line in _damage(db):
            yield Complaint(ComplaintKind.DAMAGE, f"{db.engine.url.database}: {line}")
    schema = await db.run_sync(check_schema)
    if schema != newest():
        yield Complaint(
            ComplaintKind.SCHEMA, f"the schema is {schema or 'missing'}, not {newest()}"
        )
        return
    async for line in _chain(db):
        yield Complaint(ComplaintKind.CHAIN, line)
    remembered = await db.run_sync(_remembered)
    aside = rehearse(remembered)
    for table in remembered.tables:
        if wrong := _table(table) or aside.get(table.table):
            yield Complaint(
                ComplaintKind.TABLE, f"table {table.table} cannot be built again: {wrong}"
            )


async def _damage(db: AsyncConnection) -> AsyncIterator[str]:
    """Yields each damaged table with its first fault, then rows whose parent row is missing."""
    named = False
    if whole := await _faults(db, ""):
        for (table,) in await db.execute(text("SELECT name FROM sqlite_master WHERE type='table'")):
            if found := await _faults(db, f"('{table}')"):
                named = True
                yield f"the table {table} is damaged: {found}"
        if not named:
            yield f"it is damaged: {whole}"
    orphans = Counter((row[0], row[2]) for row in await db.execute(text(_ORPHANS)))
    for (table, parent), count in orphans.items():
        yield f"rows of {table} ({count}) belong to rows of {parent} that are missing"


async def _faults(db: AsyncConnection, of: str) -> str:
    """The first fault that SQLite finds in the file or in one table; empty if there is none."""
    try:
        found = (await db.execute(text(f"PRAGMA integrity_check{of}"))).scalars().all()
    except SQLAlchemyError as error:  # some faults abort the check itself
        if not fault(error).damaged:
            raise
        return fault(error).why
    lines = [line for each in found for line in str(each).splitlines() if not line.startswith("*")]
    if lines == ["ok"]:
        return ""
    return lines[0] + (f", and {len(lines) - 1} more faults" if lines[1:] else "")


async def _chain(db: AsyncConnection) -> AsyncIterator[str]:
    chain = ""
    log = ""
    for row in await db.execute(select(promises).order_by(promises.c.log, promises.c.no)):
        if row.log != log:
            log, chain = row.log, ""
        made = Promise(row.game, row.no, row.table_id, row.alg, "", row.digest, row.wall)
        chain = chained(chain, made)
        if row.chain != chain:
            of_log = f" of {row.log}" if row.log else ""
            yield f"the chain of promises{of_log} breaks at number {row.no}"
            return


def _remembered(db: Connection) -> Remembered:
    return read_remembered(db, read_marks(db), False)


def _table(table: OpenTable) -> str | None:
    numbers = [given.seq for given in table.inputs]
    if numbers != list(range(1, len(numbers) + 1)):
        return "an input is missing"
    return None
