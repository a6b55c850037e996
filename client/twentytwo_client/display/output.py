"""Where text goes: to the standard output, whatever that is."""

from __future__ import annotations

import os
import sys
from typing import Protocol


class Screen(Protocol):
    """Where text goes."""

    def write(self, text: str) -> None:
        """Shows whole lines."""

    def ring(self) -> None:
        """Rings the bell."""


class StandardOutput:
    """Standard output: whole lines, and a bell. It goes quiet once nobody reads it any more."""

    def __init__(self) -> None:
        self.broken = False

    def write(self, text: str) -> None:
        """Shows whole lines."""
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
        except OSError:  # nobody reads the pipe, or the terminal is gone
            self.broken = True
            # Python flushes at exit; there must be somewhere for it to go.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def columns() -> int | None:
    """The columns of the terminal, or None where the output is none."""
    try:
        return os.get_terminal_size(1).columns or None
    except OSError:
        return None
