"""All data goes from SQLite to PostgreSQL and back, and nothing is another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine, event

from tests.kit.postgres import Postgres
from tests.store.kit import Folder, Server, ask, keep, opened
from tests.store.test_contract import ANN, WALL, ended, rated
from tests.store.test_damage import EVENING
from tests.store.test_migrating import restored_from
from tests.store.test_upkeep import said
from twentytwo_server.facts import AdminAction, Blocks, Boot
from twentytwo_server.operator.data_commands import copy_command
from twentytwo_server.store import Refused
from twentytwo_server.store.schema import metadata
from twentytwo_server.store.transfer import transfer


async def evening_in(tmp_path: Path) -> Folder:
    """Open tables of every game, and something of everything else."""
    folder = Folder(tmp_path / "data")
    restored_from(EVENING.read_text(), folder)
    async with opened(folder) as store:
        await store.load()
        acts = [AdminAction(0, "ban", f"n{number}", "", WALL) for number in range(2 * 1000 + 1)]
        await keep(store, Boot("b", 1, WALL), replace(ANN, name="Ånn", skeleton="ånn"), *acts)
        await keep(store, ended(7, "Ånn", "bot:hard"), rated("Ånn", 25.5), Blocks("Ånn", ("zoe",)))
    return folder


async def test_everything_is_there_on_the_other_side_and_back(
    postgres: Postgres, tmp_path: Path
) -> None:
    evening = await evening_in(tmp_path)
    url = postgres.url()
    found = await transfer(str(evening.folder), url)
    assert set(found) == set(metadata.tables) - {"nodes"} and found["admin_log"] == 2001
    assert found["inputs"] > 100 and found["marks"] == 6
    back = Folder(tmp_path / "back")
    assert await transfer(url, str(back.folder)) == found
    loaded = []
    for place in (evening, Server(url), back):
        async with opened(place) as store:
            loaded.append(await store.load())
            assert (await ask(store.game, "g7")).seats[0].name == "Ånn"
            # Numbers that the database counts go on behind those that were copied.
            await keep(store, AdminAction(0, "kick", "last", "", WALL))
            assert (await ask(store.admin_log, 1))[0].about == "last"
    assert loaded[0] == loaded[1] == loaded[2]


async def test_a_target_with_data_is_refused_and_stays_as_it_is(
    postgres: Postgres, tmp_path: Path
) -> None:
    evening = await evening_in(tmp_path)
    url, other = postgres.url(), Folder(tmp_path / "other")
    for place in (Server(url), other):
        async with opened(place) as store:
            await keep(store, ANN)
    for target in (url, str(other.folder)):
        with pytest.raises(Refused, match=r"there is data in .* already"):
            await transfer(str(evening.folder), target)
    for place in (Server(url), other):
        async with opened(place) as store:
            assert await ask(store.account, "Ann") == ANN


async def test_data_in_use_and_data_that_is_not_there_are_refused_in_one_line(
    postgres: Postgres, tmp_path: Path
) -> None:
    evening = await evening_in(tmp_path)
    url, new = postgres.url(), tmp_path / "new"
    async with opened(Server(url)):
        result = await said(copy_command, url, str(new))
    assert result.exit_code == 1 and "is in use by another server" in result.output
    assert result.output.count("\n") == 1 and not (new / "twentytwo.db").exists()
    result = await said(copy_command, str(tmp_path / "typo"), str(new))
    assert result.output == f"twentytwo-server: there is no data in {tmp_path / 'typo'}\n"
    result = await said(copy_command, str(evening.folder), str(new))
    assert result.exit_code == 0 and "rows of 33 tables" in result.output.splitlines()[0]


async def test_a_row_that_is_another_on_the_other_side_is_noticed(tmp_path: Path) -> None:
    evening = await evening_in(tmp_path)

    def lose(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("INSERT INTO boots"):
            connection.exec_driver_sql("UPDATE boots SET wall = wall + 1")

    event.listen(Engine, "after_cursor_execute", lose)
    try:
        with pytest.raises(Refused, match="the rows of boots differ in"):
            await transfer(str(evening.folder), str(tmp_path / "new"))
    finally:
        event.remove(Engine, "after_cursor_execute", lose)
    assert not (tmp_path / "new" / "twentytwo.db").exists()
