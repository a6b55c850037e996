"""Sockets are read in the slice of their address, and every byte of it is charged.

The connections are real ones over pairs of sockets; the reactor only notes who wants to read, and
the clock is turned by hand. Each piece that is read takes a millisecond.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import Protocol

from tests.kit.clock import HandClock
from twentytwo_server.limits.addresses import Addresses
from twentytwo_server.limits.connections import Limits
from twentytwo_server.metrics import Metrics
from twentytwo_server.net.direct import TcpServer
from twentytwo_server.net.metering import READ_SIZE, Meter
from twentytwo_server.scheduler import SLICE, Scheduler

KIB = 1 << 10


class Reactor:
    """Those who want to read; `turn` has each that has something read once."""

    def __init__(self) -> None:
        self.readers: dict[Any, None] = {}

    def addReader(self, reader: Any) -> None:
        self.readers[reader] = None

    def removeReader(self, reader: Any) -> None:
        self.readers.pop(reader, None)

    def removeWriter(self, writer: Any) -> None:
        pass


class Hears(Protocol):
    def __init__(self, clock: HandClock) -> None:
        self.clock, self.heard, self.most = clock, b"", 0

    def dataReceived(self, data: bytes) -> None:
        self.clock.jump(1)
        self.heard += data
        self.most = max(self.most, len(data))


class Sockets:
    """Metered connections of some addresses."""

    def __init__(self, **limits: Any) -> None:
        self.clock, self.reactor = HandClock(), Reactor()
        addresses = Addresses(Limits(**limits), self.clock.now, Metrics())
        scheduler = Scheduler(self.clock)
        self.port = SimpleNamespace(
            meter=Meter(addresses, scheduler, self.clock), _realPortNumber=2222
        )
        self.open: list[socket.socket] = []

    def connect(self, address: str) -> tuple[socket.socket, Hears, Any]:
        client, served = socket.socketpair()
        self.open += [client, served]
        client.setblocking(False)
        served.setblocking(False)
        hears = Hears(self.clock)
        wire: Any = TcpServer(served, hears, (address, 1), self.port, 1, self.reactor)  # type: ignore[arg-type]
        wire.charge_to(address)
        return client, hears, wire

    def turn(self) -> None:
        """One turn of the loop: what is due, then whoever may read."""
        self.clock.turn()
        for reader in list(self.reactor.readers):
            reader.doRead()


@contextmanager
def connections(**limits: int) -> Iterator[Sockets]:
    """Sockets with these limits, closed at the end."""
    made = Sockets(**limits)
    try:
        yield made
    finally:
        for each in made.open:
            each.close()


@pytest.fixture
def sockets() -> Iterator[Sockets]:
    with connections() as made:
        yield made


def test_one_address_is_read_for_a_slice_in_a_turn_and_others_at_once(sockets: Sockets) -> None:
    floods = [sockets.connect("192.0.2.1") for _ in range(20)]
    for client, _, _ in floods:
        client.send(b"\n" * 8 * KIB)
    other, heard, _ = sockets.connect("192.0.2.2")
    other.send(b"move 2\n")
    sockets.turn()
    assert heard.heard == b"move 2\n"
    assert sum(len(hears.heard) for _, hears, _ in floods) == SLICE * READ_SIZE
    sockets.turn()
    assert sum(len(hears.heard) for _, hears, _ in floods) == 2 * SLICE * READ_SIZE


def test_a_flood_waits_unread_and_loses_nothing(sockets: Sockets) -> None:
    sent = bytes(range(256)) * 32
    floods = [sockets.connect("192.0.2.1") for _ in range(6)]
    for client, _, _ in floods:
        client.send(sent)
    sockets.turn()
    assert len(sockets.reactor.readers) < len(floods), "the others are paused"
    for _ in range(100):
        sockets.turn()
    assert [hears.heard for _, hears, _ in floods] == [sent] * 6
    assert {hears.most for _, hears, _ in floods} == {READ_SIZE}
    assert len(sockets.reactor.readers) == 6


def test_an_end_that_is_met_in_a_slice_is_told_to_the_reactor(sockets: Sockets) -> None:
    busy = [sockets.connect("192.0.2.1") for _ in range(SLICE)]
    for client, _, _ in busy:
        client.send(b"\n")
    client, hears, wire = sockets.connect("192.0.2.1")
    client.send(b"move 2\n")
    client.shutdown(socket.SHUT_WR)
    sockets.turn()
    assert wire not in sockets.reactor.readers
    sockets.turn()
    assert hears.heard == b"move 2\n"
    while (ended := wire.doRead()) is None:
        sockets.turn()
    assert isinstance(ended, ConnectionDone)


SMALL = {"address_bytes": 16 * KIB, "address_bytes_rate": 4 * KIB}


def test_every_byte_is_charged_to_the_address_and_a_debt_is_waited_for() -> None:
    with connections(**SMALL) as sockets:
        first, heard, wire = sockets.connect("192.0.2.1")
        second, also, _ = sockets.connect("192.0.2.1")
        stranger, others, _ = sockets.connect("192.0.2.2")
        first.send(b"\xff\xf1" * 16 * KIB)
        for _ in range(50):
            sockets.turn()
        # The burst, and the piece that has made the debt.
        assert len(heard.heard) == 17 * KIB
        assert wire not in sockets.reactor.readers
        second.send(b"\n" * KIB)
        stranger.send(b"\n" * KIB)
        sockets.turn()
        assert len(others.heard) == KIB
        sockets.clock.advance(1000)
        for _ in range(50):
            sockets.turn()
        assert 3 * KIB <= len(heard.heard) + len(also.heard) - 17 * KIB <= 6 * KIB


def test_bytes_count_for_the_client_once_its_proxy_has_told_who_it_is() -> None:
    with connections(**SMALL) as sockets:
        clients = [sockets.connect("192.0.2.1") for _ in range(4)]
        for number, (client, _, wire) in enumerate(clients):
            wire.charge_to(f"203.0.113.{number}")
            client.send(b"\n" * 10 * KIB)
        for _ in range(100):
            sockets.turn()
        assert [len(hears.heard) for _, hears, _ in clients] == [10 * KIB] * 4
