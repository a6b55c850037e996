"""Processes of the product, forked from a process that has imported it; see `fork_server`."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import IO

from tests.kit.fork_server import STATUS

ROOT = Path(__file__).parents[2]


@cache
def _fork_server() -> socket.socket:
    """The connection to the fork server, which is started with the first request."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    words = [sys.executable, "-m", "tests.kit.fork_server", str(theirs.fileno())]
    with theirs:
        process = subprocess.Popen(words, pass_fds=[theirs.fileno()], cwd=ROOT)

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


def _of_python(env: Mapping[str, str]) -> set[tuple[str, str]]:
    """The variables of an environment that Python itself reads."""
    return {(name, value) for name, value in env.items() if name.startswith("PYTHON") and value}


class Forked:
    """A Python process with the arguments `-m module ...` or `-c program ...`; see
    `subprocess.Popen`.

    `stdin`, `stdout` and `stderr` are `PIPE`, `DEVNULL`, the number of an open file, or None to
    inherit; pipes are text in UTF-8. `terminal`: standard input becomes the controlling terminal of
    a new session. `python` is a Python to start instead of forking, for tests of the start itself.
    """

    def __init__(
        self,
        *words: str,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        env: Mapping[str, str] | None = None,
        folder: Path | None = None,
        ignoring_sigint: bool = False,
        start_new_session: bool = False,
        terminal: bool = False,
        python: str = "",
    ) -> None:
        env = dict(os.environ if env is None else env)
        assert python or _of_python(env) <= _of_python(os.environ), "Python reads that at its start"
        self.args = words
        self.returncode: int | None = None
        self.stdin: IO[str] | None = None
        self.stdout: IO[str] | None = None
        self.stderr: IO[str] | None = None
        given, handed_over = [], []
        for number, stream in enumerate((stdin, stdout, stderr)):
            if stream is None or stream >= 0:
                given.append(number if stream is None else stream)
                continue
            if stream == DEVNULL:
                given.append(os.open(os.devnull, os.O_RDWR))
                handed_over.append(given[-1])
                continue
            assert stream == PIPE, "another special file is not supported"
            reading, writing = os.pipe()
            theirs, ours = (reading, writing) if number == 0 else (writing, reading)
            given.append(theirs)
            handed_over.append(theirs)
            file = os.fdopen(ours, "w" if number == 0 else "r", encoding="utf-8")
            setattr(self, ("stdin", "stdout", "stderr")[number], file)
        order = {
            "words": words,
            "env": env,
            "folder": str(folder or Path.cwd()),
            "ignoring_sigint": ignoring_sigint,
            "new_session": start_new_session or terminal,
            "terminal": terminal,
            "python": python,
            "cores": sorted(os.sched_getaffinity(0)),
        }
        self._status, told = os.pipe()
        socket.send_fds(_fork_server(), [json.dumps(order).encode()], [*given, told])
        for each in (*handed_over, told):
            os.close(each)
        (self.pid,) = STATUS.unpack(os.read(self._status, STATUS.size))

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.kill()
        for stream in (self.stdout, self.stderr, self.stdin):
            if stream is not None:
                stream.close()
        self.wait()

    def poll(self) -> int | None:
        """The exit status; None while the process runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, or minus the signal that ended the process. Raises `TimeoutExpired`."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            (self.returncode,) = STATUS.unpack(os.read(self._status, STATUS.size))
            os.close(self._status)
        return self.returncode

    def communicate(self, text: str | None = None, timeout: float | None = None) -> tuple[str, str]:
        """Writes the text, and returns the whole output and errors when the process has ended."""
        found = ["", ""]

        def read(number: int, stream: IO[str]) -> None:
            with stream:
                found[number] = stream.read()

        readers = [
            threading.Thread(target=read, args=(number, stream), daemon=True)
            for number, stream in enumerate((self.stdout, self.stderr))
            if stream is not None
        ]
        for reader in readers:
            reader.start()
        if self.stdin is not None:
            with suppress(BrokenPipeError):
                self.stdin.write(text or "")
                self.stdin.close()
        self.wait(timeout)
        for reader in readers:
            reader.join(timeout)
        return found[0], found[1]

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless the process has ended."""
        # The fork server collects an ended process a moment before it reports the status.
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kills the process."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Sends SIGTERM."""
        self.send_signal(signal.SIGTERM)


def run(
    *words: str,
    text: str = "",
    timeout: float = 60,
    env: Mapping[str, str] | None = None,
    folder: Path | None = None,
    start_new_session: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Runs Python with these arguments; `text` is its input. Returns the result as `subprocess.run`
    does.

    Kills the process and raises `TimeoutExpired` after `timeout` seconds.
    """
    with Forked(
        *words,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=env,
        folder=folder,
        start_new_session=start_new_session,
    ) as process:
        out, err = process.communicate(text, timeout)
    return subprocess.CompletedProcess(process.args, process.wait(), out, err)
