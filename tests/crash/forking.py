"""Runs many lives in a few processes, which fork their servers and play against them.

A process that has imported and exercised everything once forks its servers: a start takes 30 ms
instead of a second. A forked server can be killed like any other process.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import aiosqlite  # noqa: F401  # imported before the first fork
import sqlalchemy.dialects.sqlite.aiosqlite  # noqa: F401
import twisted.internet.asyncioreactor  # noqa: F401

import twentytwo_server.node  # noqa: F401
from twentytwo_server.games.registry import games
from twentytwo_server.store.sql import open_store

W = TypeVar("W")
F = TypeVar("F")

EACH = 25
"""Number of kills or faults in one life: enough for a history, but not so many that replaying it
takes most of the time.
"""


def prepare() -> None:
    """Runs the start of a server once, so that forked servers inherit the result."""

    def fatal(why: str) -> None:
        raise AssertionError(why)

    async def try_store(folder: str) -> None:
        for _ in range(2):
            store = await open_store(folder, fatal)
            await store.load()
            await store.close()

    games()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(try_store(folder))
    gc.collect()
    gc.freeze()


def portions(number: int, seed: str) -> Iterator[tuple[str, int]]:
    """Divides kills into lives: a seed and a number for each; the first has `seed`."""
    for life, start in enumerate(range(0, number, EACH)):
        yield f"{seed}.{life}" if life else seed, min(EACH, number - start)


def spread(live: Callable[[W], F], works: Iterable[W], processes: int) -> Iterator[F]:
    """Runs all lives in parallel, and yields their results as they end.

    One of the processes is this one, which must not have started a thread.
    """
    if processes == 1:
        prepare()
        yield from map(live, works)
        return
    with multiprocessing.get_context("spawn").Pool(processes, prepare) as pool:
        yield from pool.imap_unordered(live, works)
