"""The connection, over asyncio alone: what `link` is to the terminal, for the SDK."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from .address import Address
from .talk import Talk, delay
from .values import State, Value

log = logging.getLogger("twentytwo.sdk")

CONNECTS_WITHIN = 30.0
"""Seconds for a connection to be made."""


class AsyncioLink:
    """Drives a `Talk` over asyncio's streams; `hear` is told everything that happens."""

    def __init__(self, server: Address, talk: Talk, hear: Callable[[Value], None]) -> None:
        self._server = server
        self._talk = talk
        self._hear = hear
        self._writer: asyncio.StreamWriter | None = None

    async def run(self) -> None:
        """Connects, and comes back after every loss, until the server wants no more of us.

        Raises `OSError` if the first connection cannot be made or is of no use.
        """
        failures = 0
        was_here = False
        while True:
            try:
                here = await self._once()
            except (OSError, TimeoutError):
                if not was_here:
                    raise
                here = False
            if self._talk.state is State.OVER:
                return
            was_here = was_here or here
            if not was_here:
                raise ConnectionError(f"{self._server} hung up before it answered")
            failures = 0 if here else failures + 1
            log.info("connection lost; trying again in %d s", delay(failures))
            await asyncio.sleep(delay(failures))

    async def _once(self) -> bool:
        """One connection from beginning to end; whether we were somebody on it."""
        reader, writer = await asyncio.wait_for(self._connect(), CONNECTS_WITHIN)
        self._writer = writer
        here = False
        try:
            self._talk.connected()
            self.flush()
            while self._talk.state is not State.LEAVING and (data := await _some(reader)):
                self._talk.receive(data)
                self._tell()
                here = here or self._talk.state is State.HERE
        finally:
            self._writer = None
            writer.close()
            self._talk.lost()
            self._tell()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        return here

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._server.path:
            return await asyncio.open_unix_connection(self._server.path)
        return await asyncio.open_connection(self._server.host, self._server.port)

    def _tell(self) -> None:
        for value in self._talk.values():
            log.debug("%s", value)
            self._hear(value)
        self.flush()

    def flush(self) -> None:
        """Sends what the conversation has to say."""
        data = self._talk.outgoing()
        if data and self._writer is not None:
            self._writer.write(data)


async def _some(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read(65536)
    except ConnectionError:
        return b""
