"""Splits bytes into lines, in the same way for the server and the client.

- F1: lines are UTF-8. A byte order mark before the first line is dropped.
- F2: LF ends a line, and one CR before it is dropped. CR NUL ends a line too. A lone CR does not.
- F3: control characters are removed from text.
- F4: an overlong line is discarded up to its end and reported once.

The result does not depend on the chunks in which the bytes arrive.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum

__all__ = [
    "MAX_CLIENT_LINE",
    "MAX_SERVER_LINE",
    "Flaw",
    "LineBuffer",
    "clean",
    "unmarked",
    "visible",
]

MAX_CLIENT_LINE = 1024
"""The maximum length of a client line, in bytes, with its line end."""
MAX_SERVER_LINE = 8192
"""The maximum length of a server line, in bytes, with its line end."""

_MARK = "\ufeff".encode()
_CONTROLS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f]")
_BREAKS = re.compile("[\u2028\u2029]")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\uf8ff\ufdd0-\ufdef\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
_MARKS = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_PILED = re.compile(f"({_MARKS}{{2}}){_MARKS}+")


class Flaw(Enum):
    """An error in the bytes of a line; the value is the error code."""

    TOO_LONG = "LINE_TOO_LONG"
    BAD_UTF8 = "BAD_UTF8"


class LineBuffer:
    """Splits a stream of bytes into lines: text, or the `Flaw` of a line that cannot be read.

    `limit` is the maximum length of a line in bytes, with its line end. The buffer never holds more
    bytes than that. `unfinished_line`: a line has begun and has not ended; it may be overlong.
    """

    __slots__ = ("_begun", "_discarding", "_held", "_limit", "unfinished_line")

    def __init__(self, limit: int = MAX_CLIENT_LINE) -> None:
        self._limit = limit
        self._held = b""
        self._discarding = self._begun = self.unfinished_line = False

    @property
    def unfinished(self) -> int:
        """The number of buffered bytes of a line that has not ended."""
        return len(self._held)

    def feed(self, data: bytes, edit: Callable[[bytes], bytes] | None = None) -> list[str | Flaw]:
        """The lines that end in `data`, in order. `edit` is called with each line before F3 is
        applied.
        """
        lines: list[str | Flaw] = []
        *ended, self._held = (self._held + data).replace(b"\r\x00", b"\r\n").split(b"\n")
        for line in ended:
            if self._discarding or len(line) >= self._limit:
                self._begun, self._discarding = True, False
                lines.append(Flaw.TOO_LONG)
                continue
            line = line.removesuffix(b"\r")
            if not self._begun:
                self._begun, line = True, line.removeprefix(_MARK)
            try:
                lines.append(clean((edit(line) if edit else line).decode()))
            except UnicodeDecodeError:
                lines.append(Flaw.BAD_UTF8)
        if len(self._held) > self._limit:
            # Of an overlong line keep only a final CR, which may be half of a line end.
            self._held = b"\r" if self._held.endswith(b"\r") else b""
            self._discarding = True
        self.unfinished_line = self._discarding or bool(self._held)
        return lines


def unmarked(text: str) -> str:
    """The text without a leading byte order mark, which some programs send."""
    return text.removeprefix("\ufeff")


def clean(text: str) -> str:
    """The text without control characters. A TAB becomes a space (F3)."""
    if text.isascii() and text.isprintable():  # most lines
        return text
    return _CONTROLS.sub("", text.replace("\t", " "))


def visible(text: str, gap: str = " ") -> str:
    """The text without characters that programs display in different ways (F3).

    Invisible characters, bidirectional controls, unassigned and private-use characters are removed,
    and so are combining marks beyond the second on a letter. Unicode's line and paragraph
    separators become `gap`, because many programs split lines there.
    """
    if text.isascii():  # most texts
        return text
    return _PILED.sub(r"\1", _UNSEEN.sub("", _BREAKS.sub(gap, text)))
