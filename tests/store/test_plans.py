"""Questions go by an index, so that they stay quick however much is kept."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from tests.store.kit import Folder, ask, keep, opened
from tests.store.test_contract import ended, given_input
from twentytwo_server.facts import Pool, TableOpened, WantedTables
from twentytwo_server.store.sql import SqlStore

QUESTIONS: list[tuple[str, tuple[Any, ...]]] = [
    ("account", ("ann",)),
    ("tokens", ("ann",)),
    ("token", (b"1",)),
    ("ssh_keys", ("ann",)),
    ("past", ("", "", 20)),
    ("past", ("", "whist22", 20)),
    ("past", ("ann", "", 20)),
    ("past", ("ann", "whist22", 20)),
    ("game", ("g1",)),
    ("promises", ("", 20)),
    ("promises", ("g1", 20)),
    ("rating", ("ann",)),
    ("ranks", (Pool.PEOPLE, "whist22", "open", 20)),
    ("owners", (WantedTables(("t1",), ("fox",), ("g1",), ("ann",)),)),
    ("newer_inputs", ({"t1": 2, "t2": 5},)),
    ("untold", (["ann", "bob"],)),
]

SMALL_SORTS = ("rating", "ranks", "newer_inputs", "untold")
"""Somebody's ratings and results are few, and so are new inputs. Ranks are sorted only where they
are equal.
"""


@asynccontextmanager
async def listening() -> AsyncGenerator[list[tuple[str, Any]]]:
    """The statements that the database is asked."""
    asked: list[tuple[str, Any]] = []

    def hear(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        asked.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", hear)
    yield asked
    event.remove(Engine, "before_cursor_execute", hear)


async def plans(store: SqlStore, asked: list[tuple[str, Any]]) -> list[str]:
    """The steps by which the database answers."""
    steps = []
    async with store.engine.connect() as db:
        for statement, parameters in asked:
            if statement.startswith(("SELECT", "WITH")):
                plan = await db.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps += [str(row.detail) for row in plan]
    return steps


@pytest.mark.parametrize(("question", "about"), QUESTIONS)
async def test_no_question_reads_a_whole_table_or_sorts_one(
    question: str, about: tuple[Any, ...], tmp_path: Path
) -> None:
    async with opened(Folder(tmp_path)) as store:
        assert isinstance(store, SqlStore)
        await keep(store, ended(1, "ann", key="whist22"))
        async with listening() as asked:
            await ask(getattr(store, question), *about)
        assert asked
        steps = await plans(store, asked)
        whole = [each for each in steps if each.startswith("SCAN")]
        # The log of promises is read from its end, as far as it is wanted.
        listed = (
            "promises USING INDEX",
            "tables USING INDEX tables_open",
            "SCAN known",
            "SCAN given",
            "SCAN members",  # only PostgreSQL has rows there, and an index of people
        )
        assert not [each for each in whole if not any(index in each for index in listed)]
        sorts = [each for each in steps if "TEMP B-TREE" in each]
        assert not sorts or question in SMALL_SORTS, steps


async def test_a_start_does_not_read_what_is_over(tmp_path: Path) -> None:
    async with opened(Folder(tmp_path)) as store:
        assert isinstance(store, SqlStore)
        async with listening() as asked:
            await store.load()
        steps = await plans(store, asked)
    for over in ("inputs", "promises", "seeds", "games", "records", "seats", "players", "frozen"):
        whole = [each for each in steps if each.startswith(f"SCAN {over}")]
        # Of the promises only the last, for the chain.
        assert all("USING INDEX" in each and over == "promises" for each in whole), steps


async def test_tables_are_read_before_their_inputs(tmp_path: Path) -> None:
    """So a table that is found closed has its last inputs, whenever it is closed."""
    async with opened(Folder(tmp_path)) as store:
        await keep(store, TableOpened("t1", "whist22", 0), given_input("t1", 1))
        async with listening() as asked:
            await ask(store.newer_inputs, {"t1": 0})
    read = [statement for statement, _ in asked if "FROM" in statement]
    assert "FROM tables" in read[0]
    assert not any("FROM tables" in statement for statement in read[1:])
