"""A terminal of which the tests see what a person would see."""

from __future__ import annotations

import os
import pty
import select
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyte
import wcwidth

from tests.kit.forked import Forked


class _Screen(pyte.HistoryScreen):
    """A screen that answers: the program asks where the cursor is before it draws its status."""

    answer: Callable[[str], None] | None = None

    # The method of pyte's history checks at every access for paging, which no test uses.
    __getattribute__ = pyte.Screen.__getattribute__

    def __init__(self, columns: int, rows: int, history: int) -> None:
        super().__init__(columns, rows, history=history)
        self.wrapped: list[str] = []

    def draw(self, data: str) -> None:
        """Pyte: text appears; notes the lines that are too long for the window."""
        room = self.columns - self.cursor.x
        if wcwidth.width(data) > room and pyte.modes.DECAWM in self.mode:
            self.wrapped.append(f"{self.display[self.cursor.y].rstrip()}{data}")
        super().draw(data)

    def write_process_input(self, data: str) -> None:
        """Pyte: the terminal has something to say."""
        if self.answer is not None:
            self.answer(data)


class Terminal:
    """A program in a terminal of so many columns and rows, which `answers` where its cursor is.

    `python` is as in `Forked`.
    """

    def __init__(
        self,
        *arguments: str,
        state: Path,
        size: tuple[int, int] = (80, 24),
        env: dict[str, str] | None = None,
        program: Sequence[str] = ("-m", "twentytwo_client"),
        answers: bool = True,
        python: str = "",
    ) -> None:
        self.columns, self.rows = size
        self._screen = _Screen(*size, 5000)
        self._stream = pyte.ByteStream(self._screen)
        self.bytes = b""
        self._lines: list[str] = []
        base = {key: os.environ[key] for key in ("PATH", "PYTHONPATH", "HOME") if key in os.environ}
        usual = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "USER": "bob"}
        kept = {"XDG_STATE_HOME": str(state), "XDG_DATA_HOME": str(state / "data")}
        self._end, line = pty.openpty()
        termios.tcsetwinsize(line, (self.rows, self.columns))
        self.process = Forked(
            *program,
            *arguments,
            stdin=line,
            stdout=line,
            stderr=line,
            env=base | usual | kept | (env or {}),
            terminal=True,
            python=python,
        )
        os.close(line)
        self._screen.answer = self.type if answers else None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.process.kill()
        self.process.wait()

    # ------------------------------------------------------------------------- seeing

    @property
    def screen(self) -> pyte.Screen:
        """The screen with its colours, as far as it has been looked at."""
        return self._screen

    @property
    def wrapped(self) -> list[str]:
        """The lines that were too long for the window, where it did not cut them by itself."""
        return self._screen.wrapped

    def look(self) -> list[str]:
        """The lines that are on the screen, from top to bottom."""
        while data := self._read():
            self._feed(data)
        self._lines = self._lines or [line.rstrip() for line in self._screen.display]
        return self._lines

    def _read(self) -> bytes:
        """New output of the program, after a short wait; empty if there is none, and at the end."""
        if self._end < 0 or not select.select([self._end], [], [], 0.02)[0]:
            return b""
        try:
            return os.read(self._end, 65536)
        except OSError:  # EIO: nobody has the terminal open any more
            return b""

    def _feed(self, data: bytes) -> None:
        self.bytes += data
        self._stream.feed(data)
        self._lines = []

    def until(self, true: Callable[[list[str]], object], within: float = 60) -> list[str]:
        """Waits until something is true of the screen; the screen then."""
        deadline = time.monotonic() + within
        while not true(lines := self.look()):
            assert time.monotonic() < deadline, "it was never to be seen:\n" + "\n".join(lines)
        return lines

    def see(self, text: str) -> list[str]:
        """Waits until a text is on the screen."""
        return self.until(lambda lines: any(text in line for line in lines))

    def all(self) -> list[str]:
        """All lines from the beginning, those too that have gone off the top."""
        self.look()
        gone = [
            "".join(line[x].data for x in range(self.columns)) for line in self._screen.history.top
        ]
        return [line.rstrip() for line in gone] + [line.rstrip() for line in self._screen.display]

    # ------------------------------------------------------------------------- typing

    def type(self, text: str) -> None:
        """Types a text, without Enter."""
        os.write(self._end, text.encode())

    def enter(self, text: str = "") -> None:
        """Types a text and Enter."""
        self.type(f"{text}\r")

    def resize(self, columns: int, rows: int) -> None:
        """The window gets another size."""
        self.columns, self.rows = columns, rows
        self._screen.resize(rows, columns)
        self._screen.ensure_vbounds()  # the cursor is where there is a row
        self._lines = []
        termios.tcsetwinsize(self._end, (rows, columns))

    def close(self) -> None:
        """The window is closed."""
        if self._end >= 0:
            os.close(self._end)
            self._end = -1

    def signal(self, number: int) -> None:
        """Sends a signal to the program."""
        os.kill(self.process.pid, number)

    def stopped(self) -> None:
        """Waits until the program is suspended; nothing of it is to be seen then."""
        status = Path(f"/proc/{self.process.pid}/stat")
        self.until(lambda _: status.read_text().rpartition(")")[2].split()[0] == "T")
        self._screen.reset()
        self._lines = []

    def ended(self) -> int:
        """Waits for the end; the exit code."""
        self.until(lambda _: self.process.poll() is not None)
        return self.process.wait()
