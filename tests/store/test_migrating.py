"""Schemas: old ones are brought up, newer ones are left alone."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, text
from sqlalchemy.ext.asyncio import AsyncConnection

from tests.kit.postgres import Postgres
from tests.store.invented import invent
from tests.store.kit import Folder, Kept, Server, ask, keep, opened
from twentytwo_server.facts import TableOpened
from twentytwo_server.games.registry import games
from twentytwo_server.store import Refused, migrating, sql
from twentytwo_server.store.checking import read_data
from twentytwo_server.store.engines import database, engine
from twentytwo_server.store.migrating import newest
from twentytwo_server.store.repair import note_damage
from twentytwo_server.store.schema import metadata
from twentytwo_server.store.sql import migrated, open_database
from twentytwo_server.store.transfer import transfer

RELEASED = sorted((Path(__file__).parent / "released").glob("*.sql"))


def restored_from(text: str, folder: Folder) -> None:
    """A folder with the database that a script makes."""
    folder.folder.mkdir()
    with closing(sqlite3.connect(folder.file)) as db:
        db.executescript(text)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


def test_every_schema_up_to_the_newest_has_its_fixture() -> None:
    assert [each.stem for each in RELEASED] == [
        f"{number:04}" for number in range(1, int(newest()) + 1)
    ]


def test_the_versions_are_those_that_alembic_finds() -> None:
    found = ScriptDirectory(str(Path(migrating.__file__).parent / "migrations")).walk_revisions()
    assert migrating.known() == tuple(each.revision for each in found)[::-1]


OPENING = """
import asyncio, sys
from pathlib import Path
sys.path[:0] = {path!r}
from twentytwo_server.facts import TableOpened
from twentytwo_server.store import migrating
from twentytwo_server.store.sql import open_store
migrating.MIGRATIONS = Path({steps!r})

async def main():
    await (await open_store({folder!r}, print)).close()
    print("alembic" in sys.modules)

asyncio.run(main())
"""


def test_alembic_is_imported_only_for_a_migration(folder: Folder) -> None:
    """It takes as long as the rest of a start."""
    assert [_imported(folder) for _ in range(2)] == ["False\n", "False\n"]


def test_alembic_is_imported_for_an_old_schema(folder: Folder, one_more_step: Path) -> None:
    restored_from(RELEASED[0].read_text(), folder)
    assert [_imported(folder, one_more_step) for _ in range(2)] == ["True\n", "False\n"]


def _imported(folder: Folder, steps: Path = migrating.MIGRATIONS) -> str:
    code = OPENING.format(path=sys.path, steps=str(steps), folder=str(folder.folder))
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("script", RELEASED, ids=lambda path: path.stem)
async def test_data_of_every_released_schema_can_be_gone_on_with(
    script: Path, folder: Folder
) -> None:
    restored_from(script.read_text(), folder)
    async with opened(folder) as store:
        await has_the_evening(store)


async def has_the_evening(store: Kept) -> None:
    """Everything that `tests.store.evening` writes down is read."""
    found = await store.load()
    assert {table.game for table in found.tables} == set(games())
    assert found.skeletons == {"zoe": "zoe", "yan": "yan"}
    assert found.blocks == {"zoe": ("~bob",)}
    assert found.friends == {"yan": ("zoe",)}
    assert [line.line.split()[0] for line in found.inboxes["yan"]][-1] == "TOLD"
    assert [token.label for token in await ask(store.tokens, "yan")] == ["laptop"]
    (game,) = await ask(store.past, "yan", "", 9)
    assert [seat.name for seat in game.seats] == ["zoe", "yan"]
    assert (await ask(store.rating, "zoe"))[0].games == 1
    outcomes = [each.outcome for each in await ask(store.promises, "", 99)]
    assert set(outcomes) == {"", game.why}


@pytest.fixture
def one_more_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """This version with a migration that nobody else has."""
    steps = tmp_path / "migrations"
    shutil.copytree(migrating.MIGRATIONS, steps)
    invent(steps)
    monkeypatch.setattr(migrating, "MIGRATIONS", steps)
    migrating.known.cache_clear()
    yield steps
    migrating.known.cache_clear()


async def test_the_next_step_keeps_the_data_and_is_told_in_the_log(
    folder: Folder, one_more_step: Path, caplog: pytest.LogCaptureFixture
) -> None:
    script, (*_, old, new) = RELEASED[-1].read_text(), migrating.known()
    restored_from(script, folder)
    caplog.set_level(logging.INFO, "twentytwo.store")
    async with opened(folder) as store:
        await has_the_evening(store)
    kept = folder.file.with_name(f"twentytwo-before-{new}.db")
    with closing(sqlite3.connect(kept)) as db:
        copied = "\n".join(db.iterdump()) + "\n"
    assert copied.replace("('copy',1)", "('copy',0)") == script
    with closing(sqlite3.connect(folder.file)) as db:
        assert db.execute("SELECT invented FROM boots").fetchall() == [("x",), ("x",)]
    assert caplog.messages == [
        f"a backup from before the migration is kept as {kept}",
        f"the data is migrated: schema {old} -> {new}",
    ]
    caplog.clear()
    async with opened(folder):
        pass
    assert caplog.messages == []


async def test_alembic_is_imported_before_the_transaction(
    folder: Folder, one_more_step: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL ends a transaction that waits for seconds, as for an import on a slow machine."""
    restored_from(RELEASED[-1].read_text(), folder)
    monkeypatch.delitem(sys.modules, "alembic.command", raising=False)
    imported: list[bool] = []

    def migrate(connection: Connection) -> None:
        imported.append("alembic.command" in sys.modules)
        migrating.migrate(connection)

    monkeypatch.setattr(sql, "migrate", migrate)
    async with opened(folder):
        assert imported == [True]


async def test_postgresql_makes_the_next_step_too(
    postgres: Postgres, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    evening, url = Folder(tmp_path / "data"), postgres.url()
    restored_from(RELEASED[-1].read_text(), evening)
    await transfer(str(evening.folder), url)
    request.getfixturevalue("one_more_step")
    assert await migrated(url) == migrating.known()[-2:]
    async with opened(Server(url)) as store:
        await has_the_evening(store)


@pytest.mark.parametrize("version", migrating.known())
async def test_postgresql_is_brought_up_from_every_version(
    version: str, postgres: Postgres
) -> None:
    """The rows of its servers are read before the migration."""
    with postgres.lent() as url:
        async with changed(url) as db:
            await db.run_sync(migrating.upgrade, version)
        async with opened(Server(url)) as store:
            await keep(store, TableOpened("t1", "twentytwo", 0))
            assert [table.table for table in (await store.load()).tables] == ["t1"]


OF_DEVELOPMENT = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)",
    "INSERT INTO alembic_version VALUES ('0001')",
    "DROP TABLE schema_version",
)
"""Makes a database like those from before the first release."""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_data_of_a_development_version_is_refused_in_one_line_and_left_as_it_is(
    kind: str, folder: Folder, request: pytest.FixtureRequest
) -> None:
    where = folder.folder if kind == "sqlite" else request.getfixturevalue("postgres").url()
    await (await open_database(where)).close()
    async with changed(where) as db:
        for statement in OF_DEVELOPMENT:
            await db.exec_driver_sql(statement)
    before = folder.file.read_bytes() if kind == "sqlite" else b""
    for use in (open_database, migrated, read_data):
        with pytest.raises(
            Refused, match=r"^the data in .* was made by a development version from before 0\.1\.0"
        ):
            await use(where)
    with pytest.raises(Refused, match="was made by a development version"):
        await transfer(str(where), str(folder.folder / "other"))
    if kind == "sqlite":
        note_damage(folder.file)
        with pytest.raises(Refused, match="was made by a development version"):
            await folder.open()
        assert folder.file.read_bytes() == before
        assert not list(folder.folder.glob("*-before-*"))
    async with changed(where) as db:
        found = await db.exec_driver_sql("SELECT version_num FROM alembic_version")
        assert found.all() == [("0001",)]
        assert (await db.exec_driver_sql("SELECT count(*) FROM marks")).all() == [(6,)]


@asynccontextmanager
async def changed(where: Path | str) -> AsyncIterator[AsyncConnection]:
    """A connection to a database that no server uses."""
    made = engine(database(where))
    async with made.begin() as db:
        yield db
    await made.dispose()


async def test_a_newer_schema_is_refused_in_one_line_and_left_as_it_is(folder: Folder) -> None:
    async with opened(folder):
        pass
    with closing(sqlite3.connect(folder.file)) as db:
        db.execute("UPDATE schema_version SET version_num = '9999'")
        db.execute("UPDATE marks SET value = 9999 WHERE name = 'oldest'")
        db.commit()
    with pytest.raises(Refused, match=r"^the data has schema 9999, made by a newer version; .*$"):
        await folder.open()
    with closing(sqlite3.connect(folder.file)) as db:
        assert db.execute("SELECT version_num FROM schema_version").fetchone() == ("9999",)


async def test_a_newer_schema_that_only_adds_is_used_and_left_as_it_is(folder: Folder) -> None:
    async with opened(folder):
        pass
    with closing(sqlite3.connect(folder.file)) as db:
        db.execute("UPDATE schema_version SET version_num = '9999'")
        db.execute("ALTER TABLE tables ADD COLUMN later TEXT NOT NULL DEFAULT ''")
        db.commit()
    async with opened(folder) as store:
        await keep(store, TableOpened("t1", "twentytwo", 0))
    with closing(sqlite3.connect(folder.file)) as db:
        assert db.execute("SELECT version_num FROM schema_version").fetchone() == ("9999",)
        assert db.execute("SELECT id, later FROM tables").fetchall() == [("t1", "")]


SQLITE = (
    "SELECT type, name, tbl_name, replace(sql, '\"', '') FROM sqlite_master ORDER BY type, name"
)
POSTGRESQL = (
    "SELECT table_name, column_name, ordinal_position, column_default, is_nullable, data_type,"
    " character_maximum_length, identity_generation FROM information_schema.columns"
    " WHERE table_schema = 'public' ORDER BY 1, 3",
    "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 2",
    "SELECT conrelid::regclass::text, conname, contype, pg_get_constraintdef(oid)"
    " FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
    "SELECT sequencename, start_value, increment_by FROM pg_sequences ORDER BY 1",
)


def _described(db: Connection) -> list[list[str]]:
    """Everything that the database says of its tables, and what is in them at first."""
    queries = [SQLITE] if db.dialect.name == "sqlite" else list(POSTGRESQL)
    if db.dialect.name == "postgresql":
        queries.append("SELECT prosrc FROM pg_proc WHERE proname LIKE 'fence%' ORDER BY proname")
    queries += ["SELECT * FROM marks ORDER BY name", "SELECT * FROM schema_version"]
    found = [db.execute(text(query)).all() for query in queries]
    return [[" ".join(" ".join(map(str, row)).split()) for row in rows] for rows in found]


async def _made(where: Path | str) -> list[list[str]]:
    database = await open_database(where)
    try:
        async with database.engine.connect() as db:
            return await db.run_sync(_described)
    finally:
        await database.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_new_database_is_as_one_that_was_migrated(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def empty(name: str) -> Path | str:
        postgres: Postgres = request.getfixturevalue("postgres")
        return tmp_path / name if kind == "sqlite" else postgres.url()

    new = await _made(empty("new"))
    monkeypatch.setattr(migrating, "create", migrating.upgrade)
    assert await _made(empty("migrated")) == new
    assert all(new)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_the_migrations_make_the_schema_that_is_written_down(
    kind: str, folder: Folder, request: pytest.FixtureRequest
) -> None:
    postgres: Postgres = request.getfixturevalue("postgres")
    where = folder.folder if kind == "sqlite" else postgres.url()
    database = await open_database(where)
    try:
        async with database.engine.connect() as db:
            assert await db.run_sync(_differences, metadata) == []
    finally:
        await database.close()


def _differences(db: Connection, wanted: MetaData) -> list[object]:
    context = MigrationContext.configure(db, opts={"version_table": migrating.VERSION_TABLE})
    found = compare_metadata(context, wanted)
    if db.dialect.name == "sqlite":  # it has none of the indexes for several servers
        several = [wanted.tables[name].indexes for name in ("people", "accounts")]
        left_out = {index.name for indexes in several for index in indexes}
        return [each for each in found if each[0] != "add_index" or each[1].name not in left_out]
    return list(found)


async def test_migrating_says_from_where_to_where(folder: Folder) -> None:
    assert await migrated(folder.folder) == ("", newest())
    assert await migrated(folder.folder) == (newest(), newest())
