"""The servers of a database, as operators see them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.postgres import Postgres
from tests.store.kit import no_end
from tests.store.test_postgresql import until
from tests.store.test_upkeep import said
from twentytwo_server.operator.nodes_command import nodes
from twentytwo_server.store.node_settings import NodeSettings
from twentytwo_server.store.sql import open_store

A = NodeSettings("a", "a.example.org:2222", lease=2_000)
B = NodeSettings("b", lease=2_000)
LONG = 300_000
"""A lease that is not renewed while a test runs."""


async def test_the_command_tells_who_serves_who_stands_by_and_who_is_silent(
    postgres: Postgres,
) -> None:
    url = postgres.url()
    first = await open_store(url, no_end, A)
    waiting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    opening = asyncio.ensure_future(open_store(url, no_end, B, waiting.set_result))
    assert await waiting == "a"
    await until(lambda: first.standbys == 1)
    assert [(row.node, row.address) for row in first.others or ()] == [("b", "")]
    result = await said(nodes, "--data", url)
    assert result.output.splitlines() == [
        "a  serving  0.1.0  a.example.org:2222",
        "b  standby  0.1.0  -",
    ]
    await first.close()
    second = await opening
    assert second.vacant_since is not None
    await second.close()
    result = await said(nodes, "--data", url)
    assert [line.split()[:2] for line in result.output.splitlines()] == [
        ["a", "stopped"],
        ["b", "stopped"],
    ]
    name = url.partition("?")[0].rpartition("/")[2]
    postgres.execute("UPDATE nodes SET state = 'serving' WHERE node = 'a'", name)
    result = await said(nodes, "--data", url)
    assert result.output.splitlines()[0].endswith("silent")


async def test_a_server_that_looks_knows_who_stands_by_before_it_renews_its_lease(
    postgres: Postgres,
) -> None:
    url = postgres.url()
    first = await open_store(url, no_end, replace(A, lease=LONG))
    waiting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    opening = asyncio.ensure_future(open_store(url, no_end, B, waiting.set_result))
    assert await waiting == "a"
    assert list(first.others or ()) == []
    await first.look()
    assert [row.node for row in first.others or ()] == ["b"]
    await first.close()
    await (await opening).close()


def test_a_server_of_another_name_counts_as_dead_only_after_it_has_fallen_silent() -> None:
    assert A.dead_after("a") < A.speaks_for < A.dead_after("b") == A.takes_over_after


async def test_a_folder_has_one_server(tmp_path: Path) -> None:
    result = await said(nodes, "--data", str(tmp_path))
    assert result.exit_code == 1
    assert result.output.endswith("is a folder, which only one server can use\n")


@pytest.mark.parametrize("name", ["a b", "x" * 33, "ä"])
def test_a_name_is_a_word(name: str) -> None:
    (declared,) = (f for f in NodeSettings.__dataclass_fields__.values() if f.name == "name")
    with pytest.raises(ValueError, match="must be at most 32"):
        declared.metadata["setting"].check(name)
