"""The store in a database: SQLite in a folder, or PostgreSQL at a URL."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Connection, delete, inspect, text, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from twentytwo_protocol import __version__

from ..facts import (
    Account,
    AdminAction,
    DailyEnded,
    DailySealed,
    Fact,
    GameEnded,
    Pool,
    PromiseEntry,
    Rated,
    Remembered,
    Report,
    TokenGiven,
    WeekScore,
)
from ..failpoints import failpoint
from ..metrics import Histogram
from ..ports import StorageListener
from . import Refused, reading
from .common import AFTER_BACKUP
from .copying import copy, last_backup, note_backup
from .data_files import DataFiles
from .engines import database, engine, private
from .faults import fault, is_locked
from .lease import Lease
from .migrating import check_schema, migrate, newest
from .nodes import DEFAULT_NODE, Fence, NodeRow, serving, stopped, take_over
from .questions import questions
from .repair import is_noted, note_damage, repair
from .schema import invite_codes, marks, nodes, people, tokens
from .writer import RETRY_DELAYS, Fatal, Writer
from .writing import Counters

log = logging.getLogger("twentytwo.store")

_T = TypeVar("_T")

_SESSION = "SELECT pg_backend_pid()"
"""Selects the PostgreSQL session of a connection; every open connection has a different one."""

_POOLED = (
    "between this server and PostgreSQL several connections share one session, as with PgBouncer's "
    "pool_mode=transaction: set pool_mode=session, or connect directly"
)

PATIENCE = 3.0
"""Seconds after which a server that has not renewed its lease counts as dead.

So a server that is started in place of a dead one waits for this time.
"""
_ASK = 0.25
"""Seconds between two looks at the row of the server that serves."""


class SqlStore:
    """`ports.Store` in a database. `open_store` makes it; then call `load`, and `close` at the end.

    All writes go through one `Writer`. Each query is a task of its own, which reads committed data.
    `engine` gives direct access to the database.
    """

    def __init__(self, opened: Opened, fatal: Fatal) -> None:
        self._opened = opened
        self.engine = opened.engine
        self._questions = questions(opened.engine)
        self._fatal = fatal
        self._loop = asyncio.get_running_loop()
        self._writer = self._new_writer()
        self._lease = (
            Lease(opened.engine, opened.fence, self._end)
            if opened.engine.dialect.name == "postgresql"
            else None
        )
        self._asking: set[asyncio.Task[None]] = set()
        self._copying: set[asyncio.Future[None]] = set()
        self._closing = False
        self._ended = False

    async def load(self) -> Remembered:
        """The data for a starting server. Raises `SQLAlchemyError`, `Refused`.

        A damaged SQLite file is repaired first: all readable data is copied into a new file. Then a
        new writer is made, since the first one has the counters and files of the damaged database.
        """
        try:
            return await self._load()
        except SQLAlchemyError as error:
            await self._writer.close()
            if not await self._opened.repaired(error):
                raise
            self._writer = self._new_writer()
        return await self._load()

    def _new_writer(self) -> Writer:
        opened = self._opened
        return Writer(
            *(opened.engine, opened.fence, opened.marks, self._end),
            *(opened.present, self._note_damage),
        )

    def _end(self, why: str) -> None:
        """Calls `fatal` once: writer and lease may both notice a server that has taken over."""
        if not self._ended:
            self._ended = True
            self._fatal(why)

    async def _load(self) -> Remembered:
        return await self._questions.ask(
            lambda db: reading.read_remembered(db, reading.read_marks(db), self._opened.restored)
        )

    async def close(self) -> None:
        """Writes all queued facts, abandons running backups and closes the database."""
        self._closing = True
        await self._writer.close()
        if self._copying:
            await asyncio.wait(self._copying)
        for task in self._asking:
            task.cancel()
        if self._asking:
            await asyncio.wait(self._asking)
        if self._lease is not None:
            await self._lease.close()
        await self._opened.close()

    async def backup(self, target: Path) -> None:
        """Copies the database into a new file while it is in use. Raises as `copying.copy` does."""
        if self.engine.dialect.name != "sqlite":
            raise Refused("a database of PostgreSQL is backed up with pg_dump")
        async with self.engine.connect() as db:
            source = await _driver(db)
        copying = asyncio.ensure_future(
            asyncio.to_thread(copy, source, target, lambda: self._closing)
        )
        self._copying.add(copying)
        copying.add_done_callback(self._copying.discard)
        await copying
        note_backup(_file(self.engine.url))

    @property
    def last_backup(self) -> float | None:
        """The time of the last backup, in seconds since 1970; None if none is known."""
        url = self.engine.url
        return last_backup(_file(url)) if url.get_backend_name() == "sqlite" else None

    # -------------------------------------------------------------------------- keeping

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        """Stores the facts, all or none, after those of earlier calls; then calls `done`."""
        self._writer.keep(facts, done)

    @property
    def commits(self) -> Histogram:
        """Durations of commits, in seconds."""
        return self._writer.commits

    @property
    def queued(self) -> int:
        """Number of `keep` calls that wait for the next commit."""
        return self._writer.queued

    def watch(self, trouble: StorageListener) -> None:
        """Registers `trouble`, which is called at the beginning and the end of a storage fault."""
        self._writer.watch(trouble)

    # ------------------------------------------------------------------------- questions

    def account(self, name: str, done: Callable[[Account | None], None]) -> None:
        """The account with this name, ignoring case."""
        self._ask(lambda db: reading.read_account(db, name), None, done)

    def tokens(self, name: str, done: Callable[[Sequence[TokenGiven]], None]) -> None:
        """The login tokens of an account, in order of their numbers."""
        self._ask_for_all(lambda db: reading.read_tokens(db, name), done)

    def token(self, digest: bytes, done: Callable[[TokenGiven | None], None]) -> None:
        """The login token with this hash."""
        self._ask(lambda db: reading.read_token(db, digest), None, done)

    def past(
        self,
        name: str,
        key: str,
        most: int,
        done: Callable[[Sequence[GameEnded]], None],
        before: tuple[int, int] | None = None,
    ) -> None:
        """Finished games without their records, the latest first."""
        self._ask_for_all(lambda db: reading.read_past(db, name, key, most, before), done)

    def game(self, game: str, done: Callable[[GameEnded | None], None]) -> None:
        """A finished game with its record."""
        self._ask(lambda db: reading.read_game(db, game), None, done)

    def promises(
        self,
        game: str,
        most: int,
        done: Callable[[Sequence[PromiseEntry]], None],
        before: int = 0,
    ) -> None:
        """Promises, the latest first; optionally only those of one game or below a number."""
        self._ask_for_all(lambda db: reading.read_promises(db, game, most, before), done)

    def rating(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """All current ratings of a name, by pool, game and rules."""
        self._ask_for_all(lambda db: reading.read_rating(db, name), done)

    def ranks(
        self,
        pool: Pool,
        key: str,
        rules: str,
        most: int,
        done: Callable[[Sequence[Rated]], None],
        skip: int = 0,
    ) -> None:
        """The best ratings for a game and its rules."""
        self._ask_for_all(lambda db: reading.read_ranks(db, pool, key, rules, most, skip), done)

    def rating_history(self, name: str, done: Callable[[Sequence[Rated]], None]) -> None:
        """All past and current ratings of a player, by pool, game, rules and number of games."""
        self._ask_for_all(lambda db: reading.read_rating_history(db, name), done)

    def summaries(
        self, name: str, key: str, most: int, done: Callable[[Sequence[GameEnded]], None]
    ) -> None:
        """The last games of a player, with their summaries."""
        self._ask_for_all(lambda db: reading.read_summaries(db, name, key, most), done)

    def unsummed(
        self, most: int, before: str, done: Callable[[Sequence[tuple[str, str]]], None]
    ) -> None:
        """Games without a summary, with their records."""
        self._ask_for_all(lambda db: reading.read_unsummed(db, most, before), done)

    def week(
        self,
        key: str,
        rules: str,
        days: tuple[int, int],
        most: int,
        done: Callable[[Sequence[WeekScore]], None],
    ) -> None:
        """The best players in the rated games of these days."""
        self._ask_for_all(lambda db: reading.read_week(db, key, rules, days, most), done)

    def daily_seal(self, day: str, key: str, done: Callable[[DailySealed | None], None]) -> None:
        """The seal of a day's deal of a game, or None."""
        self._ask(lambda db: reading.read_daily_seal(db, day, key), None, done)

    def daily_results(
        self, day: str, key: str, most: int, done: Callable[[Sequence[DailyEnded]], None]
    ) -> None:
        """The best results of accounts in a day's deal."""
        self._ask_for_all(lambda db: reading.read_daily_results(db, day, key, most), done)

    def dailies_of(
        self, name: str, most: int, done: Callable[[Sequence[DailyEnded]], None]
    ) -> None:
        """The latest daily deals that a player finished."""
        self._ask_for_all(lambda db: reading.read_dailies_of(db, name, most), done)

    def report(self, no: int, done: Callable[[Report | None], None]) -> None:
        """The report with this number, or None."""
        self._ask(lambda db: reading.read_report(db, no), None, done)

    def admin_log(self, most: int, done: Callable[[Sequence[AdminAction]], None]) -> None:
        """The latest entries of the operators' log, the latest first."""
        self._ask_for_all(lambda db: reading.read_admin_log(db, most), done)

    def _ask_for_all(
        self,
        read: Callable[[Connection], Sequence[_T]],
        done: Callable[[Sequence[_T]], None],
    ) -> None:
        nothing: Sequence[_T] = ()
        self._ask(read, nothing, done)

    def _ask(
        self,
        read: Callable[[Connection], _T],
        nothing: _T,
        done: Callable[[_T], None],
    ) -> None:
        task = self._loop.create_task(self._answer(read, nothing, done))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _answer(
        self,
        read: Callable[[Connection], _T],
        nothing: _T,
        done: Callable[[_T], None],
    ) -> None:
        """Runs a query, retrying until it succeeds, and calls `done` with the result.

        If the data is damaged, the result is `nothing`, and the next start repairs the file: a
        query about an old game must not stop a working server.
        """
        wait, most = RETRY_DELAYS
        while True:
            try:
                found = await self._questions.ask(read)
            except Exception as error:
                met = fault(error)
                if met.damaged:
                    self._note_damage(met.why)
                    return done(nothing)
                if isinstance(error, ValueError | TypeError):
                    log.error("the stored data was changed from outside: %s", met.why)
                    return done(nothing)
                if not met.passing:
                    return self._end(met.why)
                await asyncio.sleep(wait)
                wait = min(2 * wait, most)
            else:
                return done(found)

    def _note_damage(self, why: str) -> None:
        """Logs the damage, and marks the file for repair at the next start."""
        log.error("the data is damaged (%s); the next start sets unreadable data aside", why)
        if self.engine.dialect.name == "sqlite":
            with suppress(OSError):  # the disk itself may be damaged
                note_damage(_file(self.engine.url))


# ----------------------------------------------------------------------------------- opening


class Opened:
    """A database opened by this process alone; after `prepare` it has the newest schema.

    `node` is the name of this server, and `after` the row of the one that served before, if there
    is one. `before` is its earlier schema version, `fence` the right to write. `restored`: it is a
    backup in which no server has started yet. `present` raises `Moved` if the files were moved or
    deleted.
    """

    def __init__(self, made: AsyncEngine, node: str, after: NodeRow | None) -> None:
        self.engine = made
        self._node = node
        self._after = after
        self.fence = Fence(node, 0)
        self.before = ""
        self.marks = Counters()
        self.restored = False
        self.present: Callable[[], None] = lambda: None

    async def prepare(self) -> None:
        """Migrates the schema; prepares a backup for use. Raises `Refused`, `SQLAlchemyError`."""
        await self._before_migrating()
        async with self.engine.begin() as db:
            await db.run_sync(migrate)
            copied = await db.run_sync(_mark_of_copy)
            if copied == 1:
                await db.run_sync(renew)
            self.restored = copied > 0
            locked = self.engine.dialect.name == "sqlite"
            after = await db.run_sync(serving) if locked else self._after
            self.fence, batch = await db.run_sync(take_over, self._node, __version__, after)
            self.marks = replace(await db.run_sync(reading.read_marks), batch=batch)
        if self.before not in ("", newest()):
            log.info("the data is migrated: schema %s -> %s", self.before, newest())
        if self.engine.dialect.name == "sqlite":
            self.present = DataFiles(_file(self.engine.url)).check
        failpoint("schema ready")

    async def _before_migrating(self) -> None:
        """Backs up an SQLite file whose schema is about to change."""
        async with self.engine.connect() as db:
            found = self.before = await db.run_sync(check_schema)
            failpoint("schema checked")
            await db.rollback()
            if found in ("", newest()) or self.engine.dialect.name != "sqlite":
                return
            file = _file(self.engine.url)
            target = file.with_name(f"{file.stem}-before-{newest()}{file.suffix}")
            if not target.exists():
                await asyncio.to_thread(copy, await _driver(db), target)
            log.info("a backup from before the migration is kept as %s", target)

    async def repaired(self, error: BaseException) -> bool:
        """Repairs the file if the error shows damage; returns whether it did. Raises `Refused`."""
        if not fault(error).damaged or self.engine.dialect.name != "sqlite":
            return False
        await self.engine.dispose()
        await _repair(_file(self.engine.url))
        await self.prepare()
        return True

    async def close(self) -> None:
        """Notes that this server serves no more, and closes all connections."""
        with suppress(SQLAlchemyError, OSError, TimeoutError):
            async with asyncio.timeout(PATIENCE), self.engine.begin() as db:
                await db.run_sync(stopped, self.fence)
        await self.engine.dispose()


async def open_store(where: str | Path, fatal: Fatal, node: str = DEFAULT_NODE) -> SqlStore:
    """Opens the store in a folder, which may be new, or at a URL `postgresql://...`.

    `fatal` is called with the reason when the store cannot continue. It must end the process (with
    exit code 70), because only a restart can tell which data is stored. `node` is the name of this
    server. Raises `Refused`.
    """
    return SqlStore(await open_database(where, node), fatal)


async def open_database(where: str | Path, node: str = DEFAULT_NODE) -> Opened:
    """Takes a database for this process and migrates its schema. Raises `Refused`."""
    url = database(where)
    if url.get_backend_name() == "sqlite":
        _make(_file(url))
    made = engine(url)
    opened: Opened | None = None
    try:
        if url.get_backend_name() == "sqlite" and is_noted(_file(url)):
            await _repair(_file(url))
        opened = Opened(made, node, await last_serving(made, where))
        try:
            await opened.prepare()
        except SQLAlchemyError as error:
            if not await opened.repaired(error):
                raise
        return opened
    except BaseException as error:
        await (opened.close() if opened else made.dispose())
        if isinstance(error, Refused) or not isinstance(error, Exception):
            raise
        raise Refused(_why(error, where)) from error


async def _repair(file: Path) -> None:
    """Repairs a damaged file and logs the outcome. Raises `Refused`, `OSError`."""
    log.error("%s is damaged; all readable data is copied into a new file", file)
    for line in (await asyncio.to_thread(repair, file)).lines():
        log.error("%s", line)


async def migrated(where: str | Path, restored: bool = False) -> tuple[str, str]:
    """Migrates the schema; returns its old and new version. Raises `Refused`.

    `restored`: the database was restored from a dump. Unlike a backup, a dump has no mark.
    """
    opened = await open_database(where)
    try:
        if restored and not opened.restored:
            async with opened.engine.begin() as db:
                await db.run_sync(renew)
        return opened.before, newest()
    finally:
        await opened.close()


def _file(url: URL) -> Path:
    return Path(url.database or "")


def _make(file: Path) -> None:
    try:
        private(file)
    except OSError as error:
        raise Refused(f"the data folder {file.parent}: {error.strerror}") from error


async def last_serving(made: AsyncEngine, where: str | Path) -> NodeRow | None:
    """The row of the server that served a PostgreSQL database and is dead; None if it has stopped.

    An SQLite file is locked when it is first read: then None. Raises `Refused` if a server serves.
    """
    if made.dialect.name == "sqlite":
        return None
    await _check_sessions(made)
    end = asyncio.get_running_loop().time() + PATIENCE
    first = found = await _serving(made)
    while found is not None and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(_ASK)
        found = await _serving(made)
        if found is not None and found != first:
            raise Refused(f"the database {shown(where)} is in use by another server")
    return found


@asynccontextmanager
async def held(made: AsyncEngine, where: str | Path, by: str) -> AsyncIterator[None]:
    """Keeps servers off a database while a command uses it. `by` is the name of the command.

    SQLite locks the file itself. Raises `Refused` if a server serves.
    """
    after = await last_serving(made, where)
    if made.dialect.name == "sqlite":
        yield
        return
    async with made.begin() as db:
        fence, _ = await db.run_sync(take_over, by, __version__, after)
    lease = Lease(made, fence, lambda why: None)
    try:
        yield
    finally:
        await lease.close()
        async with made.begin() as db:
            await db.run_sync(stopped, fence)


async def _serving(made: AsyncEngine) -> NodeRow | None:
    async with made.connect() as db:
        there = await db.run_sync(lambda sync: inspect(sync).has_table(nodes.name))
        return await db.run_sync(serving) if there else None


async def _check_sessions(made: AsyncEngine) -> None:
    """Raises `Refused` if two connections share a session of PostgreSQL."""
    async with made.connect() as one, made.connect() as other:
        mine, theirs = [(await db.execute(text(_SESSION))).scalar() for db in (one, other)]
    if mine == theirs:
        raise Refused(_POOLED)


def _why(error: Exception, where: str | Path) -> str:
    if is_locked(error):
        return f"the data folder {where} is in use by another server"
    return f"the data in {shown(where)} cannot be opened: {fault(error).why}"


_SECRET = ("password", "sslpassword")
"""Secrets that the query part of a URL may contain."""


def shown(where: str | Path) -> str:
    """The folder or URL, without its password."""
    if isinstance(where, Path) or "://" not in where:
        return str(where)
    url = database(where).difference_update_query(_SECRET)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


async def _driver(db: AsyncConnection) -> sqlite3.Connection:
    """The `sqlite3` connection below this one; it lives as long as the engine."""
    raw = (await db.get_raw_connection()).driver_connection
    assert raw is not None
    found: sqlite3.Connection = raw._conn
    return found


# ----------------------------------------------------------------------------------- backups


def _mark_of_copy(db: Connection) -> int:
    found: int = db.execute(marks.select().where(marks.c.name == "copy")).one().value
    return found


def renew(db: Connection) -> None:
    """Prepares a backup for use.

    Numbers jump, so that none is used twice. Resume tokens, login tokens and invite codes are
    deleted, because they may have been revoked or used since the backup. The mark stays until a
    server starts.
    """
    numbers = marks.c.name.in_(("table", "game", "promise"))
    db.execute(update(marks).where(numbers).values(value=marks.c.value + AFTER_BACKUP))
    db.execute(update(people).values(secret=b"", before=b""))
    db.execute(delete(tokens))
    db.execute(delete(invite_codes))
    db.execute(update(marks).where(marks.c.name == "copy").values(value=2))
