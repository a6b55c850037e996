"""Disks that are full, locked, slow or broken under a file of SQLite."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import sqlite3
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from tests.kit import forked
from tests.kit.processes import LONG
from tests.store.kit import Folder, keep, keeping, opened
from twentytwo_server import failpoints
from twentytwo_server.facts import InboxLine, Input, PersonKept, TableOpened
from twentytwo_server.ports import SLOW_STORAGE
from twentytwo_server.store import Refused, engines, writer
from twentytwo_server.store.sql import SqlStore

BIG = "deed play " + 4000 * "x"


def big(seq: int) -> Input:
    return Input("t1", seq, seq, 0, "ann", False, False, BIG, (), seq, seq)


class Watched:
    """A store in trouble: what it has told, and why it ended."""

    def __init__(self, store: SqlStore) -> None:
        self.store = store
        self.told: list[str | None] = []
        self._news = asyncio.Event()
        store.watch(self._hear)

    def _hear(self, what: str | None) -> None:
        self.told.append(what)
        self._news.set()

    async def tells(self, what: str | None) -> None:
        """Waits until it has told that last, or a reason that begins with it."""
        while not self.told or not _begins(self.told[-1], what):
            self._news.clear()
            await self._news.wait()


def _begins(told: str | None, what: str | None) -> bool:
    return told == what if told is None or what is None else told.startswith(what)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


@asynccontextmanager
async def watched(folder: Folder) -> AsyncGenerator[Watched]:
    store = await folder.open()
    try:
        await keep(store, TableOpened("t1", "twentytwo", 0))
        yield Watched(store)
    finally:
        await store.close()


async def raw(store: SqlStore, statement: str) -> Any:
    """Says something to the database beside the store."""
    async with store.engine.connect() as db:
        return (await db.exec_driver_sql(statement)).fetchone()


async def numbers(folder: Folder) -> list[int]:
    """The numbers of the inputs that are in the file."""
    async with opened(folder) as store:
        (table,) = (await store.load()).tables
        return [given.seq for given in table.inputs]


# --------------------------------------------------------------------------- trouble passes


async def tries(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Waits until so many transactions have begun."""
    begun: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def hear(point: str) -> None:
        """In the thread that writes."""
        loop.call_soon_threadsafe(begun.put_nowait, point)

    monkeypatch.setattr(failpoints, "at", hear)
    while times:
        times -= await begun.get() == "transaction begun"
    monkeypatch.setattr(failpoints, "at", None)


async def test_a_full_disk_is_waited_for_and_nothing_is_lost_or_doubled(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with watched(folder) as the:
        (pages,) = await raw(the.store, "PRAGMA page_count")
        await raw(the.store, f"PRAGMA max_page_count={pages + 6}")
        calls = [keeping(the.store, big(seq)) for seq in range(1, 41)]
        await the.tells("the disk is full")
        calls.append(keeping(the.store, big(41)))
        await tries(monkeypatch, 2)
        assert not calls[-1].done()
        await raw(the.store, "PRAGMA max_page_count=100000")
        await asyncio.gather(*calls)
        await the.tells(None)
    assert the.told == ["the disk is full", None]
    assert await numbers(folder) == list(range(1, 42))


@pytest.mark.parametrize(
    ("hanging", "told"),
    [(30.0, [SLOW_STORAGE, None]), (0.05, [SLOW_STORAGE, "the storage does not answer", None])],
)
async def test_a_commit_that_takes_long_is_slow_and_a_fault_only_if_it_hangs(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, hanging: float, told: list[str | None]
) -> None:
    go_on = threading.Event()
    monkeypatch.setattr(writer, "SLOW", 0.02)
    monkeypatch.setattr(writer, "HANGING", hanging)
    async with watched(folder) as the:
        monkeypatch.setattr(
            failpoints, "at", lambda point: go_on.wait() if point == "transaction begun" else None
        )
        call = keeping(the.store, big(1))
        await the.tells(told[-2])
        assert not call.done()
        go_on.set()
        await call
        await the.tells(None)
    assert the.told == told


@pytest.mark.deadline(200)
async def test_a_commit_during_which_the_process_was_frozen_does_not_hang(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    if not isinstance(loop, asyncio.BaseEventLoop):
        pytest.skip("the time of this loop cannot be set")
    begun, go_on, time = threading.Event(), threading.Event(), loop.time

    def committing(point: str) -> None:
        if point == "transaction begun":
            begun.set()
            go_on.wait()

    async with watched(folder) as the:
        monkeypatch.setattr(failpoints, "at", committing)
        call = keeping(the.store, big(1))
        while not begun.is_set():
            await asyncio.sleep(0)
        monkeypatch.setattr(loop, "time", lambda: time() + 100)
        for _ in range(5):  # turns of the loop, in which what is overdue is called
            await asyncio.sleep(0)
        go_on.set()
        await call
        await the.tells(None)
    assert the.told == [SLOW_STORAGE, None]


@contextmanager
def files_no_longer_than(size: int) -> Any:
    """No file of this process can grow beyond that."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_disk_that_refuses_to_write_is_waited_for(folder: Folder) -> None:
    async with watched(folder) as the:
        size = folder.file.with_name("twentytwo.db-wal").stat().st_size
        with files_no_longer_than(size + 9000):
            calls = [keeping(the.store, big(seq)) for seq in range(1, 11)]
            await the.tells("the disk cannot be read or written")
        await asyncio.gather(*calls)
        assert the.told == ["the disk cannot be read or written", None]
    assert await numbers(folder) == list(range(1, 11))


@pytest.mark.parametrize("gone", ["", "twentytwo.db", "twentytwo.db-wal"])
async def test_nothing_is_safe_while_the_data_is_not_where_it_was(
    folder: Folder, gone: str
) -> None:
    """A file that is deleted or moved away takes everything with it when the server ends."""
    async with watched(folder) as the:
        here, there = folder.folder / gone, folder.folder.with_name("elsewhere")
        here.rename(there)
        calls = [keeping(the.store, big(seq)) for seq in range(1, 4)]
        await the.tells("the data is gone from its folder")
        assert not any(call.done() for call in calls)
        there.rename(here)
        await asyncio.gather(*calls)
        await the.tells(None)
    assert await numbers(folder) == [1, 2, 3]


async def test_nothing_is_safe_while_the_folder_is_closed_to_the_server(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test refuses `stat` in place of `chmod 0`, which does not stop root."""
    stat = Path.stat

    def refused(path: Path, **how: bool) -> os.stat_result:
        if path.parent == folder.folder:
            raise PermissionError(errno.EACCES, "Permission denied")
        return stat(path, **how)

    async with watched(folder) as the:
        monkeypatch.setattr(Path, "stat", refused)
        call = keeping(the.store, big(1))
        await the.tells("the data folder is closed to the server")
        assert not call.done()
        monkeypatch.undo()
        await call
        await the.tells(None)
    assert await numbers(folder) == [1]


async def test_data_that_was_deleted_can_be_copied_as_long_as_the_server_runs(
    folder: Folder, tmp_path: Path
) -> None:
    async with watched(folder) as the:
        await keep(the.store, big(1))
        for file in folder.folder.iterdir():
            file.unlink()
        again = Folder(tmp_path / "again")
        again.folder.mkdir()
        await the.store.backup(again.file)
    assert await numbers(again) == [1]


async def test_another_file_in_the_place_of_the_data_is_none_of_it(folder: Folder) -> None:
    async with watched(folder) as the:
        folder.file.rename(folder.file.with_name("elsewhere"))
        folder.file.write_bytes(b"")
        call = keeping(the.store, big(1))
        await the.tells("the data is gone from its folder")
        assert not call.done()
        folder.file.with_name("elsewhere").rename(folder.file)
        await call
    assert await numbers(folder) == [1]


async def test_what_was_safe_before_the_trouble_can_be_read_in_it(folder: Folder) -> None:
    async with watched(folder) as the:
        (pages,) = await raw(the.store, "PRAGMA page_count")
        await raw(the.store, f"PRAGMA max_page_count={pages}")
        waiting = keeping(the.store, *map(big, range(1, 41)))
        await the.tells("the disk is full")
        assert len((await the.store.load()).tables) == 1
        await raw(the.store, "PRAGMA max_page_count=100000")
        await waiting


def share(monkeypatch: pytest.MonkeyPatch, wait: int) -> None:
    """Lets others use the file too; the store waits so many milliseconds for them."""
    rest = [each for each in engines.PRAGMAS if not each.startswith(("locking", "busy"))]
    monkeypatch.setattr(engines, "PRAGMAS", (f"busy_timeout={wait}", *rest))


async def test_a_file_that_somebody_else_has_locked_is_waited_for(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    share(monkeypatch, wait=10)
    async with watched(folder) as the:
        with closing(sqlite3.connect(folder.file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            call = keeping(the.store, big(1))
            await the.tells("the data is locked by another program")
            assert not call.done()
            other.execute("ROLLBACK")
            await call
        await the.tells(None)
    assert await numbers(folder) == [1]


async def test_a_slow_disk_is_trouble_until_it_has_written(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SLOW", 0.05)
    share(monkeypatch, wait=int(1000 * LONG))
    async with watched(folder) as the:
        with closing(sqlite3.connect(folder.file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            call = keeping(the.store, big(1))
            await the.tells("the storage is slow")
            assert not call.done()
            other.execute("ROLLBACK")
            await call
        await the.tells(None)
    assert the.told == ["the storage is slow", None]


async def test_who_watches_late_is_told_of_the_trouble_there_is(folder: Folder) -> None:
    async with watched(folder) as the:
        (pages,) = await raw(the.store, "PRAGMA page_count")
        await raw(the.store, f"PRAGMA max_page_count={pages}")
        call = keeping(the.store, *map(big, range(1, 41)))
        await the.tells("the disk is full")
        late = Watched(the.store)
        await late.tells("the disk is full")
        await raw(the.store, "PRAGMA max_page_count=100000")
        await call


async def test_a_stop_does_not_wait_for_a_full_disk_for_ever(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PATIENCE", 0.1)
    async with watched(folder) as the:
        (pages,) = await raw(the.store, "PRAGMA page_count")
        await raw(the.store, f"PRAGMA max_page_count={pages}")
        call = keeping(the.store, *map(big, range(1, 41)))
        await the.tells("the disk is full")
    assert not call.done()
    assert await numbers(folder) == []


# ------------------------------------------------------------------------------- it does not


async def ending(folder: Folder) -> tuple[SqlStore, asyncio.Future[str]]:
    """A store, and why it ends."""
    end: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    store = await folder.open(end.set_result)
    await keep(store, TableOpened("t1", "twentytwo", 0))
    return store, end


async def test_what_is_there_already_ends_the_server(folder: Folder) -> None:
    store, end = await ending(folder)
    await keep(store, big(1))
    calls = [keeping(store, big(2), big(1)), keeping(store, big(3))]
    assert "SQLITE_CONSTRAINT" in await end
    await store.close()
    assert not any(call.done() for call in calls)
    assert await numbers(folder) == [1]


async def test_somebody_else_who_writes_into_the_database_ends_the_server(
    folder: Folder,
) -> None:
    store, end = await ending(folder)
    async with store.engine.begin() as db:
        await db.exec_driver_sql("UPDATE nodes SET batch = batch + 1")
    call = keeping(store, big(1))
    assert await end == "another server writes into the same database"
    await store.close()
    assert not call.done()


BROKEN_FSYNC = """
import asyncio, ctypes, os, platform, struct
from twentytwo_server.facts import PersonKept
from twentytwo_server.store.sql import open_store

FSYNC, FDATASYNC = {{"x86_64": (74, 75), "aarch64": (82, 83)}}[platform.machine()]

def break_fsync():
    # A seccomp filter for all threads: both calls fail with EIO, all others are let through.
    code = [(0x20, 0, 0, 0), (0x15, 1, 0, FSYNC), (0x15, 0, 1, FDATASYNC),
            (0x06, 0, 0, 0x00050005), (0x06, 0, 0, 0x7FFF0000)]
    program = b"".join(struct.pack("HBBI", *each) for each in code)
    buffer = ctypes.create_string_buffer(program)
    head = struct.pack("HxxxxxxP", len(code), ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    number = {{"x86_64": 317, "aarch64": 277}}[platform.machine()]
    if libc.syscall(number, 1, 1, head) != 0:
        print("no filter here", flush=True)
        os._exit(0)

def fatal(why):
    print(why, flush=True)
    os._exit(70)

async def main():
    store = await open_store({folder!r}, fatal)
    break_fsync()
    store.keep([PersonKept("ann", False, b"", b"")], lambda: print("kept", flush=True))
    await asyncio.sleep({long})

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a filter of system calls")
def test_a_failed_fsync_ends_the_server_and_is_not_tried_again(folder: Folder) -> None:
    code = BROKEN_FSYNC.format(folder=str(folder.folder), long=LONG)
    ended = forked.run("-c", code, timeout=LONG)
    if ended.stdout == "no filter here\n":
        pytest.skip("system calls cannot be filtered here")
    assert (ended.stdout, ended.returncode) == (
        "SQLITE_IOERR_FSYNC: disk I/O error\n",
        70,
    ), ended.stderr


# ------------------------------------------------------------------------------------ opening

OTHER = """
import asyncio
from twentytwo_server.store import Refused
from twentytwo_server.store.sql import open_store

async def main():
    try:
        await open_store({folder!r}, print)
    except Refused as refused:
        print(refused)

asyncio.run(main())
"""


async def test_a_second_server_is_shut_out_in_one_line(folder: Folder) -> None:
    async with watched(folder) as the:
        code = OTHER.format(folder=str(folder.folder))
        other = await asyncio.to_thread(forked.run, "-c", code, timeout=LONG)
        said = f"the data folder {folder.folder} is in use by another server\n"
        assert (other.stdout, other.stderr) == (said, "")
        await keep(the.store, big(1))
    assert await numbers(folder) == [1]


async def test_the_file_is_for_its_owner_only(folder: Folder) -> None:
    async with watched(folder) as the:
        await keep(the.store, big(1))
        modes = {each.name: each.stat().st_mode & 0o777 for each in folder.folder.iterdir()}
    assert modes == {"twentytwo.db": 0o600, "twentytwo.db-wal": 0o600}


async def test_a_file_that_is_no_database_is_refused_in_one_line(folder: Folder) -> None:
    folder.folder.mkdir()
    folder.file.write_text("nothing of the kind, and long enough to be looked at" * 99)
    with pytest.raises(Refused, match="cannot be opened: SQLITE_NOTADB"):
        await folder.open()


async def test_every_commit_is_on_the_disk_and_the_file_is_nobody_elses(folder: Folder) -> None:
    async with watched(folder) as the:
        found = [
            await raw(the.store, f"PRAGMA {name}")
            for name in ("synchronous", "journal_mode", "locking_mode", "foreign_keys")
        ]
    assert found == [(2,), ("wal",), ("exclusive",), (1,)]


async def test_many_calls_at_once_are_one_commit(folder: Folder) -> None:
    async with watched(folder) as the:
        (before,) = await raw(the.store, "SELECT batch FROM nodes")
        await asyncio.gather(*(keeping(the.store, big(seq)) for seq in range(1, 51)))
        (after,) = await raw(the.store, "SELECT batch FROM nodes")
    assert after - before == 1


async def test_a_commit_is_one_call_of_the_thread(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call more would wait for the loop once more, and the loop for it."""
    calls: list[Any] = []
    execute: Any = aiosqlite.Connection._execute

    async def counted(self: aiosqlite.Connection, *args: Any) -> Any:
        calls.append(args[0])
        return await execute(self, *args)

    async with watched(folder) as the:
        monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
        await keep(the.store, big(1), InboxLine("ann", 1, 0, "line"), TableOpened("t2", "x", 0))
        assert len(calls) == 1


async def test_an_error_in_what_follows_a_commit_is_told_and_harms_nobody_else(
    folder: Folder,
) -> None:
    def stumble() -> None:
        raise ZeroDivisionError

    told: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    async with watched(folder) as the:
        loop.set_exception_handler(lambda _, what: told.append(what))
        try:
            the.store.keep([big(1)], stumble)
            await keep(the.store, big(2))
        finally:
            loop.set_exception_handler(before)
    assert [type(what["exception"]) for what in told] == [ZeroDivisionError]
    assert await numbers(folder) == [1, 2]


async def test_the_log_beside_the_file_does_not_grow_for_ever(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "LOG", 20)
    log = folder.file.with_name("twentytwo.db-wal")
    async with watched(folder) as the:
        await keep(the.store, *map(big, range(1, 41)))
        once = log.stat().st_size
        for start in range(41, 1000, 40):
            await keep(the.store, *map(big, range(start, start + 40)))
        assert log.stat().st_size < 3 * once


async def test_an_inbox_does_not_grow_for_ever(folder: Folder) -> None:
    async with watched(folder) as the:
        await keep(the.store, *(InboxLine("ann", seq, 0, "line") for seq in range(1, 1001)))
        (lines,) = await raw(the.store, "SELECT count(*) FROM inbox")
    assert 200 <= lines < 300


async def test_a_log_that_cannot_be_moved_into_the_file_ends_the_server(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: Any) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
        raise error

    monkeypatch.setattr(writer, "LOG", 1)
    monkeypatch.setattr(writer, "checkpoint", broken)
    store, end = await ending(folder)
    assert await end == "SQLITE_IOERR_FSYNC: disk I/O error"
    await store.close()


async def test_what_was_handed_over_before_the_stop_is_written(folder: Folder) -> None:
    async with watched(folder) as the:
        calls = [keeping(the.store, big(seq)) for seq in range(1, 51)]
    assert all(call.done() for call in calls)
    assert await numbers(folder) == list(range(1, 51))


async def test_nothing_is_kept_after_the_stop(folder: Folder) -> None:
    async with watched(folder) as the:
        pass
    call = keeping(the.store, PersonKept("ann", False, b"", b""))
    async with opened(folder) as store:
        assert not (await store.load()).people
    assert not call.done()
