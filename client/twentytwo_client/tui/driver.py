"""A Textual driver for which the end of the terminal is a regular event."""

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
"""The interval in seconds after which a lone Escape is a key, and the end of the input is
noticed.
"""


class LastingDriver(LinuxDriver):
    """The Linux driver, which also ends when the window is closed.

    With Textual's own driver the writing thread ends at the first error, and later writers wait for
    it forever. The reading thread spins at the end of the input. Every SIGCONT starts another
    reading thread, and a closed terminal sends SIGCONT too.
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
        """Textual: takes the terminal over, unless the client is in the background."""
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's
        self._suspended = self._key_thread is None or not self._key_thread.is_alive()

    def suspend_application_mode(self) -> None:
        """Textual: returns the terminal to the shell for a while."""
        self.stop_application_mode()
        super().close()
        self._suspended = True

    def close(self) -> None:
        """Textual: gives the terminal up for good."""
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
        super().close()

    def write(self, data: str) -> None:
        """Textual: shows text. While suspended the text is dropped, because the write would
        block.
        """
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().write(data)

    def _sigcont_application(self, *signalled: object) -> None:
        if self._suspended:
            super()._sigcont_application(*signalled)

    def run_input_thread(self) -> None:
        """Textual: reads input until it ends or another thread reads."""
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
        except OSError:  # the terminal is gone
            return b""


class LastingFile:
    """A file that ignores all writes after an error."""

    def __init__(self, file: IO[str]) -> None:
        self._there = file

    def write(self, text: str) -> None:
        """Writes unless the file has failed."""
        with contextlib.suppress(OSError):
            self._there.write(text)

    def flush(self) -> None:
        """Flushes unless the file has failed."""
        with contextlib.suppress(OSError):
            self._there.flush()

    def fileno(self) -> int:
        """The file descriptor."""
        return self._there.fileno()
