"""The history of typed lines."""

from __future__ import annotations

from typing import Protocol

from twentytwo_protocol.verbs import without_secrets


class Remembering(Protocol):
    """A history of typed lines."""

    def append_string(self, string: str) -> None:
        """Adds a line."""


class LineHistory:
    """A position in `lines`, the latest last. New lines are added to `memory` too."""

    def __init__(self, lines: list[str], memory: Remembering) -> None:
        self._lines, self._memory = lines, memory
        self._at = len(lines)
        self._unfinished = ""

    def add(self, line: str) -> None:
        """Adds a line, unless it contains a password or a token."""
        if self._lines[-1:] != [line] and without_secrets(line) == line:
            self._lines.append(line)
            self._memory.append_string(line)
        self._at, self._unfinished = len(self._lines), ""

    def older(self, unfinished: str) -> str:
        """The line before. `unfinished` is the current input, which follows the latest line."""
        if self._at == len(self._lines):
            self._unfinished = unfinished
        self._at = max(0, self._at - 1)
        return self._lines[self._at] if self._lines else unfinished

    def newer(self) -> str:
        """The line after; at the end the unfinished input."""
        self._at = min(len(self._lines), self._at + 1)
        return self._lines[self._at] if self._at < len(self._lines) else self._unfinished
