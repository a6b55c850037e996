"""The client's connection to a server, over asyncio, with reconnects.

asyncio uses the system's resolver and describes errors of certificates in words.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from .address import Address
from .core.reconnecting import Ending
from .core.reconnecting_conversation import ReconnectingConversation
from .encryption import context_of

CHUNK = 65536
"""The maximum number of bytes in one read."""
NEXT = 0.25
"""The delay in seconds before the next address of a host is tried in parallel (RFC 8305)."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def open_streams(server: Address) -> Streams:
    """Connects to a server. Raises `OSError` with the reason if that fails.

    With TLS the certificate is verified before the function returns.
    """
    if server.path:
        return await asyncio.open_unix_connection(server.path)
    context = context_of(server)
    return await asyncio.open_connection(
        server.lookup,
        server.port,
        ssl=context,
        server_hostname=server.certified if context else None,
        happy_eyeballs_delay=NEXT,
    )


class ClientConnection:
    """Runs a `ReconnectingConversation` to a server. `trouble` is the error of the last failed
    attempt.
    """

    def __init__(
        self,
        server: Address,
        link: ReconnectingConversation,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.trouble: OSError | None = None
        self._server = server
        self._link = link
        self._sleep = sleep
        self._writer: asyncio.StreamWriter | None = None

    async def run(self) -> Ending:
        """Connects, and reconnects after each loss, until the conversation has ended."""
        while True:
            self.trouble = None
            try:
                await self._once()
            except OSError as error:
                self.trouble = error
            then = self._link.ended()
            if isinstance(then, Ending):
                return then
            await self._sleep(then.seconds)

    async def _once(self) -> None:
        """Runs one connection. Raises `OSError` if it cannot be made."""
        server = self._link.to.sent_from(self._server) if self._link.to else self._server
        async with asyncio.timeout(self._link.timing.connect):
            reader, self._writer = await open_streams(server)
        clock = asyncio.get_running_loop().time
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
            writer, self._writer = self._writer, None
            # `close` would wait until the peer, which may be gone, has read all output.
            writer.transport.abort()
            self._link.closed()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    def flush(self) -> None:
        """Sends the pending output of the conversation."""
        data = self._link.outgoing()
        if data and self._writer is not None:
            self._writer.write(data)

    def hang_up(self) -> None:
        """Closes the connection immediately."""
        if self._writer is not None:
            self._writer.transport.abort()


async def _some(reader: asyncio.StreamReader) -> bytes:
    """The next bytes; empty if the connection is lost."""
    try:
        return await reader.read(CHUNK)
    except ConnectionError:
        return b""
