"""Waiting for the server that serves a PostgreSQL database to stop or to die.

A server reads the other one's row again and again, and compares its own monotonic time. A lease
that is not renewed ends only if the database has answered all the while: when nobody can reach the
database, nobody is dead.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy import inspect, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from twentytwo_protocol import __version__

from . import Refused, schema
from .engines import database, engine, shown
from .faults import fault
from .lease import Lease
from .migrating import check_schema, newest
from .node_settings import NodeSettings
from .nodes import Fence, NodeRow, in_the_way, read_nodes, renewed, stand_by, stopped, take_over

log = logging.getLogger("twentytwo.store")

ALIVE = 1.5
"""Seconds between two looks at all rows; with the usual lease a row is renewed in between."""

LOOK = 0.25
"""Seconds between two looks at the row of the server that serves."""

_SESSION = "SELECT pg_backend_pid()"
"""Selects the PostgreSQL session of a connection; every open connection has a different one."""

_POOLED = (
    "between this server and PostgreSQL several connections share one session, as with PgBouncer's "
    "pool_mode=transaction: set pool_mode=session, or connect directly"
)

Told = Callable[[str], None]
"""Called with the name of the server for which this one stands by."""


async def last_serving(
    made: AsyncEngine, where: str | Path, settings: NodeSettings
) -> Sequence[NodeRow]:
    """The rows of the servers of a PostgreSQL database that are in the way, but dead.

    An SQLite file is locked when it is first read: then none. Raises `Refused` if one is alive.
    """
    if made.dialect.name == "sqlite":
        return ()
    await check_sessions(made)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    first = found = await _in_the_way(made, settings)
    while found and loop.time() - begun < _dead_after(settings, found):
        await asyncio.sleep(LOOK)
        found = await _in_the_way(made, settings)
        if alive := next((row for row in found if row not in first), None):
            raise Refused(
                f"the database {shown(where)} is in use by another server, {alive.node};"
                " a server with --node NAME stands by for it"
            )
    return found


async def wait_to_serve(
    made: AsyncEngine, settings: NodeSettings, told: Told
) -> tuple[Sequence[NodeRow], float | None]:
    """Stands by until no server serves.

    Returns the rows of the servers that have died, none if the last one has stopped; and the last
    sign of them, in the loop's seconds, or None if there never was one. `told` is called whenever
    another server begins to serve. Raises `Refused` if two connections share a session.
    """
    await check_sessions(made)
    loop = asyncio.get_running_loop()
    async with made.begin() as db:
        mine = await db.run_sync(stand_by, settings.node, __version__, settings.address)
    seen: Sequence[NodeRow] = ()
    since = answered = beaten = loop.time()
    while True:
        try:
            async with asyncio.timeout(settings.patience):
                found = await _in_the_way(made, settings)
                if loop.time() - beaten >= settings.beat:
                    beaten = loop.time()
                    await _beat(made, mine)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            log.debug("the servers of the database are not known: %s", fault(error).why)
        else:
            now = loop.time()
            if not found:
                return (), answered if seen else None
            if not seen or found[0].node != seen[0].node:
                told(found[0].node)
            if found != seen or now - answered > settings.patience:
                seen, since = found, now
            elif now - since >= _dead_after(settings, found):
                return found, since
            answered = now
        await asyncio.sleep(min(LOOK, settings.beat))


async def servers(where: str) -> list[tuple[NodeRow, bool]]:
    """The servers of a PostgreSQL database, and whether each renews its row. Raises `Refused`."""
    url = database(where)
    if url.get_backend_name() == "sqlite":
        raise Refused(f"{where} is a folder, which only one server can use")
    made = engine(url)
    try:
        async with made.connect() as db:
            if await db.run_sync(check_schema) != newest():
                raise Refused(f"the data in {shown(where)} is of an older version: migrate it")
            before = await db.run_sync(read_nodes)
            await db.rollback()
            await asyncio.sleep(ALIVE)
            return [(row, row not in before) for row in await db.run_sync(read_nodes)]
    except SQLAlchemyError as error:
        raise Refused(f"the data in {shown(where)} cannot be read: {fault(error).why}") from error
    finally:
        await made.dispose()


async def _in_the_way(made: AsyncEngine, settings: NodeSettings) -> Sequence[NodeRow]:
    joining = settings.node if settings.active else ""
    async with made.connect() as db:
        there = await db.run_sync(lambda sync: inspect(sync).has_table(schema.nodes.name))
        return await db.run_sync(in_the_way, joining) if there else ()


def _dead_after(settings: NodeSettings, rows: Sequence[NodeRow]) -> float:
    return max(settings.dead_after(row.node) for row in rows)


async def _beat(made: AsyncEngine, mine: Fence) -> None:
    async with made.begin() as db:
        await db.run_sync(renewed, mine)


@asynccontextmanager
async def held(made: AsyncEngine, where: str | Path, by: str) -> AsyncIterator[None]:
    """Keeps servers off a database while a command uses it. `by` is the name of the command.

    SQLite locks the file itself. Raises `Refused` if a server serves.
    """
    settings = NodeSettings(by)
    after = await last_serving(made, where, settings)
    if made.dialect.name == "sqlite":
        yield
        return
    async with made.begin() as db:
        fence, _ = await db.run_sync(take_over, by, __version__, "", after)
    lease = Lease(made, fence, settings, lambda why: None)
    try:
        yield
    finally:
        await lease.close()
        await leave(made, fence, settings)


async def leave(made: AsyncEngine, fence: Fence, settings: NodeSettings) -> None:
    """Notes that a server serves no more, if the database answers."""
    with suppress(SQLAlchemyError, OSError, TimeoutError):
        async with asyncio.timeout(settings.patience), made.begin() as db:
            await db.run_sync(stopped, fence)


async def check_sessions(made: AsyncEngine) -> None:
    """Raises `Refused` if two connections share a session of PostgreSQL."""
    async with made.connect() as one, made.connect() as other:
        mine, theirs = [(await db.execute(text(_SESSION))).scalar() for db in (one, other)]
    if mine == theirs:
        raise Refused(_POOLED)
