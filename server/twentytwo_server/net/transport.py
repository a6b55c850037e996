"""Twisted's sockets: each passes what happens to it on to its channel, and decides nothing."""

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
"""Size of the kernel's send buffer in bytes: small, so that a peer that does not read is noticed
early and the server's own count of its unread bytes begins."""
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""TCP keepalive: seconds of silence before the first probe, seconds between probes, unanswered
probes before the connection is given up. A dead peer is noticed after two minutes."""


@implementer(IHalfCloseableProtocol, IPushProducer)
class SocketTransport(Protocol):
    """A TCP or Unix socket, with or without TLS; the `Wire` of its channel."""

    channel: Channel

    def __init__(self, channels: Channels, peer: Peer) -> None:
        self._channels = channels
        self._peer = peer

    @property
    def _socket(self) -> Any:
        # Twisted's interfaces lack methods that its transports have, such as abortConnection.
        return self.transport

    def connectionMade(self) -> None:
        """Sets the socket's options and opens its channel."""
        if self._peer.address != "unix" and ITCPTransport.providedBy(self.transport):
            _set_options(self._socket)
        self._socket.registerProducer(self, True)
        self.channel = self._channels.open(self, self._peer)

    def dataReceived(self, data: bytes) -> None:
        """Passes on received bytes."""
        self.channel.received(data)

    def pauseProducing(self) -> None:
        """Called when the send buffers are full: the peer does not read fast enough."""
        self.channel.paused()

    def resumeProducing(self) -> None:
        """Called when the send buffers are empty again."""
        self.channel.resumed()

    def stopProducing(self) -> None:
        """Does nothing: `connectionLost` follows."""

    def readConnectionLost(self) -> None:
        """Called when the peer has closed its sending half; it may still read."""
        self.channel.no_more_input()

    def writeConnectionLost(self) -> None:
        """Called when nothing more can be sent; a peer that cannot be answered is cut off."""
        self.channel.abort()

    def connectionLost(self, reason: Failure | None = None) -> None:
        """Called once when the socket is closed."""
        self.channel.lost()
        del self.channel  # each knew the other

    def write(self, data: bytes) -> None:
        """Sends bytes; returns at once and buffers what the peer has not read."""
        self._socket.write(data)

    def close(self) -> None:
        """Closes after everything that was written has been sent."""
        # A producer that is paused would keep Twisted from closing.
        self._socket.unregisterProducer()
        self._socket.loseConnection()

    def abort(self) -> None:
        """Closes at once; unsent bytes are lost."""
        self._socket.abortConnection()


class TurnedAway(Protocol):
    """A connection over the limit: it is sent the reason in one line, and closed."""

    def __init__(self, why: str) -> None:
        self._why = why

    def connectionMade(self) -> None:
        """Sends the reason and closes."""
        transport: Any = self.transport
        transport.write(f"# {self._why}\r\n".encode())
        transport.loseConnection()


class Listener(Factory):
    """Opens a channel for each connection to one listening port or Unix socket.

    `encrypted`: nobody on the path can read the connections of this port, as with TLS. Without it
    only connections from this machine count as private.
    """

    noisy = False

    def __init__(self, channels: Channels, *, encrypted: bool = False) -> None:
        self._channels = channels
        self._encrypted = encrypted

    def buildProtocol(self, addr: IAddress | None) -> Protocol:
        """The protocol for a new connection: `TurnedAway` if there are too many."""
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
        if option is not None:  # not every operating system has all of them
            handle.setsockopt(socket.IPPROTO_TCP, option, value)
