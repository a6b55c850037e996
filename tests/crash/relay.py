"""A relay between a server and its database, or its NATS, which can be cut."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Literal, Protocol

Cut = Literal["cut", "requests cut", "answers cut"]
"""The directions in which nothing arrives any more: both, to the database, or back."""


class Route(Protocol):
    """A server's own way to the database, which can be cut. `host` is where the server listens."""

    host: str

    def url(self, database: str) -> str:
        """The URL of a database at the other end."""

    def inside(self) -> AbstractContextManager[None]:
        """A server that is started within has this way."""

    def cut(self, how: Cut) -> None:
        """Loses what is sent in these directions, as a network does that loses all packets."""

    def heal(self) -> None:
        """Passes everything on again, late."""

    def close(self) -> None:
        """Ends the way."""


class Relay:
    """A process that relays connections from a new socket to the socket `to`.

    The new one of a Unix socket has the same name, in `folder`. That of a port is on `port`. See
    `Route`.
    """

    host = "127.0.0.1"

    def __init__(self, to: Path | int) -> None:
        # A short path, because the name of a socket is limited to 108 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="tt", dir="/tmp"))
        self.port = 0
        if isinstance(to, Path):
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(self.folder / to.name))
            where: str | tuple[str, int] = str(to)
        else:
            listener = socket.socket()
            listener.bind((self.host, 0))
            self.port = listener.getsockname()[1]
            where = self.host, to
        listener.listen(16)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                close_all_but(listener.fileno())
                _relay(listener, where)
            finally:
                os._exit(0)
        listener.close()

    def url(self, database: str) -> str:
        return f"postgresql://test@/{database}?host={self.folder}"

    def inside(self) -> AbstractContextManager[None]:
        return nullcontext()

    def cut(self, how: Cut) -> None:
        os.kill(self.pid, _SIGNALS[how])

    def heal(self) -> None:
        os.kill(self.pid, _HEALED)
        os.kill(self.pid, signal.SIGCONT)

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        shutil.rmtree(self.folder)


_SIGNALS: Mapping[Cut, signal.Signals] = {
    "cut": signal.SIGSTOP,
    "requests cut": signal.SIGUSR1,
    "answers cut": signal.SIGUSR2,
}
_HEALED = signal.SIGURG


def close_all_but(*kept: int) -> None:
    """Closes the files of the forked process that it does not need: nobody waits for their end."""
    first = 3
    for each in (*sorted(kept), os.sysconf("SC_OPEN_MAX")):
        os.closerange(first, each)
        first = each + 1


def _relay(listener: socket.socket, to: str | tuple[str, int]) -> None:
    requests: set[socket.socket] = set()
    answers: set[socket.socket] = set()
    cut: set[socket.socket] = set()
    sides: dict[int, set[socket.socket]] = {
        _SIGNALS["requests cut"]: requests,
        _SIGNALS["answers cut"]: answers,
    }

    def change(number: int, _: object) -> None:
        nonlocal cut
        cut = sides.get(number, set())

    for number in (*sides, _HEALED):
        signal.signal(number, change)
    ready = selectors.DefaultSelector()
    ready.register(listener, selectors.EVENT_READ)
    others: dict[socket.socket, socket.socket] = {}
    while True:
        held = False
        for key, _ in ready.select(0.05):
            source = key.fileobj
            assert isinstance(source, socket.socket)
            if source is listener:
                ours, _ = listener.accept()
                theirs = socket.socket(listener.family)
                try:
                    theirs.connect(to)
                except OSError:  # the other end is down
                    ours.close()
                    continue
                others[ours], others[theirs] = theirs, ours
                requests.add(ours)
                answers.add(theirs)
                for each in (ours, theirs):
                    ready.register(each, selectors.EVENT_READ)
            elif source in cut:
                held = True
            elif source in others:
                _pass_on(source, others, ready)
        if held:  # what is held back can be read all the time
            time.sleep(0.01)


def _pass_on(
    source: socket.socket,
    others: dict[socket.socket, socket.socket],
    ready: selectors.BaseSelector,
) -> None:
    target = others[source]
    try:
        data = source.recv(1 << 16)
    except OSError:
        data = b""
    if data:
        # Who gives up a connection may have sent something that is still on its way.
        with suppress(OSError):
            target.sendall(data)
        return
    for each in (source, target):
        ready.unregister(each)
        del others[each]
        each.close()
