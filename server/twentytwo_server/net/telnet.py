"""Removes telnet commands (RFC 854) from a person's input, and answers them.

The server never sends telnet to a program. It sends telnet to a person first only when it asks for
a password: it offers to echo (RFC 857), so that a telnet terminal hides the typed password. Many
telnet clients send nothing first, so there is no other way to recognise them. CR NUL and the
question follow the offer: a terminal without telnet, such as netcat's, shows at most two strange
characters, and overwrites them with the question. A client that does not answer is not asked again.

The window size (NAWS, RFC 1073), to which a person's lines are wrapped, is accepted. Every other
option is refused, each at most once, so that two ends cannot refuse each other forever.
Subnegotiations are read to their end, and at most `LONGEST_SUBNEGOTIATION` bytes of them are kept.
"""

from __future__ import annotations

from enum import Enum

IAC, DONT, DO, WONT, WILL, SB, SE = 255, 254, 253, 252, 251, 250, 240
ECHO, NAWS = 1, 31
LONGEST_SUBNEGOTIATION = 64
MOST_COMMAND_BYTES = 1 << 14
"""Maximum bytes of commands in a connection: enough for a keep-alive a minute for days."""
OVERWRITE = b"\r\x00"
"""A carriage return in telnet: the following text overwrites the line."""
ERASE, KILL = b"\x08\x7f", b"\x15"
"""The bytes that delete a character or a line, in a terminal that sends each key."""


class _State(Enum):
    TEXT = "text"
    COMMAND = "after IAC"
    OPTION = "after DO, DONT, WILL or WONT"
    INSIDE = "in a subnegotiation"
    INSIDE_IAC = "after IAC in a subnegotiation"


class _Echo(Enum):
    """The party that echoes the typed text; the server makes the offer."""

    THEIRS = "the client"
    OFFERED = "the client, and the server has offered to"
    OURS = "the server, which shows nothing"
    REFUSED = "the client, which would have nothing else"


class TelnetFilter:
    """Removes telnet commands from a stream of bytes, which may be cut anywhere.

    `width` is the terminal's width in columns, None until the client has told it. `taken_out`
    counts the bytes of commands: each costs more than a byte of a line, and no rate limit counts
    them. After `MOST_COMMAND_BYTES` of them reading stops.
    """

    __slots__ = (
        "_answered",
        "_echo",
        "_hide",
        "_inside",
        "_state",
        "_taken_back",
        "_verb",
        "taken_out",
        "width",
    )

    def __init__(self) -> None:
        self.width: int | None = None
        self.taken_out = 0
        self._state = _State.TEXT
        self._verb = 0
        self._inside = bytearray()
        self._hide = False
        self._echo = _Echo.THEIRS
        self._taken_back = 0  # offers taken back that the client has not confirmed yet
        self._answered: tuple[tuple[int, int], ...] = ()

    def feed(self, data: bytes) -> tuple[bytes, bytes]:
        """Returns the typed bytes, and the telnet replies to send."""
        if self._state is _State.TEXT and IAC not in data:
            return data, b""
        text, answer = bytearray(), bytearray()
        at = 0
        while at < len(data) and self.taken_out <= MOST_COMMAND_BYTES:
            state = self._state
            if state is _State.TEXT or state is _State.INSIDE:
                end = data.find(IAC, at)
                end = len(data) if end < 0 else end
                if state is _State.TEXT:
                    text += data[at:end]
                else:
                    self._inside += data[
                        at : min(end, at + LONGEST_SUBNEGOTIATION - len(self._inside))
                    ]
                at = end
            if at < len(data):
                self._take(data[at], text, answer)
                at += 1
                self.taken_out += 1
        return bytes(text), bytes(answer)

    @property
    def hidden(self) -> bool:
        """True while the client hides the typed text at the server's request."""
        return self._echo is _Echo.OURS

    def echo(self, on: bool) -> bytes:
        """The bytes that make a telnet terminal echo typed text, or hide it.

        They are empty if the terminal is in this state already, or did not answer the last request.
        """
        self._hide = not on
        if self._hide and self._echo is _Echo.THEIRS:
            self._echo = _Echo.OFFERED
            return bytes((IAC, WILL, ECHO)) + OVERWRITE
        return self._take_back() if on and self.hidden else b""

    def _take_back(self) -> bytes:
        self._echo = _Echo.THEIRS
        self._taken_back += 1
        return bytes((IAC, WONT, ECHO))

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
                elif len(self._inside) < LONGEST_SUBNEGOTIATION:
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
        if option == ECHO and self._verb in (DO, DONT) and self._echo is not _Echo.THEIRS:
            return self._offer_answered()
        if (self._verb, option) == (DONT, ECHO) and self._taken_back:
            self._taken_back -= 1
        if (self._verb, option) in self._answered or self._verb in (DONT, WONT):
            return b""
        self._answered += ((self._verb, option),)
        if self._verb == WILL:
            return bytes((IAC, DO if option == NAWS else DONT, option))
        return bytes((IAC, WONT, option))

    def _offer_answered(self) -> bytes:
        if self._verb == DONT:
            if self._taken_back:  # this is about an earlier offer
                self._taken_back -= 1
                return b""
            was, self._echo = self._echo, _Echo.REFUSED
            return bytes((IAC, WONT, ECHO)) if was is _Echo.OURS else b""
        if self._echo is _Echo.OFFERED:
            self._echo = _Echo.OURS
            if not self._hide:  # the password was typed before, or cancelled
                return self._take_back()
        return b""

    def _end_inside(self, byte: int) -> None:
        if byte == IAC:
            self._state = _State.INSIDE
            if len(self._inside) < LONGEST_SUBNEGOTIATION:
                self._inside.append(byte)
            return
        self._state = _State.TEXT
        if byte == SE and len(self._inside) >= 3 and self._inside[0] == NAWS:
            self.width = self._inside[1] * 256 + self._inside[2]


def edited(line: bytes) -> bytes:
    """The line with its Backspace and Ctrl-U applied."""
    left = bytearray()
    for byte in line:
        if byte in KILL:
            left.clear()
        elif byte in ERASE:
            while left and 0x80 <= left[-1] < 0xC0:  # the rest of a character of UTF-8
                left.pop()
            del left[-1:]
        else:
            left.append(byte)
    return bytes(left)
