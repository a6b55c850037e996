"""Backups while a server runs and while none does; what is restored gives nothing out twice."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace
from twisted.internet import reactor
from twisted.internet.defer import Deferred

from tests.kit import forked
from tests.kit.hosts import World
from tests.kit.postgres import Postgres
from tests.kit.processes import LONG
from tests.store.kit import Folder, Server, ask, keep, opened
from tests.store.test_contract import ANN, WALL, comparable, ended, given_input, promised
from twentytwo_server.cli import main
from twentytwo_server.config.paths import ADMIN_SOCKET
from twentytwo_server.facts import (
    AdminAction,
    Blocks,
    Boot,
    Fact,
    PasswordChanged,
    PersonKept,
    Remembered,
    TableOpened,
    TokenGiven,
    TokenRevoked,
)
from twentytwo_server.operator import admin
from twentytwo_server.operator.admin_actions import AdminActions
from twentytwo_server.operator.data_commands import backup, check, migrate, repair, table
from twentytwo_server.operator.stopping import Stopping
from twentytwo_server.store import Refused, copying, sql
from twentytwo_server.store.checking import complaints
from twentytwo_server.store.common import AFTER_BACKUP as JUMP
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.store.sql import SqlStore, migrated

STORY: list[list[Fact]] = [
    [Boot("b1", 5, WALL), TableOpened("t1", "twentytwo", WALL), promised(1)],
    [PersonKept("~ann", False, b"secret", b"older"), given_input("t1", 1)],
    [ended(1, "~ann", "bot:hard"), promised(2), given_input("t1", 2)],
]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


@asynccontextmanager
async def running(folder: Folder) -> AsyncGenerator[SqlStore]:
    """A store with the story in it, and the socket beside it."""
    store = await folder.open()

    def copied(file: Path) -> Deferred[None]:
        return Deferred.fromFuture(asyncio.ensure_future(store.backup(file)))

    world = World()
    stopping = Stopping(world.host, world.clock, lambda: None)
    actions = AdminActions(world.host, stopping, copied)
    port = admin.listen(reactor, folder.folder / ADMIN_SOCKET, actions)
    try:
        for facts in STORY:
            await keep(store, *facts)
        yield store
    finally:
        assert port is not None
        port.stopListening()
        await store.close()


def restored(copy: Path, into: Path) -> Folder:
    """A new folder with a backup in it."""
    into.mkdir()
    shutil.copy(copy, into / "twentytwo.db")
    return Folder(into)


async def said(command: Any, *words: str) -> Result:
    """What a command answers, as in a process of its own."""
    typed = [command.name, *words]
    return await asyncio.to_thread(CliRunner().invoke, main, typed, prog_name="twentytwo-server")


async def test_a_restored_backup_goes_on_where_it_was_made(folder: Folder, tmp_path: Path) -> None:
    """The drill: a backup by the command, while a server runs."""
    copy = tmp_path / "copy.db"
    async with running(folder):
        result = await said(backup, "--data", str(folder.folder), str(copy))
    assert (result.exit_code, result.output) == (0, f"{copy}: {copy.stat().st_size} bytes\n")
    memory = MemoryStore()
    for facts in STORY:
        await keep(memory, *facts)
    before = comparable(memory.remembered())
    async with opened(restored(copy, tmp_path / "new")) as store:
        found = comparable(await store.load())
    assert (found.at, found.chain, found.tables) == (before.at, before.chain, before.tables)
    assert (found.inboxes, found.skeletons) == (before.inboxes, before.skeletons)


async def test_a_restored_backup_gives_no_number_out_twice_and_lets_nobody_resume(
    folder: Folder, tmp_path: Path
) -> None:
    async with running(folder) as store:
        await store.backup(tmp_path / "copy.db")
    new = restored(tmp_path / "copy.db", tmp_path / "new")
    async with opened(new) as store:
        found = await store.load()
        assert (found.table, found.game, found.promise) == (JUMP + 1, JUMP + 2, JUMP + 2)
        assert list(found.people) == [PersonKept("~ann", False, b"", b"")]
        assert found.restored


async def test_in_a_restored_backup_no_login_token_opens_anything_and_passwords_are_those_of_then(
    folder: Folder, tmp_path: Path
) -> None:
    token = TokenGiven("Ann", 1, b"1", "laptop", WALL)
    async with running(folder) as store:
        await keep(store, ANN, token, Blocks("Ann", ("bob",)))
        await store.backup(tmp_path / "copy.db")
        await keep(store, TokenRevoked("Ann", 1), PasswordChanged("Ann", "new", "newer"))
    async with opened(restored(tmp_path / "copy.db", tmp_path / "new")) as store:
        assert await ask(store.token, b"1") is None
        assert list(await ask(store.tokens, "Ann")) == []
        assert await ask(store.account, "Ann") == ANN
        assert (await store.load()).blocks == {"Ann": ("bob",)}


async def test_the_numbers_jump_once_and_a_backup_is_one_until_a_server_has_started(
    folder: Folder, tmp_path: Path
) -> None:
    async with running(folder) as store:
        await store.backup(tmp_path / "copy.db")
    new = restored(tmp_path / "copy.db", tmp_path / "new")
    async with opened(new):
        pass
    async with opened(new) as store:
        found = await store.load()
        assert (found.restored, found.table) == (True, JUMP + 1)
        await keep(store, Boot("b2", 9, WALL))
    async with opened(new) as store:
        found = await store.load()
        assert (found.restored, found.table) == (False, JUMP + 1)


async def test_a_dump_of_postgresql_is_told_that_it_is_one(postgres: Postgres) -> None:
    place = Server(postgres.url())
    async with opened(place) as store:
        await keep(store, *STORY[0], *STORY[1])
    await migrated(place.url, restored=True)
    async with opened(place) as store:
        found = await store.load()
    assert (found.restored, found.table, found.people[0].secret) == (True, JUMP + 1, b"")


async def test_the_one_that_was_copied_is_no_copy(folder: Folder, tmp_path: Path) -> None:
    async with running(folder) as store:
        await store.backup(tmp_path / "copy.db")
    async with opened(folder) as store:
        assert not (await store.load()).restored


async def test_a_backup_made_under_load_is_whole_and_of_one_moment(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: asyncio.Queue[Future[None]] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def step_by_step(source: Any, target: Path, stopped: Callable[[], bool]) -> None:
        """Goes on, after some pages, when the writer has kept something more."""

        def asked() -> bool:
            if len(turns) < 10:
                turns.append(Future())
                loop.call_soon_threadsafe(pages.put_nowait, turns[-1])
                turns[-1].result(LONG)
            return stopped()

        turns: list[Future[None]] = []
        copying.copy(source, target, asked)

    monkeypatch.setattr(copying, "PAGES", 16)
    monkeypatch.setattr(sql, "copy", step_by_step)
    long = [replace(given_input("t1", seq), order=4000 * "x") for seq in range(3, 500)]
    async with running(folder) as store:
        await keep(store, *long)
        making = asyncio.ensure_future(store.backup(tmp_path / "copy.db"))
        for seq in range(500, 520, 2):
            turn = await pages.get()
            await keep(store, given_input("t1", seq), given_input("t1", seq + 1))
            turn.set_result(None)
        await making
    new = restored(tmp_path / "copy.db", tmp_path / "new")
    assert [each async for each in complaints(new.folder)] == []
    async with opened(new) as copied:
        (table,) = (await copied.load()).tables
    assert len(table.inputs) % 2 == 1, "half of what was kept together"
    assert 499 <= len(table.inputs) <= 519


async def test_a_backup_that_is_not_done_when_the_server_stops_is_given_up(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def until_it_stops(source: Any, target: Path, stopped: Callable[[], bool]) -> None:
        """Copies a page, and no other before the server stops."""

        def asked() -> bool:
            loop.call_soon_threadsafe(begun.set)
            while not stopped():
                time.sleep(0.001)
            return True

        copying.copy(source, target, asked)

    monkeypatch.setattr(copying, "PAGES", 1)
    monkeypatch.setattr(sql, "copy", until_it_stops)
    async with running(folder) as store:
        making = asyncio.ensure_future(store.backup(tmp_path / "copy.db"))
        await begun.wait()
    with pytest.raises(Refused, match="the server stops"):
        await making
    assert [each.name for each in tmp_path.iterdir()] == ["data"]


async def test_a_backup_is_for_its_owner_only_and_overwrites_nothing(
    folder: Folder, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    async with running(folder) as store:
        await store.backup(copy)
        assert copy.stat().st_mode & 0o777 == 0o600
        with pytest.raises(Refused, match="is there already"):
            await store.backup(copy)
    assert {each.name for each in tmp_path.iterdir()} == {"data", "copy.db"}


async def test_the_latest_copies_are_kept_and_nothing_else_is_deleted(
    folder: Folder, tmp_path: Path
) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    before = [f"twentytwo-2026010{day}T040000Z.db" for day in (1, 2, 3)]
    others = ["twentytwo.db", "twentytwo-20260101.db", "notes"]
    for name in (*before, *others):
        (copies / name).touch()
    words = ("--data", str(folder.folder), "--keep", "2", str(copies))
    async with running(folder) as store:
        before_it, began = store.last_backup, time.time()
        result = await said(backup, *words)
        made = store.last_backup
    assert before_it is None and made is not None and made >= began - 1
    assert result.exit_code == 0, result.output
    found = sorted(each.name for each in copies.iterdir() if each.name not in others)
    assert len(found) == 2 and found[0] == before[2] and found[1] > before[2]
    assert result.output.splitlines()[1:] == [f"{copies / name} is deleted" for name in before[:2]]
    assert all((copies / name).exists() for name in others)

    folder.file.write_bytes(b"damaged" * 1000)
    assert (await said(backup, *words)).exit_code == 1
    assert {each.name for each in copies.iterdir()} == {*found, *others}


@pytest.mark.parametrize(
    ("flags", "why"),
    [(os.ST_RDONLY, "its file system can only be read"), (0, "you may not write there")],
)
async def test_data_that_cannot_be_written_is_told_so(
    folder: Folder, tmp_path: Path, flags: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(folder):
        pass
    monkeypatch.setattr(os, "access", lambda path, how: not how & os.W_OK)
    monkeypatch.setattr(os, "statvfs", lambda path: SimpleNamespace(f_flag=flags))
    for command, *words in ((migrate,), (repair,), (backup, str(tmp_path / "b"))):
        result = await said(command, *words, "--data", str(folder.folder))
        assert result.exit_code == 1
        assert f"the data in {folder.folder} cannot be opened: {why}" in result.output


async def test_data_that_can_only_be_read_is_checked_and_stays_as_it_is(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(folder):
        pass
    before = {each: each.stat().st_mtime_ns for each in folder.folder.iterdir()}
    monkeypatch.setattr(os, "access", lambda path, how: not how & os.W_OK)
    assert (await said(check, "--data", str(folder.folder))).output.startswith("table t1 cannot")
    assert (await said(table, "t1", "--data", str(folder.folder))).exit_code == 0
    assert {each: each.stat().st_mtime_ns for each in folder.folder.iterdir()} == before
    log = folder.folder / "twentytwo.db-wal"
    log.write_bytes(b"a page")
    result = await said(check, "--data", str(folder.folder))
    assert (result.exit_code, result.output) == (
        1,
        f"twentytwo-server: {log.name} has to be moved into {folder.file}, which can only be read:"
        " copy both\n",
    )


async def test_data_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    for command in (migrate, check, repair):
        result = await said(command, "--data", str(tmp_path / "typo"))
        assert result.exit_code == 1
        assert result.output == f"twentytwo-server: there is no data in {tmp_path / 'typo'}\n"
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_with_a_very_long_name_is_copied_too(tmp_path: Path) -> None:
    deep = Folder(tmp_path / ("x" * 120))
    async with opened(deep) as store:
        await keep(store, *STORY[0])
    result = await said(backup, "--data", str(deep.folder), str(tmp_path / "copy.db"))
    assert result.exit_code == 0, result.output


async def test_the_socket_is_for_its_owner_only_and_knows_no_other_command(
    folder: Folder,
) -> None:
    async with running(folder):
        assert (folder.folder / "admin.sock").stat().st_mode & 0o777 == 0o600
        with pytest.raises(Refused, match="shutdown is not a command here"):
            await asyncio.to_thread(admin.tell, folder.folder / ADMIN_SOCKET, "shutdown")


async def test_the_socket_of_a_server_that_was_killed_is_in_nobodys_way(folder: Folder) -> None:
    folder.folder.mkdir()
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(folder.folder / "admin.sock"))
    path = folder.folder / ADMIN_SOCKET
    assert await asyncio.to_thread(admin.tell, path, "who") is None
    async with running(folder):
        answer = await asyncio.to_thread(admin.tell, path, "who")
    assert answer is not None and answer.text == "0 connected, 0 away"


async def test_a_backup_that_cannot_be_made_says_why_and_leaves_nothing(
    folder: Folder, tmp_path: Path
) -> None:
    async with running(folder):
        words = ("--data", str(folder.folder), str(tmp_path / "missing" / "copy.db"))
        result = await said(backup, *words)
    assert result.exit_code == 1
    assert result.output == f"twentytwo-server: there is no folder {tmp_path / 'missing'}\n"


async def test_a_backup_can_be_made_while_no_server_runs(folder: Folder, tmp_path: Path) -> None:
    async with running(folder):
        pass
    result = await said(backup, "--data", str(folder.folder), str(tmp_path / "copy.db"))
    assert result.exit_code == 0
    new = restored(tmp_path / "copy.db", tmp_path / "new")
    assert [each async for each in complaints(new.folder)] == []


async def test_there_is_no_backup_of_nothing(tmp_path: Path) -> None:
    result = await said(backup, "--data", str(tmp_path / "none"), str(tmp_path / "copy.db"))
    assert (result.exit_code, result.output) == (
        1,
        f"twentytwo-server: there is no data in {tmp_path / 'none'}\n",
    )


# ------------------------------------------------------------------------------------- checks


async def spoiled(folder: Folder, *statements: str) -> list[str]:
    """What the check finds after somebody has been at the file."""
    async with running(folder):
        pass
    with closing(sqlite3.connect(folder.file)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()
    return [each.line async for each in complaints(folder.folder)]


async def test_what_is_whole_is_ok(folder: Folder) -> None:
    assert await spoiled(folder) == []


async def test_a_missing_input_is_found(folder: Folder) -> None:
    assert await spoiled(folder, "DELETE FROM inputs WHERE seq = 1") == [
        "table t1 cannot be built again: an input is missing"
    ]


async def test_a_promise_that_was_changed_is_found(folder: Folder) -> None:
    assert await spoiled(folder, "UPDATE promises SET digest = 'other' WHERE no = 1") == [
        "the chain of promises breaks at number 1"
    ]


async def test_a_row_that_belongs_to_nothing_is_found(folder: Folder) -> None:
    assert await spoiled(folder, "DELETE FROM tables") == [
        f"{folder.file}: rows of inputs (2) belong to rows of tables that are missing"
    ]


async def test_every_open_table_is_tried(folder: Folder) -> None:
    async with running(folder):
        pass

    def rehearsed(remembered: Remembered) -> dict[str, str]:
        return {table.table: f"{len(table.inputs)} bad" for table in remembered.tables}

    found = [each async for each in complaints(folder.folder, rehearsed)]
    assert [each.line for each in found] == ["table t1 cannot be built again: 2 bad"]


# ---------------------------------------------------------------- tables that are set aside


async def test_check_names_a_table_that_is_set_aside_and_says_what_to_do(folder: Folder) -> None:
    async with running(folder):
        pass
    result = await said(check, "--data", str(folder.folder))
    first, *advice = result.output.splitlines()
    assert result.exit_code == 1
    assert first.startswith("table t1 cannot be built again: input 1 is not what it was: deed play")
    assert "table NAME --data DATA --give-up" in "\n".join(advice)


async def test_its_orders_are_shown_and_why_it_cannot_be_built(folder: Folder) -> None:
    async with running(folder):
        pass
    result = await said(table, "t1", "--data", str(folder.folder))
    one, two, why = result.output.splitlines()
    assert (result.exit_code, two) == (0, "    2  2026-01-02T03:04:05.080Z  ann  deed play QS")
    assert one.endswith("ann  deed play QS")
    assert why.startswith("t1 cannot be built again: input 1 is not what it was")


async def test_a_table_that_is_given_up_is_closed_and_its_game_is_lost(folder: Folder) -> None:
    async with running(folder):
        pass
    result = await said(table, "t1", "--data", str(folder.folder), "--give-up")
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "t1 is closed")
    result = await said(check, "--data", str(folder.folder))
    assert (result.exit_code, result.output) == (0, "ok\n")
    async with opened(folder) as store:
        assert list((await store.load()).tables) == []
        (last,) = await ask(store.promises, "g2", 1)
    assert last.outcome == "lost"


async def test_a_table_that_can_be_built_again_is_not_given_up(folder: Folder) -> None:
    world = World()
    world.program("ann").ok("open twentytwo")
    remembered = world.store.remembered() if isinstance(world.store, MemoryStore) else None
    assert remembered is not None
    (kept,) = remembered.tables
    async with opened(folder) as store:
        people = list(remembered.people)
        await keep(store, TableOpened("t1", "twentytwo", WALL), *people, *kept.promises)
        await keep(store, *kept.inputs)
    result = await said(table, "t1", "--data", str(folder.folder), "--give-up")
    assert result.exit_code == 1
    assert "a server can rebuild t1: it is not closed" in result.output
    result = await said(check, "--data", str(folder.folder))
    assert (result.exit_code, result.output) == (0, "ok\n")


@pytest.mark.parametrize("made", [False, True])
async def test_a_table_that_there_is_not_is_refused(folder: Folder, made: bool) -> None:
    if made:
        async with running(folder):
            pass
    result = await said(table, "t7", "--data", str(folder.folder))
    assert result.exit_code == 1
    assert ("no table t7 is open in" if made else "there is no data in") in result.output


async def test_data_in_use_is_not_checked(folder: Folder) -> None:
    async with running(folder):
        code = await asyncio.to_thread(_checked, folder)
    assert code == (1, f"a server is using {folder.folder}: check a backup of it")


def _checked(folder: Folder, how: str = "check") -> tuple[int, str]:
    done = forked.run("-m", "twentytwo_server", how, "--data", str(folder.folder))
    return done.returncode, done.stderr.strip().removeprefix("twentytwo-server: ")


async def test_a_damaged_table_is_named_repaired_and_what_is_lost_told(folder: Folder) -> None:
    actions = [AdminAction(0, "ban", f"guest{number}", "why", WALL) for number in range(300)]
    async with opened(folder) as store:
        await keep(store, *actions)
    with closing(sqlite3.connect(folder.file)) as db:
        (page,) = db.execute("SELECT max(pageno) FROM dbstat WHERE name = 'admin_log'").fetchone()
    with folder.file.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)
    damaged = folder.file.read_bytes()

    result = await said(check, "--data", str(folder.folder))
    first, *advice = result.output.splitlines()
    assert result.exit_code == 1
    assert first.startswith(f"{folder.file}: the table admin_log is damaged: ")
    assert "twentytwo-server repair --data DATA" in advice[-1]

    result = await said(repair, "--data", str(folder.folder))
    found, saved, lost, kept, ok = result.output.splitlines()
    assert (result.exit_code, found, ok) == (0, f"found: {first}", "ok")
    assert saved.startswith("saved: 2")
    assert kept.endswith("the damaged file is kept as twentytwo-damaged-1.db")
    assert (folder.folder / "twentytwo-damaged-1.db").read_bytes() == damaged
    async with opened(folder) as store:
        left = await ask(store.admin_log, 300)
    assert 100 < len(left) < 300 and set(left) < set(actions)
    assert lost == f"lost: admin_log: all between {len(left)} and the end"

    again = await said(repair, "--data", str(folder.folder))
    assert (again.exit_code, again.output) == (0, f"{folder.file} is not damaged\n")


async def test_data_in_use_is_not_repaired(folder: Folder) -> None:
    async with running(folder):
        code = await asyncio.to_thread(_checked, folder, "repair")
    assert code == (1, f"a server is using {folder.folder}: check a backup of it")
