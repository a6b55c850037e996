"""Sockets of Twisted, as thin shells: what happens to one is told to its channel."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from twisted.internet.interfaces import IHalfCloseableProtocol, IPushProducer, ITCPTransport
from twisted.internet.protocol import Factory, Protocol
from zope.interface import implementer

from .channel import Channel, Channels
from .limits import Peer, is_local

if TYPE_CHECKING:
    from twisted.internet.interfaces import IAddress
    from twisted.python.failure import Failure

SEND_BUFFER = 1 << 16
"""Bytes that the system keeps for a peer that does not read."""
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""A line that died without a word is noticed after two minutes of silence: seconds until the
system asks, seconds between two questions, how many are asked."""


@implementer(IHalfCloseableProtocol, IPushProducer)
class SocketTransport(Protocol):
    """A TCP or Unix socket, with or without TLS; the `Wire` of its channel."""

    channel: Channel

    def __init__(self, channels: Channels, peer: Peer) -> None:
        self._channels = channels
        self._peer = peer

    @property
    def _socket(self) -> Any:
        # Twisted's interfaces do not have all that its transports can do.
        return self.transport

    def connectionMade(self) -> None:
        """The socket is open."""
        if self._peer.address != "unix" and ITCPTransport.providedBy(self.transport):
            _set_options(self._socket)
        self._socket.registerProducer(self, True)
        self.channel = self._channels.open(self, self._peer)

    def dataReceived(self, data: bytes) -> None:
        """Bytes have come."""
        self.channel.received(data)

    def pauseProducing(self) -> None:
        """Too much waits to be read by the peer."""
        self.channel.paused()

    def resumeProducing(self) -> None:
        """The peer has read everything."""
        self.channel.resumed()

    def stopProducing(self) -> None:
        """The socket is done with; `connectionLost` follows."""

    def readConnectionLost(self) -> None:
        """The peer says no more."""
        self.channel.no_more_input()

    def writeConnectionLost(self) -> None:
        """The peer reads no more."""
        self.channel.abort()

    def connectionLost(self, reason: Failure | None = None) -> None:
        """The socket is gone."""
        self.channel.lost()

    def write(self, data: bytes) -> None:
        """Sends bytes; never waits."""
        self._socket.write(data)

    def close(self) -> None:
        """Closes when all that was written is sent."""
        self._socket.unregisterProducer()
        self._socket.loseConnection()

    def abort(self) -> None:
        """Closes at once."""
        self._socket.abortConnection()


class TurnedAway(Protocol):
    """A connection that is one too many: it is told why in one line, and closed."""

    def __init__(self, why: str) -> None:
        self._why = why

    def connectionMade(self) -> None:
        """Says why, and closes."""
        transport: Any = self.transport
        transport.write(f"# {self._why}\r\n".encode())
        transport.loseConnection()


class Listener(Factory):
    """Opens a channel for each connection that comes in at one place.

    `encrypted` says that nobody on the path can read what comes in there, as with TLS. Elsewhere
    only what comes from this machine is private.
    """

    noisy = False

    def __init__(self, channels: Channels, *, encrypted: bool = False) -> None:
        self._channels = channels
        self._encrypted = encrypted

    def buildProtocol(self, addr: IAddress | None) -> Protocol:
        """What serves a connection from there."""
        address = str(getattr(addr, "host", "unix"))
        full = self._channels.admit(address)
        if full is not None:
            return TurnedAway(full.value)
        return SocketTransport(self._channels, Peer(address, self._encrypted or is_local(address)))


def _set_options(transport: Any) -> None:
    transport.setTcpNoDelay(True)
    transport.setTcpKeepAlive(True)
    handle = transport.getHandle()
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    for name, value in KEEPALIVE.items():
        option = getattr(socket, name, None)
        if option is not None:  # not every system has all of them
            handle.setsockopt(socket.IPPROTO_TCP, option, value)
