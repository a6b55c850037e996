"""Turns the bytes of one connection into lines; it has no socket.

Call `receive` with the bytes as they come, and `next_line` whenever a line can be answered. Nothing
here waits; `now` is the only clock.

What a hostile or broken peer can do, and what stops it:

- Bytes may be cut anywhere, inside a character or a telnet command. `LineBuffer` and `TelnetFilter`
  keep the unfinished part. A line that grows too long is discarded while it arrives, and reported
  once as `Flaw.TOO_LONG`.
- Lines may come faster than they are answered. A peer with more than `Limits.waiting` waiting lines
  is rejected, and so is one with `Limits.too_long` overlong lines within a minute.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

from twentytwo_protocol.framing import MAX_CLIENT_LINE, Flaw, LineBuffer

from ..limits.connections import Limits
from .telnet import MOST_COMMAND_BYTES, TelnetFilter, edited

HTTP = re.compile(rb"(GET|HEAD|POST|PUT|DELETE|OPTIONS|CONNECT|PATCH|TRACE) ")
HTTP_ANSWER = b"HTTP/1.0 400 Bad Request\r\n\r\n"
TLS_HELLO = 0x16
MINUTE = 60_000


class Rejection(Enum):
    """The reason for disconnecting a peer because of its input; the value is the text of BYE."""

    TLS = ""
    HTTP = "This is not a web server."
    TOO_MANY = "Too many lines at once."
    TELNET = "Too much telnet, and no end of it."
    TOO_LONG = "Too many lines that are too long."


class LineReader:
    """The input of one peer, and the limits on it.

    `answer` is called with bytes to send: telnet's answers, and that to an HTTP client. `rejected`
    is the reason for disconnecting the peer, or None; after a rejection nothing more is read.
    `speaks_telnet`: telnet commands are removed from the input. `lines` are the complete lines that
    `next_line` has not returned yet. `opened` is the time of the connection, and `heard` the time
    of the last sign of life from the peer, in ms of `now`. Without `telnet`, as over WebSocket,
    bytes pass unfiltered.

    The first line shows whether a person or a program is connected (`decide`); then `decided` is
    True. Until then bytes wait in `undecided` and are cut one line at a time: telnet commands are
    removed from a person's bytes, but in a program's bytes 255 is only a byte that is not UTF-8.
    """

    def __init__(
        self,
        limits: Limits,
        now: Callable[[], int],
        answer: Callable[[bytes], None],
        *,
        telnet: bool = True,
    ) -> None:
        self._limits = limits
        self._now = now
        self.answer = answer
        self._cutter = LineBuffer(MAX_CLIENT_LINE)
        self._telnet = TelnetFilter()
        self.speaks_telnet = telnet
        self.decided = False
        self.undecided = b""
        self._first = b""
        self.lines: list[str | Flaw] = []  # a deque takes ten times as much while it is empty
        self._long: tuple[int, ...] = ()
        self._unfinished_since: int | None = None
        self.rejected: Rejection | None = None
        self.opened = self.heard = now()

    def receive(self, data: bytes) -> None:
        """Takes bytes from the peer, cut anywhere. Look at `rejected` afterwards."""
        self.heard = self._now()
        if self.rejected is not None:
            return
        if self.decided:
            self._cut(data)
        else:
            self.undecided += data
            self._cut_first()
        if self.undecided or len(self.lines) > 1:
            self._check_waiting()

    def decide(self, *, people: bool) -> None:
        """Sets the mode; from now on only people's bytes are filtered for telnet.

        Call it after the line that shows it, before the next call of `next_line`. Later calls
        change nothing.
        """
        if not self.decided:
            self.decided = True
            self.speaks_telnet &= people
            data, self.undecided = self.undecided, b""
            self._cut(data)
            self._check_waiting()

    def next_line(self) -> str | Flaw | None:
        """Removes and returns the next line or its flaw; None while no line is complete.

        An overlong line that is one too many rejects the peer instead, and gives None.
        """
        if not self.lines and self.undecided:
            self._cut_first()
        line = self.lines.pop(0) if self.lines else None
        if type(line) is Flaw and line is Flaw.TOO_LONG and self._too_often():
            self._reject(Rejection.TOO_LONG)
            return None
        return line

    @property
    def waiting(self) -> int:
        """Number of complete lines that `next_line` has not returned yet."""
        return len(self.lines) + self.undecided.count(b"\n")

    @property
    def unfinished_for(self) -> int:
        """Milliseconds since the unfinished line began; 0 if no line is unfinished."""
        return 0 if self._unfinished_since is None else self._now() - self._unfinished_since

    def _cut_first(self) -> None:
        """Cuts one line off the undecided bytes; the rest waits until `decide` or the next call.

        The first 16 bytes, joined over reads of any size, show a TLS or HTTP client.
        """
        while self.undecided and not self.lines and self.rejected is None:
            head, end, self.undecided = self.undecided.partition(b"\n")
            self._first = (self._first + head + end)[:16]
            if self._first[:1] == bytes([TLS_HELLO]):
                self._reject(Rejection.TLS)
            elif HTTP.match(self._first):
                self._reject(Rejection.HTTP)
                self._reply(HTTP_ANSWER)
            else:
                self._cut(head + end)

    def _cut(self, data: bytes) -> None:
        edit = None
        if self.speaks_telnet:
            data, answer = self._telnet.feed(data)
            self._reply(answer)
            if self._telnet.taken_out > MOST_COMMAND_BYTES:
                self._reject(Rejection.TELNET)
                return
            edit = edited if self._telnet.hidden else None
        lines = self._cutter.feed(data, edit)
        if not self._cutter.unfinished_line:
            self._unfinished_since = None
        elif lines or self._unfinished_since is None:
            self._unfinished_since = self._now()
        self.lines.extend(lines)

    def _check_waiting(self) -> None:
        # The line that will decide is itself still waiting, so it does not count for the limit.
        most = self._limits.waiting + (not self.decided)
        if self.waiting > most or len(self.undecided) > most * MAX_CLIENT_LINE:
            self._reject(Rejection.TOO_MANY)

    def _reject(self, why: Rejection) -> None:
        self.rejected = why
        self.lines.clear()
        self.undecided = b""

    def _too_often(self) -> bool:
        now = self._now()
        most = self._limits.too_long
        self._long = (*self._long, now)[-most:]
        return len(self._long) == most and now - self._long[0] < MINUTE

    def echo(self, on: bool) -> None:
        """Asks a telnet terminal to echo typed text, or to hide it.

        Other terminals do not show the request. If the next line has arrived already, as with
        `printf ... | nc`, there is no request.
        """
        if self.speaks_telnet and (on or not self.waiting):
            self._reply(self._telnet.echo(on))

    def take_width(self) -> int | None:
        """The terminal's width in columns if telnet has told one since the last call, else None."""
        width, self._telnet.width = self._telnet.width, None
        return width

    def _reply(self, data: bytes) -> None:
        if data:
            self.answer(data)
