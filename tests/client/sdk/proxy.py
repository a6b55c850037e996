"""A way to a real server that can be cut, swallowed or frozen at a chosen line."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Self

from tests.kit.listening import stop_listening


class Proxy:
    """Passes on what a server and its clients say, until it is told otherwise.

    `cuts` and `connections` are how many there were. All counting is of lines of the server.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: set[asyncio.WriteTransport] = set()
        self._left: int | None = None
        self._swallows = self._frozen = False
        self.address = ""
        self.connections = self.cuts = self.counted = 0

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{self._listener.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await stop_listening(self._listener)
        for transport in self._open:
            transport.abort()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def count(self) -> None:
        """Counts from here on."""
        self.counted = 0

    def cut_after(self, lines: int) -> None:
        """Cuts once, after so many lines more."""
        self._left = lines

    def swallow(self) -> None:
        """Cuts once, instead of the next line: it is lost."""
        self._swallows = True

    def freeze(self) -> None:
        """Says nothing more on this connection, and keeps it open."""
        self._frozen = True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        self._frozen = False
        try:
            far, back = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:  # the server has stopped, and the client does not know yet
            writer.transport.abort()
            self._tasks.discard(task)
            return
        ends = {writer.transport, back.transport}
        self._open |= ends
        up = asyncio.create_task(self._up(reader, back))
        try:
            with contextlib.suppress(OSError):
                await self._down(far, writer)
        finally:
            for end in ends:
                end.abort()
            await asyncio.wait({up})
            self._open -= ends
            self._tasks.discard(task)

    async def _up(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                writer.write(data)
            writer.close()

    async def _down(self, far: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        frozen = False
        while line := await far.readline():
            frozen = frozen or self._frozen
            if frozen:
                continue
            if self._swallows:
                self._swallows = False
                break
            writer.write(line)
            self.counted += 1
            if self._left is not None:
                self._left -= 1
                if not self._left:
                    self._left = None
                    break
        else:
            return
        with contextlib.suppress(OSError):
            await writer.drain()
        self.cuts += 1
