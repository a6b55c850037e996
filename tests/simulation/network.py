"""A simulated network: delayed, split anywhere, stalling and breaking, but in order, as TCP is."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.address import IPv4Address
from twisted.internet.error import ConnectionLost
from twisted.python.failure import Failure

from tests.simulation.clock import Time

if TYPE_CHECKING:
    from twisted.internet.protocol import Protocol as TwistedProtocol

    from twentytwo_server.net.transport import Listener

BUFFER = 1 << 16
"""Bytes in transit to a peer that does not read at which the server is throttled."""


class End(Protocol):
    """The peer's end of a connection."""

    def came(self, wire: Wire, data: bytes) -> None:
        """Handles bytes from the server."""

    def gone(self, wire: Wire) -> None:
        """Handles the end of the connection."""


class Socket:
    """A socket that accepts Twisted's options."""

    def setsockopt(self, *_: Any) -> None:
        """Does nothing."""


class Wire:
    """A connection: a transport for the server, `send` and `cut` for the peer."""

    def __init__(
        self, time: Time, dice: random.Random, end: End, listener: Listener, delay: int, number: int
    ) -> None:
        self._time, self._dice, self._end, self._delay = time, dice, end, delay
        self._up = self._down = 0
        self.open = True
        self.reading = True
        self.unread = bytearray()
        self._producer: Any = None
        self._told = False
        self.disconnecting = False
        address = IPv4Address("TCP", f"10.0.{number // 250}.{number % 250 + 1}", 4)
        protocol = listener.buildProtocol(address)
        self._protocol: TwistedProtocol | None = protocol
        assert protocol is not None
        protocol.makeConnection(self)

    # ------------------------------------------------------------------ the peer's side

    def send(self, data: bytes) -> None:
        """Sends the peer's data, which arrives in pieces, later, in order."""
        while data and self.open:
            size = len(data) if self._dice.random() < 0.7 else self._dice.randint(1, len(data))
            piece, data = data[:size], data[size:]
            self._up = max(self._up, self._time.at + self._dice.randint(0, self._delay))
            self._time.later(self._up - self._time.at, partial(self._arrive, piece))

    def _arrive(self, piece: bytes) -> None:
        if self.open and self._protocol is not None and not self.disconnecting:
            self._protocol.dataReceived(piece)

    def cut(self) -> None:
        """Breaks the connection for both sides."""
        if self.open:
            self.open = False
            self._lose()

    def die(self) -> None:
        """Ends the server's side: the server learns nothing; the peer learns it some time later."""
        if self.open:
            self.open = False
            self._protocol = None
            self._time.later(self._dice.randint(0, 2 * self._delay), lambda: self._end.gone(self))

    def _lose(self) -> None:
        protocol, self._protocol = self._protocol, None
        if protocol is not None:
            protocol.connectionLost(Failure(ConnectionLost()))

    # --------------------------------------------------------------- the server's side

    def write(self, data: bytes) -> None:
        if not self.open:
            return
        self.unread += data
        if self.reading:
            self._deliver()
        elif len(self.unread) > BUFFER and not self._told and self._producer is not None:
            self._told = True
            self._producer.pauseProducing()

    def _deliver(self) -> None:
        data = bytes(self.unread)
        self.unread.clear()
        self._down = max(self._down, self._time.at + self._dice.randint(0, self._delay))
        self._time.later(self._down - self._time.at, lambda: self._reach(data))

    def _reach(self, data: bytes) -> None:
        self._end.came(self, data)

    def loseConnection(self) -> None:
        self.disconnecting = True
        self._time.later(0, self.abortConnection)

    def abortConnection(self) -> None:
        if self.open:
            self.open = False
            wait = max(0, self._down - self._time.at)
            self._time.later(wait, lambda: self._end.gone(self))
            self._lose()

    def registerProducer(self, producer: Any, streaming: bool) -> None:
        assert streaming
        self._producer = producer

    def unregisterProducer(self) -> None:
        self._producer = None

    def setTcpNoDelay(self, on: bool) -> None:
        assert on

    def setTcpKeepAlive(self, on: bool) -> None:
        assert on

    def getHandle(self) -> Socket:
        return Socket()

    def getPeer(self) -> IPv4Address:
        return IPv4Address("TCP", "10.0.0.1", 4)

    getHost = getPeer
