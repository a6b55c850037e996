"""Schemas: old ones are brought up, newer ones are left alone."""

from __future__ import annotations

import logging
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, text

from tests.kit.postgres import Postgres
from tests.store.kit import Folder, Server, ask, opened
from twentytwo_server.store import Refused, migrating
from twentytwo_server.store.migrating import newest
from twentytwo_server.store.schema import metadata
from twentytwo_server.store.sql import migrated, open_database

RELEASED = sorted((Path(__file__).parent / "released").glob("*.sql"))

pytestmark = pytest.mark.deadline(30)


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
sys.path[:0] = {path!r}
from twentytwo_server.store.sql import open_store

async def main():
    await (await open_store({folder!r}, print)).close()
    print("alembic" in sys.modules)

asyncio.run(main())
"""


def test_alembic_is_imported_only_for_a_migration(folder: Folder) -> None:
    """It takes as long as the rest of a start."""
    assert [_imported(folder) for _ in range(2)] == ["False\n", "False\n"]


def test_alembic_is_imported_for_an_old_schema(folder: Folder) -> None:
    restored_from(RELEASED[0].read_text(), folder)
    assert [_imported(folder) for _ in range(2)] == ["True\n", "False\n"]


def _imported(folder: Folder) -> str:
    code = OPENING.format(path=sys.path, folder=str(folder.folder))
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("script", RELEASED, ids=lambda path: path.stem)
async def test_data_of_every_released_schema_can_be_gone_on_with(
    script: Path, folder: Folder
) -> None:
    restored_from(script.read_text(), folder)
    async with opened(folder) as store:
        found = await store.load()
        (table,) = found.tables
        assert (table.table, table.game, len(table.inputs)) == ("t2", "twentytwo", 2)
        assert [each.no for each in table.promises] == [2]
        assert (found.at, found.table, found.game, found.promise) == (80, 2, 2, 2)
        assert found.skeletons == {"ann": "Ann"}
        assert [person.name for person in found.people] == ["Ann"]
        assert [line.seq for line in found.inboxes["Ann"]] == [1]
        assert (await ask(store.account, "ann")).password == "$argon2id$1"
        assert (await ask(store.token, b"1")).name == "Ann"
        assert found.blocks == ({"Ann": ("bob", "~cy")} if script.stem >= "0003" else {})
        game = await ask(store.game, "g1")
        assert [seat.name for seat in game.seats] == ["Ann", "bot:hard"]
        moments = (0, 0) if script.stem == "0001" else (7, 40)
        assert (found.people[0].since, game.at) == moments
        assert [each.outcome for each in await ask(store.promises, "", 9)] == ["", "target"]
        assert [each.mu for each in await ask(store.rating, "ann")] == [25.5]
        assert [(each.ended.game, each.pool.value) for each in found.unrated] == [("g1", "people")]
    assert (folder.file.with_name("twentytwo-before-" + newest() + ".db").exists()) == (
        script.stem != newest()
    )


SIX_WITH_GAMES = """
INSERT INTO games VALUES
('{0}', {1}, 't1', 'twentytwo', 'pagat', 'abc', '{2}', false, false, 1, {1}, 4, 9, 0);
INSERT INTO records VALUES ('{0}', 'twentytwo record 1
end {2} {3}
');
INSERT INTO seats VALUES ('{0}', 1, 'Ann', '', 0, 0);
INSERT INTO players VALUES ('ann', '{0}', 'twentytwo', {1}, {1});
"""
"""A game in a database of schema 0006: its id and number, and why it ended."""


def _of_schema_six(connection: Connection) -> None:
    migrating.upgrade(connection, "0006")
    ends = ("aborted undone", "aborted agreed", "target ", "aborted undone")
    for number, end in enumerate(ends, 1):
        text_of = SIX_WITH_GAMES.format(f"g{number}", number, *end.split(" "))
        for statement in text_of.split(";\n")[:-1]:
            connection.execute(text(statement))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_games_that_were_undone_before_there_was_a_column_for_it_are_told_apart(
    kind: str, folder: Folder, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    where: Any = folder.folder if kind == "sqlite" else request.getfixturevalue("postgres").url()
    with monkeypatch.context() as before:
        before.setattr(migrating, "create", _of_schema_six)
        await (await open_database(where)).close()
    async with opened(folder if kind == "sqlite" else Server(where)) as store:
        found = await ask(store.past, "Ann", "", 9)
        assert [(each.game, each.undone) for each in found] == [("g3", False), ("g2", False)]
        for game in ("g1", "g4"):
            kept = await ask(store.game, game)
            assert (kept.why, kept.undone, kept.seats[0].name) == ("aborted", True, "Ann")


async def test_a_newer_schema_is_refused_in_one_line_and_left_as_it_is(folder: Folder) -> None:
    async with opened(folder):
        pass
    with closing(sqlite3.connect(folder.file)) as db:
        db.execute("UPDATE alembic_version SET version_num = '9999'")
        db.commit()
    with pytest.raises(Refused, match=r"^the data has schema 9999, made by a newer version; .*$"):
        await folder.open()
    with closing(sqlite3.connect(folder.file)) as db:
        assert db.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)


SQLITE = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
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
    queries += ["SELECT * FROM marks ORDER BY name", "SELECT * FROM alembic_version"]
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
    return list(compare_metadata(MigrationContext.configure(db), wanted))


async def test_migrating_says_from_where_to_where(folder: Folder) -> None:
    assert await migrated(folder.folder) == ("", newest())
    assert await migrated(folder.folder) == (newest(), newest())


async def test_the_log_tells_of_a_migration_and_its_copy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = Folder(tmp_path / "data")
    evening = Path(__file__).parent / "released" / "evenings" / "0003.sql"
    restored_from(evening.read_text(), folder)
    caplog.set_level(logging.INFO, "twentytwo.store")
    async with opened(folder):
        pass
    kept = folder.file.with_name(f"twentytwo-before-{newest()}.db")
    assert kept.exists()
    assert caplog.messages == [
        f"the data as it was before the migration is kept as {kept}",
        f"the data is migrated: schema 0003 -> {newest()}",
    ]
    caplog.clear()
    async with opened(folder):
        pass
    assert caplog.messages == []
