"""The lines that were typed, to be gone through."""

from __future__ import annotations

from typing import Protocol

from twentytwo_protocol.verbs import without_secrets


class Remembering(Protocol):
    """A history of typed lines."""

    def append_string(self, string: str) -> None:
        """Keeps a line."""


class LineHistory:
    """Goes through `lines`, the last one typed last; new ones are kept in `memory` too."""

    def __init__(self, lines: list[str], memory: Remembering) -> None:
        self._lines, self._memory = lines, memory
        self._at = len(lines)
        self._unfinished = ""

    def add(self, line: str) -> None:
        """Remembers a line, unless it holds a password or a token."""
        if self._lines[-1:] != [line] and without_secrets(line) == line:
            self._lines.append(line)
            self._memory.append_string(line)
        self._at, self._unfinished = len(self._lines), ""

    def older(self, unfinished: str) -> str:
        """The line before; `unfinished` is what is typed and comes back after the last."""
        if self._at == len(self._lines):
            self._unfinished = unfinished
        self._at = max(0, self._at - 1)
        return self._lines[self._at] if self._lines else unfinished

    def newer(self) -> str:
        """The line after, at last what was being typed."""
        self._at = min(len(self._lines), self._at + 1)
        return self._lines[self._at] if self._at < len(self._lines) else self._unfinished
