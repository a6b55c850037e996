"""The only Twisted protocol: bytes to lines, lines to the host, replies and events to bytes.

Input is never gated on output. Output is gathered and written once a burst. A peer that does
not read is cut off with bounded memory, and one bad connection never harms another.
"""

from __future__ import annotations

import re
import socket
from collections import deque
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Protocol

from twisted.internet.interfaces import IHalfCloseableProtocol, IPushProducer, ISSLTransport
from twisted.internet.protocol import Factory
from twisted.internet.protocol import Protocol as TwistedProtocol
from zope.interface import implementer

from twentytwo_protocol.framing import MAX_CLIENT_LINE, Flaw, LineBuffer
from twentytwo_protocol.words.connection import Bye, Note, Ping_

from .accounts.throttles import place_of
from .failpoints import failpoint
from .limits import Bucket, Doors, Limits, Places
from .session.session import Mode, Session
from .telnet import TelnetFilter

if TYPE_CHECKING:
    from twisted.internet.interfaces import IAddress
    from twisted.python.failure import Failure

    from .ports import Clock, Link, Timer

HTTP = re.compile(rb"(GET|HEAD|POST|PUT|DELETE|OPTIONS|CONNECT|PATCH|TRACE) ")
TLS_HELLO = 0x16
SEND_BUFFER = 1 << 16
LOBBY_UNSENT = 1 << 18
"""Unsent bytes after which lobby events are left out."""
FAREWELL = 5000
"""Milliseconds that a peer has to read the last lines before it is cut off."""


class Desk(Protocol):
    """What a connection needs of the host."""

    def attach(self, session: Session, link: Link) -> None:
        """A connection has come."""

    def detach(self, session: Session) -> None:
        """A connection is gone."""

    def line(self, session: Session, line: str | Flaw, done: Callable[[], None]) -> None:
        """A line has come; `done` once it is answered."""

    def seated(self, session: Session) -> bool:
        """Whether whoever is there has a seat."""


class Outbox:
    """Connections with something to write, all written together at the end of the turn."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waiting: list[Connection] = []

    def add(self, connection: Connection) -> None:
        """The connection has its first line of this burst."""
        if not self._waiting:
            self._clock.later(0, self.flush)
        self._waiting.append(connection)

    def flush(self) -> None:
        """Writes everything."""
        waiting, self._waiting = self._waiting, []
        for connection in waiting:
            connection.flush()


@implementer(IHalfCloseableProtocol, IPushProducer)
class Connection(TwistedProtocol):
    """One peer: framing, telnet, limits, and the life of the socket."""

    def __init__(self, factory: Connections, address: str) -> None:
        self.factory: Connections = factory
        self.address = address
        self._clock = factory.clock
        self._limits = factory.limits
        self._lines = LineBuffer(MAX_CLIENT_LINE)
        self._telnet = TelnetFilter()
        self._queue: deque[str | Flaw] = deque()
        self._out: list[str] = []
        self._unsent = 0
        self._paused = False
        self._answering = False
        self._working = False
        self._half_closed = False
        self._leaving = False
        self._gone = False
        self._first = b""
        self._opened = self._heard = self._clock.now()
        self._pinged = False
        self._pings = 0
        self._farewell: Timer | None = None
        self._flaws: deque[int] = deque(maxlen=factory.limits.too_long)
        self._commands = Bucket(self._limits.burst, self._limits.rate, self._clock.now)
        self._chat = Bucket(self._limits.chat_burst, self._limits.chat_rate, self._clock.now)
        self.session = Session(self.send, show_typing=self._show_typing)

    # ----------------------------------------------------------------------- the socket

    def connectionMade(self) -> None:
        """Greets in one line, and waits."""
        transport: Any = self.transport
        if hasattr(transport, "setTcpNoDelay") and self.address != "unix":
            transport.setTcpNoDelay(True)
            transport.setTcpKeepAlive(True)
            handle = transport.getHandle()
            handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        transport.registerProducer(self, True)
        self.factory.opened(self)
        self.session.comment(self.factory.greeting)

    def dataReceived(self, data: bytes) -> None:
        """Cuts what has come into lines and works on them."""
        self._heard, self._pinged = self._clock.now(), False
        if self._leaving:
            return
        while data and self.session.mode is Mode.UNDECIDED and not self._gone:
            # Up to the first line end nobody knows yet whether telnet is spoken here.
            head, end, data = data.partition(b"\n")
            if self._not_for_us(head + end):
                return
            self._feed(self._without_telnet(head + end))
        if data and not self._gone:
            people = self.session.mode is Mode.PEOPLE
            self._feed(self._without_telnet(data) if people else data)

    def _show_typing(self, seen: bool) -> None:
        answer = self._telnet.echo(seen)
        if answer and not self._gone:
            self._write(answer)

    @property
    def local(self) -> bool:
        """Whether nobody on the way can read along: it comes from this machine, or by TLS."""
        if self.address == "unix" or ISSLTransport.providedBy(self.transport):
            return True
        try:
            found = ip_address(self.address)
        except ValueError:
            return False
        mapped = getattr(found, "ipv4_mapped", None)
        return (mapped or found).is_loopback

    def _not_for_us(self, data: bytes) -> bool:
        self._first = (self._first + data)[:16]
        if self._first[:1] == bytes([TLS_HELLO]):
            self.abort()
        elif HTTP.match(self._first):
            self._write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
            self.hang_up()
        else:
            return False
        return True

    def _without_telnet(self, data: bytes) -> bytes:
        text, answer = self._telnet.feed(data)
        if answer:
            self._write(answer)
        if self._telnet.width:
            width = max(30, min(400, self._telnet.width - 1))
            self.session.display = self.session.display.with_("width", str(width))
            self._telnet.width = None
        return text

    def _feed(self, data: bytes) -> None:
        self._queue.extend(self._lines.feed(data))
        if len(self._queue) > self._limits.waiting:
            self._say_bye("FLOOD", "Too many lines at once.", resume=True)
            return
        self._work()

    def _work(self) -> None:
        """Answers some lines, one after the other; the rest in the reactor's next turn."""
        if self._working:
            return
        self._working = True
        for _ in range(self._limits.lines_a_turn):
            if self._answering or self._gone or self.session.closing or not self._queue:
                self._working = False
                break
            line = self._queue.popleft()
            if line is Flaw.TOO_LONG and self._flooded():
                return
            self._answering = True
            if isinstance(line, str):
                self._trace("<", self.session.loggable(line))
            failpoint("line read")
            self.factory.desk.line(self.session, line, self._answered)
        else:
            self._clock.later(0, self._work_on)
        if self._half_closed and not self._queue and not self._answering:
            self.hang_up()

    def _work_on(self) -> None:
        self._working = False
        self._work()

    def _answered(self) -> None:
        self._answering = False
        if not self._working and (self._queue or self._half_closed):
            self._working = True
            self._clock.later(0, self._work_on)

    def _flooded(self) -> bool:
        now = self._clock.now()
        self._flaws.append(now)
        if len(self._flaws) == self._limits.too_long and now - self._flaws[0] < 60_000:
            self._say_bye("FLOOD", "Too many lines that are too long.", resume=True)
            return True
        return False

    def readConnectionLost(self) -> None:
        """The peer says no more, but may still read: finish what it asked."""
        self._half_closed = True
        self._work()

    def writeConnectionLost(self) -> None:
        """The peer reads no more."""
        self.abort()

    def connectionLost(self, reason: Failure | None = None) -> None:
        """The socket is gone, however it came to that."""
        self._gone = True
        if self._farewell is not None and self._farewell.active():
            self._farewell.cancel()
        self.factory.closed(self)

    # ---------------------------------------------------------------------------- output

    def send(self, lines: Sequence[str]) -> None:
        """Takes whole lines to write; they go out together at the end of this turn."""
        if self._gone or self._leaving:
            return
        if not self._out:
            self.factory.outbox.add(self)
        self._out += lines

    def flush(self) -> None:
        """Writes what has gathered."""
        if self._gone or not self._out:
            return
        data = ("\r\n".join(self._out) + "\r\n").encode("utf-8", "replace")
        for line in self._out if self.factory.trace else ():
            self._trace(">", line)
        self._out.clear()
        failpoint("to be written")
        self._write(data)
        failpoint("written")

    def _trace(self, way: str, line: str) -> None:
        if self.factory.trace is not None:
            who = self.session.name or f"connection {id(self) & 0xFFFF:04x}"
            self.factory.trace(f"{who} {way} {line}")

    def _write(self, data: bytes) -> None:
        transport: Any = self.transport
        transport.write(data)
        if self._paused:
            self._unsent += len(data)
            self._check_unsent()

    def _check_unsent(self) -> None:
        if self._unsent > self._limits.unsent:
            self.abort()
        elif self._unsent > LOBBY_UNSENT and self.session.lobby:
            self.session.lobby = False
            self.session.notice(Note("LOBBY_PAUSED", "Too much at once; follow lobby again later."))

    def pauseProducing(self) -> None:
        """The peer does not read fast enough; from now on what is unsent is counted."""
        self._paused = True

    def resumeProducing(self) -> None:
        """The peer has read everything."""
        self._paused = False
        self._unsent = 0

    def stopProducing(self) -> None:
        """The transport is done with."""

    # --------------------------------------------------------------------------- endings

    def toll(self, chat: bool) -> int:
        """0 if the connection may give one more command now, else the wait in ms."""
        wait = self._commands.take()
        return wait or (self._toll_talk() if chat else 0)

    def _toll_talk(self) -> int:
        """What is said also counts for the place it comes from: a new connection changes nothing.

        On this machine many may come through one tunnel.
        """
        wait = 0 if self.local else self.factory.chats.of(place_of(self.address)).take()
        return wait or self._chat.take()

    def hang_up(self) -> None:
        """Closes after what was written; a peer that does not read gets five seconds."""
        if self._gone or self._leaving:
            return
        self.flush()
        self._leaving = True
        self._farewell = self._clock.later(FAREWELL, self.abort)
        transport: Any = self.transport
        transport.unregisterProducer()
        transport.loseConnection()

    def abort(self) -> None:
        """Cuts the peer off at once."""
        if not self._gone:
            self._gone = True
            self._out.clear()
            transport: Any = self.transport
            transport.abortConnection()

    def _say_bye(self, code: str, text: str, *, resume: bool) -> None:
        self._queue.clear()
        self.session.closing = True
        self.session.notice(Bye(code, resume, text))
        self.hang_up()

    def shut_down(self) -> None:
        """The server stops."""
        self._say_bye("SHUTDOWN", "The server stops. Come back soon.", resume=True)

    def look_after(self) -> None:
        """Called every second: who says nothing at all is asked, and in the end let go."""
        if self._gone or self.session.closing:
            return
        silent = self._clock.now() - self._heard
        match self.session.mode:
            case Mode.UNDECIDED:
                if self._clock.now() - self._opened > self._limits.first_line:
                    self.session.comment("Nothing said, nothing gained. Goodbye.")
                    self.hang_up()
            case Mode.PROGRAM:
                self._look_after_program(silent)
            case Mode.PEOPLE:
                if silent > self._limits.idle and not self.factory.desk.seated(self.session):
                    self._say_bye("IDLE", "You have been quiet for long. Goodbye.", resume=True)

    def _look_after_program(self, silent: int) -> None:
        if silent > self._limits.gone_after:
            self._say_bye("IDLE", "No answer to PING.", resume=True)
        elif silent > self._limits.ping_after and not self._pinged:
            self._pinged = True
            self._pings += 1
            self.session.notice(Ping_(self._pings))


class Connections(Factory):
    """Makes connections, counts them by address, looks after them every second.

    `trace`, where it is given, is told every line that is exchanged: for development only,
    since the lines hold cards and tokens.
    """

    noisy = False

    def __init__(
        self,
        desk: Desk,
        clock: Clock,
        limits: Limits,
        greeting: str,
        trace: Callable[[str], None] | None = None,
    ) -> None:
        self.trace = trace
        self.desk = desk
        self.clock = clock
        self.limits = limits
        self.greeting = greeting
        self.outbox = Outbox(clock)
        self.all: dict[Connection, None] = {}
        self.chats = Places(limits.place_chat_burst, limits.place_chat_rate, clock.now)
        self._doors = Doors(limits.each_place, limits.connections)
        self._sweep = clock.later(1000, self._look_after)

    # Twisted's own types do not say that None is an answer: it hangs up then.
    def buildProtocol(self, addr: IAddress | None) -> Connection | None:  # type: ignore[override]
        """A connection, unless the address has too many."""
        address = str(getattr(addr, "host", "unix"))
        if not self._doors.enter(place_of(address)):
            return None
        return Connection(self, address)

    def opened(self, connection: Connection) -> None:
        """The connection is up."""
        self.all[connection] = None
        self.desk.attach(connection.session, connection)

    def closed(self, connection: Connection) -> None:
        """The connection is gone."""
        if connection in self.all:
            del self.all[connection]
            self._doors.leave(place_of(connection.address))
            self.desk.detach(connection.session)

    def _look_after(self) -> None:
        for connection in list(self.all):
            connection.look_after()
        self._sweep = self.clock.later(1000, self._look_after)

    def stop(self) -> None:
        """Says goodbye to everybody, and looks after nobody any more."""
        if self._sweep.active():
            self._sweep.cancel()
        for connection in list(self.all):
            connection.shut_down()
