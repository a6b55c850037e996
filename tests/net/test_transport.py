"""Real sockets: a long table and a slow reader, keepalive, and who is turned away."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from weakref import ref

import pytest
from twisted.internet import reactor, tcp

from tests.kit.hosts import counted_chance
from twentytwo_protocol import wire
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.talk import Say
from twentytwo_server.games.registry import games
from twentytwo_server.host.config import Config
from twentytwo_server.host.start import open_host
from twentytwo_server.host.surroundings import Surroundings
from twentytwo_server.limits.addresses import Full
from twentytwo_server.limits.connections import UNLIMITED, Limits
from twentytwo_server.net.channel import Channels, Reception
from twentytwo_server.net.transport import KEEPALIVE, Listener
from twentytwo_server.ports import Timer
from twentytwo_server.reactor_clock import ReactorClock
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table.decision import Actor

EVENTS = 20_000
"""How many events a long table has: some megabytes."""
SMALL = 4096
"""Bytes that the system keeps for a client that does not read."""


class Client:
    """A program over a real socket, which reads when it is told to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\n" for line in lines).encode())

    async def record(self) -> ParsedLine:
        """The next line that means something."""
        while True:
            line = await self.reader.readline()
            assert line, "the connection has ended"
            record = wire.parse(line.decode().rstrip("\r\n"))
            if record is not None:
                return record

    async def reply(self, id: str) -> list[ParsedLine]:
        """All up to the end of a reply."""
        found = [await self.record()]
        while found[-1].id != id or found[-1].word not in ("OK", "ERR"):
            found.append(await self.record())
        assert found[-1].word == "OK", found[-1]
        return found

    async def close(self) -> None:
        self.writer.close()
        await self.writer.wait_closed()


class StoppableClock(ReactorClock):
    """The reactor's time, until the server is no more."""

    def __init__(self, reactor: Any) -> None:
        super().__init__(reactor)
        self._calls: list[Timer] = []

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        self._calls = [each for each in self._calls if each.active()]
        self._calls.append(super().later(ms, call))
        return self._calls[-1]

    def stop(self) -> None:
        """Nothing comes any more."""
        for each in self._calls:
            if each.active():
                each.cancel()


class Served:
    """A server in this process that listens on a port of its own."""

    def __init__(self, limits: Limits = UNLIMITED) -> None:
        real: Any = reactor
        self.clock = clock = StoppableClock(real)
        outside = Surroundings(clock, MemoryStore(), counted_chance())
        self.host, dispatcher = open_host(outside, games(), Config(dev=True))
        self.channels = Channels(dispatcher, clock, Reception(limits, "cardline/1 test"))
        self.port = real.listenTCP(0, Listener(self.channels), interface="127.0.0.1")
        self.clients: list[Client] = []

    async def client(self, *lines: str, buffer: int = 0) -> Client:
        """A connection that says these lines; `buffer` bytes are kept for it while it is deaf."""
        handle = socket.socket()
        if buffer:
            handle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        handle.setblocking(False)
        await asyncio.get_running_loop().sock_connect(
            handle, ("127.0.0.1", self.port.getHost().port)
        )
        client = Client(*await asyncio.open_connection(sock=handle, limit=1 << 14))
        self.clients.append(client)
        client.send(*lines)
        return client

    async def program(self, name: str, **options: int) -> Client:
        client = await self.client("hello 1 client=t", f"@g guest {name}", **options)
        await client.reply("g")
        return client

    async def long_table(self) -> tuple[Client, str]:
        """Somebody at t1, where much was said while they were away; their token."""
        ann = await self.client("hello 1 client=t", "@g guest ann", "@o open twentytwo seats=2")
        token = (await ann.reply("g"))[-1].fields["token"]
        await ann.reply("o")
        ann.send("quit")
        await ann.close()
        await until(lambda: not self.channels.all)
        for number in range(EVENTS):
            self.say(f"{number} " + "x" * 60)
        await until(lambda: not len(self.host.scheduler))
        return await self.client("hello 1 client=t", buffer=SMALL), token

    def say(self, text: str) -> None:
        """Something happens at t1."""
        self.host.rooms["t1"].order(Actor("~ann"), Say(text))

    async def close(self) -> None:
        for client in self.clients:
            client.writer.close()
        await until(lambda: not self.channels.all)
        self.host.tables.halt()
        self.channels.stop()
        await self.port.stopListening().asFuture(asyncio.get_running_loop())
        self.clock.stop()


async def until(done: Callable[[], bool]) -> None:
    """Turns of the loop until it is so."""
    while not done():
        await asyncio.sleep(0)


@asynccontextmanager
async def served(limits: Limits = UNLIMITED) -> AsyncIterator[Served]:
    server = Served(limits)
    try:
        yield server
    finally:
        await server.close()


def numbers(records: list[ParsedLine]) -> list[int]:
    """The numbers of the events of t1."""
    return [record.seq for record in records if record.on == "t1" and record.id is None]


@pytest.mark.parametrize("how", ["sync", "resume"])
async def test_a_table_of_20000_events_is_told_to_a_slow_reader_without_gap_or_repetition(
    how: str,
) -> None:
    async with served() as server:
        ann, token = await server.long_table()
        bob = await server.program("bob")
        if how == "sync":
            ann.send(f"@r resume {token}", "@p ping")
            await ann.reply("p")
        ann.send("@x sync t1 from=0" if how == "sync" else f"@x resume {token} t1:0", "@p ping")
        # As long as ann does not read, nobody else notices, and the table goes on.
        for number in range(50):
            bob.send("@p ping")
            await bob.reply("p")
            server.say(f"live {number}")
        told = await ann.reply("x")
        assert sum(len(str(each)) for each in told) > 1 << 20
        last = server.host.rooms["t1"].stream.last
        after = await ann.reply("p")
        assert numbers(told) == [*range(1, len(numbers(told)) + 1)]
        end = told[-1] if how == "sync" else next(r for r in told if r.word == "AT")
        assert end.seq == len(numbers(told)) >= EVENTS
        assert end.seq + len(numbers(after)) == last
        server.say("at last")
        ann.send("@q ping")
        assert (await ann.reply("q"))[0].text == "at last"


async def test_who_asks_for_much_at_once_holds_nobody_up() -> None:
    async with served() as server:
        ann, token = await server.long_table()
        ann.send(f"@r resume {token}")
        await ann.reply("r")
        ends: list[ParsedLine] = []

        async def read() -> None:
            while len(ends) < 5:
                record = await ann.record()
                if record.id == "s" and record.word == "OK":
                    ends.append(record)

        bob = await server.program("bob")
        reading = asyncio.ensure_future(read())
        ann.send(*["@s sync t1 from=0"] * 5)
        for _ in range(10):
            bob.send("@p ping")
            await bob.reply("p")
        assert len(ends) < 2, "bob waited for the whole of what ann had asked for"
        await reading
        assert {end.seq for end in ends} == {server.host.rooms["t1"].stream.last}


async def test_a_line_that_dies_without_a_word_is_noticed_by_the_system() -> None:
    async with served() as server:
        ann = await server.program("ann")
        real: Any = reactor
        mine = ann.writer.get_extra_info("sockname")[1]
        ends = [each for each in real.getReaders() if isinstance(each, tcp.Server)]
        (handle,) = [each.getHandle() for each in ends if each.getPeer().port == mine]
        assert handle.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        for name, value in KEEPALIVE.items():
            if hasattr(socket, name):
                assert handle.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) == value
        ann.send("ping")


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits(each_address=1), Full.ADDRESS),
        (Limits(connections=1), Full.SERVER),
    ],
)
async def test_whoever_is_turned_away_is_told_why_in_one_line(limits: Limits, why: Full) -> None:
    async with served(limits) as server:
        await server.program("ann")
        other = await server.client()
        bye = f"BYE code=BUSY resume=1 wait=5000 :{why.text}\r\n"
        assert await other.reader.read() == bye.encode()


async def test_a_connection_that_is_gone_is_freed_without_a_search_for_garbage() -> None:
    async with served() as server:
        ann = await server.program("ann")
        (channel,) = server.channels.all
        there = ref(channel)
        del channel
        gc.collect()
        gc.disable()
        try:
            await ann.close()
            await until(lambda: not server.channels.all)
            for _ in range(3):
                await asyncio.sleep(0)
            assert there() is None
        finally:
            gc.enable()


async def test_a_banned_address_is_told_so_in_one_line_and_costs_nothing_more() -> None:
    async with served() as server:
        seen: list[str] = []

        def is_banned(address: str) -> bool:
            seen.append(address)
            return True

        server.channels.addresses.is_banned = is_banned
        client = await server.client("hello 1 client=t")
        told = await client.reader.read()
        banned = "Your address is banned from this server for a time."
        assert told == f"BYE code=KICKED resume=0 :{banned}\r\n".encode()
        assert (seen, len(server.channels.all)) == (["127.0.0.1"], 0)
