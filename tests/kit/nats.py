"""A NATS server for tests, as a process, and one in this process that misbehaves."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import cast

from tests.kit.listening import stop_listening

LONG = 60.0
"""Timeout in seconds for its start."""


def program() -> str:
    """The path of `nats-server`: NATS_SERVER, that of the wheel, or the system's."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    found = os.environ.get("NATS_SERVER") or shutil.which("nats-server", path=beside)
    assert found, "set NATS_SERVER, or install the tests' requirements"
    return found


class NatsServer:
    """A server on a free port of this host, with these lines in its configuration.

    Its process is started `within` this context.
    """

    def __init__(
        self,
        *lines: str,
        host: str = "127.0.0.1",
        within: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._host, self._within = host, within
        self.folder = Path(tempfile.mkdtemp(prefix="nats"))
        self._configuration = self.folder / "nats.conf"
        self._configuration.write_text("\n".join(lines))
        self.port = -1
        self.start()

    @property
    def address(self) -> str:
        """Its host and port."""
        return f"{self._host}:{self.port}"

    @property
    def url(self) -> str:
        """Its URL without TLS."""
        return f"nats://{self.address}"

    def start(self) -> None:
        """Starts the server, on its port if it has been started before, until it listens."""
        options = ["-a", self._host, "-p", str(self.port), "-c", str(self._configuration)]
        log = self.folder / "log"
        with self._within():
            self.process = subprocess.Popen(
                [program(), *options, "-l", str(log), "--ports_file_dir", str(self.folder)],
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        end = time.monotonic() + LONG
        ports = self.folder / f"{Path(program()).name}_{self.process.pid}.ports"
        while not (ports.exists() and (text := ports.read_text())):
            assert self.process.poll() is None, log.read_text()
            assert time.monotonic() < end, "NATS does not start"
            time.sleep(0.005)
        self.port = int(json.loads(text)["nats"][0].rpartition(":")[2])

    def stop(self) -> None:
        """Stops the server at once; connections are cut."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Stops the server and removes its folder."""
        self.stop()
        shutil.rmtree(self.folder)


class FakeNats(asyncio.Protocol):
    """A NATS server for one connection at a time, which a test makes misbehave.

    It passes on nothing but what a client tells its own inbox. `lines` are those that came, over
    all connections, with the messages.
    """

    def __init__(self, **info: object) -> None:
        self._info = {"server_id": "fake", "headers": True, "max_payload": 1 << 20} | info
        self.lines: list[str] = []
        self.connections = 0
        self.silent = False
        self.answers_ping = True
        self.transport: asyncio.Transport | None = None
        self._transports: list[asyncio.Transport] = []
        self._server: asyncio.Server | None = None
        self._rest = b""

    async def start(self) -> str:
        """Listens; returns the URL."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: self, "127.0.0.1", 0)
        return f"nats://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is of no common class
        self._transports.append(self.transport)
        self._rest = b""
        self.connections += 1
        if not self.silent:
            self.say(f"INFO {json.dumps(self._info)}")

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\r\n")
        for line in lines:
            self.lines.append(line.decode(errors="replace"))
            if line == b"PING" and self.answers_ping:
                self.say("PONG")
            elif line.startswith(b"PUB ") and b".answers." in line:
                self.say(f"MSG {line.split()[1].decode()} 1 0\r\n")

    def say(self, line: str) -> None:
        """Sends a line."""
        assert self.transport is not None
        self.transport.write(line.encode() + b"\r\n")

    def read_nothing(self) -> None:
        """Reads nothing any more from the connection of now, and so answers nothing."""
        assert self.transport is not None
        self.transport.pause_reading()

    async def close(self) -> None:
        """Stops, and cuts all connections."""
        assert self._server is not None
        await stop_listening(self._server)
        for each in self._transports:
            each.abort()
        await asyncio.sleep(0)
