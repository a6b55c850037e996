"""One connection of the client: sends lines in packets of any size, and reads commands."""

from __future__ import annotations

import contextlib
import socket
import time
from collections import deque
from enum import Enum

from twentytwo_protocol.framing import Flaw, LineBuffer
from twentytwo_protocol.schema import Malformed

from ..check import Wrong
from .lines import Command, ServerLine
from .verdicts import HungUp, Silent

APART = 0.0005
"""Seconds between two bytes that shall arrive in different packets."""


class Pace(Enum):
    """How lines are divided into packets."""

    LINES = "a packet for each line, as it comes"
    BYTES = "each byte in a packet of its own"
    TOGETHER = "many lines in one packet, cut in the middle of a line"


class Visit:
    """One connection of the client to the scripted server."""

    def __init__(self, connection: socket.socket) -> None:
        self.pace = Pace.LINES
        self.end = "\r\n"
        self.json = self.greeted = False
        self.open = True
        self.sent: deque[str] = deque(maxlen=200)
        """The last sent lines, the newest last."""
        self.heard: list[str] = []
        self._socket = connection
        self._buffer = LineBuffer()
        self._lines: deque[str | Flaw] = deque()
        self._held = b""

    def send(self, *records: ServerLine) -> None:
        """Sends records, in the form that the client has requested."""
        self.send_lines(*(each.json if self.json else each.plain for each in records))

    def send_lines(self, *lines: str) -> None:
        """Sends lines unchanged."""
        self.sent.extend(lines)
        self._write("".join(line + self.end for line in lines).encode())

    def last_sent(self, holding: str = "") -> str:
        """The last sent line that is not empty."""
        return next((line for line in reversed(self.sent) if holding in line), "")

    def comment(self, text: str) -> None:
        """Sends a comment, except in JSON, which has no comments."""
        if not self.json:
            self.send_lines(f"# {text}")

    def flush(self) -> None:
        """Sends the held lines: all but the second half of the last line at once, and that half a
        moment later.
        """
        data, self._held = self._held, b""
        middle = data.rfind(b"\n", 0, -1) + 12
        for part in (data[:middle], data[middle:]):
            if part:
                self._put(part)
                time.sleep(10 * APART)

    def send_slowly(self, record: ServerLine, pause: float) -> None:
        """Sends the first half of a line, and the second half some seconds later."""
        line = record.json if self.json else record.plain
        data = (line + self.end).encode()
        self.sent.append(line)
        self._put(data[: len(data) // 2])
        time.sleep(pause)
        self._put(data[len(data) // 2 :])

    def _write(self, data: bytes) -> None:
        match self.pace:
            case Pace.LINES:
                self._put(data)
            case Pace.TOGETHER:
                self._held += data
            case Pace.BYTES:
                for at in range(len(data)):
                    self._put(data[at : at + 1])
                    time.sleep(APART)

    def _put(self, data: bytes) -> None:
        # A client that is gone is noticed when it is listened to.
        with contextlib.suppress(OSError):
            self._socket.sendall(data)

    def command(self, patience: float) -> Command:
        """The next command. Raises `Silent`, `HungUp`, or `Wrong` if the command is malformed."""
        if self._held:
            self.flush()
        deadline = time.monotonic() + patience
        while True:
            line = self._line(deadline)
            if isinstance(line, Flaw):
                duty = "F4" if line is Flaw.TOO_LONG else "F1"
                raise Wrong(f"it sent a line that is {line.value}", "a line of text", duty)
            if not line:
                continue
            self.heard.append(line)
            if line.startswith("{") and not self.json:
                raise Wrong(f"it sent {line!r}", "a plain line: json is not on", "J1")
            try:
                return Command.read(line)
            except Malformed as wrong:
                expected = f"a verb and its arguments ({wrong})"
                raise Wrong(f"it sent {line!r}", expected) from None

    def _line(self, deadline: float) -> str | Flaw:
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Silent
            self._socket.settimeout(left)
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                raise Silent from None
            except OSError:
                data = b""
            if not data:
                raise HungUp
            self._lines.extend(self._buffer.feed(data))
        return self._lines.popleft()

    def cut(self) -> None:
        """Closes the connection after sending everything."""
        self.open = False
        if self._held:
            self.flush()
        # What the client has said and nobody read would make it a reset, and lose what was sent.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
            self._socket.settimeout(0.1)
            while self._socket.recv(65536):
                pass
        self._socket.close()

    def close(self) -> None:
        """Closes the connection at once."""
        self._socket.close()
