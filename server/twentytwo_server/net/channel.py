"""One `Channel` for each open connection: it passes lines to the host and writes the answers.

A transport opens a channel and reports socket events to it; the channel writes and closes through
the transport's `Transport` interface. Lines are answered one at a time, in order. Output is
gathered and written once for each turn of the event loop. A peer that does not read is cut off
before it can fill the memory, and no connection can hold up the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from twentytwo_protocol.framing import Flaw
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.connection import Bye, Note, Ping_

from .. import failpoints
from ..failpoints import failpoint
from ..limits.addresses import Addresses
from ..limits.connections import Limits
from ..limits.gcra import Price, take_from_all
from ..limits.network import is_local, network_of
from ..metrics import Metrics
from ..scheduler import SLICE, Scheduler
from ..session.display import DisplaySettings
from ..session.recipient import Mode
from ..session.session import Session
from .line_reader import LineReader, Rejection

if TYPE_CHECKING:
    from ..ports import Clock, Link, Timer

log = logging.getLogger("twentytwo.net")

HIGH_WATER = 1 << 16
"""Unwritten bytes above which no further line is answered until they are written."""
LOBBY_UNREAD = 1 << 18
"""Unread bytes above which a connection gets no more events of the lobby's streams."""
COME_IN = 10_000
"""Milliseconds in which a connection has to identify itself when the server is nearly full."""
SILENCE = 100
"""Milliseconds between two looks whether a silent server may speak again."""
BACK_SOON = 1000
"""Minimum retry delay in milliseconds when the server stops."""
BACK_APART = 5
"""Difference between the retry delays of two connections in milliseconds, so that 200 reconnect
each second.
"""
BACK_CALMLY = 5000
"""Retry delay in milliseconds after a flood, or after a client did not read."""
FAREWELL = 5000
"""Milliseconds in which a peer can read the last lines before the connection is aborted."""


class Stop(Value):
    """The reason why the server stops: the code and text of BYE.

    The retry delays of connections differ by up to `within` ms. `to` are the addresses where to
    come back, if they are others: they share the connections.
    """

    code: str
    text: str
    within: int = 60_000
    to: tuple[str, ...] = ()


SHUTDOWN = Stop("SHUTDOWN", "The server stops. Come back soon.")
RESTART = Stop("RESTART", "The server restarts. Come back in a moment.")


def moved(to: tuple[str, ...]) -> Stop:
    """The stop of a server from which others take over; `to` are their addresses, if known."""
    return Stop("MOVED", "Another server goes on. Come back in a moment.", 4_000, to)


@dataclass(frozen=True, slots=True)
class Peer:
    """The origin of a connection, as its listener saw it.

    `address` is an IP address, or `unix`. `private` is True if nobody on the path can read this
    connection: TLS, a Unix socket or loopback. `telnet` is False if the other end is no terminal,
    as over WebSocket: then there is no telnet in either direction.
    """

    address: str
    private: bool
    telnet: bool = True

    @property
    def local(self) -> bool:
        """True if the peer is on this machine."""
        return is_local(self.address)


class LineHandler(Protocol):
    """The interface of the host for connections."""

    def attach(self, session: Session, link: Link) -> None:
        """Called when a connection opens and has its greeting, before any other method."""

    def detach(self, session: Session) -> None:
        """Called once when a connection is closed for any reason."""

    def line(self, session: Session, line: str | Flaw, done: Callable[[], None]) -> None:
        """Answers a line, or the flaw that made it unreadable; calls `done` when it is answered.

        No other line of this session is passed on until `done` is called.
        """

    def seated(self, session: Session) -> bool:
        """True if the user of this session has a seat at a table."""

    def each_second(self, session: Session) -> None:
        """Called every second for a person's connection."""


class Transport(Protocol):
    """The output side of a transport: a TCP or Unix socket, TLS, a WebSocket."""

    def write(self, data: bytes) -> None:
        """Sends bytes; returns at once and buffers what the peer has not read."""

    def close(self) -> None:
        """Closes the connection after everything that was written has been sent."""

    def abort(self) -> None:
        """Closes the connection at once; unsent bytes are lost."""


class Channel:
    """One open connection; the `ports.Link` of its session.

    The transport calls `received`, `paused`, `resumed` and `no_more_input` as things happen, and
    `lost` once at the end, after `close` and `abort` too.

    At most one line is being answered at a time (`_answering`). `_working` is True while `_work`
    runs or is scheduled, so that it never runs twice. `_out` are the lines to write, of `_gathered`
    bytes. `_paused`: the peer does not read; `unread` is the number of bytes sent to it since, 0
    while it reads. `_stalled`: lines wait until the peer has read more. `_leaving`: the last line
    is sent and the socket is closing, nothing more is read or written. `_gone`: the socket is
    closed.
    """

    def __init__(self, channels: Channels, transport: Transport, peer: Peer) -> None:
        self.peer = peer
        self.network = network_of(peer.address)
        self._local = peer.local
        self._channels = channels
        self._transport = transport
        self._clock = channels.clock
        self._limits = limits = channels.addresses.limits
        self._input = LineReader(limits, self._clock.now, self._answer_peer, telnet=peer.telnet)
        self.share = channels.addresses.share(peer.address)
        self._number = channels.metrics.opened
        self._commands = channels.addresses.commands
        self._talk = channels.addresses.talk
        self._answering = False
        self._working = False
        self._half_closed = False
        self._stays_seated = False
        self._stalled = False
        self._leaving = False
        self._gone = False
        self._out: list[bytes] = []
        self._gathered = 0
        self._to_flush = False
        self._paused = False
        self.unread = 0
        self._pinged = False
        self._pings = 0
        self._farewell: Timer | None = None
        self._when_writable: list[Callable[[], None]] = []
        send = self.send if channels.trace is None else self._send_traced
        self.session = Session(send, show_typing=self._show_typing)

    # ----------------------------------------------------------------------- the transport

    def received(self, data: bytes) -> None:
        """Takes bytes from the peer, cut anywhere, and answers the lines that are complete."""
        self._pinged = False
        if self._leaving or self._gone:
            return
        self._input.receive(data)
        if self._input.speaks_telnet and (width := self._input.take_width()):
            self.resized(width)
        if not self._working:  # else it is running, further up the stack, or scheduled
            self._work()
        if self._input.rejected is not None:
            self._check_rejected()

    def resized(self, width: int) -> None:
        """Called when the peer's terminal has that many columns."""
        fits = max(30, min(400, width - 1))
        self.session.display = self.session.display.with_("width", str(fits))

    def paused(self) -> None:
        """Called when the send buffer is full: the peer does not read fast enough.

        From here on its lines wait, and what is sent is counted as unread.
        """
        self._paused = True

    def resumed(self) -> None:
        """Called when the peer has read everything; its waiting lines are answered now."""
        self._input.heard = self._clock.now()
        self._paused = False
        self.unread = 0
        self._go_on()

    def no_more_input(self, *, unless_seated: bool = False) -> None:
        """Called when the peer has closed its sending half, as `printf ... | nc` does.

        It may still read: the lines that have come are answered before the connection is closed.
        `unless_seated`: it stays open if they have given the person a seat.
        """
        self._half_closed = True
        self._stays_seated = unless_seated
        if not self._working:
            self._work()

    def lost(self) -> None:
        """Called once when the socket is closed, whoever closed it; nothing is sent any more."""
        self._gone = True
        if self._farewell is not None and self._farewell.active():
            self._farewell.cancel()
        self._when_writable.clear()
        self._channels.closed(self)
        # Breaking these cycles frees the connection at once, without the garbage collector.
        self._input.answer = self.session.send = _to_nobody
        self.session.show_typing = _to_nobody

    # ------------------------------------------------------------------------------- lines

    def _work(self) -> None:
        """Answers waiting lines in the address's next turn."""
        self._working = True
        self._channels.scheduler.soon(self.network, self._work_now)

    def _work_later(self) -> None:
        self._channels.scheduler.later(self.network, self._work_now)

    def _work_now(self) -> None:
        """Answers waiting lines, up to `lines_a_turn` or `SLICE` ms; the rest in the next turn.

        A flood of lines is worked off in small pieces, between which other addresses are served.
        """
        began = self._clock.now()
        for _ in range(self._limits.lines_a_turn):
            if not self._answer_next() or not (self._input.lines or self._input.undecided):
                self._working = False
                break
            if self._clock.now() - began >= SLICE:
                self._work_later()
                break
        else:
            self._work_later()
        if self._input.rejected is not None:
            self._check_rejected()
        if self._half_closed and not self._input.waiting and not self._answering:
            if self._stays_seated and self._channels.handler.seated(self.session):
                self._half_closed = False
            else:
                self.hang_up()

    def _answer_next(self) -> bool:
        """Passes the next line to the host and returns True; returns False if no line can be
        answered now.

        Lines wait while an earlier one is being answered, and while the peer does not read the
        answers: otherwise a peer that only sends could make the server store any number of them.
        """
        if self._answering or self._gone or self.session.closing or not self._channels.reading:
            return False
        if self._paused or self._gathered >= HIGH_WATER:
            self._stalled = True
            return False
        if self._channels.speaks is not None and self._channels.silent():
            return False
        line = self._input.next_line()
        if line is None:
            return False
        self._answering = True
        if self._channels.trace is not None and isinstance(line, str):
            self._trace("<", self.session.loggable(line))
        self._channels.metrics.lines += 1
        if failpoints.at is not None:
            failpoint("line read")
        self._channels.handler.line(self.session, line, self._answered)
        if not self._input.decided and self.session.mode is not Mode.UNDECIDED:
            self._input.decide(people=self.session.mode is Mode.PEOPLE)
        return True

    def _answered(self) -> None:
        self._answering = False
        if not self._working:
            self.answer_waiting()

    def _check_rejected(self) -> None:
        if self._gone or self._leaving:
            return
        match self._input.rejected:
            case None:
                pass
            case Rejection.TLS:
                self._channels.addresses.penalize(self.address, self._limits.penalty_silent)
                self.abort()
            case Rejection.HTTP:
                self._channels.addresses.penalize(self.address, self._limits.penalty_silent)
                self.hang_up()
            case flood:
                self._channels.addresses.penalize(self.address, self._limits.penalty_flood)
                self._say_bye("FLOOD", flood.value, wait=BACK_CALMLY)

    def heard(self) -> None:
        """Counts the silence of the peer from now on."""
        self._input.heard = self._clock.now()

    def answer_waiting(self) -> None:
        """Answers the lines that have waited while the server was silent."""
        if not self._working and (self._input.waiting or self._half_closed):
            self._working = True
            self._work_later()

    # ------------------------------------------------------------------------------ output

    def send(self, lines: bytes) -> None:
        """Takes whole lines, with their ends; they are written at the end of this loop turn."""
        # Almost without calls, because this runs for each viewer of each order.
        self._out.append(lines)
        self._gathered += len(lines)
        if not self._to_flush:
            self._to_flush = True
            if not self._channels.to_flush:
                self._channels.flush_soon()
            self._channels.to_flush.append(self)

    def _send_traced(self, lines: bytes) -> None:
        for line in lines.decode().split("\r\n")[:-1]:
            self._trace(">", line)
        self.send(lines)

    def _answer_peer(self, data: bytes) -> None:
        """Writes the answer of telnet, or that to an HTTP client."""
        self._out.append(data)
        self._gathered += len(data)
        self._to_be_flushed()

    def flush(self) -> None:
        """Writes the collected output to the socket; disconnects a peer with too much unread."""
        self._to_flush = False
        if self._gone:
            return
        if self._channels.speaks is not None and self._channels.silent():
            if not self._leaving:
                self._to_be_flushed()
            return
        if self._gathered:
            data = b"".join(self._out)
            self._out.clear()
            self._gathered = 0
            if self._paused:
                self.unread += len(data)
            if failpoints.at is not None:
                failpoint("to be written")
            self._transport.write(data)
            if failpoints.at is not None:
                failpoint("written")
        if self.unread:
            self._check_unread()
        if self._when_writable or self._stalled:
            self._go_on()

    def count_held(self, size: int) -> None:
        """Counts the bytes of events that the session holds back and that are not sent yet.

        They count as unread, so that the limit on unread output also applies to a peer that does
        not read its long answer.
        """
        if self._paused:
            self.unread += size
        self._to_be_flushed()

    @property
    def answering(self) -> bool:
        """True while a line is being answered."""
        return self._answering

    @property
    def ended(self) -> bool:
        """True if nothing is sent any more."""
        return self._leaving or self._gone

    @property
    def label(self) -> str:
        """The name of this connection in the log."""
        return f"connection {id(self) & 0xFFFFFF:06x}"

    @property
    def writable(self) -> bool:
        """True while the peer reads: more lines may be answered, more of a long answer sent."""
        return not self._paused and self._gathered < HIGH_WATER

    def when_writable(self, call: Callable[[], None]) -> None:
        """Calls `call` once, when more may be sent; never if the peer stops reading or is gone."""
        self._when_writable.append(call)

    def _go_on(self) -> None:
        """Continues long answers and waiting lines, if the peer has read enough."""
        if self.writable and not (self._gone or self._leaving):
            self._stalled = False
            waiting, self._when_writable = self._when_writable, []
            for call in waiting:
                call()
            if not self._working and (self._input.waiting or self._half_closed):
                self._work()

    def _show_typing(self, seen: bool) -> None:
        self._input.echo(seen)

    def _to_be_flushed(self) -> None:
        if not (self._to_flush or self._gone):
            self._to_flush = True
            if not self._channels.to_flush:
                self._channels.flush_soon()
            self._channels.to_flush.append(self)

    def _trace(self, way: str, line: str) -> None:
        if self._channels.trace is not None:
            self._channels.trace(f"{self.session.name or self.label} {way} {line}")

    def _check_unread(self) -> None:
        if self._leaving:
            return
        if self.unread > self._limits.unread:
            # Nothing more is written from here on. A slow reader still gets this line.
            self._say_bye("SLOW", "You do not read what is sent to you.", wait=BACK_CALMLY)
        elif self.unread > LOBBY_UNREAD and self.session.follows:
            self.session.pause_following()
            self.session.notice(Note("LOBBY_PAUSED", text="Too much at once; follow again later."))

    # ---------------------------------------------------------------------------- the host

    @property
    def address(self) -> str:
        """The peer's IP address, or `unix`."""
        return self.peer.address

    @property
    def age(self) -> int:
        """Milliseconds since it was opened."""
        return self._clock.now() - self._input.opened

    @property
    def private(self) -> bool:
        """True if nobody on the path can read this connection: TLS, a Unix socket or loopback."""
        return self.peer.private

    @property
    def crowded(self) -> bool:
        """True if only the reserved connections are left, so that guests are refused."""
        return self._channels.crowded

    def rate_wait(self, cost: int, chat: bool) -> int:
        """Counts a command and returns 0; or returns the milliseconds to wait.

        All connections of an address have a second limit together. `chat`: the command is talk,
        which also has a limit for the whole address, so that opening another connection does not
        help. Local addresses have no such limit, since many people may come in through one tunnel.
        A command refused by one limit does not count for the others.
        """
        addresses = self._channels.addresses
        own = self._commands, self._number, cost, 1
        shared = addresses.address_commands, self.network, cost, self.share
        if not chat:
            return take_from_all(self._clock.now(), own, shared)
        talk: list[Price] = [(self._talk, self._number, 1, 1)]
        if not self._local:
            talk.append((addresses.address_talk, self.network, 1, 1))
        return take_from_all(self._clock.now(), own, shared, *talk)

    # ----------------------------------------------------------------------------- endings

    def hang_up(self) -> None:
        """Writes the collected output and closes; aborts after five seconds if it is not read."""
        if self._gone or self._leaving:
            return
        self._leaving = True
        self.session.send = _to_nobody
        self.flush()
        self._when_writable.clear()
        self._farewell = self._clock.later(FAREWELL, self.abort)
        self._transport.close()

    def abort(self) -> None:
        """Closes at once; what was not sent yet is lost. Does nothing if it is closed."""
        if not self._gone:
            self._gone = True
            self.session.send = _to_nobody
            self._out.clear()
            self._gathered = 0
            self._transport.abort()

    def _say_bye(
        self, code: str, text: str, *, wait: int | None = None, to: str | None = None
    ) -> None:
        self._channels.metrics.cut_off[code] += 1
        log.debug("%s: ended, %s", self.label, code)
        self.session.closing = True
        self.session.notice(Bye(code, True, wait, to, text))
        self.hang_up()

    def shut_down(self, stop: Stop, index: int) -> None:
        """Sends BYE because the server stops, and closes.

        `index` counts the connections; it decides the retry delay and the address to come back to.
        """
        to = stop.to[index % len(stop.to)] if stop.to else None
        wait = BACK_SOON + index * BACK_APART % stop.within
        self._say_bye(stop.code, stop.text, wait=wait, to=to)

    def look_after(self) -> None:
        """Called every second: pings silent programs, and disconnects peers silent for too long.

        `Limits` has the times. People are disconnected only if they have no seat.
        """
        if self._gone or self.session.closing:
            return
        now = self._clock.now()
        silent = now - self._input.heard
        match self.session.mode:
            case Mode.UNDECIDED:
                if now - self._input.opened > self._limits.first_line:
                    self._channels.addresses.penalize(self.address, self._limits.penalty_silent)
                    self._say_bye("IDLE", "You sent nothing. Goodbye.")
                return
            case Mode.PROGRAM:
                self._look_after_program(silent)
            case Mode.PEOPLE:
                self._channels.handler.each_second(self.session)
                if silent > self._limits.idle and not self._channels.handler.seated(self.session):
                    self._say_bye("IDLE", "You have been quiet for long. Goodbye.")
        if self._input.unfinished_for > self._limits.unfinished_line:
            self._say_bye("IDLE", "The end of your line did not come. Goodbye.")

        if self.crowded and not self.session.name and now - self._input.opened > COME_IN:
            self._say_bye("IDLE", "The server is nearly full, and you have not said who you are.")

    def _look_after_program(self, silent: int) -> None:
        if silent > self._limits.gone_after:
            self._say_bye("IDLE", "No answer to PING.")
        elif silent > self._limits.ping_after and not self._pinged:
            self._pinged = True
            self._pings += 1
            self.session.notice(Ping_(self._pings))


def _to_nobody(_: object) -> None:
    """The output of a session whose connection is gone."""


class Reception(Value):
    """The settings for new connections: the limits, the greeting, and the banned addresses.

    `speaks`, if given, tells whether this server may speak: no other one can have taken over. It
    never changes.
    """

    limits: Limits
    greeting: str
    is_banned: Callable[[str], bool] = lambda address: False
    speaks: Callable[[], bool] | None = None


class Channels:
    """All open connections of a server: counts them by address, checks them once a second.

    `to_flush` are the channels with output to write. While `reading` is False, no further line is
    answered. `trace`, if given, is called with every line
    in either direction, passwords blanked out. It is for development only: the lines hold cards
    and tokens.
    """

    def __init__(
        self,
        handler: LineHandler,
        clock: Clock,
        reception: Reception,
        trace: Callable[[str], None] | None = None,
        scheduler: Scheduler | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self.trace = trace
        self.scheduler = scheduler or Scheduler(clock)
        self.metrics = metrics or Metrics()
        self.metrics.untold = []
        self.handler = handler
        self.clock = clock
        self.greeting = reception.greeting
        self.all: dict[Channel, None] = {}
        self.speaks = reception.speaks
        self.reading = True
        self._said_bye = 0
        self.addresses = Addresses(
            *(reception.limits, clock.now, self.metrics, reception.is_banned),
            reception.speaks or (lambda: True),
        )
        self._silent = False
        self.to_flush: list[Channel] = []
        self._sweep = clock.later(1000, self._look_after)

    def change(self, reception: Reception) -> None:
        """Changes the reception of new connections; open connections keep theirs.

        The maximum number of connections changes at once, but closes none.
        """
        self.greeting = reception.greeting
        self.addresses.change(reception.limits)
        self.addresses.is_banned = reception.is_banned

    @property
    def crowded(self) -> bool:
        """True if only the connections reserved for people with an account or a seat are left."""
        limits = self.addresses.limits
        reserved = limits.connections * limits.reserve // 100
        return len(self.all) > limits.connections - reserved

    def open(
        self, transport: Transport, peer: Peer, display: DisplaySettings | None = None
    ) -> Channel:
        """Makes the channel of a connection that was admitted, and sends the greeting.

        With the `display` of a terminal it is known that a person is there, and there is no
        greeting.
        """
        self.metrics.opened += 1
        channel = Channel(self, transport, peer)
        self.all[channel] = None
        log.debug("%s: open, from %s", channel.label, peer.address)
        if display is None:
            channel.session.comment(self.greeting)
        else:
            channel.session.mode, channel.session.display = Mode.PEOPLE, display
        self.handler.attach(channel.session, channel)
        return channel

    def closed(self, channel: Channel) -> None:
        """Forgets a channel whose socket is closed, and tells the host. Safe to call twice."""
        if channel in self.all:
            del self.all[channel]
            log.debug("%s: closed", channel.label)
            self.addresses.leave(channel.address)
            self.handler.detach(channel.session)

    def flush_soon(self) -> None:
        """Flushes the channels in `to_flush` at the end of this turn of the event loop."""
        self.clock.later(0, self._flush)

    def silent(self) -> bool:
        """True while this server may say nothing, because another one may have taken over.

        Lines wait meanwhile, and so does all output.
        """
        if self.speaks is None or self.speaks():
            return False
        if not self._silent:
            self._silent = True
            log.warning("the lease is not renewed; this server says nothing until it is")
            self.clock.later(SILENCE, self._speak_again)
        return True

    def _speak_again(self) -> None:
        """Writes and answers everything that has waited, once the server may speak."""
        assert self.speaks is not None
        if not self.speaks():
            self.clock.later(SILENCE, self._speak_again)
            return
        self._silent = False
        log.warning("the lease is renewed; this server goes on")
        self._flush()
        for channel in list(self.all):
            channel.heard()
            channel.answer_waiting()

    def _flush(self) -> None:
        if self.speaks is not None and self.silent():
            return
        waiting, self.to_flush = self.to_flush, []
        for channel in waiting:
            channel.flush()
        self.metrics.written()

    def _look_after(self) -> None:
        if not self.silent():  # else nobody is asked whether they are there
            for channel in list(self.all):
                channel.look_after()
        self._sweep = self.clock.later(1000, self._look_after)

    def stop(
        self, stop: Stop = SHUTDOWN, stays: Callable[[Channel], bool] = lambda channel: False
    ) -> bool:
        """Sends BYE on every connection, and stops the check each second.

        Each connection gets a different retry delay, so that they do not all come back at once.
        Those for which `stays` is true get no BYE yet. Returns True if there are none of them.
        """
        if self._sweep.active():
            self._sweep.cancel()
        staying = False
        for channel in list(self.all):
            if channel.ended:
                continue
            if stays(channel):
                staying = True
            else:
                channel.shut_down(stop, self._said_bye)
                self._said_bye += 1
        return not staying
