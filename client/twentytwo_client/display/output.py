"""The output of the client, usually standard output."""

from __future__ import annotations

import os
import sys
from typing import Protocol


class Screen(Protocol):
    """An output for text."""

    def write(self, text: str) -> None:
        """Shows complete lines."""

    def ring(self) -> None:
        """Rings the bell."""


class StandardOutput:
    """Standard output: complete lines, and a bell. It stops writing once nobody reads it."""

    def __init__(self) -> None:
        self.broken = False

    def write(self, text: str) -> None:
        """Shows complete lines."""
        self._put(f"{text}\n")

    def ring(self) -> None:
        """Rings the bell."""
        self._put("\a")

    def _put(self, text: str) -> None:
        if self.broken:
            return
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError:  # the pipe is closed, or the terminal is gone
            self.broken = True
            # Python flushes at exit, so standard output must lead somewhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def columns() -> int | None:
    """The columns of the terminal; None if the output is not a terminal."""
    try:
        return os.get_terminal_size(1).columns or None
    except OSError:
        return None
