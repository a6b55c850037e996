"""Clients of SSH in this process: Conch's own, over fake transports."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from twisted.conch.ssh.channel import SSHChannel
from twisted.conch.ssh.common import NS
from twisted.conch.ssh.connection import SSHConnection
from twisted.conch.ssh.keys import Key
from twisted.conch.ssh.session import packRequest_pty_req, packRequest_window_change
from twisted.conch.ssh.transport import SSHClientTransport
from twisted.conch.ssh.userauth import MSG_USERAUTH_REQUEST, SSHUserAuthClient
from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred, succeed

from tests.kit.pairs import Doors, Line, Transport
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.ssh.host_key import host_key
from twentytwo_server.net.ssh.login import SILENT
from twentytwo_server.net.ssh.transport import SshEntrance, SshListener, WaitingRoom
from twentytwo_server.node import HostForSsh


@cache
def key_of(name: str) -> Any:
    """A private key, the same for the same name."""
    return Key(Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b".")[:32]))


def public_line(name: str) -> str:
    """The public key of that name, as in a `.pub` file."""
    return str(key_of(name).public().toString("openssh").decode())


class SshDoors(Doors):
    """A server with a listener of SSH."""

    def __init__(self, limits: Limits | None = None) -> None:
        super().__init__(limits=limits)
        assert self.world is not None
        host = HostForSsh(self.world.host, self.world.commands)
        entrance = SshEntrance(host, host_key(None), WaitingRoom())
        self.ssh_listener = SshListener(self.channels, entrance)

    def raw(self, address: str = "192.0.2.7") -> Line:
        """A connection on which nothing has been sent."""
        where = IPv4Address("TCP", address, 4)
        return Line(self.clock, self.ssh_listener.buildProtocol(where))

    def client(self, user: str = "ann", *keys: str, address: str = "192.0.2.7") -> SshClient:
        """A client that has come in, with the keys of these names."""
        return SshClient(self.raw(address), user, [key_of(name) for name in keys])

    def at_terminal(self, user: str = "ann", *keys: str, **terminal: Any) -> SshClient:
        """A person at a terminal."""
        client = self.client(user, *keys)
        client.open(terminal=True, **terminal)
        return client


class _Login(SSHUserAuthClient):
    _log = SILENT

    def __init__(
        self, user: str, keys: Sequence[Any], then: SSHConnection, signs_with: Any, stubborn: bool
    ) -> None:
        super().__init__(user.encode(), then)
        self.keys = list(keys)
        self.signs_with, self.stubborn = signs_with, stubborn
        self.shown: list[Any] = []
        self.failures = self.partial = self.asked = 0

    def getPublicKey(self) -> Any:
        if not self.keys:
            return None
        self.shown.append(self.keys.pop(0))
        return self.shown[-1].public()

    def getPrivateKey(self) -> Deferred[Any]:
        return succeed(self.signs_with or self.shown[-1])

    def getPassword(self, prompt: object = None) -> None:
        return None

    def getGenericAnswers(self, *asked: object) -> Deferred[list[str]]:
        return succeed([])

    def ssh_USERAUTH_PK_OK(self, packet: bytes) -> Any:
        self.asked += 1
        return super().ssh_USERAUTH_PK_OK(packet)  # type: ignore[no-untyped-call]

    def ssh_USERAUTH_FAILURE(self, packet: bytes) -> Any:
        self.failures += 1
        self.partial += packet[-1]
        if self.stubborn:
            return None
        return super().ssh_USERAUTH_FAILURE(packet)  # type: ignore[no-untyped-call]


class _Connection(SSHConnection):
    _log = SILENT
    started = False
    refused = 0
    """Channels that the server did not open."""

    def serviceStarted(self) -> None:
        self.started = True

    def ssh_CHANNEL_OPEN_FAILURE(self, packet: bytes) -> None:
        self.refused += 1


class _Wire(SSHClientTransport):
    _log = SILENT
    transport: Any

    def __init__(self, login: _Login) -> None:
        self.login = login

    def verifyHostKey(self, pubKey: bytes, fingerprint: str) -> Deferred[bool]:
        return succeed(True)

    def connectionSecure(self) -> None:
        if self.service is None:  # after the first key exchange
            self.requestService(self.login)


class _Session(SSHChannel):
    name = b"session"
    _log = SILENT

    def __init__(self, window: int) -> None:
        super().__init__(localWindow=window)
        self.heard = b""
        self.answers: list[bool] = []
        self.refused = self.over = False
        self.status: int | None = None

    def channelOpen(self, specificData: bytes) -> None:
        pass

    def openFailed(self, reason: object) -> None:
        self.refused = True

    def dataReceived(self, data: bytes) -> None:
        self.heard += data

    def request_exit_status(self, data: bytes) -> int:
        self.status = int.from_bytes(data)
        return 0

    def closed(self) -> None:
        self.over = True
        conn: Any = self.conn
        conn.transport.loseConnection()  # as real clients do


class SshClient:
    """A client that tries to come in as `user`.

    It signs with its keys, or else with `signs_with`; if `stubborn` it tries no other way in after
    the first. `software` is the name that it gives itself.
    """

    def __init__(
        self,
        line: Line,
        user: str,
        keys: Sequence[Any],
        *,
        signs_with: Any = None,
        stubborn: bool = False,
        software: str = "Twisted",
    ) -> None:
        self.line = line
        self.conn: Any = _Connection()  # type: ignore[no-untyped-call]
        self.login = _Login(user, keys, self.conn, signs_with, stubborn)
        self.wire: Any = _Wire(self.login)
        self.wire.ourVersionString = f"SSH-2.0-{software}".encode()
        self.output = Transport()
        self.output.protocol = self.wire
        self.session: Any = None
        self.deaf = False
        self.wire.makeConnection(self.output)  # type: ignore[no-untyped-call]
        self.pump()

    @property
    def connected(self) -> bool:
        return self.line.connected

    @property
    def server(self) -> Any:
        """The server's end of the connection."""
        return self.line.protocol

    def pump(self) -> None:
        """Carries bytes both ways until nothing more is said."""
        while True:
            self.line.clock.settle()
            said: bytes = self.output.value()  # type: ignore[no-untyped-call]
            self.output.clear()
            if said and self.line.connected:
                self.line.send(said)
                continue
            heard: bytes = b"" if self.deaf else self.line.transport.value()
            if not heard:
                return
            self.line.transport.clear()
            self.wire.dataReceived(heard)

    def open(
        self,
        *,
        terminal: bool = False,
        line: str | None = None,
        columns: int = 80,
        term: str = "xterm-256color",
        environment: dict[str, str] | None = None,
        window: int = 1 << 20,
    ) -> None:
        """Opens a session with a shell, or with one line of commands."""
        self.session = _Session(window)
        self.conn.openChannel(self.session)
        self.pump()
        for name, value in (environment or {}).items():
            self.request(b"env", NS(name.encode()) + NS(value.encode()))
        if terminal:
            size = (24, columns, 0, 0)
            self.request(b"pty-req", packRequest_pty_req(term.encode(), size, b""))
        if line is None:
            self.request(b"shell", b"")
        else:
            self.request(b"exec", NS(line.encode()))

    def request(self, kind: bytes, data: bytes) -> None:
        """Asks for something on the session; `session.answers` has the answers."""
        session = self.session
        found = self.conn.sendRequest(session, kind, data, wantReply=1)
        if found is not None:
            found.addCallbacks(
                lambda _: session.answers.append(True), lambda _: session.answers.append(False)
            )
        self.pump()

    def resize(self, columns: int) -> None:
        """The terminal gets another width."""
        self.request(b"window-change", packRequest_window_change((24, columns, 0, 0)))

    def type(self, text: str) -> None:
        """The person presses keys."""
        self.session.write(text.encode())
        self.pump()

    def says(self, line: str) -> str:
        """The answer to a line that the person types."""
        self.read()
        self.type(line + "\r")
        return self.read()

    def read(self) -> str:
        """The bytes sent to the terminal since the last call."""
        heard: bytes = self.session.heard
        self.session.heard = b""
        return heard.decode()

    def show(self, blob: bytes, algorithm: bytes = b"ssh-ed25519") -> None:
        """Shows a public key, without a signature."""
        asked = NS(self.login.user) + NS(b"ssh-connection") + NS(b"publickey") + b"\0"
        self.packet(MSG_USERAUTH_REQUEST, asked + NS(algorithm) + NS(blob))

    def packet(self, kind: int, payload: bytes) -> None:
        """Sends any packet, whatever Conch would say about it."""
        self.wire.sendPacket(kind, payload)
        self.pump()
