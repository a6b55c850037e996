"""A relay between a server and its database, which can be cut."""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import socket
import tempfile
from pathlib import Path


class Relay:
    """A process that relays connections from a new Unix socket to the socket `to`.

    The new one has the same name, in `folder`. A cut relay takes everything and passes on nothing,
    as a network does that loses all packets.
    """

    def __init__(self, to: Path) -> None:
        # A short path, because the name of a socket is limited to 108 bytes.
        self.folder = Path(tempfile.mkdtemp(prefix="tt", dir="/tmp"))
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.folder / to.name))
        listener.listen(16)
        self.pid = os.fork()
        if self.pid == 0:
            try:
                _relay(listener, str(to))
            finally:
                os._exit(0)
        listener.close()

    def cut(self, *, half: bool) -> None:
        """Cuts both directions, or only the answers of the database."""
        os.kill(self.pid, signal.SIGUSR1 if half else signal.SIGSTOP)

    def heal(self) -> None:
        """Passes everything on again."""
        os.kill(self.pid, signal.SIGUSR2)
        os.kill(self.pid, signal.SIGCONT)

    def close(self) -> None:
        """Ends the relay."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        shutil.rmtree(self.folder)


def _relay(listener: socket.socket, to: str) -> None:
    halved = False

    def halve(number: int, _: object) -> None:
        nonlocal halved
        halved = number == signal.SIGUSR1

    signal.signal(signal.SIGUSR1, halve)
    signal.signal(signal.SIGUSR2, halve)
    ready = selectors.DefaultSelector()
    ready.register(listener, selectors.EVENT_READ)
    answers: set[socket.socket] = set()
    others: dict[socket.socket, socket.socket] = {}
    while True:
        for key, _ in ready.select(0.05):
            source = key.fileobj
            assert isinstance(source, socket.socket)
            if source is listener:
                ours, _ = listener.accept()
                theirs = socket.socket(socket.AF_UNIX)
                try:
                    theirs.connect(to)
                except OSError:  # the database is down
                    ours.close()
                    continue
                others[ours], others[theirs] = theirs, ours
                answers.add(theirs)
                for each in (ours, theirs):
                    ready.register(each, selectors.EVENT_READ)
            elif source in others and not (halved and source in answers):
                _pass_on(source, others, ready)


def _pass_on(
    source: socket.socket,
    others: dict[socket.socket, socket.socket],
    ready: selectors.BaseSelector,
) -> None:
    target = others[source]
    try:
        data = source.recv(1 << 16)
        target.sendall(data)
    except OSError:
        data = b""
    if not data:
        for each in (source, target):
            ready.unregister(each)
            del others[each]
            each.close()
