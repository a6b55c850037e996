"""Sockets that send directly do all that Twisted's own do: each test runs on both kinds."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from twisted.internet import reactor
from twisted.internet.interfaces import IHalfCloseableProtocol
from twisted.internet.protocol import Factory, Protocol
from zope.interface import implementer

from twentytwo_server.limits.addresses import Addresses
from twentytwo_server.limits.connections import UNLIMITED
from twentytwo_server.metrics import Metrics
from twentytwo_server.net.direct import ACCEPTS, send_directly
from twentytwo_server.net.metering import Meter
from twentytwo_server.reactor_clock import ReactorClock
from twentytwo_server.scheduler import Scheduler

REAL: Any = reactor
MUCH = 3 << 20
"""Bytes that no buffer of a socket takes."""


def unlimited() -> Meter:
    """A meter that lets everybody read."""
    clock = ReactorClock(REAL)
    return Meter(Addresses(UNLIMITED, clock.now, Metrics()), Scheduler(clock), clock)


@implementer(IHalfCloseableProtocol)
class Served(Protocol):
    """The server's end: notes what happens to it."""

    def __init__(self) -> None:
        self.heard = b""
        self.notes: list[str] = []

    def connectionMade(self) -> None:
        wire: Any = self.transport
        wire.registerProducer(self, True)
        self.wire = wire

    def dataReceived(self, data: bytes) -> None:
        self.heard += data

    def pauseProducing(self) -> None:
        self.notes.append("paused")

    def resumeProducing(self) -> None:
        self.notes.append("resumed")

    def stopProducing(self) -> None:
        pass

    def readConnectionLost(self) -> None:
        self.notes.append("no more input")

    def writeConnectionLost(self) -> None:
        self.notes.append("no more output")

    def connectionLost(self, reason: object = None) -> None:
        self.notes.append("lost")

    @property
    def waits(self) -> bool:
        """True if the reactor has been asked to tell when the socket takes more."""
        return self.wire in REAL.getWriters()

    def close(self) -> None:
        self.wire.unregisterProducer()
        self.wire.loseConnection()


class Ends(Factory):
    """Adds the server's end of each connection to a list."""

    noisy = False

    def __init__(self, ends: list[Served]) -> None:
        self._ends = ends

    def buildProtocol(self, addr: object) -> Served:
        self._ends.append(Served())
        return self._ends[-1]


@dataclass
class Server:
    """A server of connections that do nothing by themselves."""

    where: str
    direct: bool
    folder: Path
    ends: list[Served] = field(default_factory=list)

    def listen(self) -> None:
        factory = Ends(self.ends)
        if self.where == "unix":
            self.port = REAL.listenUNIX(str(self.folder / "s"), factory)
        else:
            self.port = REAL.listenTCP(0, factory, interface="127.0.0.1")
        if self.direct:
            send_directly(self.port, unlimited())

    def connected(self) -> socket.socket:
        """A client's socket that keeps little for who does not read; perhaps not yet accepted."""
        family = socket.AF_UNIX if self.where == "unix" else socket.AF_INET
        client = socket.socket(family, socket.SOCK_STREAM)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        to: Any = (
            str(self.folder / "s")
            if self.where == "unix"
            else ("127.0.0.1", self.port.getHost().port)
        )
        client.connect(to)
        client.setblocking(False)
        return client

    async def pair(self) -> tuple[socket.socket, Served]:
        """A client's socket, and the server's end of it."""
        count = len(self.ends)
        client = self.connected()
        while len(self.ends) == count or not hasattr(self.ends[-1], "wire"):
            await asyncio.sleep(0)
        return client, self.ends[-1]


@asynccontextmanager
async def serving(server: Server) -> AsyncIterator[Server]:
    server.listen()
    try:
        yield server
    finally:
        for end in server.ends:
            end.wire.abortConnection()
        stopped = server.port.stopListening()
        if stopped is not None:
            await stopped.asFuture(asyncio.get_running_loop())
        await asyncio.sleep(0)


@pytest.fixture(params=["tcp", "unix"])
def where(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["plain", "direct"])
def server(request: pytest.FixtureRequest, where: str, tmp_path: Path) -> Server:
    return Server(where, request.param == "direct", tmp_path)


async def read(client: socket.socket, size: int) -> bytes:
    """So many bytes, or all up to the end if that comes before."""
    loop, found = asyncio.get_running_loop(), bytearray()
    while len(found) < size:
        data = await loop.sock_recv(client, size - len(found))
        if not data:
            break
        found += data
    return bytes(found)


def numbered(size: int) -> bytes:
    """Bytes of which no piece is like another."""
    return b"".join(struct.pack(">I", number) for number in range(size // 4))


async def test_a_burst_is_sent_before_the_reactor_is_asked(where: str, tmp_path: Path) -> None:
    async with serving(Server(where, True, tmp_path)) as server:
        client, end = await server.pair()
        end.wire.write(b"PLAYED\r\n")
        assert not end.waits
        assert client.recv(100) == b"PLAYED\r\n"
        client.close()


async def test_what_the_system_does_not_take_comes_in_order_and_who_writes_is_told(
    server: Server,
) -> None:
    async with serving(server):
        client, end = await server.pair()
        said = numbered(MUCH)
        for start in range(0, MUCH, 50_000):
            end.wire.write(said[start : start + 50_000])
        assert end.waits
        assert await read(client, MUCH) == said
        while "resumed" not in end.notes:
            await asyncio.sleep(0)
        *paused, resumed = end.notes
        assert set(paused) == {"paused"}  # Twisted says so again at every write
        assert resumed == "resumed"
        end.wire.write(b"again")
        assert await read(client, 5) == b"again"
        client.close()


async def test_nothing_is_lost_when_a_connection_is_closed_while_much_waits(
    server: Server,
) -> None:
    async with serving(server):
        client, end = await server.pair()
        said = numbered(MUCH)
        end.wire.write(said)
        end.wire.write(b"farewell")
        end.close()
        assert await read(client, MUCH + 100) == said + b"farewell"
        while "lost" not in end.notes:
            await asyncio.sleep(0)
        client.close()


async def test_who_has_said_all_still_hears(server: Server) -> None:
    async with serving(server):
        client, end = await server.pair()
        client.send(b"all I have to say")
        client.shutdown(socket.SHUT_WR)
        while "no more input" not in end.notes:
            await asyncio.sleep(0)
        assert end.heard == b"all I have to say"
        end.wire.write(b"heard")
        assert await read(client, 5) == b"heard"
        end.close()
        assert await read(client, 1) == b""
        client.close()


async def test_a_connection_that_is_gone_is_noticed_once_and_never_while_writing(
    server: Server,
) -> None:
    async with serving(server):
        client, end = await server.pair()
        if server.where == "tcp":  # a reset, not an end
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        for _ in range(5):
            before = list(end.notes)
            end.wire.write(b"is anybody there?")
            assert end.notes == before
        while "lost" not in end.notes:
            await asyncio.sleep(0)
        end.wire.write(b"too late")
        await asyncio.sleep(0)
        assert end.notes.count("lost") == 1


async def test_a_number_that_is_used_again_gets_nothing_of_the_one_before(server: Server) -> None:
    async with serving(server):
        client, end = await server.pair()
        number = end.wire.fileno()
        end.wire.write(numbered(MUCH))
        client.close()
        end.wire.abortConnection()
        while "lost" not in end.notes:
            await asyncio.sleep(0)
        others = [await server.pair() for _ in range(3)]
        assert number in [other.wire.fileno() for _, other in others] + [
            other.fileno() for other, _ in others
        ]
        end.wire.write(b"from the grave")
        for _, other in others:
            other.wire.write(b"hello")
        for other_client, _ in others:
            assert await read(other_client, 5) == b"hello"
            with pytest.raises(BlockingIOError):
                other_client.recv(1)
            other_client.close()


async def test_a_port_accepts_few_connections_in_a_turn_of_the_event_loop(
    where: str, tmp_path: Path
) -> None:
    async with serving(Server(where, True, tmp_path)) as server:
        first, _ = await server.pair()
        crowd = [server.connected() for _ in range(5 * ACCEPTS)]
        counts = [len(server.ends)]
        while counts[-1] <= len(crowd):
            await asyncio.sleep(0)
            counts.append(len(server.ends))
        assert max(after - before for before, after in pairwise(counts)) == ACCEPTS
        for client in (first, *crowd):
            client.close()
