"""How Textual writes to the terminal, and goes on when that is no longer there."""

from __future__ import annotations

import contextlib
from typing import IO

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver


class LastingDriver(LinuxDriver):
    """The usual driver, for which a window that was closed is no reason to stay for ever.

    The thread that writes would end at the first error, and whoever then writes wait for it.
    """

    def __init__(
        self,
        app: App[object],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._file: IO[str] = LastingFile(self._file)  # type: ignore[assignment]  # all of it that is used


class LastingFile:
    """A file to which nothing is written any more once that is an error."""

    def __init__(self, file: IO[str]) -> None:
        self._there = file

    def write(self, text: str) -> None:
        """Writes, if it still can."""
        with contextlib.suppress(OSError):
            self._there.write(text)

    def flush(self) -> None:
        """Flushes, if it still can."""
        with contextlib.suppress(OSError):
            self._there.flush()

    def fileno(self) -> int:
        """The number of the file."""
        return self._there.fileno()
