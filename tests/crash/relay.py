"""A relay between a server and its database, which can be cut."""

from __future__ import annotations

import os
import selectors
import signal
import socket
from pathlib import Path


class Relay:
    """A process that relays connections from a new Unix socket in `folder` to the socket `to`.

    A cut relay takes everything and passes on nothing, as a network does that loses all packets.
    """

    def __init__(self, folder: Path, to: Path) -> None:
        folder.mkdir()
        folder.chmod(0o755)
        path = folder / to.name
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
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
