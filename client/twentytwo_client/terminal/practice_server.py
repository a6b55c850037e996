"""Runs a server of one's own, leaving nothing behind: for practice without a TCP port.

It listens on a Unix socket in a folder that only its owner may enter. It stops when its standard
input ends, a pipe from this process: so it stops even if this process is killed.
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
SOCKET, LOG = "twentytwo.sock", "log"
STARTS_WITHIN, STOPS_WITHIN = 15.0, 5.0
"""Seconds for the server to start and to stop."""
LONGEST_PATH = 100
"""Bytes that the path of a UNIX socket may have on every system that we know."""


class NoServer(Exception):
    """The server did not start; the text says what it said last."""


def command(path: Path) -> Sequence[str]:
    """The command line of a server on a socket."""
    return [
        *(sys.executable, "-m", "twentytwo_server", "run"),
        *("--listen", f"unix:{path}", "--memory", "--while-stdin"),
    ]


def may_listen(where: Address) -> None:
    """Raises `OSError` if no server can listen there."""
    kind = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    with socket.socket(kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((where.host, where.port))


class OwnServer(Value):
    """A server that runs: the path of its socket, and where else it listens, as it says so."""

    path: Path
    places: tuple[str, ...]


@contextlib.asynccontextmanager
async def practice_server(*places: str, record: str = "") -> AsyncIterator[OwnServer]:
    """Runs a server for as long as the block lasts. It listens in these places too, if any.

    The game of a `record` is there as g0. Raises `NoServer`.
    """
    try:
        sweep(_temporary())
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_temporary()))
    except OSError as wrong:
        raise NoServer(f"no folder for it can be made: {trouble(wrong)}") from None
    try:
        options = [word for place in places for word in ("--listen", place)]
        if record:
            (folder / "record").write_text(record, "utf-8")
            options += ["--game", str(folder / "record")]
        server = await _start(folder, options)
        try:
            found = [await _ready(server, folder) for _ in ("", *places)]
            yield OwnServer(folder / SOCKET, tuple(found[1:]))
        finally:
            await _stop(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _start(folder: Path, options: Sequence[str]) -> asyncio.subprocess.Process:
    with open(folder / "unlocked", "wb") as log:
        # The server inherits the lock with the file: it is held for as long as one of us runs. Only
        # then the file gets the name by which another client looks for folders to sweep away.
        fcntl.flock(log, fcntl.LOCK_EX)
        os.rename(folder / "unlocked", folder / LOG)
        return await asyncio.create_subprocess_exec(
            *command(folder / SOCKET),
            *options,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            cwd=folder,
            # Ctrl-C in the terminal is for the client.
            start_new_session=True,
        )


async def _ready(server: asyncio.subprocess.Process, folder: Path) -> str:
    """Where it listens, as its next line says."""
    assert server.stdout is not None
    try:
        line = await asyncio.wait_for(server.stdout.readline(), STARTS_WITHIN)
    except TimeoutError:
        raise NoServer("it did not start in time") from None
    if not line.startswith(b"listening on "):
        await server.wait()
        log = (folder / LOG).read_text("utf-8", "replace").strip()
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
    name = f"{found}/{PREFIX}xxxxxxxx/{SOCKET}"
    return found if len(os.fsencode(name)) <= LONGEST_PATH else "/tmp"


def sweep(temporary: str) -> None:
    """Removes the folders of servers that are gone: a killed client cannot remove its own."""
    for folder in Path(temporary).glob(f"{PREFIX}????????"):
        with contextlib.suppress(OSError):
            if folder.stat().st_uid == os.getuid() and _is_left(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    """Whether a folder is one of ours, and nobody holds its lock any more."""
    with open(folder / LOG, "rb") as log:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True
