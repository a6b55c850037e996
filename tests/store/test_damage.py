"""Pages of the file are damaged: what cannot be read is set aside, and the server goes on."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.kit import Folder, ask, keep, opened
from tests.store.test_migrating import restored_from
from twentytwo_server.facts import InboxLine, PersonKept, Remembered
from twentytwo_server.operator.dry_start import set_aside
from twentytwo_server.store import Refused
from twentytwo_server.store.checking import ComplaintKind, complaints
from twentytwo_server.store.repair import repair

EVENING = Path(__file__).parent / "released" / "0001.sql"
PAGE = 4096
FILLINGS = {"nothing": b"\0" * PAGE, "ones": b"\xff" * PAGE, "text": (b"spoiled " * PAGE)[:PAGE]}

pytestmark = pytest.mark.deadline(120)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    folder = Folder(tmp_path / "data")
    restored_from(EVENING.read_text(), folder)
    return folder


def spoil(folder: Folder, page: int, filling: str) -> None:
    """Writes something else over a page, from 1."""
    with folder.file.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(FILLINGS[filling])


def pages(folder: Folder) -> range:
    """All pages but the first, without which there is no database."""
    return range(2, folder.file.stat().st_size // PAGE + 1)


def has_schema(folder: Folder) -> bool:
    """Whether it can still be read what tables there are, and where."""
    with closing(sqlite3.connect(folder.file)) as db:
        try:
            return bool(db.execute("SELECT * FROM sqlite_master").fetchall())
        except sqlite3.DatabaseError:
            return False


def root(folder: Folder, name: str) -> int:
    """The page where a table or an index begins."""
    with closing(sqlite3.connect(folder.file)) as db:
        found: int = db.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", [name]
        ).fetchone()[0]
        return found


async def remembered(folder: Folder) -> Remembered:
    async with opened(folder) as store:
        return await store.load()


async def whole(folder: Folder) -> list[str]:
    """What is still wrong with the file itself."""
    found = [each async for each in complaints(folder.folder)]
    return [
        each.line for each in found if each.kind not in (ComplaintKind.TABLE, ComplaintKind.CHAIN)
    ]


@pytest.mark.parametrize("filling", FILLINGS)
async def test_whatever_page_is_damaged_a_server_starts_and_goes_on(
    folder: Folder, filling: str
) -> None:
    tables = {table.table: table for table in (await remembered(folder)).tables}
    healthy = folder.file.read_bytes()
    for page in pages(folder)[list(FILLINGS).index(filling) :: len(FILLINGS)]:
        folder.file.write_bytes(healthy)
        spoil(folder, page, filling)
        if not has_schema(folder):
            with pytest.raises(Refused, match="go back to a backup"):
                await folder.open()
            continue
        async with opened(folder) as store:
            await store.load()
            for question in (store.account, store.tokens, store.rating):
                await ask(question, "zoe")
            await ask(store.game, "g1")
            await ask(store.past, "", "", 9)
            await ask(store.promises, "", 9)
            await ask(store.token, b"1")
        async with opened(folder) as store:  # now what was noted has been mended
            found = await store.load()
            await keep(store, InboxLine("zoe", 9, 0, "line"), PersonKept("~dan", False, b"1", b"2"))
        wrong = await whole(folder)
        if wrong:  # what nobody has asked for
            repair(folder.file)
            wrong = await whole(folder)
        assert wrong == [], page
        aside = set_aside(found)
        for table in found.tables:
            assert table.table in aside or table.inputs == tables[table.table].inputs, page


async def test_a_damaged_leaf_costs_the_rows_on_it_and_they_are_named(
    folder: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    before = await remembered(folder)
    (page,) = [each for each in leaves(folder, "inputs") if holds(folder, each, "~p1x")][:1]
    spoil(folder, page, "nothing")
    damaged = folder.file.read_bytes()
    with caplog.at_level(logging.ERROR, "twentytwo.store"):
        found = await remembered(folder)
    (line,) = [each for each in caplog.messages if each.startswith("lost: inputs: ")]
    assert line.startswith("lost: inputs: all between ")
    aside = set_aside(found)
    assert 0 < len(aside) < len(before.tables)
    assert all(table.table in aside or table in before.tables for table in found.tables)
    kept = (folder.folder / "twentytwo-damaged-1.db").read_bytes()
    of_page = slice((page - 1) * PAGE, page * PAGE)
    assert len(kept) == len(damaged) and kept[of_page] == damaged[of_page]
    caplog.clear()
    assert await remembered(folder) == found
    assert caplog.messages == []


def leaves(folder: Folder, name: str) -> Iterator[int]:
    """The leaves of a tree that is ordered by its keys."""
    data = folder.file.read_bytes()
    waiting = [root(folder, name)]
    while waiting:
        page = waiting.pop(0)
        start = (page - 1) * PAGE
        if data[start] == 0x0A:
            yield page
            continue
        cells = int.from_bytes(data[start + 3 : start + 5], "big")
        for cell in range(cells):
            at = start + 12 + 2 * cell
            offset = start + int.from_bytes(data[at : at + 2], "big")
            waiting.append(int.from_bytes(data[offset : offset + 4], "big"))
        waiting.append(int.from_bytes(data[start + 8 : start + 12], "big"))


def holds(folder: Folder, page: int, text: str) -> bool:
    return text.encode() in folder.file.read_bytes()[(page - 1) * PAGE : page * PAGE]


async def test_an_index_that_is_damaged_costs_nothing(folder: Folder) -> None:
    before = await remembered(folder)
    spoil(folder, root(folder, "games_past"), "nothing")
    repair(folder.file)
    assert await remembered(folder) == before
    assert await whole(folder) == []


async def test_who_asks_for_what_is_damaged_is_answered_and_the_next_start_mends_it(
    folder: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    await remembered(folder)
    spoil(folder, root(folder, "sqlite_autoindex_records_1"), "nothing")
    async with opened(folder) as store:  # its end would fail the test
        await store.load()
        assert await ask(store.game, "g1") is None
        assert (await ask(store.account, "zoe")).name == "zoe"
    assert "the data is damaged" in caplog.text
    async with opened(folder) as store:
        assert await ask(store.game, "g1") is None
    assert await whole(folder) == []


async def test_a_file_whose_first_page_is_damaged_is_refused_in_one_line(folder: Folder) -> None:
    await remembered(folder)
    with folder.file.open("r+b") as file:
        file.seek(100)
        file.write(b"\0" * (PAGE - 100))
    before = folder.file.read_bytes()
    with pytest.raises(Refused, match=r"go back to a backup"):
        await folder.open()
    assert folder.file.read_bytes() == before


async def test_a_start_that_repairs_the_file_stores_what_follows(folder: Folder) -> None:
    await remembered(folder)
    spoil(folder, root(folder, "inputs"), "ones")
    async with opened(folder) as store:
        await store.load()
        await asyncio.wait_for(keep(store, InboxLine("zoe", 9, 0, "after the repair")), 5)
    assert (folder.folder / "twentytwo-damaged-1.db").exists()
    async with opened(folder) as store:
        assert "after the repair" in str(await store.load())
