"""The table that fills the terminal, in a terminal: begun, played, left; and where it cannot be."""

from __future__ import annotations

import errno
import io
import signal
import sys
import threading
from pathlib import Path
from typing import IO, cast

from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from tests.client.screen import Terminal
from tests.kit import forked
from twentytwo_client.tui.driver import LastingFile

LEFT = b"\x1b[?1049l"
"""The terminal shows again what stood there before."""


def test_a_game_is_begun_and_left_with_the_seat_kept(server: str, tmp_path: Path) -> None:
    arguments = ("play", server, "--tui", "--name", "rob", "--do", "practice seed=1")
    with Terminal(*arguments, state=tmp_path) as terminal:
        terminal.see("YOUR TURN")
        terminal.see("keep (enter)")
        terminal.type("\x1b[C ")  # right, space
        terminal.see("exchange 7♣ (enter)")
        terminal.type("\r")
        terminal.see("You throw 7")
        terminal.resize(40, 15)
        terminal.until(lambda lines: not any("You throw 7" in line for line in lines))
        terminal.type("\x03")
        terminal.see("Ctrl-C again to leave.")
        terminal.type("\x03")
        assert terminal.ended() == 130
        assert terminal.bytes.count(LEFT) == 1
    with Terminal(*arguments[:3], "--name", "rob", state=tmp_path) as terminal:
        terminal.see("Twenty-Two")  # the seat was kept
        terminal.type("\x11")  # Ctrl-Q
        assert terminal.ended() == 0
        assert LEFT in terminal.bytes and b"Goodbye" in terminal.bytes.rpartition(LEFT)[2]


def test_after_a_suspension_all_is_there_again(tmp_path: Path) -> None:
    with Terminal("practice", "--tui", "seed=1", state=tmp_path) as terminal:
        terminal.see("exchanges 5")
        terminal.type("\x1a")  # Ctrl-Z
        terminal.stopped()
        terminal.signal(signal.SIGCONT)
        terminal.see("exchanges 5")
        assert any("steady2" in line for line in terminal.look())


def test_without_the_toolkit_one_line_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "textual.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'textual'\", name='textual')"
    )
    env = {"PYTHONPATH": str(tmp_path)}
    with Terminal("practice", "--tui", state=tmp_path, env=env, python=sys.executable) as terminal:
        terminal.see("pip install 'twentytwo[tui]'")
        assert terminal.ended() == 1


def test_without_a_terminal_one_line_says_so() -> None:
    done = forked.run("-m", "twentytwo_client", "practice", "--tui")
    assert done.returncode == 2 and done.stdout == ""
    assert "needs a terminal" in done.stderr and done.stderr.count("\n") == 1


def test_a_server_that_does_not_answer_is_told_on_the_usual_screen(tmp_path: Path) -> None:
    with Terminal("play", "127.0.0.1:1", "--tui", state=tmp_path) as terminal:
        assert terminal.ended() == 3
        assert b"Could not connect" in terminal.bytes.rpartition(LEFT)[2]


def test_a_window_that_is_closed_keeps_nobody_who_writes_to_it() -> None:
    writer = WriterThread(cast(IO[str], LastingFile(Gone())))
    writer.start()

    def write() -> None:
        for _ in range(2 * MAX_QUEUED_WRITES):
            writer.write("text")
        writer.stop()

    writing = threading.Thread(target=write, daemon=True)
    writing.start()
    writing.join(5)
    assert not writing.is_alive()


class Gone(io.StringIO):
    """A terminal whose window was closed."""

    def write(self, text: str) -> int:
        raise OSError(errno.EIO, "Input/output error")
