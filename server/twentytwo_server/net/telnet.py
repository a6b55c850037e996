"""Telnet, passively: what a client's telnet says is taken out of what its person types.

The server never speaks telnet first, and to a program never. Every option is refused, each at
most once, but for the window size, which a person's lines are wrapped to; and while a password is
typed the server says that it echoes, so that a terminal that speaks telnet does not.
Subnegotiations are read through to their end and at most `LONGEST` bytes of them are kept.
"""

from __future__ import annotations

from enum import Enum

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
ECHO, NAWS = 1, 31
LONGEST = 64


class _State(Enum):
    TEXT = "text"
    COMMAND = "after IAC"
    OPTION = "after DO, DONT, WILL or WONT"
    INSIDE = "in a subnegotiation"
    INSIDE_IAC = "after IAC in a subnegotiation"


class TelnetFilter:
    """Takes telnet out of a stream of bytes, cut anywhere.

    `width` is the terminal's width in columns, once the client has told it.
    """

    __slots__ = ("_answered", "_echoing", "_inside", "_state", "_verb", "heard", "width")

    def __init__(self) -> None:
        self.heard = False
        self.width: int | None = None
        self._state = _State.TEXT
        self._verb = 0
        self._inside = bytearray()
        self._echoing = False
        self._answered: set[tuple[int, int]] = set()

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """What the person typed, and what to answer to their telnet."""
        if self._state is _State.TEXT and IAC not in data:
            return data, b""
        self.heard = True
        text, answer = bytearray(), bytearray()
        for byte in data:
            self._take(byte, text, answer)
        return bytes(text), bytes(answer)

    def echo(self, on: bool) -> bytes:
        """What to say so that the terminal shows what is typed, or not; nothing to one without."""
        if not self.heard or self._echoing is not on:
            return b""
        self._echoing = not on
        return bytes((IAC, WONT if on else WILL, ECHO))

    def _take(self, byte: int, text: bytearray, answer: bytearray) -> None:
        match self._state:
            case _State.TEXT:
                if byte == IAC:
                    self._state = _State.COMMAND
                else:
                    text.append(byte)
            case _State.COMMAND:
                self._command(byte)
            case _State.OPTION:
                self._state = _State.TEXT
                if byte in (10, 13):
                    # A Latin-1 client that typed a y with dots, not option 10 or 13: a line end.
                    text.append(byte)
                else:
                    answer += self._answer(byte)
            case _State.INSIDE:
                if byte == IAC:
                    self._state = _State.INSIDE_IAC
                elif len(self._inside) < LONGEST:
                    self._inside.append(byte)
            case _State.INSIDE_IAC:
                self._end_inside(byte)

    def _command(self, byte: int) -> None:
        if byte in (DO, DONT, WILL, WONT):
            self._verb = byte
            self._state = _State.OPTION
        elif byte == SB:
            self._inside.clear()
            self._state = _State.INSIDE
        else:
            # NOP, GA, AYT, IP and an escaped 255, which is never UTF-8: nothing to show.
            self._state = _State.TEXT

    def _answer(self, option: int) -> bytes:
        if (self._verb, option) in self._answered or self._verb in (DONT, WONT):
            return b""
        if (self._verb, option) == (DO, ECHO) and self._echoing:
            return b""  # the answer to what was offered
        self._answered.add((self._verb, option))
        if self._verb == WILL:
            return bytes((IAC, DO if option == NAWS else DONT, option))
        return bytes((IAC, WONT, option))

    def _end_inside(self, byte: int) -> None:
        if byte == IAC:
            self._state = _State.INSIDE
            if len(self._inside) < LONGEST:
                self._inside.append(byte)
            return
        self._state = _State.TEXT
        if byte == SE and len(self._inside) >= 3 and self._inside[0] == NAWS:
            self.width = self._inside[1] * 256 + self._inside[2]
