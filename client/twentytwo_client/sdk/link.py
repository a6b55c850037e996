"""The connection of the SDK, over asyncio alone."""

from __future__ import annotations

import asyncio
import contextlib

from ..address import Address
from ..core.link import Link
from ..core.reconnecting import Ending
from ..encryption import context_of

CHUNK = 65536
"""Bytes that are read at once."""


class AsyncioLink:
    """Drives a `Link` over asyncio's streams."""

    def __init__(self, server: Address, link: Link) -> None:
        self._server = server
        self._link = link
        self._writer: asyncio.StreamWriter | None = None

    async def run(self) -> None:
        """Connects, and again after every loss, until the conversation is over.

        Raises `OSError` if the first connection cannot be made, or is lost before the login.
        """
        while True:
            trouble: OSError | None = None
            try:
                await self._once()
            except OSError as error:
                trouble = error
            match self._link.ended():
                case Ending.UNREACHABLE:
                    raise trouble or ConnectionError(f"{self._server} hung up before it answered")
                case Ending():
                    return
                case pause:
                    await asyncio.sleep(pause.seconds)

    async def _once(self) -> None:
        """One connection from beginning to end. Raises `OSError` if it cannot be made."""
        async with asyncio.timeout(self._link.timing.connect):
            reader, writer = await self._connect()
        clock = asyncio.get_running_loop().time
        self._writer = writer
        try:
            self._link.opened(clock())
            self.flush()
            while not self._link.hangs_up:
                try:
                    async with asyncio.timeout_at(self._link.deadline):
                        data = await _some(reader)
                except TimeoutError:
                    self._link.tick(clock())
                else:
                    if not data:
                        break
                    self._link.received(data, clock())
                self.flush()
        finally:
            self._writer = None
            # Not `close`: it would wait until the peer, which may be gone, takes what was written.
            writer.transport.abort()
            self._link.closed()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        server = self._link.to.sent_from(self._server) if self._link.to else self._server
        if server.path:
            return await asyncio.open_unix_connection(server.path)
        context = context_of(server)
        name = server.certified if context else None
        return await asyncio.open_connection(
            server.lookup, server.port, ssl=context, server_hostname=name
        )

    def flush(self) -> None:
        """Sends what the conversation has to send."""
        data = self._link.outgoing()
        if data and self._writer is not None:
            self._writer.write(data)


async def _some(reader: asyncio.StreamReader) -> bytes:
    """The next bytes; none where the connection is gone."""
    try:
        return await reader.read(CHUNK)
    except ConnectionError:
        return b""
