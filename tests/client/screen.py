"""A terminal of which the tests see what a person would see."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte
import wcwidth


class _Screen(pyte.HistoryScreen):
    """A screen that answers: the program asks where the cursor is before it draws its status."""

    child: pexpect.spawn[bytes] | None = None

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
        if self.child is not None:
            self.child.send(data)


def _mind_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """A program in a terminal of so many columns and rows, which `answers` where its cursor is."""

    def __init__(
        self,
        *arguments: str,
        state: Path,
        size: tuple[int, int] = (80, 24),
        env: dict[str, str] | None = None,
        program: Sequence[str] = ("-m", "twentytwo_client"),
        answers: bool = True,
    ) -> None:
        self.columns, self.rows = size
        self._screen = _Screen(*size, 5000)
        self._stream = pyte.ByteStream(self._screen)
        self.bytes = b""
        self._lines: list[str] = []
        base = {key: os.environ[key] for key in ("PATH", "PYTHONPATH", "HOME") if key in os.environ}
        usual = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "USER": "bob"}
        kept = {"XDG_STATE_HOME": str(state), "XDG_DATA_HOME": str(state / "data")}
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            sys.executable,
            [*program, *arguments],
            env=base | usual | kept | (env or {}),
            dimensions=(self.rows, self.columns),
            timeout=20,
            # Whoever runs the tests in the background may have it ignore Ctrl-C.
            preexec_fn=_mind_ctrl_c,
        )
        self.child.delaybeforesend = None
        self._screen.child = self.child if answers else None

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)

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
        try:
            while True:
                self._feed(self.child.read_nonblocking(65536, timeout=0.02))
        except (pexpect.TIMEOUT, pexpect.EOF):
            self._lines = self._lines or [line.rstrip() for line in self._screen.display]
            return self._lines

    def _feed(self, data: bytes) -> None:
        self.bytes += data
        self._stream.feed(data)
        self._lines = []

    def until(self, true: Callable[[list[str]], object], within: float = 20) -> list[str]:
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
        self.child.send(text)

    def enter(self, text: str = "") -> None:
        """Types a text and Enter."""
        self.child.send(f"{text}\r")

    def resize(self, columns: int, rows: int) -> None:
        """The window gets another size."""
        self.columns, self.rows = columns, rows
        self._screen.resize(rows, columns)
        self._screen.ensure_vbounds()  # the cursor is where there is a row
        self._lines = []
        self.child.setwinsize(rows, columns)

    def close(self) -> None:
        """The window is closed."""
        self.child.ptyproc.fileobj.close()  # type: ignore[attr-defined]  # its stubs lack it

    def signal(self, number: int) -> None:
        """Sends a signal to the program."""
        assert self.child.pid is not None
        os.kill(self.child.pid, number)

    def stopped(self) -> None:
        """Waits until the program is suspended; nothing of it is to be seen then."""
        assert self.child.pid is not None
        _, status = os.waitpid(self.child.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        self.look()
        self._screen.reset()
        self._lines = []

    def ended(self) -> int:
        """Waits for the end; the exit code."""
        self.until(lambda _: not self.child.isalive())
        self.child.wait() if self.child.isalive() else None
        assert self.child.exitstatus is not None, self.child.signalstatus
        return int(self.child.exitstatus)
