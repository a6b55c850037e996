"""Places in which a store can be: memory, a folder, a database of PostgreSQL."""

from __future__ import annotations

from collections.abc import Generator
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
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    match request.param:
        case "memory":
            return Memory()
        case "sqlite":
            return Folder(tmp_path / "data")
    return Server(request.getfixturevalue("postgres").url())
