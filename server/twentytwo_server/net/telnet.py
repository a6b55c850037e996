"""Takes telnet commands (RFC 854) out of what a person types, and answers them.

The server never starts to speak telnet, and never speaks it to a program. It refuses every option,
each at most once so that two ends cannot refuse each other forever; but it accepts the window size
(NAWS, RFC 1073), to which a person's lines are wrapped. While a password is typed it claims to
echo, so that a telnet terminal stops showing it. Subnegotiations are read to their end, and at most
`LONGEST` bytes of them are kept.
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
    """Takes telnet commands out of a stream of bytes, which may be cut anywhere.

    `heard` is True once the client has sent one. `width` is the terminal's width in columns, None
    until the client has told it.
    """

    __slots__ = ("_answered", "_echoing", "_inside", "_state", "_verb", "heard", "width")

    def __init__(self) -> None:
        self.heard = False
        self.width: int | None = None
        self._state = _State.TEXT
        self._verb = 0
        self._inside = bytearray()
        self._echoing = False
        self._answered: tuple[tuple[int, int], ...] = ()

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Returns what the person typed, and the telnet replies to send."""
        if self._state is _State.TEXT and IAC not in data:
            return data, b""
        self.heard = True
        text, answer = bytearray(), bytearray()
        for byte in data:
            self._take(byte, text, answer)
        return bytes(text), bytes(answer)

    def echo(self, on: bool) -> bytes:
        """The bytes that make the terminal show what is typed, or not show it.

        They are empty if the client has never spoken telnet, or does so already.
        """
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
                    # There are no options 10 and 13: this is a y with dots from a Latin-1 client,
                    # and the byte is its line end, which must not be lost.
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
            # NOP, GA, AYT, IP..., or an escaped 255, which UTF-8 never contains: dropped.
            self._state = _State.TEXT

    def _answer(self, option: int) -> bytes:
        if (self._verb, option) in self._answered or self._verb in (DONT, WONT):
            return b""
        if (self._verb, option) == (DO, ECHO) and self._echoing:
            return b""  # the client agrees to our WILL ECHO
        self._answered += ((self._verb, option),)
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
