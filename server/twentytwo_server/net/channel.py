"""Connections at work, whatever carries them: lines to the host one by one, its answers back.

A transport opens a `Channel` and tells it what happens to the socket; a channel tells its `Wire`
what to do with it. Output is gathered and written once a burst. A peer that does not read is cut
off with bounded memory, and one bad connection never harms another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from twentytwo_protocol.framing import Flaw
from twentytwo_protocol.words.connection import Bye, Note, Ping_

from ..failpoints import failpoint
from ..session.session import Mode, Session
from .connection import Connection, Rejection
from .limits import AddressBuckets, ConnectionLimits, Full, Limits, Peer, TokenBucket, take_from_all

if TYPE_CHECKING:
    from ..ports import Clock, Link, Timer

LOBBY_UNREAD = 1 << 18
"""Bytes that a peer has not read after which lobby events are left out."""
FAREWELL = 5000
"""Milliseconds that a peer has to read the last lines before it is cut off."""
SLICE = 5
"""Milliseconds after which the lines that a connection still waits for are put off to the next
turn of the loop: the other connections come first."""


class LineHandler(Protocol):
    """What connections need of the host."""

    def attach(self, session: Session, link: Link) -> None:
        """A connection has come."""

    def detach(self, session: Session) -> None:
        """A connection is gone."""

    def line(self, session: Session, line: str | Flaw, done: Callable[[], None]) -> None:
        """A line has come; calls `done` once it is answered."""

    def seated(self, session: Session) -> bool:
        """Whether whoever is there has a seat."""


class Wire(Protocol):
    """What carries the bytes: a TCP or Unix socket, TLS, a WebSocket."""

    def write(self, data: bytes) -> None:
        """Sends bytes; never waits."""

    def close(self) -> None:
        """Closes when all that was written is sent."""

    def abort(self) -> None:
        """Closes at once."""


class Channel:
    """One connection at work. It is the `ports.Link` of its session.

    The transport calls `received`, `paused`, `resumed`, `no_more_input` and, at the end, `lost`.
    """

    def __init__(self, channels: Channels, wire: Wire, peer: Peer) -> None:
        self.peer = peer
        self._channels = channels
        self._wire = wire
        self._clock = channels.clock
        self._limits = limits = channels.limits
        self._connection = Connection(limits, self._clock.now)
        self._commands = TokenBucket(limits.burst, limits.rate, self._clock.now)
        self._chat = TokenBucket(limits.chat_burst, limits.chat_rate, self._clock.now)
        self._answering = False
        self._working = False
        self._half_closed = False
        self._leaving = False
        self._gone = False
        self._to_flush = False
        self._pinged = False
        self._pings = 0
        self._farewell: Timer | None = None
        self._when_writable: list[Callable[[], None]] = []
        self.session = Session(self.send, show_typing=self._show_typing)

    # ----------------------------------------------------------------------- the transport

    def received(self, data: bytes) -> None:
        """Bytes have come: works on the lines in them."""
        self._pinged = False
        if self._leaving or self._gone:
            return
        self._connection.receive(data)
        width = self._connection.take_width()
        if width:
            fits = max(30, min(400, width - 1))
            self.session.display = self.session.display.with_("width", str(fits))
        self._work()
        self._check_rejected()
        self._to_be_written()

    def paused(self) -> None:
        """The peer does not read fast enough."""
        self._connection.pause()

    def resumed(self) -> None:
        """The peer has read everything."""
        self._connection.resume()
        self._go_on()

    def no_more_input(self) -> None:
        """The peer says no more, but may still read: finishes what it asked."""
        self._half_closed = True
        self._work()

    def lost(self) -> None:
        """The connection is gone, however it came to that."""
        self._gone = True
        if self._farewell is not None and self._farewell.active():
            self._farewell.cancel()
        self._when_writable.clear()
        self._channels.closed(self)

    # ------------------------------------------------------------------------------- lines

    def _work(self) -> None:
        """Answers some lines, one after the other; the rest in the next turn of the loop."""
        if self._working:
            return
        self._working = True
        began = self._clock.now()
        for _ in range(self._limits.lines_a_turn):
            if not self._answer_next():
                self._working = False
                break
            if self._clock.now() - began >= SLICE:
                self._clock.later(0, self._work_on)
                break
        else:
            self._clock.later(0, self._work_on)
        self._check_rejected()
        if self._half_closed and not self._connection.waiting and not self._answering:
            self.hang_up()
        self._to_be_written()  # also what telnet was answered

    def _answer_next(self) -> bool:
        """Gives the host the next line, if there is one and it may be answered now.

        It may not while the peer does not read the answers to those before.
        """
        if self._answering or self._gone or self.session.closing or not self._connection.writable:
            return False
        line = self._connection.next_line()
        if line is None:
            return False
        self._answering = True
        if isinstance(line, str):
            self._trace("<", self.session.loggable(line))
        failpoint("line read")
        self._channels.handler.line(self.session, line, self._answered)
        if self.session.mode is not Mode.UNDECIDED:
            self._connection.decide(people=self.session.mode is Mode.PEOPLE)
        return True

    def _work_on(self) -> None:
        self._working = False
        self._work()

    def _answered(self) -> None:
        self._answering = False
        if not self._working and (self._connection.waiting or self._half_closed):
            self._working = True
            self._clock.later(0, self._work_on)

    def _check_rejected(self) -> None:
        match self._connection.rejected:
            case None:
                pass
            case Rejection.TLS:
                self.abort()
            case Rejection.HTTP:
                self.hang_up()
            case flood:
                self._say_bye("FLOOD", flood.value)

    # ------------------------------------------------------------------------------ output

    def send(self, lines: Sequence[str]) -> None:
        """Takes whole lines to write; they go out together at the end of this turn."""
        if self._gone or self._leaving:
            return
        if self._channels.trace is not None:
            for line in lines:
                self._trace(">", line)
        self._connection.send(lines)
        self._to_be_written()

    def flush(self) -> None:
        """Writes what has gathered."""
        self._to_flush = False
        if self._gone:
            return
        data = self._connection.data_to_send()
        if data:
            failpoint("to be written")
            self._wire.write(data)
            failpoint("written")
        self._check_unread()
        self._go_on()

    def withheld(self, size: int) -> None:
        """So many bytes wait until the peer has been sent what it asked for."""
        self._connection.owe(size)
        self._to_be_flushed()

    @property
    def writable(self) -> bool:
        """True if the peer reads: more of what it asked for may be sent."""
        return self._connection.writable

    def when_writable(self, call: Callable[[], None]) -> None:
        """Calls once more may be sent; never if the peer does not read, or is gone."""
        self._when_writable.append(call)

    def _go_on(self) -> None:
        """What has waited for the peer to read goes on, if it has."""
        if self._connection.writable and not (self._gone or self._leaving):
            waiting, self._when_writable = self._when_writable, []
            for call in waiting:
                call()
            if self._connection.waiting or self._half_closed:
                self._work()

    def _show_typing(self, seen: bool) -> None:
        self._connection.echo(seen)
        self._to_be_written()

    def _to_be_written(self) -> None:
        if self._connection.to_send:
            self._to_be_flushed()

    def _to_be_flushed(self) -> None:
        if not (self._to_flush or self._gone):
            self._to_flush = True
            self._channels.to_flush(self)

    def _trace(self, way: str, line: str) -> None:
        if self._channels.trace is not None:
            who = self.session.name or f"connection {id(self) & 0xFFFF:04x}"
            self._channels.trace(f"{who} {way} {line}")

    def _check_unread(self) -> None:
        if self._connection.unread > self._limits.unread:
            self.abort()
        elif self._connection.unread > LOBBY_UNREAD and self.session.lobby:
            self.session.lobby = False
            self.session.notice(Note("LOBBY_PAUSED", "Too much at once; follow lobby again later."))

    # ---------------------------------------------------------------------------- the host

    @property
    def address(self) -> str:
        """Where it comes from: an IP address, or `unix`."""
        return self.peer.address

    @property
    def private(self) -> bool:
        """True if nobody on the path can read this connection: TLS, a Unix socket or loopback."""
        return self.peer.private

    def rate_wait(self, chat: bool) -> int:
        """0 if the connection may give one more command now, else the milliseconds to wait.

        Talk also counts for the address it comes from: a new connection changes nothing. On this
        machine many may come through one tunnel. What one limit refuses counts for none.
        """
        if not chat:
            return self._commands.take()
        if self.peer.local:
            return take_from_all(self._commands, self._chat)
        return take_from_all(self._commands, self._chat, self._channels.chats.of(self.address))

    # ----------------------------------------------------------------------------- endings

    def hang_up(self) -> None:
        """Closes after what was written; a peer that does not read gets five seconds."""
        if self._gone or self._leaving:
            return
        self._leaving = True
        self.flush()
        self._when_writable.clear()
        self._farewell = self._clock.later(FAREWELL, self.abort)
        self._wire.close()

    def abort(self) -> None:
        """Cuts the peer off at once."""
        if not self._gone:
            self._gone = True
            self._connection.discard()
            self._wire.abort()

    def _say_bye(self, code: str, text: str) -> None:
        self.session.closing = True
        self.session.notice(Bye(code, True, text))
        self.hang_up()

    def shut_down(self) -> None:
        """The server stops."""
        self._say_bye("SHUTDOWN", "The server stops. Come back soon.")

    def look_after(self) -> None:
        """Called every second: who says nothing at all is asked, and in the end let go."""
        if self._gone or self.session.closing:
            return
        now = self._clock.now()
        silent = now - self._connection.heard
        match self.session.mode:
            case Mode.UNDECIDED:
                if now - self._connection.opened > self._limits.first_line:
                    self.session.comment("Nothing said, nothing gained. Goodbye.")
                    self.hang_up()
                return
            case Mode.PROGRAM:
                self._look_after_program(silent)
            case Mode.PEOPLE:
                if silent > self._limits.idle and not self._channels.handler.seated(self.session):
                    self._say_bye("IDLE", "You have been quiet for long. Goodbye.")
        if self._connection.unfinished_for > self._limits.unfinished_line:
            self._say_bye("IDLE", "The end of your line did not come. Goodbye.")

    def _look_after_program(self, silent: int) -> None:
        if silent > self._limits.gone_after:
            self._say_bye("IDLE", "No answer to PING.")
        elif silent > self._limits.ping_after and not self._pinged:
            self._pinged = True
            self._pings += 1
            self.session.notice(Ping_(self._pings))


class Channels:
    """All connections of a server: counts them by address, looks after them every second.

    `trace`, where it is given, is told every line that is exchanged, but for passwords: for
    development only, since the lines hold cards and tokens.
    """

    def __init__(
        self,
        handler: LineHandler,
        clock: Clock,
        limits: Limits,
        greeting: str,
        trace: Callable[[str], None] | None = None,
    ) -> None:
        self.trace = trace
        self.handler = handler
        self.clock = clock
        self.limits = limits
        self.greeting = greeting
        self.all: dict[Channel, None] = {}
        self.chats = AddressBuckets(limits.address_chat_burst, limits.address_chat_rate, clock.now)
        self._counted = ConnectionLimits(limits.each_address, limits.connections)
        self._unflushed: list[Channel] = []
        self._sweep = clock.later(1000, self._look_after)

    def admit(self, address: str) -> Full | None:
        """Counts a connection that is to be opened; or says why it is turned away."""
        return self._counted.enter(address)

    def open(self, wire: Wire, peer: Peer) -> Channel:
        """The channel of a connection that was admitted; it is greeted in one line."""
        channel = Channel(self, wire, peer)
        self.all[channel] = None
        self.handler.attach(channel.session, channel)
        channel.session.comment(self.greeting)
        return channel

    def closed(self, channel: Channel) -> None:
        """The connection is gone."""
        if channel in self.all:
            del self.all[channel]
            self._counted.leave(channel.address)
            self.handler.detach(channel.session)

    def to_flush(self, channel: Channel) -> None:
        """The channel has something to write: at the end of this turn of the loop."""
        if not self._unflushed:
            self.clock.later(0, self._flush)
        self._unflushed.append(channel)

    def _flush(self) -> None:
        waiting, self._unflushed = self._unflushed, []
        for channel in waiting:
            channel.flush()

    def _look_after(self) -> None:
        for channel in list(self.all):
            channel.look_after()
        self._sweep = self.clock.later(1000, self._look_after)

    def stop(self) -> None:
        """Says goodbye to everybody, and looks after nobody any more."""
        if self._sweep.active():
            self._sweep.cancel()
        for channel in list(self.all):
            channel.shut_down()
