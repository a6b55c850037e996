"""The terminal of an SSH client: its size, character set and kind (RFC 4254, 6)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ...session.display import DisplaySettings

PLAIN_TERMS = ("", "dumb", "vt52", "vt100", "vt102", "vt220")
"""Values of TERM for terminals without colours."""
LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")
"""The variables with the character set, the strongest first."""
KEPT = (*LOCALE, "NO_COLOR")
"""The variables that the server keeps."""
IUTF8 = 42
"""The terminal mode that tells whether the terminal's input is UTF-8 (RFC 8160)."""
_LAST_WITH_VALUE = 159


def strings(data: bytes, count: int) -> tuple[list[bytes], bytes]:
    """The first `count` strings of a request, and the rest. Raises `ValueError`."""
    found = []
    for _ in range(count):
        if len(data) < 4 or len(data) - 4 < (size := int.from_bytes(data[:4])):
            raise ValueError("a request that breaks off")
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found, data


@dataclass(slots=True)
class Terminal:
    """The terminal of a session. `columns` is 0 without one, as with `ssh -T`."""

    term: str = ""
    columns: int = 0
    environment: dict[str, str] = field(default_factory=dict)
    _modes: Mapping[int, int] = field(default_factory=dict)

    def remember(self, data: bytes) -> bool:
        """Keeps an environment variable if it is one of `KEPT`. Raises `ValueError`."""
        (name, value), _ = strings(data, 2)
        kept = name.decode("ascii", "replace")
        if kept in KEPT:
            self.environment[kept] = value[:64].decode("ascii", "replace")
        return kept in KEPT

    def request(self, data: bytes) -> None:
        """Reads a `pty-req`. Raises `ValueError`."""
        (term,), rest = strings(data, 1)
        if len(rest) < 16:
            raise ValueError("a request that breaks off")
        (modes,), _ = strings(rest[16:], 1)
        self.term = term[:64].decode("ascii", "replace")
        self._modes = dict(_modes(modes))
        self.resize(rest[:16])

    def resize(self, data: bytes) -> None:
        """Reads the size of a terminal, as in `window-change`. Raises `ValueError`."""
        if len(data) < 16:
            raise ValueError("a request that breaks off")
        self.columns = max(10, min(500, int.from_bytes(data[:4]) or 80))

    @property
    def utf8(self) -> bool:
        """True if the terminal shows UTF-8, as most do."""
        for name in LOCALE:
            if value := self.environment.get(name):
                return "utf8" in value.lower().replace("-", "")
        return self._modes.get(IUTF8, 1) == 1

    def display(self, before: DisplaySettings) -> DisplaySettings:
        """The settings of a person with this terminal."""
        if self.utf8 and self.term not in PLAIN_TERMS:
            before = before.with_("charset", "utf8").with_("suits", "signs")
        if self.term not in PLAIN_TERMS and not self.environment.get("NO_COLOR"):
            before = before.with_("colour", "on")
        return before


def _modes(encoded: bytes) -> Iterator[tuple[int, int]]:
    """The terminal modes of a `pty-req`: pairs of opcode and value."""
    while len(encoded) >= 5 and 0 < encoded[0] <= _LAST_WITH_VALUE:
        yield struct.unpack(">BL", encoded[:5])
        encoded = encoded[5:]
