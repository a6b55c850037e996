"""A password in real programs, each in a terminal of its own: what stands on the screen."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import shutil
import signal
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.kit.processes import LONG, Server

PASSWORD = "three blind mice"

TELNET = {
    "inetutils": ["inetutils-telnet", "HOST", "PORT"],
    "netkit": ["telnet-ssl", "HOST", "PORT"],
    "PuTTY": ["plink", "-telnet", "-P", "PORT", "HOST"],
    "busybox": ["busybox", "telnet", "HOST", "PORT"],
}
"""Programs that speak telnet. The first says nothing before it is spoken to, the third does."""

PLAIN = {
    "OpenBSD": ["nc.openbsd", "HOST", "PORT"],
    "OpenBSD that declines": ["nc.openbsd", "-t", "HOST", "PORT"],
    "traditional": ["nc.traditional", "HOST", "PORT"],
    "ncat": ["ncat", "HOST", "PORT"],
    "ncat that declines": ["ncat", "-t", "HOST", "PORT"],
    "socat": ["socat", "-", "TCP:HOST:PORT"],
    "busybox": ["busybox", "nc", "HOST", "PORT"],
    "PuTTY": ["plink", "-raw", "-P", "PORT", "HOST"],
}
"""Programs that show what is typed, whatever they are asked."""


def rows(shown: bytes) -> list[str]:
    """What these bytes leave on a screen that gives each byte it cannot read a column.

    Terminals differ in what they show for telnet's bytes; none shows more than this. SOH and NUL
    have no width in any.
    """
    screen, column = [""], 0
    for byte in shown:
        match byte:
            case 0x0A:
                screen.append(" " * column)
            case 0x0D:
                column = 0
            case 0x08:
                column = max(0, column - 1)
            case _ if byte > 1:
                row = screen[-1]
                screen[-1] = row[:column] + chr(byte) + row[column + 1 :]
                column += 1
    return [row.rstrip() for row in screen if row.strip()]


class Terminal:
    """A program in a terminal."""

    def __init__(self, command: list[str], columns: int = 80) -> None:
        self.shown = b""
        self._seen = 0
        self.pid, self._end = pty.fork()
        if not self.pid:
            termios.tcsetwinsize(0, (24, columns))
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.execvp(command[0], command)

    def type(self, text: str) -> None:
        os.write(self._end, text.encode())

    def until(self, text: str) -> None:
        """Waits until this is shown, after what was waited for before."""
        self._wait(text, lambda: text.encode() in self.shown[self._seen :])
        self._seen = self.shown.index(text.encode(), self._seen) + len(text)

    def echoes(self, on: bool) -> None:
        """Waits until the program has told the terminal to show what is typed, or not to."""
        self._wait("the echo", lambda: bool(termios.tcgetattr(self._end)[3] & termios.ECHO) is on)

    def _wait(self, what: str, come: Callable[[], bool]) -> None:
        end = time.monotonic() + LONG
        while not come():
            assert time.monotonic() < end, f"without {what}: {rows(self.shown)}"
            if select.select([self._end], [], [], 0.005)[0]:
                self.shown += os.read(self._end, 4096)

    def resize(self, columns: int) -> None:
        """Gives the terminal another width, of which the program is told by a signal."""
        termios.tcsetwinsize(self._end, (24, columns))

    def ends(self, status: int) -> None:
        """Waits until the program has ended, with this exit status."""
        with contextlib.suppress(OSError):  # the end of a terminal whose program has ended
            self._wait("the end", lambda: False)
        assert os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]) == status
        self.pid = 0

    def close(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._end)


@pytest.fixture(scope="module")
def where() -> Iterator[tuple[str, int]]:
    with Server("--port", "0", "--dev") as server:
        yield server.address()


@contextmanager
def terminal(command: list[str], where: tuple[str, int]) -> Iterator[Terminal]:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    host, port = where
    found = Terminal([each.replace("HOST", host).replace("PORT", str(port)) for each in command])
    try:
        yield found
    finally:
        found.close()


REGISTER = ("register lou", "Choose a password", "again"), "Welcome, "
CHANGE = ("password", "current password", "Choose a password", "again"), "is changed"
LOGIN = ("login lou", "empty line"), "Welcome, "
Visits = list[list[tuple[tuple[str, ...], str]]]
VISITS: Visits = [[REGISTER, CHANGE, LOGIN]]
VISITS_OF_BUSYBOX: Visits = [[REGISTER], [LOGIN]]
"""It stops showing what is typed once in a connection, whatever it answers later."""


@pytest.mark.parametrize("name", TELNET)
def test_telnet_shows_no_password_wherever_one_is_asked(name: str, where: tuple[str, int]) -> None:
    for visit in VISITS_OF_BUSYBOX if name == "busybox" else VISITS:
        with terminal(TELNET[name], where) as seen:
            seen.until("People: type a name")
            for (verb, *questions), answer in visit:
                seen.type(verb.replace("lou", name) + "\r")
                for question in questions:
                    seen.until(question)
                    seen.echoes(False)
                    seen.type(PASSWORD[:-2] + "x\x7f" + PASSWORD[-2:] + "\r")
                seen.until(answer)
                seen.echoes(True)
                seen.type("whoami\r")
                seen.until("whoami")
                seen.until(f"You are {name}.")
                if verb == "password":
                    seen.type("logout\r")
                    seen.until("no name now")
            assert "blind" not in seen.shown.decode("latin-1")
            assert "".join(rows(seen.shown)).isascii()


@pytest.mark.parametrize("name", PLAIN)
def test_without_telnet_nothing_strange_is_on_the_screen(name: str, where: tuple[str, int]) -> None:
    with terminal(PLAIN[name], where) as seen:
        seen.until("People: type a name")
        for _ in range(2):
            seen.type("register nemo\r")
            seen.until("for example three unrelated")
            seen.until("words:")
            seen.type(PASSWORD + "\r")
            seen.until("password again:")
            seen.type("\r")
            seen.until("nothing was done.")
        assert (
            rows(seen.shown)[-10:]
            == [
                "register nemo",
                "Choose a password of 10 characters or more, for example three unrelated words:",
                PASSWORD,
                "The same password again:",
                "! Nothing was typed, so nothing was done.",
            ]
            * 2
        )
        assert seen.shown.count(b"\xff") <= 1  # who does not answer is asked once
