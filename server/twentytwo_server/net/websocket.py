"""Lines as messages of WebSocket: one text message for each line, in both directions.

wsproto reads the frames. The parts of a message go to the connection at once, which discards
overlong lines; only the length of the message is kept. wsproto has no limits, so they are here: the
size of a message, and the time for the handshake.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

from twisted.internet.interfaces import IProtocolNegotiationFactory
from twisted.internet.protocol import Protocol
from wsproto.connection import Connection, ConnectionState
from wsproto.events import BytesMessage, CloseConnection, Ping, TextMessage
from wsproto.frame_protocol import CloseReason
from wsproto.utilities import LocalProtocolError
from zope.interface import implementer

from twentytwo_protocol.value import Value

from ..limits.addresses import NotAdmitted
from ..limits.network import is_local, read_address
from .channel import Channels, Peer
from .listeners import TrustedProxies
from .server_names import ServerNames
from .transport import Listener, SocketTransport, TurnedAway
from .upgrade import Handshake, HttpAnswer, Upgraded, answer

if TYPE_CHECKING:
    from twisted.python.failure import Failure

    from ..ports import Timer

LARGEST = 1 << 16
"""Bytes of a message above which the connection is closed; the longest line has 4096."""
PING = 25_000
"""Milliseconds between pings: less than the minute after which proxies drop idle connections."""
UNANSWERED = 2
"""Number of unanswered pings after which the connection is dead."""


class WebSocketEntrance(Value):
    """The shared part of a listener's connections: admission, and the page for a host.

    `names` are those of the server.
    """

    origins: tuple[str, ...]
    names: ServerNames
    trusted: TrustedProxies
    page: Callable[[str, bool, bool], str]
    """Makes the page for a host name. The flags tell if the request came over https, and from this
    machine.
    """


class WebSocketTransport(SocketTransport):
    """A socket with a WebSocket on it; its channel's `Transport` once the handshake is done."""

    def __init__(
        self, channels: Channels, peer: Peer, entrance: WebSocketEntrance, *, tls: bool = False
    ) -> None:
        super().__init__(channels, replace(peer, telnet=False), tls=tls)
        self._entrance = entrance
        self._handshake: Handshake | None = Handshake(
            lambda host, https: entrance.page(host, https or tls, self._peer.local),
            entrance.origins,
            entrance.names,
        )
        self._frames: Connection | None = None
        self._size = 0
        self._pinger: Timer | None = None
        self._pings = 0
        self._failed: int | None = None

    def _begin(self) -> None:
        self._hurry()

    def dataReceived(self, data: bytes) -> None:
        """Reads the request, and then frames."""
        self._pings = 0
        if self._frames is not None:
            self._take(data)
        elif self._handshake is not None:
            match self._handshake.receive(data):
                case HttpAnswer(text):
                    self._dismiss(text)
                case Upgraded() as upgraded:
                    self._upgrade(upgraded)

    def readConnectionLost(self) -> None:
        """Called when the peer has closed its sending half without a closing frame."""
        if self.channel is None:
            self.abort()
        else:
            self.channel.no_more_input()

    def connectionLost(self, reason: Failure | None = None) -> None:
        """Called once when the socket is closed."""
        if self._pinger is not None and self._pinger.active():
            self._pinger.cancel()
        self._handshake = self._pinger = None
        super().connectionLost(reason)

    # ------------------------------------------------------------------------ the handshake

    def _dismiss(self, text: bytes) -> None:
        """Answers in HTTP, and closes when the answer is read, or after the handshake timeout."""
        self._handshake = None
        self.transport.write(text)
        self.transport.loseConnection()

    def _upgrade(self, upgraded: Upgraded) -> None:
        refusal = self._believe(upgraded)
        if refusal is not None:
            self._dismiss(_turned_away(refusal))
            return
        self._handshake = None
        self._frames = upgraded.frames
        self.transport.write(upgraded.data)
        self._open()
        self._ping_later()
        if upgraded.rest:
            self._take(upgraded.rest)

    def _believe(self, upgraded: Upgraded) -> NotAdmitted | None:
        """Uses the client address from a trusted proxy; returns the client's refusal, if any."""
        proxy, trusted = self._peer.address, self._entrance.trusted
        if not trusted.networks or proxy not in trusted:
            return None
        if not upgraded.forwarded:
            return None
        client = self._client(upgraded.forwarded)
        if client is None:
            # The client behind the proxy may be far away.
            self._peer = replace(self._peer, private=upgraded.https or self._tls)
            return None
        refusal = self._channels.addresses.admit(client)
        if refusal is not None:
            return refusal
        self._channels.addresses.leave(proxy)
        here = is_local(client) and is_local(proxy)
        private = upgraded.https or self._tls or here
        self._peer = Peer(client, private, telnet=False)
        self._charge_to_peer()
        return None

    def _client(self, forwarded: tuple[str, ...]) -> str | None:
        """The nearest address that is no proxy's, else the furthest; None if one is unreadable."""
        client = None
        for text in reversed(forwarded):
            client = read_address(text)
            if client is None:
                kind = ", a proxy: its clients count as itself, by X-Forwarded-For "
                self._channels.addresses.complaints.complain(
                    self._peer.address, kind, repr(text[:60])
                )
                return None
            if client not in self._entrance.trusted:
                break
        return client

    # ---------------------------------------------------------------------------- frames in

    def _take(self, data: bytes) -> None:
        if self._frames is None or self._frames.state is ConnectionState.CLOSED:
            return
        try:
            self._frames.receive_data(data)
        except LocalProtocolError:
            return
        if self.channel is None:
            return
        text = []
        ends: int | None = None
        for event in self._frames.events():
            match event:
                case TextMessage():
                    text.append(self._line(event))
                    if self._size > LARGEST:
                        ends = CloseReason.MESSAGE_TOO_BIG
                case BytesMessage():
                    ends = CloseReason.UNSUPPORTED_DATA
                case Ping():
                    if self.channel.writable:  # a client that does not read gets no answer
                        self.transport.write(bytes(self._frames.send(event.response())))
                case CloseConnection(code=code):
                    ends = code
            if ends is not None:
                break
        if text:
            self.channel.received(b"".join(text))
        if ends is not None:
            self._end(ends)

    def _line(self, message: TextMessage) -> bytes:
        """Passes on a part of a message; adds a missing line end after the last part."""
        data = message.data.encode()
        self._size += len(data)
        if message.message_finished:
            self._size = 0 if self._size <= LARGEST else self._size
            return data if data.endswith(b"\n") else data + b"\n"
        return data

    def _end(self, code: int) -> None:
        """Ends the connection, because the peer has closed it or has broken the protocol."""
        if self._frames is None or self.channel is None:
            return
        match self._frames.state:
            case ConnectionState.REMOTE_CLOSING:
                self.channel.no_more_input()
            case ConnectionState.CLOSED:
                self._hang_up()
            case _:
                self._failed = code
                self.channel.hang_up()

    # --------------------------------------------------------------------------- frames out

    def write(self, data: bytes) -> None:
        """Sends whole lines, each as a message; returns at once and buffers what is not read."""
        self.transport.write(b"".join(map(text_frame, data.split(b"\r\n")[:-1])))

    def close(self) -> None:
        """Closes after all output is sent and the peer has confirmed."""
        if self._frames is None:
            return
        state = self._frames.state
        if state in (ConnectionState.OPEN, ConnectionState.REMOTE_CLOSING):
            code = CloseReason.NORMAL_CLOSURE if self._failed is None else self._failed
            self.transport.write(bytes(self._frames.send(CloseConnection(code))))
        if state is not ConnectionState.OPEN or self._failed is not None:
            self._hang_up()

    def _hang_up(self) -> None:
        super().close()

    def _ping_later(self) -> None:
        self._pinger = self._channels.clock.later(PING, self._ping)

    def _ping(self) -> None:
        """Sends a ping, to keep proxies from closing the connection and to find dead peers."""
        if self.channel is None or self._frames is None:
            return
        if self._pings >= UNANSWERED:
            self.channel.abort()
            return
        if self._frames.state is ConnectionState.OPEN and self.channel.writable:
            self._pings += 1
            self.transport.write(bytes(self._frames.send(Ping())))
        self._ping_later()


@implementer(IProtocolNegotiationFactory)
class WebSocketListener(Listener):
    """Opens a channel for each WebSocket of one listening port."""

    def __init__(
        self, channels: Channels, entrance: WebSocketEntrance, *, tls: bool = False
    ) -> None:
        super().__init__(channels, tls=tls)
        self._entrance = entrance

    def acceptableProtocols(self) -> list[bytes]:
        """Twisted: the protocols for ALPN.

        A listener for lines has none, so that a browser, which offers some, fails in the handshake.
        """
        return [b"http/1.1"]

    def _serve(self, peer: Peer) -> Protocol:
        return WebSocketTransport(self._channels, peer, self._entrance, tls=self._tls)

    def _turn_away(self, refusal: NotAdmitted) -> Protocol:
        return TurnedAway(_turned_away(refusal))


def _turned_away(refusal: NotAdmitted) -> bytes:
    """The HTTP answer to a refused connection."""
    wait = refusal.wait
    back = () if wait is None else (("Retry-After", str(ceil(wait / 1000))),)
    return answer(503, refusal.why.text, *back).data


def text_frame(line: bytes) -> bytes:
    """A text message of a server in one frame: no mask, no compression (RFC 6455, 5.2).

    wsproto takes 18 us for this, this function 0.5 us, and it runs for each line.
    """
    size = len(line)
    if size < 126:
        return bytes((0x81, size)) + line
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + line
    return b"\x81\x7f" + size.to_bytes(8, "big") + line
