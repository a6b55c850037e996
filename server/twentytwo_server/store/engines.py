"""Engines for the two databases: making connections and beginning transactions."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ..failpoints import failpoint
from . import Refused

DATA_FILE = "twentytwo.db"

PRAGMAS = (
    "busy_timeout=1000",
    "locking_mode=EXCLUSIVE",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "wal_autocheckpoint=0",
)
"""The settings of every SQLite connection, in order of execution.

EXCLUSIVE must come before WAL: then SQLite uses no shared memory, and a second process cannot open
the file. This also avoids a defect of SQLite up to 3.51.2 that lets two connections damage a file.
Automatic checkpoints are off, because SQLite does not report their errors; the writer calls
`checkpoint` itself.
"""

OLDEST = (3, 35, 0)
"""The oldest version of SQLite with all required features."""

_POSTGRES = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""Timeouts that make a connection to a dead server fail within half a minute."""

IDLE_TRANSACTION = 3000
"""Milliseconds after which PostgreSQL ends a transaction that waits for its server."""

READ_ONLY = {"write": False}
"""Execution options of a read-only transaction."""


def database(where: str | Path) -> URL:
    """The URL of the database in a folder, or at a `postgresql://` URL. Raises `Refused`."""
    if isinstance(where, Path) or "://" not in where:
        return URL.create("sqlite+aiosqlite", database=str(Path(where) / DATA_FILE))
    try:
        url = make_url(where)
    except ArgumentError as error:
        raise Refused(f"this is no URL of a database: {where.partition('@')[2]}") from error
    if url.drivername not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise Refused(f"the store is a folder or postgresql://..., not {url.drivername}://")
    return url.set(drivername="postgresql+psycopg")


_SECRET = ("password", "sslpassword")
"""Secrets that the query part of a URL may contain."""


def shown(where: str | Path) -> str:
    """The folder or URL, without its password."""
    if isinstance(where, Path) or "://" not in where:
        return str(where)
    url = database(where).difference_update_query(_SECRET)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def check_there(where: str | Path, writing: bool = True) -> None:
    """Raises `Refused` if there is no data: commands must not create data in a mistyped folder.

    Also raises `Refused` if the data is read-only and `writing` is true.
    """
    url = database(where)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        raise Refused(f"there is no data in {where}")
    if writing and (why := only_read(where)):
        raise Refused(f"the data in {where} cannot be opened: {why}; copy it to another place")


def only_read(where: str | Path) -> str:
    """The reason why an SQLite file is read-only; empty if it is writable."""
    url = database(where)
    file = Path(url.database or "")
    if url.get_backend_name() != "sqlite" or (
        os.access(file, os.R_OK | os.W_OK) and os.access(file.parent, os.W_OK)
    ):
        return ""
    read_only = os.statvfs(file).f_flag & os.ST_RDONLY
    return "its file system can only be read" if read_only else "you may not write there"


def application_name(node: str) -> str:
    """The name that PostgreSQL shows of the sessions of a server."""
    return f"twentytwo {node}"


def engine(url: URL, read_only: bool = False, node: str = "") -> AsyncEngine:
    """An engine for a database. For SQLite it has a single connection, which its users share in
    turn.

    `node` is the name of the server among those that share a PostgreSQL database.
    `read_only`: an SQLite file is not locked, and must not change. Raises `Refused` if SQLite is
    too old, the PostgreSQL driver is not installed, or a read-only file has a log that must be
    moved into it first.
    """
    if url.get_backend_name() == "sqlite":
        return _sqlite(_unchanging(url) if read_only else url)
    try:
        made = create_async_engine(
            url,
            hide_parameters=True,
            pool_size=4,
            max_overflow=0,
            pool_timeout=None,  # a slow database is waited for
            connect_args={**_POSTGRES, "application_name": application_name(node)},
        )
    except ImportError as error:
        raise Refused('PostgreSQL needs: pip install "twentytwo[postgres]"') from error
    event.listen(made.sync_engine, "connect", _limit_idle_transactions)
    return made


def _limit_idle_transactions(connection: Any, _: Any) -> None:
    """Makes PostgreSQL roll back a transaction whose server has frozen in the middle.

    Its locks would make a server wait that takes over. It is no parameter of the connection,
    because PgBouncer refuses unknown ones.
    """
    connection.autocommit = True
    with closing(connection.cursor()) as cursor:
        cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_TRANSACTION}")
    connection.autocommit = False


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
    """Creates the file and its folder if missing, and makes the file readable only by its owner."""
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
        hide_parameters=True,  # keeps values out of errors in the log
        pool_size=1,
        max_overflow=0,
        pool_timeout=None,
        pool_reset_on_return=None,
        connect_args={"check_same_thread": False},  # backups read in another thread
    )

    @event.listens_for(made.sync_engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # stops the driver from beginning transactions itself
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
    """Makes the engine begin its transactions, because the driver does not begin any."""

    @event.listens_for(made, "begin")
    def begin(connection: Connection) -> None:
        write = connection.get_execution_options().get("write", True)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
