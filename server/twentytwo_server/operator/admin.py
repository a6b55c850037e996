"""The admin socket of a running server, and its protocol.

A request is one line of JSON, `{"command": "ban", "target": "mallory"}`. So is the answer: `{"ok":
true, "text": "...", "rows": [...]}`, or `{"ok": false, "text": "why not"}`. Only the user that runs
the server can open the socket. `admin_actions` implements the commands.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import struct
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IListeningPort
from twisted.internet.protocol import ServerFactory
from twisted.protocols.basic import LineOnlyReceiver

from ..net.no_listening import make_way, no_listening
from ..store import Refused
from .actions.context import AdminAnswer
from .admin_actions import AdminActions
from .one_line import one_line

LONGEST_PATH = 107
"""Maximum length of a Unix socket's path on Linux, in bytes; other systems allow a few less."""

log = logging.getLogger("twentytwo.admin")


class Admin(LineOnlyReceiver):
    """A connection to the admin socket: answers the first line and closes."""

    delimiter = b"\n"

    def __init__(self, actions: AdminActions) -> None:
        self._actions = actions
        self._work: Deferred[None] | None = None

    def lineReceived(self, line: bytes) -> None:
        """Starts the command; later lines are ignored."""
        if self._work is None:
            self._work = Deferred.fromCoroutine(self._answer(line))

    async def _answer(self, line: bytes) -> None:
        try:
            command, given = question(line)
            answer = await self._actions.carry_out(_peer(self.transport), command, given)
            found: dict[str, Any] = {"ok": True, "text": answer.text, "rows": list(answer.rows)}
        except (Refused, OSError) as wrong:
            found = {"ok": False, "text": one_line(wrong)}
        except Exception:
            log.exception("an admin command failed")
            found = {"ok": False, "text": "the server stumbled; its log has why"}
        assert self.transport is not None
        self.transport.write(json.dumps(found).encode() + b"\n")
        self.transport.loseConnection()


def question(line: bytes) -> tuple[str, Mapping[str, str]]:
    """The command and its arguments in a request. Raises `Refused`."""
    try:
        found = json.loads(line)
        given = {str(key): str(value) for key, value in found.items()}
        return given.pop("command"), given
    except (AttributeError, KeyError, ValueError, RecursionError):
        raise Refused("that is no command of `twentytwo-server admin`") from None


def _peer(transport: Any) -> int:
    """The user ID of the peer of a Unix socket; -1 if the system does not report it."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return -1
    form = "3i"
    known = transport.getHandle().getsockopt(socket.SOL_SOCKET, option, struct.calcsize(form))
    _, uid, _ = struct.unpack(form, known)
    return int(uid)


class _Admins(ServerFactory):
    noisy = False

    def __init__(self, actions: AdminActions) -> None:
        self._actions = actions

    def buildProtocol(self, addr: Any) -> Admin:
        return Admin(self._actions)


def listen(reactor: Any, path: Path, actions: AdminActions) -> IListeningPort | None:
    """Listens at a path that belongs to this server alone; logs a failure and returns None."""
    before = os.umask(0o177)
    try:
        make_way(path)
        port: IListeningPort = reactor.listenUNIX(str(path), _Admins(actions), mode=0o600)
    except (CannotListenError, OSError) as error:
        why = no_listening(f"unix:{path}", error)
        log.warning("no admin commands and no backups while the server runs: %s", why)
        return None
    finally:
        os.umask(before)
    return port


def tell(path: Path, command: str, **given: str) -> AdminAnswer | None:
    """Sends a command to the server that listens at a path; None if no server does.

    Blocks until the answer arrives. Raises `Refused` if the command is refused, or if the server
    closes the connection without an answer.
    """
    if len(os.fsencode(path)) > LONGEST_PATH:
        return None  # no server can listen at such a path either
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except PermissionError:
            raise Refused(f"{path} may only be used by the user that runs the server") from None
        line = b""
        with suppress(ConnectionError):
            connection.sendall(json.dumps({"command": command, **given}).encode() + b"\n")
            line = connection.makefile("rb").readline()
    if not line:
        raise Refused("the server stopped before the command was done")
    found = json.loads(line)
    if not found["ok"]:
        raise Refused(found["text"])
    return AdminAnswer(found["text"], found["rows"])
