"""The socket in the data folder through which the operator commands a running server.

One line with a command, `backup PATH`, is answered with one line: `OK`, or `ERR` and the reason.
Only the user that the server runs as can open the socket.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from pathlib import Path
from typing import Any

from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IListeningPort
from twisted.internet.protocol import ServerFactory
from twisted.protocols.basic import LineOnlyReceiver

from ..store import Refused
from ..store.sql import SqlStore

SOCKET = "admin.sock"
LONGEST_PATH = 107
"""Bytes that the path of a Unix socket may have on Linux; a few less on other systems."""

log = logging.getLogger("twentytwo.admin")


class Admin(LineOnlyReceiver):
    """A connection to this socket: answers the first line and closes."""

    delimiter = b"\n"

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._work: asyncio.Task[None] | None = None

    def lineReceived(self, line: bytes) -> None:
        """Starts to carry out the command; further lines are ignored."""
        if self._work is None:
            command, _, about = os.fsdecode(line).partition(" ")
            self._work = asyncio.ensure_future(self._answer(command, about))

    async def _answer(self, command: str, about: str) -> None:
        answer = f"ERR {command} is not a command here"
        if command == "backup":
            answer = await self._backup(Path(about))
        assert self.transport is not None
        self.transport.write(os.fsencode(answer) + b"\n")
        self.transport.loseConnection()

    async def _backup(self, target: Path) -> str:
        try:
            await self._store.backup(target)
        except (Refused, OSError) as error:
            return f"ERR {error}"
        return "OK"


class _Admins(ServerFactory):
    noisy = False

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    def buildProtocol(self, addr: Any) -> Admin:
        return Admin(self._store)


def listen(reactor: Any, folder: Path, store: SqlStore) -> IListeningPort | None:
    """Listens in the data folder of an open store; logs a warning and returns None if it cannot."""
    path = folder / SOCKET
    path.unlink(missing_ok=True)  # left by a server that was killed: this one has the folder's lock
    before = os.umask(0o177)
    try:
        port: IListeningPort = reactor.listenUNIX(str(path), _Admins(store), mode=0o600)
    except CannotListenError as error:
        log.warning("no backups while the server runs: %s", error)
        return None
    finally:
        os.umask(before)
    return port


def tell(folder: Path, command: str) -> str | None:
    """Sends a command to the server that uses the folder; its answer, None if no server does.

    Blocks until the answer is there. Raises `Refused` if the server hangs up without one.
    """
    path = str(folder / SOCKET)
    if len(os.fsencode(path)) > LONGEST_PATH:
        return None  # no server can listen there either
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        connection.sendall(os.fsencode(command + "\n"))
        answer = os.fsdecode(connection.makefile("rb").readline()).rstrip("\r\n")
    if not answer:
        raise Refused("the server has stopped before it was done")
    return answer
