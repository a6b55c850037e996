"""A wire between a browser and a server that can be cut, and a server of files."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Relay:
    """Passes bytes between the connections made to `port` and a server."""

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self._wires: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._run(self._accept)

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self.cut()
        for thread in self._threads:
            thread.join()
        for each in (self._door, *self._wires):
            each.close()

    def cut(self) -> None:
        """Ends all connections; new ones can be made."""
        for wire in list(self._wires):
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)

    def _run(self, act: object, *arguments: socket.socket) -> None:
        thread = threading.Thread(target=act, args=arguments)  # type: ignore[arg-type]
        thread.start()
        self._threads.append(thread)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                one, other = self._door.accept()[0], socket.create_connection(self._server)
                self._wires |= {one, other}
                self._run(self._pass, one, other)
                self._run(self._pass, other, one)

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_WR)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def files_at(folder: Path) -> Iterator[str]:
    """The address of a web server that only hands out the files of a folder."""
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
