"""Stores to be opened and opened again, and short ways to speak to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest

from twentytwo_server.facts import Fact, Owned, Remembered, WantedTables
from twentytwo_server.ports import Store
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.store.node_settings import NodeSettings
from twentytwo_server.store.sql import SqlStore, open_store


class Kept(Store, Protocol):
    """A store with its beginning and its end."""

    async def load(self) -> Remembered:
        """All that a starting server needs to know."""

    async def close(self) -> None:
        """Writes what is waiting."""


class Place(Protocol):
    """Where a store is; it can be opened again and again."""

    async def open(self) -> Kept:
        """The store that is there."""


class Nodes(Protocol):
    """A place for several servers, each with a name."""

    def of(self, node: str) -> Place:
        """The place as the server with this name opens it."""


class Memory:
    """A store in memory."""

    def __init__(self) -> None:
        self._store = MemoryStore()

    async def open(self) -> Kept:
        return self._store

    def of(self, node: str) -> Place:
        return View(self._store, node)


class View:
    """A store in memory that several servers share, as the server `node` opens it."""

    def __init__(self, shared: MemoryStore, node: str) -> None:
        self._shared, self._node = shared, node

    async def open(self) -> MemoryStore:
        return self._shared.node(self._node)


def no_end(why: str) -> None:
    """What is said where a store may not fail."""
    pytest.fail(f"the store gave up: {why}")


class Folder:
    """A store in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def file(self) -> Path:
        return self.folder / "twentytwo.db"

    async def open(self, fatal: Callable[[str], None] = no_end) -> SqlStore:
        return await open_store(self.folder, fatal)


class Server:
    """A store in a database of PostgreSQL."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def open(self, fatal: Callable[[str], None] = no_end) -> SqlStore:
        return await open_store(self.url, fatal)

    def of(self, node: str, lease: int = 10_000) -> ActiveServer:
        return ActiveServer(self.url, NodeSettings(node, lease=lease, active=True))


class ActiveServer(Server):
    """A database of PostgreSQL that several servers share, as one of them opens it."""

    def __init__(self, url: str, settings: NodeSettings) -> None:
        super().__init__(url)
        self.settings = settings

    async def open(self, fatal: Callable[[str], None] = no_end) -> SqlStore:
        store = await open_store(self.url, fatal, self.settings)
        await store.load()
        return store


@asynccontextmanager
async def opened(place: Place) -> AsyncGenerator[Kept]:
    """The store that is there, while it is needed."""
    store = await place.open()
    try:
        yield store
    finally:
        await store.close()


def keeping(store: Store, *facts: Fact) -> asyncio.Future[None]:
    """Has the facts kept together; a future of that."""
    done = asyncio.get_running_loop().create_future()
    store.keep(facts, lambda: done.set_result(None))
    return done


async def keep(store: Store, *facts: Fact) -> None:
    """Keeps the facts together."""
    await keeping(store, *facts)


async def ask(question: Callable[..., None], *about: Any) -> Any:
    """The answer of a store."""
    answer = asyncio.get_running_loop().create_future()
    question(*about, answer.set_result)
    return await answer


async def owners(store: Store, *tables: str) -> Mapping[str, Owned]:
    """The owners and last inputs of these tables, as far as they are open."""
    found: Mapping[str, Owned] = await ask(store.owners, WantedTables(tables))
    return found
