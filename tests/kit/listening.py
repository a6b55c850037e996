"""Ends a listener of asyncio without losing a connection that it has just accepted."""

from __future__ import annotations

import asyncio


async def stop_listening(server: asyncio.Server) -> None:
    """Accepts nothing more, lets the connections accepted so far begin, then closes.

    A connection begins one turn of the loop after it is accepted. If its server is closed in
    between, asyncio (3.11) drops the socket open, and some later test is blamed for it.
    """
    loop = asyncio.get_running_loop()
    for each in server.sockets:
        loop.remove_reader(each.fileno())
    await asyncio.sleep(0)
    server.close()
