"""Copies all data from one database to another, for example from SQLite to PostgreSQL, and
compares.

The target replaces the source: games and numbers continue from it. So the source must not be used
any more. For a copy to return to, make a backup (`copying`).
"""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, tuple_
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from . import Refused
from .engines import DATA_FILE, READ_ONLY, check_there, database, engine, private, shown
from .faults import fault, is_locked
from .migrating import check_schema, create, current, newest
from .node_settings import NodeSettings
from .schema import SERIAL, marks, metadata, nodes
from .standby import held, last_serving

ROWS_AT_A_TIME = 1000
"""Rows read and written at a time."""

Key = tuple[Any, ...]
Row = dict[str, Any]
Rows = list[Row]


async def transfer(source: str, target: str) -> dict[str, int]:
    """Copies all data into an empty database; returns the number of rows of each table.

    Raises `Refused` if a server uses either database, the source has another schema, the target is
    not empty, or its rows differ afterwards; the target is left empty then.
    """
    check_there(source)
    made = "://" not in target
    if made:
        if (Path(target) / DATA_FILE).exists():
            raise Refused(f"there is data in {target} already")
        private(Path(target) / DATA_FILE)
    done = False
    try:
        found = await _transfer(source, target)
        done = True
    finally:
        if made and not done:
            (Path(target) / DATA_FILE).unlink()
    return found


async def _transfer(source: str, target: str) -> dict[str, int]:
    old, new = engine(database(source)), engine(database(target))
    try:
        async with (
            held(old, source, "copy"),
            old.execution_options(**READ_ONLY).connect() as reading,
            new.begin() as writing,
        ):
            await last_serving(new, target, NodeSettings())
            if await reading.run_sync(check_schema) != newest():
                raise Refused(f"the data in {shown(source)} has an older schema: migrate it")
            if await writing.run_sync(current):
                raise Refused(f"there is data in {shown(target)} already")
            await writing.run_sync(create)
            await writing.execute(marks.delete())
            found = {}
            for table in metadata.sorted_tables:
                if table is nodes:  # the servers of the other database
                    continue
                found[table.name], digest = await _copy_table(table, reading, writing)
                if digest != await writing.run_sync(_digest, table):
                    raise Refused(f"the rows of {table.name} differ in {shown(target)}")
                if new.dialect.name == "postgresql":
                    await writing.run_sync(_count_on, table)
            return found
    except (SQLAlchemyError, sqlite3.Error) as error:
        if is_locked(error):
            raise Refused(f"a server is using {shown(source)}: stop it first") from error
        raise Refused(f"{shown(source)} to {shown(target)}: {fault(error).why}") from error
    finally:
        await old.dispose()
        await new.dispose()


async def _copy_table(
    table: Table, reading: AsyncConnection, writing: AsyncConnection
) -> tuple[int, int]:
    """Copies the rows of a table; returns their number and their digest."""
    count = digest = 0
    last: Key | None = None
    while rows := await reading.run_sync(_rows, table, last):
        await writing.execute(insert(table), rows)
        last = _key(table, rows[-1])
        count, digest = count + len(rows), digest + _digest_of(rows)
    return count, digest


def _rows(db: Connection, table: Table, after: Key | None) -> Rows:
    """The next rows of a table, in the order of its key, after the row with the given key."""
    keys = list(table.primary_key)
    wanted = select(table).order_by(*keys).limit(ROWS_AT_A_TIME)
    if after is not None:
        wanted = wanted.where(tuple_(*keys) > tuple_(*after))
    return [dict(row) for row in db.execute(wanted).mappings()]


def _key(table: Table, row: Row) -> Key:
    return tuple(row[column.name] for column in table.primary_key)


def _digest(db: Connection, table: Table) -> int:
    found = 0
    last: Key | None = None
    while rows := _rows(db, table, last):
        last = _key(table, rows[-1])
        found += _digest_of(rows)
    return found


def _digest_of(rows: Rows) -> int:
    """The sum of the row hashes. A sum, because the databases sort texts differently."""
    return sum(
        int.from_bytes(hashlib.sha256(repr(sorted(row.items())).encode()).digest()) for row in rows
    )


def _count_on(db: Connection, table: Table) -> None:
    """Sets PostgreSQL's sequence of a column to the highest number in the column."""
    for column in table.primary_key:
        if column.type is SERIAL:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            highest = select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()
            db.execute(select(func.setval(sequence, highest, False)))
