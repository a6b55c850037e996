"""The one session of a connection: a shell or one line of commands (RFC 4254, 6)."""

from __future__ import annotations

import struct
from typing import Any, Protocol

from twisted.conch.ssh.channel import SSHChannel
from twisted.conch.ssh.common import NS
from twisted.conch.ssh.connection import (
    MSG_CHANNEL_CLOSE,
    MSG_CHANNEL_DATA,
    MSG_CHANNEL_EOF,
    MSG_CHANNEL_EXTENDED_DATA,
    MSG_CHANNEL_OPEN,
    MSG_CHANNEL_OPEN_FAILURE,
    MSG_CHANNEL_REQUEST,
    MSG_CHANNEL_WINDOW_ADJUST,
    MSG_GLOBAL_REQUEST,
    OPEN_ADMINISTRATIVELY_PROHIBITED,
    SSHConnection,
)

from .login import SILENT, BadRequest
from .terminal import Terminal, strings

SMALLEST = 1024
"""The smallest packet size that a client may ask for, so that each byte is no packet of its own."""
TAKEN = {
    MSG_GLOBAL_REQUEST: "MSG_GLOBAL_REQUEST",
    MSG_CHANNEL_OPEN: "MSG_CHANNEL_OPEN",
    MSG_CHANNEL_WINDOW_ADJUST: "MSG_CHANNEL_WINDOW_ADJUST",
    MSG_CHANNEL_DATA: "MSG_CHANNEL_DATA",
    MSG_CHANNEL_EXTENDED_DATA: "MSG_CHANNEL_EXTENDED_DATA",
    MSG_CHANNEL_EOF: "MSG_CHANNEL_EOF",
    MSG_CHANNEL_CLOSE: "MSG_CHANNEL_CLOSE",
    MSG_CHANNEL_REQUEST: "MSG_CHANNEL_REQUEST",
}
"""The messages that a client may send once it has come in. All others are unknown."""


class Player(Protocol):
    """The connection, as its session sees it."""

    begun: bool

    def begin(self, session: PlayerSession, line: bytes | None) -> None:
        """Begins the session: with one line of commands, or else with whatever is typed."""

    def resized(self, width: int) -> None:
        """Called when the terminal has another width."""

    def typed(self, data: bytes) -> None:
        """Called with bytes that the client has sent."""

    def no_more_typing(self) -> None:
        """Called when the client sends no more."""

    def window_full(self, full: bool) -> None:
        """Called when the client's window is full, and when it is open again."""

    def session_closed(self) -> None:
        """Called when both sides have closed the session."""


class OneSession(SSHConnection):
    """Opens one session, and nothing else: no second one, no forwarding, no agent, no X11."""

    transport: Any
    _log = SILENT

    def __init__(self, player: Player) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Twisted's
        self.protocolMessages = TAKEN
        self._player = player
        self._used = False

    def ssh_CHANNEL_OPEN(self, packet: bytes) -> None:
        """Conch: the client wants a channel. Raises `BadRequest` and `ValueError`."""
        (kind,), rest = strings(packet, 1)
        if len(rest) < 12:
            raise BadRequest("a channel that breaks off")
        sender, _, largest = struct.unpack(">3L", rest[:12])
        if kind != b"session" or self._used:
            said = b"One session for each connection, and nothing else."
            reason = struct.pack(">2L", sender, OPEN_ADMINISTRATIVELY_PROHIBITED)
            self.transport.sendPacket(MSG_CHANNEL_OPEN_FAILURE, reason + NS(said) + NS(b""))
            return
        if largest < SMALLEST:
            raise BadRequest("packets that are too small")
        self._used = True
        super().ssh_CHANNEL_OPEN(packet)  # type: ignore[no-untyped-call]  # Twisted's

    def getChannel(self, kind: bytes, window: int, largest: int, data: bytes) -> PlayerSession:
        """Conch: the channel of the session."""
        return PlayerSession(self, self._player, window, largest)

    def gotGlobalRequest(self, kind: bytes, data: bytes) -> int:
        """Conch: the client asks for something, such as forwarding a port. It is refused."""
        return 0


class PlayerSession(SSHChannel):
    """The channel of the session. Its player begins with `shell` or `exec`."""

    name = b"session"
    _log = SILENT

    def __init__(self, conn: OneSession, player: Player, window: int, largest: int) -> None:
        super().__init__(remoteWindow=window, remoteMaxPacket=largest, conn=conn)
        self._player = player
        self.terminal = Terminal()

    def channelOpen(self, specificData: bytes) -> None:
        """Conch: the channel is open."""

    def requestReceived(self, requestType: bytes, data: bytes) -> bool:
        """Conch: the client asks for a terminal, a shell and so on; True if it is granted."""
        try:
            return self._request(requestType, data)
        except ValueError:
            return False

    def _request(self, kind: bytes, data: bytes) -> bool:
        match kind:
            case b"env":
                return self.terminal.remember(data)
            case b"pty-req" if not self._player.begun:
                self.terminal.request(data)
            case b"window-change":
                self.terminal.resize(data)
                self._player.resized(self.terminal.columns)
            case b"shell" if not self._player.begun:
                self._player.begin(self, None)
            case b"exec" if not self._player.begun:
                (line,), _ = strings(data, 1)
                self._player.begin(self, line)
            case _:
                return False
        return True

    def dataReceived(self, data: bytes) -> None:
        """Conch: the client has sent data."""
        self._player.typed(data)

    def extReceived(self, dataType: int, data: bytes) -> None:
        """Conch: the client has sent data of another kind; there is none for us."""

    def eofReceived(self) -> None:
        """Conch: the client sends no more data."""
        self._player.no_more_typing()

    def closeReceived(self) -> None:
        """Conch: the client has closed the channel."""
        self.buf = b""
        self.loseConnection()

    def closed(self) -> None:
        """Conch: both sides have closed the channel."""
        self._player.session_closed()

    def send(self, data: bytes) -> None:
        """Sends data, as far as the client's window takes them; the rest later."""
        self.write(data)  # type: ignore[no-untyped-call]  # Twisted's

    def stopWriting(self) -> None:
        """Conch: the client's window is full."""
        self._player.window_full(True)

    def addWindowBytes(self, data: int) -> None:
        """Conch: the client can take so many more bytes.

        A window that opens byte by byte is used when it is worth a packet.
        """
        self.remoteWindowLeft += data
        if self.buf and self.remoteWindowLeft < min(len(self.buf), SMALLEST):
            return
        waiting, self.buf = self.buf, b""
        self.areWriting = 1
        self.send(waiting)
        if not self.buf:
            self._player.window_full(False)

    def loseConnection(self) -> None:
        """Conch: closes the channel when everything is sent, with the status of a success."""
        self.closing = 1
        conn: Any = self.conn
        if not self.buf and not self.localClosed:
            conn.sendRequest(self, b"exit-status", struct.pack(">L", 0))
            conn.sendEOF(self)
            conn.sendClose(self)
