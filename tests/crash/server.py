"""The server itself, killed where it is told: at the k-th time that it comes to a named point.

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
"""Facts after which the log of SQLite is moved here: often enough to be met."""

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Hashes passwords badly and at once: a server hashes one at its start."""


def killer(where: str) -> Callable[[str], None]:
    """Ends this process at once at a point; `where` is its name, a colon and the how-manieth time.

    Raises `ValueError` where there is no such point.
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
    """Runs the server's own command in this process, and ends with it."""
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
    """A server in a process of its own: forked from this one, which has everything imported.

    It says on a pipe where it listens; what it complains of is in a file. It ends with this
    process, for its standard input ends then. `first` is done in it before anything else.
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
        """What it has said; empty when it has ended."""
        return os.read(self.stdout, 4096)

    def kill(self) -> None:
        """SIGKILL."""
        os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """How it ended: the exit status, or minus the number of the signal."""
        _, status = os.waitpid(self.pid, 0)
        os.close(self._stdin)
        os.close(self.stdout)
        return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    where = os.environ.get("TWENTYTWO_CRASH_AT")
    serve(sys.argv[1:], killer(where) if where else None)
