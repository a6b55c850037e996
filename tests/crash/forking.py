"""Many lives, in a few processes that fork the servers and play against them.

A process that has imported and tried everything once forks its servers ready-made: a start costs
30 ms in place of a second, and it is a process like any other that is killed.
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
"""Kills or faults of one life: enough for a history, and not so many that replaying it is all
that is done."""


def prepare() -> None:
    """Does once what every server does at its start, so that those forked later have it ready."""

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
    """The lives that make so many: the seed of each, and how many it has; the first has `seed`."""
    for life, start in enumerate(range(0, number, EACH)):
        yield f"{seed}.{life}" if life else seed, min(EACH, number - start)


def spread(live: Callable[[W], F], works: Iterable[W], processes: int) -> Iterator[F]:
    """Lives all lives, in so many processes; what came of each, as they end.

    One process is this one, which must not have started a thread.
    """
    if processes == 1:
        prepare()
        yield from map(live, works)
        return
    with multiprocessing.get_context("spawn").Pool(processes, prepare) as pool:
        yield from pool.imap_unordered(live, works)
