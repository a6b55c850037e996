"""The real server, killed at the k-th time that it reaches a named point.

TWENTYTWO_CRASH_AT="committed:3" python -m tests.crash.server run --port 2222 --data folder
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

from argon2 import PasswordHasher

from tests.crash.planted import plant
from twentytwo_server import failpoints, node
from twentytwo_server.accounts.passwords import Hashing
from twentytwo_server.cli import main
from twentytwo_server.store import writer

LOG = 60
"""Number of facts after which SQLite's log is moved here: often, for test coverage."""

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""A weak and quick password hasher, because a server hashes a password at its start."""


def killer(where: str) -> Callable[[str], None]:
    """A function that kills this process at a point; `where` is `POINT:COUNT`.

    Raises `ValueError` for an unknown point.
    """
    name, _, times = where.rpartition(":")
    if name not in failpoints.FAILPOINTS:
        raise ValueError(f"there is no point {name}; there are {', '.join(failpoints.FAILPOINTS)}")
    left = int(times)

    def at(reached: str) -> None:
        nonlocal left
        if reached == name:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return at


def serve(words: Sequence[str], at: Callable[[str], None] | None) -> NoReturn:
    """Runs the server's own command in this process, and exits with it."""
    failpoints.at = at
    writer.LOG = LOG
    node.__dict__["Hashing"] = partial(Hashing, hasher=CHEAP)
    plant()
    status = 0
    try:
        main(list(words), prog_name="twentytwo-server")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


class Child:
    """A server process forked from this one, which has everything imported.

    It writes its address to a pipe and its log to a file. It ends with this process, because its
    standard input ends then. `first` is called in it before anything else.
    """

    def __init__(
        self,
        words: Sequence[str],
        complaints: Path,
        at: Callable[[str], None] | None = None,
        first: Callable[[], None] = lambda: None,
    ) -> None:
        stdin, self._stdin = os.pipe()
        self.stdout, stdout = os.pipe()
        stderr = os.open(complaints, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._stdin)
            os.close(self.stdout)
            for number, fd in enumerate((stdin, stdout, stderr)):
                os.dup2(fd, number)
            first()
            serve(["run", "--while-stdin", *words], at)
        for fd in (stdin, stdout, stderr):
            os.close(fd)

    def read(self) -> bytes:
        """Its output; empty when it has ended."""
        return os.read(self.stdout, 4096)

    def kill(self) -> None:
        """Sends SIGKILL."""
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """The exit status, or minus the number of the signal."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self._stdin)
        os.close(self.stdout)
        return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    where = os.environ.get("TWENTYTWO_CRASH_AT")
    serve(sys.argv[1:], killer(where) if where else None)
