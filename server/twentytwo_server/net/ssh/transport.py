"""A socket with SSH on it: Conch does the protocol, a channel of ours the lines.

Conch has no limits, so they are here: the algorithms, the size and order of packets, the time until
the session begins, and what waits for a client that does not read.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Protocol

from twisted.conch.ssh import transport as conch
from twisted.conch.ssh.common import NS
from twisted.internet.protocol import Protocol as TwistedProtocol
from twisted.python.failure import Failure

from twentytwo_protocol.framing import MAX_CLIENT_LINE
from twentytwo_protocol.schema import Refused, Stage
from twentytwo_protocol.typed import read_person
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.session import Guest

from ...accounts import names
from ...accounts.ssh_keys import SSH_KEY_TYPES
from ...limits.addresses import FREE_AGAIN, Full, NotAdmitted
from ...limits.gcra import Limiter, Rate
from ...limits.network import network_of
from ...scheduler import SLICE
from ...session.display import DisplaySettings
from ...session.session import ClientKey, Session
from ..channel import Channels, Peer
from ..transport import HANDSHAKE, Listener, SocketTransport, TurnedAway
from .editor import LineEditor
from .login import SIGNED, SILENT, Accounts, BadRequest, Login
from .session import OneSession, PlayerSession

log = logging.getLogger("twentytwo.net")

COME_IN = 60_000
"""Milliseconds from the key exchange to the session: time to type a key's passphrase."""
WAITING = 16
"""Connections of an address that may wait before their session begins."""
LARGEST = 40_000
"""Bytes of the largest packet (RFC 4253, 6.1: 35000), with its MAC."""
REKEYS = Rate.of(5, 1, 10 * 60_000)
"""Key exchanges that a client may begin: PuTTY begins one each hour, others after a gigabyte."""
BEFORE_KEYS = frozenset((*range(1, 5), *range(20, 22), *range(30, 50)))
"""The messages of the first key exchange; all others would be readable by others."""
EXCHANGES = (b"mlkem768x25519-", b"curve25519-", b"ecdh-sha2-nistp256")
"""The key exchanges that take a millisecond, by the beginnings of their names: no groups of primes,
which take a hundred times as long."""
TYPED_AHEAD = 1 << 16
"""Bytes of keys that may wait for their turn; lines end at a thousand characters."""
AT_ONCE = 16
"""Bytes of keys that are pressed at once, up to a Tab, which may take four milliseconds."""
UNDER_A_NAME = "! Connect under a name of 2 to 16 letters or digits, such as ssh ann@..."


class SshHost(Accounts, Protocol):
    """The host, as far as SSH needs it beside the lines."""

    def completions(self, session: Session, text: str) -> Iterator[tuple[str, str]]:
        """The completions of a half-typed line: the end to replace, and its replacement."""


class Wire(conch.SSHServerTransport):
    """Conch's side of a connection, with a short list of algorithms and no compression."""

    ourVersionString = b"SSH-2.0-twentytwo"
    transport: Any
    factory: Any
    _log = SILENT

    def __init__(self, player: SshTransport, host_key: Any) -> None:
        self._player = player
        self.supportedKeyExchanges = [
            each for each in self.supportedKeyExchanges if each.startswith(EXCHANGES)
        ]
        self.supportedCiphers = [b"aes256-ctr", b"aes192-ctr", b"aes128-ctr"]
        self.supportedMACs = [b"hmac-sha2-256", b"hmac-sha2-512"]
        self.supportedCompressions = [b"none"]
        self._exchanges: Limiter[None] = Limiter(REKEYS)
        self._answered = False
        kind = host_key.sshType()
        self.factory = self
        self.publicKeys, self.privateKeys = {kind: host_key.public()}, {kind: host_key}
        self.supportedPublicKeys = [
            each for each in host_key.supportedSignatureAlgorithms() if each != b"ssh-rsa"
        ]

    def sendPacket(self, messageType: int, payload: bytes) -> None:
        """Conch: sends a packet, or keeps it until the key exchange is over."""
        exchanging = self._keyExchangeState != self._KEY_EXCHANGE_NONE
        self._player.count(len(payload) + 64, waits=exchanging)
        super().sendPacket(messageType, payload)  # type: ignore[no-untyped-call]  # Twisted's

    def sendDisconnect(self, reason: int, desc: bytes) -> None:
        """Conch: the client has broken the protocol. Raises `BadRequest`."""
        raise BadRequest(desc)

    def dataReceived(self, data: bytes) -> None:
        """Conch: bytes from the socket. Raises whatever Conch does for a broken packet."""
        super().dataReceived(data)  # type: ignore[no-untyped-call]  # Twisted's
        if len(self.buf) > LARGEST:
            raise BadRequest("a packet that is too large")

    def dispatchMessage(self, messageNum: int, payload: bytes) -> None:
        """Conch: carries out a packet. Raises `BadRequest` for one at the wrong time."""
        if self._player.over:
            return
        if messageNum not in BEFORE_KEYS and not self._player.encrypted:
            raise BadRequest("a packet before the keys")
        if messageNum == conch.MSG_NEWKEYS or 30 <= messageNum < 50:
            self._check_order(messageNum)
        super().dispatchMessage(messageNum, payload)  # type: ignore[no-untyped-call]  # Twisted's

    def _check_order(self, message: int) -> None:
        """Lets one answer and then the new keys through in each key exchange."""
        is_answer = message != conch.MSG_NEWKEYS
        if self._keyExchangeState == self._KEY_EXCHANGE_NONE or is_answer == self._answered:
            raise BadRequest("keys out of order")
        # A wrong guess is an answer too, which is ignored.
        self._answered = is_answer and not self.ignoreNextPacket

    def ssh_KEXINIT(self, packet: bytes) -> None:
        """Conch: a key exchange begins."""
        if self._answered or self._exchanges.take(None, self._player.now()):
            raise BadRequest("too many key exchanges")
        super().ssh_KEXINIT(packet)

    def ssh_DISCONNECT(self, packet: bytes) -> None:
        """Conch: the client says goodbye."""
        self._player.abort()

    def ssh_NEWKEYS(self, packet: bytes) -> None:
        """Conch: the new keys are used from here on."""
        super().ssh_NEWKEYS(packet)
        self._player.has_keys()

    def ssh_SERVICE_REQUEST(self, packet: bytes) -> None:
        """Conch: the client wants to log in."""
        if packet != NS(b"ssh-userauth") or self.service is not None:
            raise BadRequest("a service that is not offered")
        self.sendPacket(conch.MSG_SERVICE_ACCEPT, packet)
        self.setService(self._player.login())  # type: ignore[no-untyped-call]  # Twisted's

    def sendExtInfo(self, extensions: object) -> None:
        """Conch: tells the client with which signatures it may log in."""
        kinds = [kind for each in SSH_KEY_TYPES for kind in SIGNED.get(each, (each,))]
        super().sendExtInfo(  # type: ignore[no-untyped-call]  # Twisted's
            [(b"server-sig-algs", ",".join(kinds).encode())]
        )

    def failed(self, wrong: Exception | None) -> None:
        """Called when a part of the login has ended, with its exception if there was one."""
        if wrong is not None:
            self._player.failed(wrong)

    def receiveUnimplemented(self, seqnum: int) -> None:
        """Conch: the client does not know a message."""

    def receiveDebug(self, *said: object) -> None:
        """Conch: a remark of the client's."""


class WaitingRoom:
    """Counts the connections of each address whose session has not begun."""

    def __init__(self) -> None:
        self._waiting: Counter[str] = Counter()

    def enter(self, address: str, share: int) -> bool:
        """Counts one more connection; returns False if there are too many."""
        network = network_of(address)
        if self._waiting[network] >= WAITING * share:
            return False
        self._waiting[network] += 1
        return True

    def leave(self, address: str) -> None:
        """Takes a connection out of the count."""
        network = network_of(address)
        self._waiting[network] -= 1
        if not self._waiting[network]:
            del self._waiting[network]


class SshEntrance(Value):
    """The shared parts of a listener's connections: the host, its key, the waiting room."""

    host: SshHost
    host_key: Any
    room: WaitingRoom


class SshTransport(SocketTransport):
    """A socket with SSH on it; its channel's `Transport` once the session has begun."""

    def __init__(self, channels: Channels, peer: Peer, entrance: SshEntrance) -> None:
        super().__init__(channels, replace(peer, private=True, telnet=False))
        self._entrance = entrance
        self.wire = Wire(self, entrance.host_key)
        self._name = ""
        self._key: ClientKey | None = None
        self._session: PlayerSession | None = None
        self._editor: LineEditor | None = None
        self._encoding = "utf-8"
        self._output: list[str] = []
        self._keys = bytearray()
        self._typing = self._input_over = False
        self._waits = True
        self._socket_full = self._window_full = self._held = False
        self._owed = 0
        self.over = False
        """True once the connection is to be closed: nothing more is read."""
        self.encrypted = False
        """True after the first key exchange."""
        self.begun = False
        """True once the session has begun."""

    # ------------------------------------------------------------------------- the socket

    def _begin(self) -> None:
        self.transport.registerProducer(self, True)
        self._too_late = self._channels.clock.later(HANDSHAKE, self._late)
        self.wire.transport = self.transport
        self.wire.connectionMade()  # type: ignore[no-untyped-call]  # Twisted's

    def dataReceived(self, data: bytes) -> None:
        """Passes on received bytes; a client that breaks the protocol is cut off."""
        if self.over:
            return
        try:
            self.wire.dataReceived(data)
        except Exception as wrong:  # Conch raises many kinds for broken packets
            self.failed(wrong)

    def failed(self, wrong: Exception) -> None:
        """Cuts off a client that breaks the protocol."""
        log.debug("a broken packet of ssh, from %s: %r", self._peer.address, wrong)
        self._late()

    def _late(self) -> None:
        addresses = self._channels.addresses
        addresses.penalize(self._peer.address, addresses.limits.penalty_silent)
        self.abort()

    def has_keys(self) -> None:
        """Called after each key exchange."""
        self.encrypted = True
        if self.channel is None and not self.over:
            self._no_longer_late()
            self._too_late = self._channels.clock.later(COME_IN, self._late)
        if not self._socket_full:
            self._owed = 0

    def now(self) -> int:
        """The time in milliseconds."""
        return self._channels.clock.now()

    def count(self, size: int, *, waits: bool) -> None:
        """Counts a packet that waits because the client does not read, or exchanges keys."""
        if not (self._socket_full or waits):
            return
        self._owed += size
        if self._owed > 2 * self._channels.addresses.limits.unread:
            self.abort()

    def pauseProducing(self) -> None:
        """Called when the send buffers are full: the client does not read fast enough."""
        self._socket_full = True
        self._hold()

    def resumeProducing(self) -> None:
        """Called when the send buffers are empty again."""
        self._socket_full = False
        self._owed = 0
        self._hold()

    def window_full(self, full: bool) -> None:
        """Called when the client's window is full, and when it is open again."""
        self._window_full = full
        self._hold()

    def _hold(self) -> None:
        """Stops the output, or goes on with it."""
        held = self._socket_full or self._window_full
        if held == self._held or self.over:
            return
        self._held = held
        if self._editor is not None:
            if held:
                self._editor.hold()
            else:
                self._editor.release()
                self._flush()
        if self.channel is not None:
            if held:
                self.channel.paused()
            else:
                self.channel.resumed()

    def readConnectionLost(self) -> None:
        """Called when the client has closed its sending half, without a goodbye."""
        self.abort()

    def connectionLost(self, reason: Failure | None = None) -> None:
        """Called once when the socket is closed."""
        self.over = True
        self._leave_room()
        if self.wire.service is not None:
            self.wire.service.serviceStopped()
        self.wire.__dict__.clear()  # breaks reference cycles
        super().connectionLost(reason)
        self._session = self._editor = None
        self._keys.clear()

    def _leave_room(self) -> None:
        if self._waits:
            self._waits = False
            self._entrance.room.leave(self._peer.address)

    # -------------------------------------------------------------------------- the login

    def login(self) -> Login:
        """The service that lets the client in."""
        return Login(self._entrance.host, self._entered)

    def _entered(self, name: str, key: ClientKey | None) -> None:
        self._name, self._key = name, key
        service = OneSession(self)
        self.wire.setService(service)  # type: ignore[no-untyped-call]  # Twisted's

    # ------------------------------------------------------------------------ the session

    def begin(self, session: PlayerSession, line: bytes | None) -> None:
        """Begins the session: with one line of commands, or else with whatever is typed."""
        self._no_longer_late()
        self._leave_room()
        self.begun = True
        self._session = session
        terminal = session.terminal
        display = DisplaySettings()
        if terminal.columns:
            display = terminal.display(display)
            self._encoding = "utf-8" if terminal.utf8 else "latin-1"
        self.channel = channel = self._channels.open(self, self._peer, display)
        if terminal.columns:
            channel.resized(terminal.columns)
            self._editor = LineEditor(
                _Typing(self),
                lambda text: self._entrance.host.completions(channel.session, text),
                terminal.columns,
                utf8=terminal.utf8,
            )
            channel.session.show_typing = self._show_typing
        channel.session.key = self._key
        if self._held:
            channel.paused()
        self._come_in(line)

    def _come_in(self, line: bytes | None) -> None:
        channel, name = self.channel, self._name.removeprefix("~")
        assert channel is not None
        line = line if line is None else line.partition(b"\n")[0]
        if line is None or needs_name(line):
            if self._key is not None and self._key.proved:
                channel.received(f"login {name}\n".encode())
            elif names.NAME.fullmatch(name):
                channel.received(f"guest {name}\n".encode())
            elif line is None:
                channel.session.tell("Type a name, such as ann, or help.")
            else:
                channel.session.tell(UNDER_A_NAME)
                line = b""
        if line is not None:
            channel.received(line + b"\n")
            channel.no_more_input(unless_seated=True)

    def resized(self, width: int) -> None:
        """Called when the terminal has another width."""
        if self.channel is not None and self._editor is not None:
            self.channel.resized(width)
            self._draw(lambda editor: editor.resize(width))

    def typed(self, data: bytes) -> None:
        """Called with bytes that the client has sent. Raises `BadRequest` for too many keys."""
        if self._editor is not None:
            self._keys += data
            if len(self._keys) > TYPED_AHEAD:
                raise BadRequest("keys that nobody types")
            self._type()
        elif self.channel is not None:
            self.channel.received(data)

    def no_more_typing(self) -> None:
        """Called when the client sends no more."""
        self._input_over = True
        if self.channel is not None and not self._typing:
            self.channel.no_more_input()

    def _type(self) -> None:
        """Presses the keys that have come, in the address's next turn."""
        if not self._typing:
            self._typing = True
            self._channels.scheduler.soon(network_of(self._peer.address), self._type_now)

    def _type_now(self) -> None:
        """Presses keys for `SLICE` ms; the rest in the next turn."""
        began, editor = self.now(), self._editor
        while editor is not None and self._keys and self.now() - began < SLICE:
            size = self._keys.find(b"\t", 0, AT_ONCE) + 1 or AT_ONCE
            keys = bytes(self._keys[:size])
            del self._keys[:size]
            editor.receive(keys)
            self._flush()
        if self._keys:
            self._channels.scheduler.later(network_of(self._peer.address), self._type_now)
            return
        self._typing = False
        if self._input_over and self.channel is not None:
            self.channel.no_more_input()

    def _show_typing(self, seen: bool) -> None:
        self._draw(lambda editor: editor.hide(not seen))

    def _draw(self, call: Callable[[LineEditor], None]) -> None:
        if self._editor is not None:
            call(self._editor)
            self._flush()

    def line_typed(self, line: str) -> None:
        """Called with each line that the person has typed."""
        if self.channel is not None:
            self.channel.received(line.encode() + b"\n")

    def put(self, text: str) -> None:
        """Collects text for the terminal."""
        self._output.append(text)

    def _flush(self) -> None:
        text = "".join(self._output)
        self._output.clear()
        if text and self._session is not None:
            self._session.send(text.encode(self._encoding, "replace"))

    def session_closed(self) -> None:
        """Called when both sides have closed the session.

        Clients close the connection then. If we closed it PuTTY would complain; the channel closes
        it a few seconds later.
        """
        if self.channel is not None:
            self.channel.hang_up()

    # ---------------------------------------------------------------------------- output

    def write(self, data: bytes) -> None:
        """Sends whole lines; returns at once and buffers what the client has not read."""
        if self._editor is not None:
            text = data.decode()
            self._draw(lambda editor: editor.show(text))
        elif self._session is not None:
            self._session.send(data.replace(b"\r\n", b"\n"))

    def close(self) -> None:
        """Closes after everything that was written has been sent."""
        self.transport.unregisterProducer()
        self._draw(lambda editor: editor.finish())
        session = self._session
        if session is not None:
            # After the answer to the client's request, which may be still to come.
            self._channels.clock.later(0, session.loseConnection)

    def abort(self) -> None:
        """Closes at once; unsent bytes are lost."""
        self.over = True
        if self.transport is not None:
            super().abort()


class _Typing:
    """The editor's way to its connection."""

    def __init__(self, player: SshTransport) -> None:
        self.write = player.put
        self.line = player.line_typed
        self.end = lambda: player.line_typed("quit")


def needs_name(line: bytes) -> bool:
    """True if the command in the line is for people with a name.

    A line that is too long for a command needs none, and is not parsed.
    """
    if len(line) > MAX_CLIENT_LINE:
        return False
    try:
        command = read_person(line.decode(), named=False, deck=None, asked=None)
    except (Refused, UnicodeDecodeError):
        return True
    return isinstance(command, Guest) or type(command).stage is not Stage.CONNECTED


class SshListener(Listener):
    """Opens a connection of SSH for each connection to one listening port."""

    def __init__(self, channels: Channels, entrance: SshEntrance) -> None:
        super().__init__(channels)
        self._entrance = entrance

    def _serve(self, peer: Peer) -> TwistedProtocol:
        addresses = self._channels.addresses
        if not self._entrance.room.enter(peer.address, addresses.share(peer.address)):
            addresses.leave(peer.address)
            self._channels.metrics.turned_away["address"] += 1
            return self._turn_away(NotAdmitted(Full.ADDRESS, FREE_AGAIN))
        return SshTransport(self._channels, peer, self._entrance)

    def _turn_away(self, refusal: NotAdmitted) -> TwistedProtocol:
        # A server may say something before it names its version (RFC 4253, 4.2).
        return TurnedAway(f"{refusal.why.text}\r\n".encode())
