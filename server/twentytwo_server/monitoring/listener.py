"""The admin listener: health, readiness and metrics over HTTP, answered by a thread of its own.

A stuck event loop could not answer. So a thread answers and checks the heartbeat; only the metrics
are collected in the loop.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from ..net.no_listening import make_way
from ..net.server_names import MISDIRECTED, UNKNOWN, ServerNames
from .exposition import in_text
from .heartbeat import Heartbeat

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

log = logging.getLogger("twentytwo.monitoring")

PATIENCE = 5.0
"""Timeout in seconds for collecting the metrics, and for receiving a request."""


class AdminListener:
    """Answers `GET /healthz`, `/readyz` and `/metrics` on `where`: HOST:PORT, or unix:PATH.

    `in_reactor` runs a function in the reactor's thread. `unready` returns the reason why the
    server should get no new users, or None, in any thread. There are no metrics until `families`
    is set; it returns them, in the reactor's thread. `names` are the server's host names:
    under any other name metrics are refused. Raises `OSError` if it cannot listen there.
    """

    def __init__(
        self,
        where: str,
        heartbeat: Heartbeat,
        in_reactor: Callable[[Callable[[], None]], None],
        names: ServerNames,
    ) -> None:
        self.heartbeat = heartbeat
        self.unready: Callable[[], str | None] = lambda: "the server is starting"
        self.families: Callable[[], list[Metric]] | None = None
        self._in_reactor = in_reactor
        self._names = names
        path = where.removeprefix("unix:")
        self._here = path != where
        if path != where:
            self._server: ThreadingHTTPServer = _UnixServer(path, self._handler())
            self.address = where
        else:
            host, _, port = where.rpartition(":")
            self._server = _server_of(host.strip("[]"))(
                (host.strip("[]"), int(port)), self._handler()
            )
            self.address = f"http://{host}:{self._server.server_address[1]}"
        Thread(target=self._server.serve_forever, name="admin", daemon=True).start()

    def stop(self) -> None:
        """Stops listening. Waits for the thread, not for running requests."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, host: str = "") -> tuple[int, str, bytes]:
        """The answer to a request for a path: the status, the type, and the body.

        `host` is the host name in the request. Health has no secrets and is answered under every
        name, because load balancers use names of their own.
        """
        if path not in ("/healthz", "/readyz", "/metrics"):
            return 404, TEXT_TYPE, b"There are /healthz, /readyz and /metrics.\n"
        if self.heartbeat.stuck():
            late = f"{self.heartbeat.late:.0f} s"
            return 503, TEXT_TYPE, f"stuck: the event loop has not come round for {late}\n".encode()
        if path == "/healthz":
            return 200, TEXT_TYPE, b"ok\n"
        if path == "/readyz":
            why = self.unready()
            return (
                (200, TEXT_TYPE, b"ready\n")
                if why is None
                else (503, TEXT_TYPE, f"{why}\n".encode())
            )
        if host and host not in self._names:
            return MISDIRECTED, TEXT_TYPE, f"{UNKNOWN}\n".encode()
        return self._metrics()

    def _metrics(self) -> tuple[int, str, bytes]:
        gathered: Future[Any] = Future()
        families = self.families
        if families is None:
            return 503, TEXT_TYPE, b"the server is starting\n"

        def gather() -> None:
            try:
                gathered.set_result(families())
            except Exception as error:
                gathered.set_exception(error)

        self._in_reactor(gather)
        try:
            found = gathered.result(PATIENCE)
        except Late:
            return 503, TEXT_TYPE, b"the event loop is busy\n"
        return 200, EXPOSITION_TYPE, in_text(found)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer, here = self.answer, self._here

        class Request(BaseHTTPRequestHandler):
            timeout = PATIENCE
            server_version, sys_version = "twentytwo", ""

            def do_GET(self) -> None:
                try:
                    host = "" if here else self.headers.get("Host", "")
                    status, kind, body = answer(self.path.partition("?")[0], host)
                except Exception:
                    log.exception("an admin request failed")
                    status, kind, body = 500, TEXT_TYPE, b"failed; the log says why\n"
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                log.debug("%s", format % args)

        return Request


TEXT_TYPE = "text/plain; charset=utf-8"
EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Does not log a peer that disconnects early."""
        log.debug("an admin request ended early", exc_info=True)


class _Server6(_Server):
    address_family = socket.AF_INET6


def _server_of(host: str) -> type[_Server]:
    return _Server6 if ":" in host else _Server


class _UnixServer(_Server):
    address_family = socket.AF_UNIX

    def __init__(self, path: str, handler: type[BaseHTTPRequestHandler]) -> None:
        make_way(Path(path))
        super().__init__(path, handler)  # type: ignore[arg-type]  # a path is this family's address

    def server_bind(self) -> None:
        """Binds without a DNS query for a path."""
        before = os.umask(0o177)
        try:
            self.socket.bind(self.server_address)
        finally:
            os.umask(before)
        self.server_name, self.server_port = "localhost", 0

    def get_request(self) -> tuple[socket.socket, Any]:
        """A connection, with a printable address."""
        connection, _ = self.socket.accept()
        return connection, ("local", 0)

    def server_close(self) -> None:
        """Closes the socket and removes its path."""
        super().server_close()
        with suppress(FileNotFoundError):
            os.unlink(str(self.server_address))
