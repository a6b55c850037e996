"""A client whose terminal is gone has ended soon after, whatever it was showing."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.client.screen import Terminal
from twentytwo_client import hangup

NOT_ITS_OWN = (
    "-c",
    "import fcntl, signal, sys, termios;"
    "signal.signal(signal.SIGHUP, signal.SIG_IGN);"
    "fcntl.ioctl(0, termios.TIOCNOTTY);"
    "signal.signal(signal.SIGHUP, signal.SIG_DFL);"
    "from twentytwo_client.__main__ import main;"
    "sys.exit(main())",
)
"""The client at a terminal that does not control it, so that no signal tells of its end."""
CLIENT = ("-m", "twentytwo_client")
F1, CTRL_Z = "\x1bOP", "\x1a"
FILLED = b"\x1b[?1049h"
"""The program has the terminal to itself."""


def _nothing(_: Terminal) -> None:
    pass


def _help(terminal: Terminal) -> None:
    terminal.type(F1)
    terminal.see("Chosen cards stand higher")


def _continued(terminal: Terminal) -> None:
    """SIGCONT without a stop before it: as a terminal sends it that is closed."""
    terminal.signal(signal.SIGCONT)


def _suspended(terminal: Terminal) -> None:
    terminal.type(CTRL_Z)
    terminal.stopped()


def _resumed(terminal: Terminal) -> None:
    _suspended(terminal)
    terminal.signal(signal.SIGCONT)
    terminal.until(lambda _: terminal.bytes.count(FILLED) == 2)


Screen = tuple[tuple[str, ...], str, Callable[[Terminal], None]]
FULL = ("practice", "seed=1", "--tui")
SCREENS: dict[str, Screen] = {
    "menu": ((), "learn)>", _nothing),
    "lines": (("practice", "seed=1"), "YOUR TURN", _nothing),
    "sentences": (
        ("host", "--port", "0", "--no-web", "--plain", "--name", "zed"),
        "--table",
        _nothing,
    ),
    "no answer": (("play", "127.0.0.1:{silent}", "--plain"), "Connecting", _nothing),
    "the full screen": (FULL, "YOUR TURN", _nothing),
    "its help": (FULL, "YOUR TURN", _help),
    "its lesson": (("tutorial", "--tui"), "any key: the table", _nothing),
    "continued": (FULL, "YOUR TURN", _continued),
    "resumed": (FULL, "YOUR TURN", _resumed),
    "suspended": (FULL, "YOUR TURN", _suspended),
}


def _ends(program: tuple[str, ...], screen: str, state: Path) -> None:
    arguments, seen, then = SCREENS[screen]
    size = (40, 15) if "lesson" in screen else (80, 24)
    with contextlib.ExitStack() as stack:
        silent = stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
        words = [each.format(silent=silent) for each in arguments]
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="22"))
        terminal = stack.enter_context(
            Terminal(*words, state=state, program=program, size=size, env={"TMPDIR": folder})
        )
        terminal.see(seen)
        then(terminal)
        terminal.close()
        deadline = time.monotonic() + 30
        while (status := terminal.process.poll()) is None:
            assert time.monotonic() < deadline, "it is still there"
            with contextlib.suppress(ProcessLookupError):  # it may end just now
                terminal.signal(signal.SIGCONT)  # the kernel sends it too, and the shell that ends
            time.sleep(0.05)
        # Not by the last resort. Python says 120 where nothing could be written any more.
        assert status in (-signal.SIGHUP, 0, 120, 128 + signal.SIGHUP)
        assert not os.listdir(folder)  # nor is there a server any more


@pytest.mark.parametrize("screen", SCREENS)
def test_a_client_ends_with_its_terminal(screen: str, tmp_path: Path) -> None:
    _ends(CLIENT, screen, tmp_path)


@pytest.mark.parametrize("screen", ["lines", "sentences", "no answer", "its help"])
def test_it_does_so_where_no_signal_tells_of_it(screen: str, tmp_path: Path) -> None:
    _ends(NOT_ITS_OWN, screen, tmp_path)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads cannot be counted")
def test_a_continued_client_reads_with_one_thread(tmp_path: Path) -> None:
    with Terminal("practice", "seed=1", "--tui", state=tmp_path) as terminal:
        terminal.see("YOUR TURN")
        threads = f"/proc/{terminal.process.pid}/task"
        before = len(os.listdir(threads))
        _continued(terminal)
        _help(terminal)
        assert len(os.listdir(threads)) == before


def test_a_hangup_is_an_end_that_nothing_prevents() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGHUP, lambda number, _: heard.append(number))
    try:
        hangup.hang_up()
        assert heard == [signal.SIGHUP]
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL  # it ends the process
        assert 0 < signal.alarm(0) <= hangup.WITHIN
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGHUP, before)
