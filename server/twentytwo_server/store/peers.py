"""Watches the other active servers of a database, and takes the tables of those that end.

A server that stops says so in its row, and its tables are taken at once. A server that does not
renew its lease is ended first. As with a standby (`standby`), only this server's own monotonic time
counts, and only while the database answers.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from ..ports import TablesTaken
from .faults import fault
from .node_settings import NodeSettings
from .nodes import Fence, NodeRow, NodeState, StillServing, owned, read_nodes, take_tables

log = logging.getLogger("twentytwo.store")

PAUSE = 0.25
"""Seconds between two looks at the other servers."""


class Peers:
    """Takes the tables of servers that end, in a task until `close`, and calls `taken` with them.

    `fence` is this server's right to write.
    """

    def __init__(
        self, engine: AsyncEngine, fence: Fence, settings: NodeSettings, taken: TablesTaken
    ) -> None:
        self._engine = engine
        self._fence = fence
        self._settings = settings
        self._taken = taken
        self._seen: dict[str, tuple[NodeRow, float]] = {}
        self._loop = asyncio.get_running_loop()
        self._answered = self._loop.time()
        self._unsure = False
        self._closing = asyncio.Event()
        self._task = self._loop.create_task(self._watch())

    async def close(self) -> None:
        """Stops watching."""
        self._closing.set()
        await asyncio.wait({self._task})

    async def _watch(self) -> None:
        while not self._closing.is_set():
            try:
                async with asyncio.timeout(self._settings.takes_over_after):
                    await self._look()
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                log.debug("the other servers are not known: %s", fault(error).why)
                self._unsure = True  # tables may have been taken although the answer was lost
            with suppress(TimeoutError):
                async with asyncio.timeout(min(PAUSE, self._settings.beat)):
                    await self._closing.wait()

    async def _look(self) -> None:
        async with self._engine.connect() as db:
            rows = await db.run_sync(read_nodes)
            mine = await db.run_sync(owned, self._fence) if self._unsure else ()
        now = self._loop.time()
        if now - self._answered > self._settings.patience:
            self._seen.clear()
        self._answered = now
        if self._unsure:
            self._unsure = False
            self._taken(mine)
        for row in rows:
            if row.node != self._fence.node and self._has_ended(row, now):
                await self._take(row)

    def _has_ended(self, row: NodeRow, now: float) -> bool:
        last, since = self._seen.get(row.node, (None, now))
        if row.state is not NodeState.ACTIVE:
            return last is None or (row.epoch, row.state) != (last.epoch, last.state)
        if row != last:
            self._seen[row.node] = row, now
            return False
        return now - since >= self._settings.dead_after(row.node)

    async def _take(self, ended: NodeRow) -> None:
        try:
            async with self._engine.begin() as db:
                dead_for = self._settings.dead_after(ended.node)
                tables = await db.run_sync(take_tables, self._fence, ended, dead_for)
        except StillServing as alive:
            log.debug("no tables are taken: %s", alive)
            return
        self._seen[ended.node] = ended, self._loop.time()
        if ended.state is NodeState.ACTIVE:
            log.warning("the server %s has died", ended.node)
        if tables:
            log.info("%d tables of the server %s are taken", len(tables), ended.node)
        self._taken(tables)  # people may be taken, too
