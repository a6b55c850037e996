"""The bytes of one connection, without its socket: bytes in, lines out; lines in, bytes out.

A transport calls `receive` with every piece of bytes, and `next_line` whenever a line can be
answered. What is to be said goes to `send`; `data_to_send` is what to write, once a burst.
`pause` and `resume` tell whether the peer reads. Nothing here waits or knows a clock but `now`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from enum import Enum

from twentytwo_protocol.framing import MAX_CLIENT_LINE, Flaw, LineBuffer

from .limits import Limits
from .telnet import TelnetFilter

HTTP = re.compile(rb"(GET|HEAD|POST|PUT|DELETE|OPTIONS|CONNECT|PATCH|TRACE) ")
HTTP_ANSWER = b"HTTP/1.0 400 Bad Request\r\n\r\n"
TLS_HELLO = 0x16
HIGH_WATER = 1 << 16
"""Bytes to be sent above which no further line is answered until some of them are gone."""
MINUTE = 60_000


class Rejection(Enum):
    """Why a peer is let go for what it has sent; the value is what it is told."""

    TLS = ""
    HTTP = "This is no web server."
    TOO_MANY = "Too many lines at once."
    TOO_LONG = "Too many lines that are too long."


class Connection:
    """One peer's bytes in both directions, and what they cost.

    `rejected` says why the peer is to be let go, once it is; then nothing more is read. `width`
    is the width of the peer's terminal in columns, once telnet has told it. `unread` are the
    bytes that wait for a peer that does not read, of what was sent since it stopped.
    """

    def __init__(self, limits: Limits, now: Callable[[], int]) -> None:
        self._limits = limits
        self._now = now
        self._cutter = LineBuffer(MAX_CLIENT_LINE)
        self._telnet = TelnetFilter()
        self._speaks_telnet = True
        self._decided = False
        self._undecided = b""
        self._first = b""
        self._lines: deque[str | Flaw] = deque()
        self._long: deque[int] = deque(maxlen=limits.too_long)
        self._unfinished_since: int | None = None
        self._out: list[bytes] = []
        self._gathered = 0
        self._paused = False
        self.unread = 0
        self.rejected: Rejection | None = None
        self.opened = self.heard = now()

    # -------------------------------------------------------------------------- bytes in

    def receive(self, data: bytes) -> None:
        """Takes in bytes, cut anywhere."""
        self.heard = self._now()
        if self.rejected is not None:
            return
        if self._decided:
            self._cut(data)
        else:
            self._undecided += data
            self._cut_first()
        self._check_waiting()

    def decide(self, *, people: bool) -> None:
        """The lines so far have shown who is there: only people's telnet is taken out.

        To be called after the line that shows it, before `next_line` is asked for another.
        """
        if not self._decided:
            self._decided = True
            self._speaks_telnet = people
            data, self._undecided = self._undecided, b""
            self._cut(data)
            self._check_waiting()

    def next_line(self) -> str | Flaw | None:
        """The next line that has come, or what is wrong with it; None while there is none."""
        if not self._lines and self._undecided:
            self._cut_first()
        line = self._lines.popleft() if self._lines else None
        if line is Flaw.TOO_LONG and self._too_often():
            self._reject(Rejection.TOO_LONG)
            return None
        return line

    @property
    def waiting(self) -> int:
        """How many lines have come and were not asked for yet."""
        return len(self._lines) + self._undecided.count(b"\n")

    @property
    def unfinished_for(self) -> int:
        """Milliseconds since a line began that has not ended; 0 where there is none."""
        return 0 if self._unfinished_since is None else self._now() - self._unfinished_since

    def _cut_first(self) -> None:
        """Cuts line by line: until one has shown who is there, telnet may begin after any."""
        while self._undecided and not self._lines and self.rejected is None:
            head, end, self._undecided = self._undecided.partition(b"\n")
            self._first = (self._first + head + end)[:16]
            if self._first[:1] == bytes([TLS_HELLO]):
                self._reject(Rejection.TLS)
            elif HTTP.match(self._first):
                self._reject(Rejection.HTTP)
                self._add(HTTP_ANSWER)
            else:
                self._cut(head + end)

    def _cut(self, data: bytes) -> None:
        if self._speaks_telnet:
            data, answer = self._telnet.feed(data)
            self._add(answer)
        lines = self._cutter.feed(data)
        if not self._cutter.unfinished_line:
            self._unfinished_since = None
        elif lines or self._unfinished_since is None:
            self._unfinished_since = self._now()
        self._lines.extend(lines)

    def _check_waiting(self) -> None:
        # What has shown nothing yet may be followed by as much as what has.
        if self.waiting > self._limits.waiting + (not self._decided):
            self._reject(Rejection.TOO_MANY)

    def _reject(self, why: Rejection) -> None:
        self.rejected = why
        self._lines.clear()
        self._undecided = b""

    def _too_often(self) -> bool:
        now = self._now()
        self._long.append(now)
        return len(self._long) == self._limits.too_long and now - self._long[0] < MINUTE

    # ------------------------------------------------------------------------- bytes out

    def send(self, lines: Sequence[str]) -> None:
        """Takes whole lines, without their ends, to be sent."""
        for line in lines:
            self._add(line.encode("utf-8", "replace") + b"\r\n")

    def echo(self, on: bool) -> None:
        """Has a terminal that speaks telnet show what is typed, or not."""
        self._add(self._telnet.echo(on))

    def take_width(self) -> int | None:
        """The width of the peer's terminal in columns, if it is another since this was asked."""
        width, self._telnet.width = self._telnet.width, None
        return width

    def data_to_send(self) -> bytes:
        """All that is to be written now."""
        data = b"".join(self._out)
        self._out.clear()
        self._gathered = 0
        self.owe(len(data))
        return data

    def owe(self, size: int) -> None:
        """So many bytes more will wait for a peer that does not read."""
        if self._paused:
            self.unread += size

    def pause(self) -> None:
        """The peer does not read fast enough: what is sent from now on is counted."""
        self._paused = True

    def resume(self) -> None:
        """The peer has read everything, which shows that it is there."""
        self.heard = self._now()
        self._paused = False
        self.unread = 0

    @property
    def to_send(self) -> bool:
        """True if there is something to be written."""
        return bool(self._out)

    @property
    def writable(self) -> bool:
        """True if the peer reads: more of what it asked for may be sent."""
        return not self._paused and self._gathered < HIGH_WATER

    def discard(self) -> None:
        """Nothing is sent any more of what was taken so far."""
        self._out.clear()
        self._gathered = 0

    def _add(self, data: bytes) -> None:
        if data:
            self._out.append(data)
            self._gathered += len(data)
