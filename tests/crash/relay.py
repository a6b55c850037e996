"""Relays between a server and PostgreSQL, or NATS, which can be cut."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Literal, Protocol

from tests.kit.nats import NatsServer
from tests.kit.postgres import Postgres

Cut = Literal["cut", "requests cut", "answers cut"]
"""The directions in which nothing arrives any more: both, from the server, or to it."""
End = Literal["store", "bus"]
"""The other ends of a server's ways: PostgreSQL, and NATS."""
STORE: Sequence[End] = ("store",)


class Route(Protocol):
    """A server's own ways to PostgreSQL and NATS, which can be cut.

    `host` is where the server listens, `bus` the URL of NATS.
    """

    host: str
    bus: str

    def url(self, database: str) -> str:
        """The URL of a database."""

    def inside(self) -> AbstractContextManager[None]:
        """A server that is started within has these ways."""

    def cut(self, how: Cut, ends: Sequence[End] = STORE) -> None:
        """Loses what is sent in these directions, as a network does that loses all packets."""

    def heal(self) -> None:
        """Passes everything on again, late."""

    def close(self) -> None:
        """Ends the ways."""


class Routes(Protocol):
    """PostgreSQL and NATS, until `close()`, with the routes to them."""

    postgres: Postgres
    nats: NatsServer

    def route(self) -> Route:
        """The ways of one more server."""

    def close(self) -> None:
        """Ends everything. All routes are closed."""


class Relays:
    """Routes that are relays. See `Routes`."""

    def __init__(self) -> None:
        self.postgres, self.nats = Postgres(), NatsServer()

    def route(self) -> Route:
        return _Relayed(self.postgres, self.nats)

    def close(self) -> None:
        self.nats.close()
        self.postgres.close()


class _Relayed:
    """The relays of a server."""

    host = "127.0.0.1"

    def __init__(self, postgres: Postgres, nats: NatsServer) -> None:
        self._store = _Relay(postgres.folder / ".s.PGSQL.5432")
        self._bus = _Relay(nats.port)
        self._relays: Mapping[End, _Relay] = {"store": self._store, "bus": self._bus}
        self.bus = f"nats://{self.host}:{self._bus.port}"

    def url(self, database: str) -> str:
        return f"postgresql://test@/{database}?host={self._store.folder}"

    def inside(self) -> AbstractContextManager[None]:
        return nullcontext()

    def cut(self, how: Cut, ends: Sequence[End] = STORE) -> None:
        for end in ends:
            os.kill(self._relays[end].pid, _SIGNALS[how])

    def heal(self) -> None:
        for relay in self._relays.values():
            os.kill(relay.pid, _HEALED)
            os.kill(relay.pid, signal.SIGCONT)

    def close(self) -> None:
        for relay in self._relays.values():
            relay.close()


class _Relay:
    """A process that relays connections from a new socket to the socket `to`.

    The new one of a Unix socket has the same name, in `folder`. That of a port is on `port`.
    """

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
            listener.bind((_Relayed.host, 0))
            self.port = listener.getsockname()[1]
            where = _Relayed.host, to
        listener.listen(16)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                close_all_but(listener.fileno())
                _relay(listener, where)
            finally:
                os._exit(0)
        listener.close()

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
