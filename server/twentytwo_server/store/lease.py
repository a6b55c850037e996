"""The lease of a server on its database: it is lost when another server takes over.

No wall clock decides, neither this machine's nor the database's: each server compares its own
monotonic time. PostgreSQL only; a SQLite file is locked by its server.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from .faults import fault
from .node_settings import NodeSettings
from .nodes import Fence, NodeRow, NodeState, read_nodes, renewed

log = logging.getLogger("twentytwo.store")

LOST = "another server has taken over this database"


class Lease:
    """Renews the lease in a task until `close`, or until it is lost; then `lost` is called once.

    `fence` is the right to write that the lease keeps. The task has a connection of its own, so
    that no long query delays a renewal.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        fence: Fence,
        settings: NodeSettings,
        lost: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._fence = fence
        self._settings = settings
        self._lost = lost
        self._connection: AsyncConnection | None = None
        self._others: dict[str, tuple[NodeRow, float]] = {}
        self._loop = asyncio.get_running_loop()
        self.renewed = self._loop.time()
        """The last moment at which the lease was certainly held, in the loop's seconds."""
        self._closing = asyncio.Event()
        self._renewing = asyncio.Lock()
        self._task = self._loop.create_task(self._keep())

    @property
    def age(self) -> float:
        """Seconds since the lease was renewed."""
        return self._loop.time() - self.renewed

    def holds(self) -> bool:
        """True if this server may speak: it has renewed its lease recently."""
        return self.age < self._settings.speaks_for

    async def look(self) -> None:
        """Reads at once which other servers there are. Changes nothing if the database fails."""
        await self._beat()

    async def _keep(self) -> None:
        while not self._closing.is_set():
            begun = self._loop.time()
            if not await self._beat():
                self._loop.call_soon(self._lost, LOST)
                break
            with suppress(TimeoutError):
                async with asyncio.timeout_at(begun + self._settings.beat):
                    await self._closing.wait()
        await self._disconnect()

    async def _beat(self) -> bool:
        """Renews the lease and reads the other servers; false if the lease is lost."""
        async with self._renewing:
            begun = self._loop.time()
            try:
                async with asyncio.timeout(self._settings.patience):
                    held = await self._renew()
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                log.debug("the lease is not renewed: %s", fault(error).why)
                await self._disconnect()
                return True
            if held:
                self.renewed = begun
            return held

    async def _renew(self) -> bool:
        db = await self._connect()
        held = await db.run_sync(renewed, self._fence)
        now = self._loop.time()
        for row in await db.run_sync(read_nodes):
            last, _ = self._others.get(row.node, (None, now))
            if row != last and row.node != self._fence.node:
                self._others[row.node] = row, now
        return held

    @property
    def others(self) -> list[NodeRow]:
        """The rows of the other servers that stand by or are active, as their renewals show."""
        since = self._loop.time() - self._settings.takes_over_after
        return [
            row
            for row, seen in self._others.values()
            if seen >= since and row.state in (NodeState.STANDBY, NodeState.ACTIVE)
        ]

    async def _connect(self) -> AsyncConnection:
        if self._connection is None:
            made = await self._engine.connect()
            self._connection = await made.execution_options(isolation_level="AUTOCOMMIT")
        return self._connection

    async def _disconnect(self) -> None:
        """Gives up the connection, which may be dead."""
        given_up, self._connection = self._connection, None
        if given_up is not None:
            with suppress(SQLAlchemyError, OSError):
                await given_up.invalidate()
                await given_up.close()

    async def close(self) -> None:
        """Stops renewing. Call it after the last write."""
        self._closing.set()
        await asyncio.wait({self._task})
