"""Places in which a store can be: memory, a folder, a database of PostgreSQL."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.kit.postgres import Postgres
from tests.store.kit import Folder, Memory, Place, Server


@pytest.fixture(scope="session")
def postgres() -> Generator[Postgres]:
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    match request.param:
        case "memory":
            yield Memory()
        case "sqlite":
            yield Folder(tmp_path / "data")
        case "postgresql":
            with request.getfixturevalue("postgres").lent() as url:
                yield Server(url)
