"""The store in a database: SQLite in a folder, or PostgreSQL at a URL."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, delete, text, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from twentytwo_protocol import __version__

from ..facts import (
    Account,
    AdminAction,
    DailyEnded,
    DailySealed,
    Fact,
    GameEnded,
    InviteCodeUsed,
    Keeper,
    Moderation,
    OpenTable,
    Owned,
    PasswordChanged,
    PersonKept,
    Pool,
    PromiseEntry,
    Rated,
    Remembered,
    Report,
    Seek,
    SeekMatch,
    SshKeyAdded,
    StoredPerson,
    TokenGiven,
    Unrated,
    Untold,
    WantedTables,
    WeekScore,
)
from ..failpoints import failpoint
from ..metrics import Histogram
from ..ports import Numbered, Redeemed, StorageListener, TablesTaken
from . import Refused, reading
from .claiming import claim, claim_word, redeem
from .common import AFTER_BACKUP, BLOCK, all_after
from .copying import copy, last_backup, note_backup
from .data_files import DataFiles
from .engines import database, engine, private, shown
from .faults import fault, is_locked
from .lease import Lease
from .migrating import check_schema, import_alembic, migrate, newest
from .node_settings import NodeSettings
from .nodes import Fence, NodeRow, NodeState, StillServing, in_the_way, join, read_place, take_over
from .peers import Peers
from .questions import questions
from .rating import Changed, rate
from .repair import is_noted, note_damage, repair
from .schema import invite_codes, marks, nodes, people, ssh_keys, tokens
from .seeking import seek, unseek
from .standby import Told, last_serving, leave, wait_to_serve
from .writer import RETRY_DELAYS, Fatal, Writer
from .writing import Counters

log = logging.getLogger("twentytwo.store")

_T = TypeVar("_T")

ALONE = NodeSettings()
"""The settings of the only server of a database."""

_RAISE_REPORTS = text(
    "INSERT INTO marks (name, value) SELECT 'report', coalesce(max(no), 0) FROM reports"
    " ON CONFLICT (name) DO UPDATE SET value = greatest(marks.value, excluded.value)"
)
"""The highest number of a report. Only active servers keep it: the only server reads the rows."""


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
        self._committed: list[Callable[[Sequence[Fact]], None]] = []
        self._writer = self._new_writer()
        self._lease = (
            Lease(opened.engine, opened.fence, opened.settings, self._end)
            if opened.engine.dialect.name == "postgresql"
            else None
        )
        self._taken: list[TablesTaken] = []
        self._peers: Peers | None = None
        self._blocks: dict[Numbered, range] = {}
        self._asking: set[asyncio.Task[None]] = set()
        self._copying: set[asyncio.Future[None]] = set()
        self._closing = False
        self._answers_nothing = False
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
        made = Writer(
            *(opened.engine, opened.fence, opened.marks, self._end),
            *(opened.present, self._note_damage),
        )
        made.committed = self._committed
        return made

    def _end(self, why: str) -> None:
        """Calls `fatal` once: writer and lease may both notice a server that has taken over."""
        if not self._ended:
            self._ended = True
            self._fatal(why)

    async def _load(self) -> Remembered:
        if self._opened.fence.active:
            self._blocks = {kind: await self._reserve(kind) for kind in Numbered}
        log = self._opened.fence.log
        return await self._questions.ask(
            lambda db: reading.read_remembered(
                db, reading.read_marks(db, log), self._opened.restored, log
            )
        )

    async def close(self) -> None:
        """Writes all queued facts, abandons running backups and closes the database."""
        self._closing = True
        await self._writer.close()
        if self._copying:
            await asyncio.wait(self._copying)
        self._answers_nothing = True
        for task in self._asking:
            task.cancel()
        if self._asking:
            await asyncio.wait(self._asking)
        if self._peers is not None:
            await self._peers.close()
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

    def after_commit(self, committed: Callable[[Sequence[Fact]], None]) -> None:
        """Adds a callback for facts that are safe."""
        self._committed.append(committed)

    @property
    def commits(self) -> Histogram:
        """Durations of commits, in seconds."""
        return self._writer.commits

    @property
    def queued(self) -> int:
        """Number of `keep` calls that wait for the next commit."""
        return self._writer.queued

    @property
    def speaks(self) -> Callable[[], bool] | None:
        """Tells whether this server may speak: no other server can have taken over.

        None if there can be no other one.
        """
        return None if self._lease is None else self._lease.holds

    @property
    def others(self) -> Sequence[NodeRow] | None:
        """The servers that take over from this one when it stops: they stand by, or are active.

        None if this server has no name among others.
        """
        named = self._lease is not None and self._opened.settings.name
        return self._lease.others if named and self._lease is not None else None

    async def look(self) -> None:
        """Reads `others` at once: they are as old as the last renewal of the lease."""
        if self._lease is not None:
            await self._lease.look()

    @property
    def standbys(self) -> int | None:
        """Number of servers that stand by; None if none is to do so for this one."""
        return self._count_others(NodeState.STANDBY, self._opened.settings.stands_by)

    @property
    def peers(self) -> int | None:
        """Number of other active servers; None if this server is not active among others."""
        return self._count_others(NodeState.ACTIVE, self._opened.settings.active)

    def _count_others(self, state: NodeState, wanted: bool) -> int | None:
        if not wanted:
            return None
        return sum(row.state is state for row in self.others or ())

    @property
    def lease_age(self) -> float | None:
        """Seconds since the last renewal of the lease; None without a lease."""
        return None if self._lease is None else self._lease.age

    @property
    def vacant_since(self) -> float | None:
        """The last sign of the server before, in the loop's seconds; None if this one took over
        from none.
        """
        return self._opened.vacant_since

    async def place(self) -> str:
        """A name for this database that no other one has, for servers that share it.

        Only a copy of all files of PostgreSQL has the same one. Raises `SQLAlchemyError`.
        """
        return await self._questions.ask(read_place)

    def watch(self, trouble: StorageListener) -> None:
        """Registers `trouble`, which is called at the beginning and the end of a storage fault."""
        self._writer.watch(trouble)

    def reserve(self, kind: Numbered, last: int) -> range:
        """Numbers for new things that no other server uses; empty as in the port.

        The block after the one that is returned is reserved at once, so that it is there in time.
        """
        if not self._opened.fence.active:
            return all_after(last)
        block = self._blocks.pop(kind, range(0))
        if block:
            self._begin(
                lambda: self._reserve(kind), range(0), partial(self._blocks.__setitem__, kind)
            )
        return block

    async def _reserve(self, kind: Numbered) -> range:
        async with self.engine.begin() as db:
            if kind is Numbered.REPORT:
                await db.execute(_RAISE_REPORTS)
            its = update(marks).where(marks.c.name == kind.value)
            raised = its.values(value=marks.c.value + BLOCK).returning(marks.c.value)
            last = (await db.execute(raised)).scalar_one()
        return range(last - BLOCK + 1, last + 1)

    def after_taking(self, taken: TablesTaken) -> None:
        """Adds a callback for tables taken from a server that has ended.

        From the first callback on, an active server takes such tables.
        """
        self._taken.append(taken)
        if self._opened.fence.active and self._peers is None:
            opened = self._opened
            self._peers = Peers(opened.engine, opened.fence, opened.settings, self._tell_taken)

    def _tell_taken(self, tables: Sequence[str]) -> None:
        for taken in self._taken:
            taken(tables)

    # ------------------------------------------------------------------------- questions

    def owners(
        self, wanted: WantedTables, done: Callable[[Mapping[str, Owned] | None], None]
    ) -> None:
        """The owners and last inputs of open tables; None as in the port."""
        node = self._opened.fence.node
        self._ask(lambda db: reading.read_owners(db, wanted, node), None, done)

    def newer_inputs(
        self, known: Mapping[str, int], done: Callable[[Sequence[OpenTable] | None], None]
    ) -> None:
        """The tables among `known`, with the inputs above the numbers in `known`; None as in the
        port.
        """
        self._ask(lambda db: reading.read_newer_inputs(db, known), None, done)

    def kept_inputs(self, done: Callable[[Sequence[str] | None], None]) -> None:
        """The closed tables whose inputs are still kept; None as in the port."""
        self._ask(reading.read_kept_inputs, None, done)

    def claim(self, person: PersonKept, done: Callable[[int | None], None]) -> None:
        """Stores a new person, unless there is one of that name."""

        async def claimed() -> int | None:
            async with self.engine.begin() as db:
                return await db.run_sync(claim, person, self._opened.fence)

        self._begin(claimed, None, done)

    def seek(
        self, wanted: Seek, tag: str, busy: Collection[str], done: Callable[[SeekMatch], None]
    ) -> None:
        """Opens a seek, or takes it together with those that match."""

        async def sought() -> SeekMatch:
            async with self.engine.begin() as db:
                return await db.run_sync(seek, wanted, tag, busy, self._opened.fence)

        self._begin(sought, SeekMatch(0), done)

    def claim_word(self, word: str, table: str, done: Callable[[bool], None]) -> None:
        """Claims a secret word for a table, unless another one has it."""

        async def claimed() -> bool:
            async with self.engine.begin() as db:
                return await db.run_sync(claim_word, word, table, self._opened.fence)

        self._begin(claimed, False, done)

    def unseek(self, number: int, done: Callable[[bool], None]) -> None:
        """Ends a seek, unless a match has taken it."""

        async def ended() -> bool:
            async with self.engine.begin() as db:
                return await db.run_sync(unseek, number, self._opened.fence)

        self._begin(ended, False, done)

    def redeem(
        self, made: Account | PasswordChanged, code: bytes, done: Callable[[Redeemed], None]
    ) -> None:
        """Stores a new account or password, and uses an invite code."""

        async def redeemed() -> Redeemed:
            async with self.engine.begin() as db:
                return await db.run_sync(redeem, made, code, self._opened.fence)

        def known(outcome: Redeemed) -> None:
            done(outcome)
            if outcome is Redeemed.DONE:
                for committed in self._committed:
                    committed([made, InviteCodeUsed(code)] if code else [made])

        self._begin(redeemed, Redeemed.CODE_USED, known)

    def new_accounts(self, since: int, done: Callable[[Mapping[str, str]], None]) -> None:
        """The names of the accounts made since a wall time, by their skeletons."""
        nothing: Mapping[str, str] = {}
        self._ask(lambda db: reading.read_new_accounts(db, since), nothing, done)

    def person(self, name: str, done: Callable[[StoredPerson | None], None]) -> None:
        """All that is stored of a person."""
        self._ask(lambda db: reading.read_person(db, name), None, done)

    def people(self, done: Callable[[Sequence[StoredPerson]], None]) -> None:
        """All people whom this server keeps."""
        self._ask_for_all(lambda db: reading.read_people(db, self._opened.fence.node), done)

    def keepers(self, names: Collection[str], done: Callable[[Mapping[str, Keeper]], None]) -> None:
        """The servers that keep these people."""
        nobody: Mapping[str, Keeper] = {}
        self._ask(lambda db: reading.read_keepers(db, names), nobody, done)

    def keeper_by_secret(self, secret: bytes, done: Callable[[Keeper | None], None]) -> None:
        """The person with this secret, and the server that keeps them."""
        self._ask(lambda db: reading.read_keeper_by_secret(db, secret), None, done)

    def account(self, name: str, done: Callable[[Account | None], None]) -> None:
        """The account with this name, ignoring case."""
        self._ask(lambda db: reading.read_account(db, name), None, done)

    def tokens(self, name: str, done: Callable[[Sequence[TokenGiven]], None]) -> None:
        """The login tokens of an account, in order of their numbers."""
        self._ask_for_all(lambda db: reading.read_tokens(db, name), done)

    def token(self, digest: bytes, done: Callable[[TokenGiven | None], None]) -> None:
        """The login token with this hash."""
        self._ask(lambda db: reading.read_token(db, digest), None, done)

    def ssh_keys(self, name: str, done: Callable[[Sequence[SshKeyAdded]], None]) -> None:
        """The keys of an account, in order of their numbers."""
        self._ask_for_all(lambda db: reading.read_ssh_keys(db, name), done)

    def secret(self, name: str, done: Callable[[str | None], None]) -> None:
        """The secret of that name, or None."""
        self._ask(lambda db: reading.read_secret(db, name), None, done)

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
        log = self._opened.fence.log
        self._ask_for_all(lambda db: reading.read_promises(db, log, game, most, before), done)

    def rate(self, game: str, ratings: Sequence[Rated], done: Callable[[bool], None]) -> None:
        """Stores the new ratings after a game, unless it is rated or one of them has changed."""

        async def rated() -> bool:
            try:
                async with self.engine.begin() as db:
                    await db.run_sync(rate, game, ratings)
            except Changed:
                return False
            return True

        self._begin(rated, True, done)

    def unrated(self, done: Callable[[Sequence[Unrated]], None]) -> None:
        """The games that are still to be rated."""
        self._ask_for_all(reading.read_unrated, done)

    def untold(self, names: Sequence[str], done: Callable[[Untold], None]) -> None:
        """The results that these people are still to be told."""
        self._ask(lambda db: reading.read_untold(db, names), Untold(), done)

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
        """Games without a summary, with their records, of which this server is to make one."""
        node = self._opened.fence.log
        self._ask_for_all(lambda db: reading.read_unsummed(db, most, before, node), done)

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

    def moderation(self, done: Callable[[Moderation], None]) -> None:
        """The decisions of operators, and the reports and codes that wait."""
        self._ask(reading.read_moderation, Moderation(), done)

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
        self._begin(lambda: self._questions.ask(read), nothing, done)

    def _begin(
        self,
        ask: Callable[[], Coroutine[Any, Any, _T]],
        nothing: _T,
        done: Callable[[_T], None],
    ) -> None:
        if self._answers_nothing:
            return
        task = self._loop.create_task(self._answer(ask, nothing, done))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _answer(
        self,
        ask: Callable[[], Coroutine[Any, Any, _T]],
        nothing: _T,
        done: Callable[[_T], None],
    ) -> None:
        """Asks the database, retrying until it succeeds, and calls `done` with the result.

        If the data is damaged, the result is `nothing`, and the next start repairs the file: a
        query about an old game must not stop a working server.
        """
        wait, most = RETRY_DELAYS
        while True:
            try:
                found = await ask()
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

    `before` is its earlier schema version, `fence` the right to write. `restored`: it is a
    backup in which no server has started yet. `present` raises `Moved` if the files were moved or
    deleted.
    """

    def __init__(self, made: AsyncEngine, settings: NodeSettings) -> None:
        self.engine = made
        self.settings = settings
        self.fence = Fence(settings.node, 0)
        self.vacant_since: float | None = None
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
        if self.before not in ("", newest()):
            log.info("the data is migrated: schema %s -> %s", self.before, newest())
        if self.engine.dialect.name == "sqlite":
            self.present = DataFiles(_file(self.engine.url)).check
        failpoint("schema ready")

    async def take(self, after: Sequence[NodeRow]) -> None:
        """Takes the right to write. `after` are the rows of dead servers that are in the way.

        Raises `StillServing`.
        """
        mine = self.settings
        async with self.engine.begin() as db:
            if self.engine.dialect.name == "sqlite":
                after = await db.run_sync(in_the_way)
            self.fence, batch = await db.run_sync(
                join if mine.active else take_over, mine.node, __version__, mine.address, after
            )
            marks = await db.run_sync(reading.read_marks, self.fence.log)
            self.marks = replace(marks, batch=batch)

    async def _before_migrating(self) -> None:
        """Backs up an SQLite file and imports Alembic, if the schema is about to change."""
        async with self.engine.connect() as db:
            found = self.before = await db.run_sync(check_schema)
            failpoint("schema checked")
            await db.rollback()
            if found in ("", newest()):
                return
            import_alembic()
            if self.engine.dialect.name != "sqlite":
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
        await self.take(())
        return True

    async def close(self) -> None:
        """Notes that this server serves no more, and closes all connections."""
        if self.fence.epoch:
            await leave(self.engine, self.fence, self.settings)
        await self.engine.dispose()


async def open_store(
    where: str | Path,
    fatal: Fatal,
    settings: NodeSettings = ALONE,
    told: Told = lambda node: None,
) -> SqlStore:
    """Opens the store in a folder, which may be new, or at a URL `postgresql://...`.

    `fatal` is called with the reason when the store cannot continue. It must end the process (with
    exit code 70), because only a restart can tell which data is stored. If `settings` name this
    server, it stands by while another one serves; `told` is called with that one's name. If they
    make it active, it shares the database with other active servers. Raises `Refused`.
    """
    return SqlStore(await open_database(where, settings, told), fatal)


async def open_database(
    where: str | Path, settings: NodeSettings = ALONE, told: Told = lambda node: None
) -> Opened:
    """Takes a database for this process and migrates its schema. Raises `Refused`.

    `settings` and `told` as in `open_store`.
    """
    url = database(where)
    if url.get_backend_name() == "sqlite":
        if settings.active:
            raise Refused(f"{where} is a folder, which only one server can use")
        _make(_file(url))
    opened = Opened(engine(url, node=settings.node), settings)
    try:
        if url.get_backend_name() == "sqlite" and is_noted(_file(url)):
            await _repair(_file(url))
        try:
            if settings.stands_by and url.get_backend_name() != "sqlite":
                await _take_in_turn(opened, told)
            else:
                await _take_at_once(opened, where)
        except SQLAlchemyError as error:
            if not await opened.repaired(error):
                raise
        return opened
    except BaseException as error:
        await opened.close()
        if isinstance(error, Refused) or not isinstance(error, Exception):
            raise
        raise Refused(_why(error, where)) from error


async def _take_at_once(opened: Opened, where: str | Path) -> None:
    """Takes the right to write. Raises `Refused` if a server that is in the way is alive."""
    after = await last_serving(opened.engine, where, opened.settings)
    await opened.prepare()
    while True:
        try:
            return await opened.take(after)
        except StillServing:  # another server has just ended the dead one, and took its tables
            after = await last_serving(opened.engine, where, opened.settings)


async def _take_in_turn(opened: Opened, told: Told) -> None:
    """Stands by until no other server serves, and takes the right to write."""
    await opened.prepare()
    while True:
        after, opened.vacant_since = await wait_to_serve(opened.engine, opened.settings, told)
        try:
            return await opened.take(after)
        except (StillServing, IntegrityError):  # another standby was faster
            continue


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


def _why(error: Exception, where: str | Path) -> str:
    if is_locked(error):
        return f"the data folder {where} is in use by another server"
    return f"the data in {shown(where)} cannot be opened: {fault(error).why}"


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

    Numbers jump, so that none is used twice. Resume tokens, login tokens, keys and invite codes are
    deleted, because they may have been revoked or used since the backup. The mark stays until a
    server starts.
    """
    numbers = marks.c.name.in_(("table", "game", "promise"))
    db.execute(update(marks).where(numbers).values(value=marks.c.value + AFTER_BACKUP))
    its = update(nodes).where(nodes.c.promise > 0)
    db.execute(its.values(promise=nodes.c.promise + AFTER_BACKUP))
    db.execute(update(people).values(secret=b"", before=b""))
    db.execute(delete(tokens))
    db.execute(delete(ssh_keys))
    db.execute(delete(invite_codes))
    db.execute(update(marks).where(marks.c.name == "copy").values(value=2))
