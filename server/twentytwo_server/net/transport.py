"""Twisted's sockets: each passes its events on to its channel, and decides nothing."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twisted.internet.interfaces import (
    IHalfCloseableProtocol,
    IHandshakeListener,
    IPushProducer,
    ITCPTransport,
)
from twisted.internet.protocol import Factory, Protocol
from zope.interface import implementer

from twentytwo_protocol.wire import write

from ..limits.addresses import NotAdmitted
from ..limits.network import is_local
from ..session.streams import in_bytes
from .channel import Channel, Channels, Peer
from .metering import MeteredReading

log = logging.getLogger("twentytwo.net")

if TYPE_CHECKING:
    from twisted.internet.interfaces import IAddress
    from twisted.python.failure import Failure

    from ..ports import Timer

SEND_BUFFER = 1 << 16
"""Size of the kernel's send buffer in bytes: small, so that a peer that does not read is noticed
early and the server's own count of its unread bytes begins."""
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""TCP keepalive: seconds of silence before the first probe, seconds between probes, unanswered
probes before the connection is given up. A dead peer is noticed after two minutes."""
LOCAL_CROWD = (
    "Too many connections from %s, this machine itself: if a proxy or a tunnel brings them, they "
    "all count as one address; proxy: and --trusted-proxy let it say who they are"
)
HANDSHAKE = 10_000
"""Timeout in milliseconds for the handshakes of TLS and WebSocket."""


@implementer(IHalfCloseableProtocol, IHandshakeListener, IPushProducer)
class SocketTransport(Protocol):
    """A TCP or Unix socket, with or without TLS; the `Transport` of its channel.

    Over `tls` the channel is opened when the handshake is done, for which there is `HANDSHAKE`.
    """

    channel: Channel | None = None
    transport: Any = None
    """Twisted's interfaces lack methods that its transports have, such as abortConnection."""
    write: Callable[[bytes], None]
    """Sends bytes; returns at once and buffers what the peer has not read."""

    def __init__(self, channels: Channels, peer: Peer, *, tls: bool = False) -> None:
        self._channels = channels
        self._peer = peer
        self._tls = tls
        self._too_late: Timer | None = None

    def connectionMade(self) -> None:
        """Sets the socket's options and opens its channel, or waits for the handshake."""
        _set_options(_socket_below(self.transport))
        self._charge_to_peer()
        if self._tls:
            self._hurry()
        else:
            self._begin()

    def _charge_to_peer(self) -> None:
        below = _socket_below(self.transport)
        if isinstance(below, MeteredReading):
            below.charge_to(self._peer.address)

    def handshakeCompleted(self) -> None:
        """Called when the handshake of TLS is done."""
        if self.channel is None:
            self._begin()

    def _begin(self) -> None:
        """Called when bytes can be exchanged."""
        self.write = self.transport.write
        self._open()

    def _hurry(self) -> None:
        """Closes the connection if it is not opened in time."""
        if self._too_late is None:
            self._too_late = self._channels.clock.later(HANDSHAKE, self.abort)

    def _open(self) -> None:
        self._no_longer_late()
        self.transport.registerProducer(self, True)
        self.channel = self._channels.open(self, self._peer)

    def _no_longer_late(self) -> None:
        if self._too_late is not None and self._too_late.active():
            self._too_late.cancel()

    def dataReceived(self, data: bytes) -> None:
        """Passes on received bytes."""
        if self.channel is not None:
            self.channel.received(data)

    def pauseProducing(self) -> None:
        """Called when the send buffers are full: the peer does not read fast enough."""
        if self.channel is not None:
            self.channel.paused()

    def resumeProducing(self) -> None:
        """Called when the send buffers are empty again."""
        if self.channel is not None:
            self.channel.resumed()

    def stopProducing(self) -> None:
        """Does nothing: `connectionLost` follows."""

    def readConnectionLost(self) -> None:
        """Called when the peer has closed its sending half; it may still read."""
        if self.channel is not None:
            self.channel.no_more_input()

    def writeConnectionLost(self) -> None:
        """Called when nothing more can be sent; a peer that cannot be answered is cut off."""
        if self.channel is not None:
            self.channel.abort()

    def connectionLost(self, reason: Failure | None = None) -> None:
        """Called once when the socket is closed."""
        self._no_longer_late()
        if self.channel is None:
            self._channels.addresses.leave(self._peer.address)
        else:
            self.channel.lost()
        self.channel = self.transport = self._too_late = None  # breaks reference cycles
        self.__dict__.pop("write", None)

    def close(self) -> None:
        """Closes after everything that was written has been sent."""
        # A producer that is paused would keep Twisted from closing.
        self.transport.unregisterProducer()
        self.transport.loseConnection()

    def abort(self) -> None:
        """Closes at once; unsent bytes are lost."""
        self.transport.abortConnection()


class TurnedAway(Protocol):
    """A refused connection: it gets the reason and the retry delay, and is closed."""

    def __init__(self, told: bytes) -> None:
        self._told = told

    def connectionMade(self) -> None:
        """Sends the BYE line, and closes."""
        transport: Any = self.transport
        transport.write(self._told)
        transport.loseConnection()


class Listener(Factory):
    """Opens a channel for each connection to one listening port or Unix socket.

    `tls`: connections are made over TLS; nobody on the path can read them. Without it only
    connections from this machine count as private, and those that a proxy reports as TLS.
    """

    noisy = False

    def __init__(self, channels: Channels, *, tls: bool = False) -> None:
        self._channels = channels
        self._tls = tls
        self._told = False

    def buildProtocol(self, addr: IAddress | None) -> Protocol | None:
        """The protocol for a new connection: `TurnedAway` if there are too many.

        Over TLS it is None then, because a message would cost a handshake.
        """
        address = str(getattr(addr, "host", "unix"))
        refusal = self._channels.addresses.admit(address)
        if refusal is not None:
            if is_local(address) and not self._told:
                self._told = True
                log.warning(LOCAL_CROWD, address)
            return None if self._tls else self._turn_away(refusal)
        private = self._tls or getattr(addr, "private", is_local(address))
        return self._serve(Peer(address, private))

    def _serve(self, peer: Peer) -> Protocol:
        return SocketTransport(self._channels, peer, tls=self._tls)

    def _turn_away(self, refusal: NotAdmitted) -> Protocol:
        return TurnedAway(in_bytes([write(refusal.bye)]))


def _socket_below(transport: Any) -> Any:
    """The reactor's connection below TLS and other layers."""
    while hasattr(transport, "transport"):
        transport = transport.transport
    return transport


def _set_options(lowest: Any) -> None:
    tcp: bool = ITCPTransport.providedBy(lowest)
    if not tcp:
        return
    handle = lowest.getHandle()
    if handle.family == socket.AF_UNIX:
        return
    lowest.setTcpNoDelay(True)
    lowest.setTcpKeepAlive(True)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    for name, value in KEEPALIVE.items():
        option = getattr(socket, name, None)
        if option is not None:  # not every operating system has all of them
            handle.setsockopt(socket.IPPROTO_TCP, option, value)
