"""The driver between Textual and the terminal, which survives the end of the terminal."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import threading
from codecs import getincrementaldecoder
from typing import IO

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver

from .. import hangup

TICK = 0.1
"""Seconds after which Escape alone is a key of its own, and the end of the input is noticed."""


class LastingDriver(LinuxDriver):
    """The usual driver, for which a window that was closed is no reason to stay for ever.

    With the usual one the thread that writes ends at the first error, and whoever then writes waits
    for it; the thread that reads turns round at the end of the input; and every SIGCONT starts
    another one that reads. A terminal that is closed sends SIGCONT too.
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
        self._suspended = False

    def start_application_mode(self) -> None:
        """Textual: the terminal is ours, unless we are in the background."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's
        self._suspended = self._key_thread is None or not self._key_thread.is_alive()

    def suspend_application_mode(self) -> None:
        """Textual: the terminal is the shell's for a while."""
        self.stop_application_mode()
        super().close()
        self._suspended = True

    def close(self) -> None:
        """Textual: the terminal is no longer ours, and no signal makes it so again."""
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
        super().close()

    def write(self, data: str) -> None:
        """Textual: shows something. While suspended nobody writes what would wait here."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().write(data)

    def _sigcont_application(self, *signalled: object) -> None:
        if self._suspended:
            super()._sigcont_application(*signalled)

    def run_input_thread(self) -> None:
        """Textual: reads what is typed until the input ends, or another thread does."""
        parser, decode = XTermParser(), getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while self._key_thread is threading.current_thread() and not self.exit_event.is_set():
                if selector.select(TICK):
                    typed = self._read()
                    if not typed:
                        hangup.hang_up()
                        return
                    for event in parser.feed(decode(typed)):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)

    def _read(self) -> bytes:
        try:
            return os.read(self.fileno, 4096)
        except OSError:  # so it ends where nobody holds the terminal any more
            return b""


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
