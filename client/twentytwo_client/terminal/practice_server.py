"""Runs a temporary server for practice, without a TCP port.

It listens on a UNIX socket in a folder that only its owner may enter. It stops when its standard
input, a pipe from this process, is closed. So it stops even if this process is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from twentytwo_protocol.value import Value

from ..address import Address
from ..trouble import trouble

PREFIX = "twentytwo-"
SOCKET_FILE, LOG_FILE = "twentytwo.sock", "log"
STARTS_WITHIN, STOPS_WITHIN = 15.0, 5.0
"""The timeouts in seconds for the server's start and stop."""
LONGEST_PATH = 100
"""The maximum length of the path of a UNIX socket on all supported systems, in bytes."""


class NoServer(Exception):
    """The server did not start. The message is its last output."""


def command(path: Path) -> Sequence[str]:
    """The command line of a server on a UNIX socket."""
    return [
        *(sys.executable, "-m", "twentytwo_server", "run"),
        *("--listen", f"unix:{path}", "--memory", "--while-stdin"),
    ]


def may_listen(where: Address) -> None:
    """Raises `OSError` if the address cannot be listened on."""
    kind = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    with socket.socket(kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((where.host, where.port))


class OwnServer(Value):
    """A running server: the path of its socket, and its other addresses."""

    path: Path
    listeners: tuple[str, ...]


@contextlib.asynccontextmanager
async def practice_server(*listeners: str, record: str = "") -> AsyncIterator[OwnServer]:
    """Runs a server within the block. It listens on `listeners` too.

    The game of a `record` has the id g0 there. Raises `NoServer`.
    """
    try:
        sweep(_temporary())
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_temporary()))
    except OSError as wrong:
        raise NoServer(f"no folder for it can be made: {trouble(wrong)}") from None
    try:
        options = [word for listener in listeners for word in ("--listen", listener)]
        if record:
            (folder / "record").write_text(record, "utf-8")
            options += ["--game", str(folder / "record")]
        server = await _start(folder, options)
        try:
            found = [await _ready(server, folder) for _ in ("", *listeners)]
            yield OwnServer(folder / SOCKET_FILE, tuple(found[1:]))
        finally:
            await _stop(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _start(folder: Path, options: Sequence[str]) -> asyncio.subprocess.Process:
    with open(folder / "unlocked", "wb") as log:
        # The server inherits the lock with the file, so it is held while either process runs. The
        # file
        # gets the name that other clients search for only after that.
        fcntl.flock(log, fcntl.LOCK_EX)
        os.rename(folder / "unlocked", folder / LOG_FILE)
        return await asyncio.create_subprocess_exec(
            *command(folder / SOCKET_FILE),
            *options,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            cwd=folder,
            # Ctrl-C in the terminal is for the client.
            start_new_session=True,
        )


async def _ready(server: asyncio.subprocess.Process, folder: Path) -> str:
    """The server's listening address, from its next line of output."""
    assert server.stdout is not None
    try:
        line = await asyncio.wait_for(server.stdout.readline(), STARTS_WITHIN)
    except TimeoutError:
        raise NoServer("it did not start in time") from None
    if not line.startswith(b"listening on "):
        await server.wait()
        log = (folder / LOG_FILE).read_text("utf-8", "replace").strip()
        said = (log or line.decode("utf-8", "replace")).rpartition("\n")[2].strip()
        raise NoServer(trouble(OSError(said)))
    return line.decode("utf-8", "replace").partition("listening on ")[2].strip()


async def _stop(server: asyncio.subprocess.Process) -> None:
    assert server.stdin is not None
    server.stdin.close()
    try:
        await asyncio.wait_for(server.communicate(), STOPS_WITHIN)
    except TimeoutError:
        server.kill()
        await server.wait()


def _temporary() -> str:
    found = tempfile.gettempdir()
    name = f"{found}/{PREFIX}xxxxxxxx/{SOCKET_FILE}"
    return found if len(os.fsencode(name)) <= LONGEST_PATH else "/tmp"


def sweep(temporary: str) -> None:
    """Removes the folders of servers that have ended, because a killed client leaves its own
    behind.
    """
    for folder in Path(temporary).glob(f"{PREFIX}????????"):
        with contextlib.suppress(OSError):
            if folder.stat().st_uid == os.getuid() and _is_left(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """True if a folder is one of ours and its lock is free."""
    with open(folder / LOG_FILE, "rb") as log:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True
