"""Lines as messages of WebSocket: one text message for each line, in both directions.

Before the handshake a connection may ask for the files of the page by HTTP.

wsproto reads the frames. The parts of a message go to the connection at once, which discards
overlong lines; only the length of the message is kept. wsproto and h11 have no limits, so they are
here: the size of a message, the time for a request, and the requests of an address. The next
request waits until the answer before it is read, so that a slow reader holds one file at most.
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
from ..limits.network import is_local, network_of, read_address
from .channel import Channels, Peer
from .listeners import TrustedProxies
from .server_names import ServerNames
from .site import Site
from .transport import Listener, SocketTransport, TurnedAway
from .upgrade import LARGEST_REQUEST, HttpAnswer, Requests, Upgraded, answer

if TYPE_CHECKING:
    from twisted.python.failure import Failure

    from ..ports import Timer

LARGEST = 1 << 16
"""Bytes of a message above which the connection is closed; the longest line has 4096."""
NEXT_REQUEST = 30_000
"""Milliseconds for reading an answer of HTTP and sending the next request."""
PING = 25_000
"""Milliseconds between pings: less than the minute after which proxies drop idle connections."""
UNANSWERED = 2
"""Number of unanswered pings after which the connection is dead."""


class WebSocketEntrance(Value):
    """The shared part of a listener's connections: admission, and the pages.

    `names` are those of the server.
    """

    origins: tuple[str, ...]
    names: ServerNames
    trusted: TrustedProxies
    ways: Callable[[str, bool, bool], str]
    """Makes the page that explains how to connect, for a host name. The flags tell if the request
    came over https, and from this machine.
    """
    site: Site


class WebSocketTransport(SocketTransport):
    """A socket with a WebSocket on it; its channel's `Transport` once the handshake is done."""

    def __init__(
        self, channels: Channels, peer: Peer, entrance: WebSocketEntrance, *, tls: bool = False
    ) -> None:
        super().__init__(channels, replace(peer, telnet=False), tls=tls)
        self._entrance = entrance
        self._requests: Requests | None = Requests(
            lambda host, https: entrance.ways(host, https or tls, self._peer.local),
            entrance.site,
            entrance.origins,
            entrance.names,
        )
        self._served = self._unread = False
        self._in_turn = True
        self._ended = False
        self._frames: Connection | None = None
        self._size = 0
        self._pinger: Timer | None = None
        self._pings = 0
        self._failed: int | None = None

    def _begin(self) -> None:
        self.transport.registerProducer(self, True)
        self._hurry()

    def dataReceived(self, data: bytes) -> None:
        """Reads requests, and then frames."""
        self._pings = 0
        if self._frames is not None:
            self._take(data)
        elif self._requests is not None:
            self._channels.addresses.needed(self._peer.address, self.abort)
            held = self._requests.receive(data)
            if held > LARGEST_REQUEST and (self._unread or not self._in_turn):
                self.abort()
            self._answer_next()

    def pauseProducing(self) -> None:
        """Called when the send buffers are full: the peer does not read fast enough."""
        self._unread = True
        super().pauseProducing()

    def resumeProducing(self) -> None:
        """Called when the send buffers are empty again."""
        self._unread = False
        super().resumeProducing()
        self._answer_next()

    def readConnectionLost(self) -> None:
        """Called when the peer has closed its sending half without a closing frame."""
        if self.channel is not None:
            self.channel.no_more_input()
        else:
            self._ended = True
            self._answer_next()

    def connectionLost(self, reason: Failure | None = None) -> None:
        """Called once when the socket is closed."""
        if self._pinger is not None and self._pinger.active():
            self._pinger.cancel()
        self._requests = self._pinger = None
        self._channels.addresses.needed(self._peer.address, self.abort)
        super().connectionLost(reason)

    # ----------------------------------------------------------------------- HTTP, and its end

    def _answer_next(self) -> None:
        """Answers the next request, once the answer before it is read and it is its turn."""
        if self._requests is None or self._unread or not self._in_turn:
            return
        match self._requests.next():
            case Upgraded() as upgraded:
                self._upgrade(upgraded)
            case HttpAnswer(data, last=True):
                self._dismiss(data)
            case HttpAnswer(data):
                self.transport.write(data)
                self._no_longer_late()
                self._too_late = self._channels.clock.later(NEXT_REQUEST, self._dismiss)
                self._wait_for_turn()
            case None if self._ended:
                self._dismiss()
            case None if self._served and self._requests.idle:
                self._channels.addresses.spare(self._peer.address, self.abort)

    def _wait_for_turn(self) -> None:
        """Counts a request, and lets the other requests of the address have their turn."""
        self._in_turn = False
        if not self._served:
            self._served = True
            self._channels.addresses.served(self._peer.address)
        if wait := self._channels.addresses.charge_request(self._peer.address):
            self._channels.clock.later(wait, self._next_turn)
        else:
            network = network_of(self._peer.address)
            self._channels.scheduler.later(network, self._next_turn)

    def _next_turn(self) -> None:
        self._in_turn = True
        self._answer_next()

    def _dismiss(self, last: bytes = b"") -> None:
        """Sends the last answer, and closes when it is read, or after some time."""
        self._requests = None
        self._no_longer_late()
        self._too_late = self._channels.clock.later(NEXT_REQUEST, self.abort)
        self.transport.write(last)
        self._hang_up()

    def _upgrade(self, upgraded: Upgraded) -> None:
        refusal = self._believe(upgraded)
        if refusal is not None:
            self._dismiss(_turned_away(refusal))
            return
        self._requests = None
        self._frames = upgraded.frames
        self.transport.unregisterProducer()
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
