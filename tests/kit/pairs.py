"""Connections over fake transports, which record everything sent to the peers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.address import IPv4Address, UNIXAddress
from twisted.internet.protocol import Protocol
from twisted.internet.testing import StringTransportWithDisconnection

from tests.kit.clock import HandClock
from tests.kit.hosts import World
from twentytwo_protocol.framing import Flaw
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.channel import Channel, Channels, Reception
from twentytwo_server.net.transport import Listener, SocketTransport
from twentytwo_server.ports import Link
from twentytwo_server.session.recipient import Mode
from twentytwo_server.session.session import Session

GREETING = "cardline/1 test  People: type a name, or help.  Programs: hello 1"


class Transport(StringTransportWithDisconnection):
    """A transport that records each write; a slow reader delays the end of `loseConnection`.

    With a `window` the peer counts as slow when this number of bytes waits for it, as with a
    socket.
    """

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.slow = self.aborting = self.full = False
        self.window: int | None = None
        self.waits = 0
        super().__init__()  # type: ignore[no-untyped-call]

    def write(self, data: bytes) -> None:
        self.writes.append(data)
        super().write(data)  # type: ignore[no-untyped-call]
        self.waits += len(data)
        producer: Any = self.producer
        if self.window is not None and self.waits > self.window and producer is not None:
            self.full = True
            producer.pauseProducing()

    def clear(self) -> None:
        self.waits = 0
        super().clear()  # type: ignore[no-untyped-call]
        producer: Any = self.producer
        if self.full and producer is not None:
            self.full = False
            producer.resumeProducing()

    def loseConnection(self) -> None:
        self.disconnecting = True
        if not self.slow:
            super().loseConnection()  # type: ignore[no-untyped-call]

    def abortConnection(self) -> None:
        self.aborting = True
        super().loseConnection()  # type: ignore[no-untyped-call]


class Echo:
    """A line handler that records its lines, and answers them when the test tells it to."""

    def __init__(self) -> None:
        self.lines: list[str | Flaw] = []
        self.waiting: list[Callable[[], None]] = []
        self.late = False
        self.sits = False
        self.gone: list[Session] = []
        self.seconds: list[Session] = []

    def attach(self, session: Session, link: Link) -> None:
        """Does nothing."""

    def detach(self, session: Session) -> None:
        self.gone.append(session)

    def line(self, session: Session, line: str | Flaw, done: Callable[[], None]) -> None:
        if session.mode is Mode.UNDECIDED and line != "":
            program = isinstance(line, str) and line.startswith("hello 1")
            session.mode = Mode.PROGRAM if program else Mode.PEOPLE
        self.lines.append(line)
        if self.late:
            self.waiting.append(done)
        else:
            done()

    def each_second(self, session: Session) -> None:
        self.seconds.append(session)

    def seated(self, session: Session) -> bool:
        return self.sits


class Line:
    """A peer's end of a connection; over `tls` the handshake is done."""

    def __init__(self, clock: HandClock, protocol: Protocol | None, *, tls: bool = False) -> None:
        assert protocol is not None, "closed without a word"
        self.clock = clock
        self.protocol = protocol
        self.transport: Any = Transport()
        self.transport.protocol = protocol
        protocol.makeConnection(self.transport)
        if tls and isinstance(protocol, SocketTransport):
            protocol.handshakeCompleted()

    @property
    def channel(self) -> Channel:
        assert isinstance(self.protocol, SocketTransport)
        assert self.protocol.channel is not None
        return self.protocol.channel

    @property
    def session(self) -> Session:
        return self.channel.session

    def send(self, data: str | bytes, *, chunk: int = 0, settle: bool = True) -> None:
        """Sends bytes from the peer, optionally in chunks."""
        data = data.encode() if isinstance(data, str) else data
        size = chunk or len(data) or 1
        for start in range(0, len(data), size):
            if self.connected:
                self.protocol.dataReceived(data[start : start + size])
        if settle:
            self.clock.settle()

    def read(self) -> str:
        """The output to the peer since the last call."""
        data: bytes = self.transport.value()
        self.transport.clear()
        return data.decode()

    def lines(self) -> list[str]:
        """The same as lines; checks that each is terminated."""
        text = self.read()
        assert text == "" or text.endswith("\r\n")
        return text.split("\r\n")[:-1]

    @property
    def connected(self) -> bool:
        return bool(self.transport.connected)

    def lose(self) -> None:
        """Breaks the connection."""
        StringTransportWithDisconnection.loseConnection(self.transport)


class Doors:
    """A server's listeners over a fake clock; their line handler is an `Echo` or a whole host."""

    def __init__(
        self,
        handler: Any = None,
        limits: Limits | None = None,
        *,
        encrypted: bool = False,
        speaks: Callable[[], bool] | None = None,
    ) -> None:
        self.world = World() if handler is None else None
        self.clock = self.world.clock if self.world else HandClock()
        self.handler = self.world.commands if self.world else handler
        reception = Reception(limits or Limits(), GREETING, speaks=speaks)
        self.channels = Channels(self.handler, self.clock, reception)
        self.encrypted = encrypted
        self.listener = Listener(self.channels, tls=encrypted)

    def line(self, address: str = "127.0.0.1", *, greeted: bool = True) -> Line:
        """Opens a connection, and checks its greeting."""
        found = self.try_line(address)
        assert found is not None
        self.clock.settle()
        if greeted:
            assert found.lines() == [f"# {GREETING}"]
        return found

    def try_line(self, address: str) -> Line | None:
        """Opens a connection; returns None if it is refused."""
        line = self.knock(address)
        return line if isinstance(line.protocol, SocketTransport) else None

    def knock(self, address: str) -> Line:
        """Opens a connection, which may be refused."""
        where = IPv4Address("TCP", address, 4) if address else UNIXAddress(b"/tmp/socket")
        return Line(self.clock, self.listener.buildProtocol(where), tls=self.encrypted)

    def program(self, name: str = "") -> Line:
        line = self.line()
        line.send("hello 1 client=t\n" + (f"guest {name}\n" if name else ""))
        line.read()
        return line

    def person(self, name: str = "ann") -> Line:
        line = self.line()
        line.send(f"{name}\n")
        line.read()
        return line

    def advance(self, ms: int) -> None:
        self.clock.advance(ms)
