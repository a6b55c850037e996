"""A process that forks Python processes with all modules of the product already imported; see
`forked`.

Imports are most of the start time of a server or a client. Here they happen once for all processes
that a pytest worker starts. A forked process then runs a module or a program as `python -m` and
`python -c` do, with its own environment, working directory and streams. When a forked process
starts a Python in such a way, as the client starts its practice server, that is a fork too.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import importlib
import json
import locale
import os
import runpy
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import types
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

READY_MADE = (
    "aiosqlite",
    "alembic.command",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "twisted.internet.asyncioreactor",
    "twisted.internet.endpoints",
    "twentytwo_client.cli",
    "twentytwo_client.menu",
    "twentytwo_client.practice_history",
    "twentytwo_client.sdk",
    "twentytwo_client.terminal.app",
    "twentytwo_client.tui.app",
    "twentytwo_server.cli",
    "twentytwo_server.node",
    "twentytwo_server.store.sql",
)
"""Modules to import before the first fork. None of them starts a thread or chooses a reactor."""

STREAMS = 3
"""Each request comes with standard input, output and error, and a stream for the exit status."""
MOST = 1 << 17
"""Maximum size of a request in bytes: its arguments and its environment."""
STATUS = struct.Struct("i")
NOT_WRITTEN = 120
"""Python's exit status when its last output cannot be written."""


def serve(control: socket.socket) -> None:
    """Forks the requested processes until the other end closes."""
    woken, wakes = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.set_wakeup_fd(wakes)
    running: dict[int, int] = {}
    while True:
        ready = select.select([control.fileno(), woken], [], [])[0]
        if woken in ready:
            os.read(woken, 1024)
            _bury(running)
        if control.fileno() not in ready:
            continue
        order, streams, _, _ = socket.recv_fds(control, MOST, STREAMS + 1)
        if not order:
            return
        if not (pid := os.fork()):
            control.detach()
            _end_as(json.loads(order), streams)
        running[pid] = streams.pop()
        os.write(running[pid], STATUS.pack(pid))
        for stream in streams:
            os.close(stream)


def _bury(running: dict[int, int]) -> None:
    """Reports the exit statuses of ended processes."""
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        told = running.pop(pid)
        with suppress(BrokenPipeError):  # the requester has gone
            os.write(told, STATUS.pack(os.waitstatus_to_exitcode(status)))
        os.close(told)


def _become(order: dict[str, Any], streams: list[int]) -> None:
    """Runs the request in the forked process."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    deaf = order["ignoring_sigint"]
    signal.signal(signal.SIGINT, signal.SIG_IGN if deaf else signal.default_int_handler)
    if order["new_session"]:
        os.setsid()
    for number, stream in enumerate(streams[:STREAMS]):
        os.dup2(stream, number)
    if order["terminal"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.closerange(STREAMS, max(streams) + 100)
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["folder"])
    os.sched_setaffinity(0, order["cores"])
    if order["python"]:
        os.execv(order["python"], [order["python"], *order["words"]])
    with suppress(locale.Error):  # the named locale is not installed
        locale.setlocale(locale.LC_CTYPE, "")
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)  # type: ignore[misc]  # Final there
    sys.stdout = sys.__stdout__ = os.fdopen(  # type: ignore[misc]  # Final there
        1, "w", 1 if os.isatty(1) else -1, closefd=False
    )
    sys.stderr = sys.__stderr__ = os.fdopen(  # type: ignore[misc]  # Final there
        2, "w", 1, errors="backslashreplace", closefd=False
    )
    how, what, *words = order["words"]
    sys.argv[:] = [how, *words]
    if how == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        program = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(what, "<string>", "exec"), vars(program))


_start_anew = subprocess._fork_exec  # type: ignore[attr-defined]


def _start(
    words: Sequence[str],
    programs: Sequence[bytes],
    close: bool,
    kept: Sequence[int],
    folder: str | None,
    env: Sequence[bytes] | None,
    *how: Any,
) -> int:
    """What `subprocess` calls in a forked process: forks again for this Python with `-m` or `-c`.

    Returns the id of the new process.
    """
    first, *arguments = words
    python = first == sys.executable and arguments[:1] in (["-m"], ["-c"])
    if not python or len(kept) > 1 or env is not None:
        anew: int = _start_anew(words, programs, close, kept, folder, env, *how)
        return anew
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside threads
        pid = os.fork()
    if pid:
        return pid
    theirs, new_session = (how[0], how[3], how[5]), how[9]
    order = {
        "words": arguments,
        "env": dict(os.environ),
        "folder": folder or os.getcwd(),
        "ignoring_sigint": signal.getsignal(signal.SIGINT) is signal.SIG_IGN,
        "new_session": new_session,
        "terminal": False,
        "cores": sorted(os.sched_getaffinity(0)),
        "python": "",
    }
    _end_as(order, [max(each, number) for number, each in enumerate(theirs)])


def _end_as(order: dict[str, Any], streams: list[int]) -> NoReturn:
    """Runs the request in the forked process, and ends the process.

    It ends without taking down the modules of the product: that would copy most of the memory which
    it shares with the process before, and take longer than most of these programs.
    """
    # Their buffers are the other program's: they would be written when they are freed.
    before = sys.stdin, sys.stdout, sys.stderr  # noqa: F841
    status: object = 0
    try:
        for number in signal.valid_signals():
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        _become(order, streams)
    except SystemExit as end:
        status = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    if not isinstance(status, int | None):
        print(status, file=sys.stderr)
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()  # what complains when it is freed does so now
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:
                stream.flush()
        except OSError:
            status = NOT_WRITTEN
    os._exit(status or 0)


if __name__ == "__main__":
    subprocess._fork_exec = _start  # type: ignore[attr-defined]
    subprocess._USE_POSIX_SPAWN = False  # type: ignore[misc]  # Final there
    for each in READY_MADE:
        importlib.import_module(each)
    gc.collect()
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])))
