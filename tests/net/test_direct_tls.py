"""What holds for sockets that send directly holds under TLS, too; each test runs on both kinds."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from twisted.internet import reactor

from tests.kit.certificates import Files, certificate
from tests.net.test_direct import MUCH, Ends, Served, numbered, unlimited
from twentytwo_server.net.certificates import Certificates
from twentytwo_server.net.direct import send_directly
from twentytwo_server.net.opening import Tls

REAL: Any = reactor


@dataclass
class Server:
    """A server of connections over TLS that do nothing by themselves."""

    direct: bool
    files: Files
    ends: list[Served] = field(default_factory=list)

    def listen(self) -> None:
        found = Certificates([(self.files.certificate, self.files.key)], lambda: 0)
        self.port = REAL.listenTCP(0, Tls(found, False, Ends(self.ends)), interface="127.0.0.1")
        if self.direct:
            send_directly(self.port, unlimited())

    async def pair(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, Served]:
        """A client that keeps little as long as it does not read, and the server's end of it."""
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(client, ("127.0.0.1", self.port.getHost().port))
        reader, writer = await asyncio.open_connection(
            sock=client, ssl=self.files.client, server_hostname="127.0.0.1", limit=4096
        )
        end = self.ends[-1]
        writer.write(b"!")  # the server's side of the handshake is done when this has come
        while not end.heard:
            await asyncio.sleep(0)
        end.heard = b""
        return reader, writer, end


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(params=["plain", "direct"])
def server(request: pytest.FixtureRequest, files: Files) -> Server:
    return Server(request.param == "direct", files)


@asynccontextmanager
async def serving(server: Server) -> AsyncIterator[Server]:
    server.listen()
    try:
        yield server
    finally:
        for end in server.ends:
            if "lost" not in end.notes:
                end.wire.abortConnection()
        stopped = server.port.stopListening()
        if stopped is not None:
            await stopped.asFuture(asyncio.get_running_loop())
        await asyncio.sleep(0)


async def gone(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    while not writer.transport.is_closing():
        await asyncio.sleep(0)
    await asyncio.sleep(0)


async def noted(end: Served, what: str) -> None:
    while what not in end.notes:
        await asyncio.sleep(0)


def waits(end: Served) -> bool:
    """True if the reactor has been asked to tell when the socket takes more."""
    return end.wire.transport in REAL.getWriters()


async def test_a_burst_is_sent_before_the_reactor_is_asked(files: Files) -> None:
    async with serving(Server(True, files)) as server:
        reader, writer, end = await server.pair()
        end.wire.write(b"PLAYED\r\n")
        assert not waits(end)
        assert await reader.readexactly(8) == b"PLAYED\r\n"
        await gone(writer)


async def test_what_the_system_does_not_take_comes_in_order_and_who_writes_is_told(
    server: Server,
) -> None:
    async with serving(server):
        reader, writer, end = await server.pair()
        said = numbered(MUCH)
        for start in range(0, MUCH, 50_000):
            end.wire.write(said[start : start + 50_000])
        assert waits(end)
        assert await reader.readexactly(MUCH) == said
        await noted(end, "resumed")
        *paused, resumed = end.notes
        assert set(paused) == {"paused"}
        assert resumed == "resumed"
        end.wire.write(b"again")
        assert await reader.readexactly(5) == b"again"
        await gone(writer)


async def test_nothing_is_lost_when_a_connection_is_closed_while_much_waits(
    server: Server,
) -> None:
    async with serving(server):
        reader, writer, end = await server.pair()
        said = numbered(MUCH)
        end.wire.write(said)
        end.wire.write(b"farewell")
        end.close()
        assert await reader.read(-1) == said + b"farewell"
        await gone(writer)
        await noted(end, "lost")


async def test_what_was_said_before_the_end_is_heard(server: Server) -> None:
    async with serving(server):
        _, writer, end = await server.pair()
        writer.write(b"all I have to say")
        writer.transport.close()
        await noted(end, "lost")
        assert end.heard == b"all I have to say"


async def test_a_connection_that_is_gone_is_noticed_once_and_never_while_writing(
    server: Server,
) -> None:
    async with serving(server):
        _, writer, end = await server.pair()
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        await gone(writer)
        for _ in range(5):
            before = list(end.notes)
            end.wire.write(b"is anybody there?")
            assert end.notes == before
        await noted(end, "lost")
        end.wire.write(b"too late")
        await asyncio.sleep(0)
        assert end.notes.count("lost") == 1


async def test_a_number_that_is_used_again_gets_nothing_of_the_one_before(server: Server) -> None:
    async with serving(server):
        _, writer, end = await server.pair()
        number = end.wire.transport.fileno()
        end.wire.write(numbered(MUCH))
        await gone(writer)
        end.wire.abortConnection()
        await noted(end, "lost")
        others = [await server.pair() for _ in range(3)]
        numbers = {other.wire.transport.fileno() for *_, other in others}
        numbers |= {writer.get_extra_info("socket").fileno() for _, writer, _ in others}
        assert number in numbers
        end.wire.write(b"from the grave")
        for reader, writer, other in others:
            other.wire.write(b"hello")
            assert await reader.readexactly(5) == b"hello"
            await gone(writer)
