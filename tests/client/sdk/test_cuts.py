"""A bot whose connection is cut again and again plays its game to the end all the same."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

import pytest

from tests.kit.listening import stop_listening
from twentytwo_client import Timing, connect


class Cutter:
    """A way to a server that is cut off a few lines after each greeting."""

    def __init__(self, port: int, seed: int) -> None:
        self._port = port
        self._random = random.Random(seed)
        self._tasks: set[asyncio.Task[None]] = set()
        self.cuts = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            far, back = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:  # the server has stopped, and the client does not know yet
            writer.transport.abort()
            self._tasks.discard(task)
            return
        up = asyncio.create_task(_pass_on(reader, back))
        with contextlib.suppress(OSError):
            await self._lines(far, writer)
        up.cancel()
        await asyncio.wait({up})
        for each in (writer, back):
            each.transport.abort()
        self._tasks.discard(task)

    async def _lines(self, far: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        left = 1000
        while left and (line := await far.readline()):
            writer.write(line)
            left -= 1
            if b" OK name=" in line:
                left = self._random.randrange(1, 25)
        await writer.drain()
        self.cuts += 1

    async def close(self) -> None:
        """Waits until every connection is gone."""
        if self._tasks:
            await asyncio.wait(self._tasks)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(4096):
        writer.write(data)
    writer.close()


@contextlib.asynccontextmanager
async def cut_off(port: int, seed: int) -> AsyncIterator[tuple[str, Cutter]]:
    """The address of a way to the server that is cut again and again."""
    cutter = Cutter(port, seed)
    listener = await asyncio.start_server(cutter.serve, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{listener.sockets[0].getsockname()[1]}", cutter
    finally:
        await stop_listening(listener)
        await cutter.close()


@pytest.mark.parametrize("seed", range(3))
async def test_every_cut_is_survived(seed: int, server: str) -> None:
    numbers = []
    async with (
        cut_off(int(server.rpartition(":")[2]), seed) as (address, cutter),
        connect(address, name=f"botty{seed}", timing=Timing(first=0)) as bot,
    ):
        table = await bot.practice(bots=2, seed=seed)
        async for question in table.questions():
            numbers.append(question.event.turn)
            assert await question.play(question.default)
        assert sorted(table.places) == ["bot:steady", "bot:steady2", f"~botty{seed}"]
    assert cutter.cuts > 5
    assert numbers == sorted(set(numbers))
