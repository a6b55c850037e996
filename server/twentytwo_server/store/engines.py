"""Engines for the two databases: how connections are made and transactions begun."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ..failpoints import failpoint
from . import Refused

FILE = "twentytwo.db"

PRAGMAS = (
    "busy_timeout=1000",
    "locking_mode=EXCLUSIVE",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "wal_autocheckpoint=0",
)
"""What every SQLite connection is set to, in this order.

EXCLUSIVE must come before WAL: then SQLite uses no shared memory, a second process cannot open the
file, and a defect of SQLite up to 3.51.2, by which two connections can damage a file, cannot occur.
Automatic checkpoints are off: SQLite does not report their errors, so the writer calls `checkpoint`
itself."""

OLDEST = (3, 35, 0)
"""The oldest version of SQLite that has everything that is used here."""

_POSTGRES = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "twentytwo",
}
"""Makes a connection to a server that is gone fail within half a minute."""

READ = {"write": False}
"""Execution options of a transaction that only reads."""


def database(where: str | Path) -> URL:
    """The URL of the database in a folder, or at a `postgresql://` URL. Raises `Refused`."""
    if isinstance(where, Path) or "://" not in where:
        return URL.create("sqlite+aiosqlite", database=str(Path(where) / FILE))
    try:
        url = make_url(where)
    except ArgumentError as error:
        raise Refused(f"this is no URL of a database: {where.partition('@')[2]}") from error
    if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise Refused(f"the store is a folder or postgresql://..., not {url.drivername}://")
    return url.set(drivername="postgresql+psycopg")


def check_there(where: str | Path, writing: bool = True) -> None:
    """Raises `Refused` if there is no data: commands must not create data in a mistyped folder.

    Likewise if nothing can be written there, unless not `writing`.
    """
    url = database(where)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise Refused(f"there is no data in {where}")
    if writing and (why := only_read(where)):
        raise Refused(f"the data in {where} cannot be opened: {why}; a copy elsewhere will do")


def only_read(where: str | Path) -> str:
    """The reason why a file of SQLite can only be read; empty if it can be written."""
    url = database(where)
    file = Path(url.database or "")
    if url.get_backend_name() != "sqlite" or (
        os.access(file, os.R_OK | os.W_OK) and os.access(file.parent, os.W_OK)
    ):
        return ""
    read_only = os.statvfs(file).f_flag & os.ST_RDONLY
    return "its file system can only be read" if read_only else "you may not write there"


def engine(url: URL, read_only: bool = False) -> AsyncEngine:
    """An engine for a database. For SQLite it has one connection, which all users take turns at.

    `read_only`: a file of SQLite is not locked, and must not change. Raises `Refused` if SQLite is
    too old, the driver of PostgreSQL is not installed, or such a file has a log that would have to
    be moved into it first.
    """
    if url.get_backend_name() == "sqlite":
        return _sqlite(_unchanging(url) if read_only else url)
    try:
        return create_async_engine(
            url, hide_parameters=True, pool_size=4, max_overflow=0, connect_args=_POSTGRES
        )
    except ImportError as error:
        raise Refused('PostgreSQL needs: pip install "twentytwo[postgres]"') from error


def _unchanging(url: URL) -> URL:
    file = Path(url.database or "")
    log = file.with_name(file.name + "-wal")
    if log.exists() and log.stat().st_size:
        raise Refused(f"{log.name} has to be moved into {file}, which can only be read: copy both")
    path = quote(str(file.absolute()))
    return url.set(database=f"file:{path}", query={"immutable": "1", "uri": "true"})


async def checkpoint(made: AsyncEngine) -> None:
    """Moves SQLite's write-ahead log into the database file. Raises `sqlite3.Error`."""
    async with made.connect() as db:
        raw = (await db.get_raw_connection()).driver_connection
        assert raw is not None
        async with raw.execute("PRAGMA wal_checkpoint(PASSIVE)") as cursor:
            await cursor.fetchone()


def private(file: Path) -> None:
    """Creates the file and its folder if missing, and makes the file readable by its owner only."""
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    file.chmod(0o600)
    failpoint("file made")


def _sqlite(url: URL) -> AsyncEngine:
    if sqlite3.sqlite_version_info < OLDEST:
        needed = ".".join(map(str, OLDEST))
        raise Refused(f"SQLite {needed} is needed, and this Python has {sqlite3.sqlite_version}")
    made = create_async_engine(
        url,
        hide_parameters=True,  # an error in the log has no value of anybody
        pool_size=1,
        max_overflow=0,
        pool_timeout=None,
        pool_reset_on_return=None,
        connect_args={"check_same_thread": False},  # backups read in another thread
    )

    @event.listens_for(made.sync_engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # or the driver would begin transactions by itself
        try:
            cursor = connection.cursor()
            for pragma in PRAGMAS:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except BaseException:
            connection.close()
            raise

    begin_in_sqlite(made.sync_engine)
    return made


def begin_in_sqlite(made: Engine) -> None:
    """Has the engine begin its transactions itself, since the driver is told not to."""

    @event.listens_for(made, "begin")
    def begin(connection: Connection) -> None:
        write = connection.get_execution_options().get("write", True)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
