"""The real server as a separate process, and plain sockets to it."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE

from tests.kit.forked import Forked

LONG = 20.0
"""Seconds after which a wait fails, long enough for any busy machine."""


class Server:
    """`twentytwo-server run` with options; `env` is its environment, by default this process's.

    `program` replaces `twentytwo-server`. The server is forked from a process that has imported the
    product, unless it is run by `python`.
    """

    def __init__(
        self,
        *options: str,
        ignoring_sigint: bool = False,
        env: Mapping[str, str] | None = None,
        program: Sequence[str] = ("-m", "twentytwo_server", "run"),
        python: str = "",
    ) -> None:
        # Tests of stored data pass --data themselves.
        kept = () if "--data" in options else ("--memory",)

        # A file instead of a pipe: nobody reads it before the end, and a full pipe would block the
        # server.
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed with the server
        self.process = Forked(
            *program,
            *kept,
            *options,
            stdin=PIPE,
            stdout=PIPE,
            stderr=self._errors.fileno(),
            env=env,
            ignoring_sigint=ignoring_sigint,
            python=python,
        )

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.close_input()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._errors.close()

    def first_line(self) -> str:
        """The first line of output; for a log in JSON, its text."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().rstrip("\n")
        return str(json.loads(line)["text"]) if line.startswith("{") else line

    def address(self, prefix: str = "") -> tuple[str, int]:
        """The address of the listener with that prefix."""
        line, said = self.first_line(), f"listening on {prefix}"
        assert line.startswith(said), f"{self.process.args!r}: {line!r}\n{self.log()}"
        host, _, port = line.removeprefix(said).rpartition(":")
        return host, int(port)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str, str]:
        """Stops the server; returns its exit status, remaining output, and errors."""
        self.process.send_signal(how)
        return self.wait()

    def wait(self) -> tuple[int, str, str]:
        try:
            status = self.process.wait(timeout=LONG)
        except subprocess.TimeoutExpired as late:
            late.add_note(f"it has logged:\n{self.log()}")
            raise
        assert self.process.stdout is not None
        self._errors.seek(0)
        return status, self.process.stdout.read(), self._errors.read()

    def log(self) -> str:
        """The log so far."""
        # Reading must not move the file position, at which the process writes.
        found = os.pread(self._errors.fileno(), 1 << 20, 0).decode(errors="replace")
        return "\n".join(found.splitlines()[-20:])

    def children(self) -> list[Child]:
        """The running child processes of the server (Linux)."""
        pid = self.process.pid
        tasks = Path(f"/proc/{pid}/task").iterdir()
        found = " ".join((task / "children").read_text() for task in tasks)
        return [Child(int(each)) for each in found.split()]

    def close_input(self) -> None:
        """Closes its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.close()


def troubles(log: str) -> list[str]:
    """The lines of a log above the usual level."""
    return [line for line in log.splitlines() if line.split()[1:2] != ["info"]]


class Child:
    """A child process of the server."""

    def __init__(self, pid: int) -> None:
        self._file = os.pidfd_open(pid)

    def ended(self, seconds: float) -> bool:
        """True if it has ended, or ends within `seconds`. Call it once."""
        with open(self._file, "rb") as file:
            return bool(select.select([file], [], [], seconds)[0])


class Plain:
    """A socket that sends and receives lines."""

    def __init__(self, where: tuple[str, int] | Path | socket.socket) -> None:
        if isinstance(where, socket.socket):
            self.socket = where
        elif isinstance(where, Path):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(LONG)
            self.socket.connect(str(where))
        else:
            self.socket = socket.create_connection(where, timeout=LONG)
        self._file = self.socket.makefile("r", encoding="utf-8", errors="replace", newline="\n")
        self._heard: list[str] = []

    def send(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def _next(self, wanted: str) -> str:
        try:
            line = self._file.readline()
        except TimeoutError as late:
            late.add_note(f"{LONG:g} s without {wanted}, after {self._heard[-5:]}")
            raise
        self._heard.append(line)
        return line

    def line(self) -> str:
        """The next line; empty at the end."""
        return self._next("a line").rstrip("\r\n")

    def until(self, start: str) -> str:
        """Skips to the next line with this beginning."""
        while line := self._next(f"a line that begins with {start}"):
            if line.startswith(start):
                return line.rstrip("\r\n")
        raise AssertionError(f"no line begins with {start}: {self._heard[-5:]}")

    def rest(self) -> list[str]:
        """All lines up to the end of the connection."""
        return [line.rstrip("\r\n") for line in iter(lambda: self._next("its end"), "")]

    def close(self) -> None:
        self._file.close()
        with suppress(OSError):
            self.socket.close()


@contextmanager
def plain(where: tuple[str, int] | Path) -> Iterator[Plain]:
    """A socket for the duration of the block."""
    found = Plain(where)
    try:
        yield found
    finally:
        found.close()
