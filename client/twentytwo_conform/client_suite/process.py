"""The process of the client, and the port to which the client connects."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import socket
import tempfile
import time
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired

from .verdicts import Stays

STEP = 0.02
"""Seconds between two checks whether the client is still running."""


def command_line(command: str, host: str, port: int) -> list[str]:
    """The command of the client; the address replaces `{host}` and `{port}`, or is appended."""
    words = shlex.split(command)
    if any("{port}" in word for word in words):
        return [word.replace("{host}", host).replace("{port}", str(port)) for word in words]
    return [*words, host, str(port)]


class Port:
    """A listening port of this machine."""

    def __init__(self, port: int = 0) -> None:
        self._socket = socket.create_server(("127.0.0.1", port))
        self._socket.settimeout(STEP)
        self.host, self.port = self._socket.getsockname()[:2]

    def close(self) -> None:
        """Refuses connections from now on."""
        self._socket.close()

    def accept(self) -> socket.socket | None:
        """The next connection, if one arrives within a short time."""
        try:
            found, _ = self._socket.accept()
        except TimeoutError:
            return None
        found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return found


class ClientProcess:
    """The client, in its own process group, with its own folder for settings."""

    def __init__(self, command: str, port: Port) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="conform-", ignore_cleanup_errors=True)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed by stop
        folders = ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
        try:
            self._process = Popen(
                command_line(command, port.host, port.port),
                # It stays open and says nothing: a client that reads what is typed waits.
                stdin=PIPE,
                stdout=DEVNULL,
                stderr=self._errors.fileno(),
                env=os.environ | dict.fromkeys(folders, self._folder.name),
                start_new_session=True,
            )
        except OSError:
            self._clean_up()
            raise

    @property
    def ended(self) -> bool:
        """True if the client has ended."""
        return self._process.poll() is not None

    def end(self, *, within: float) -> str:
        """A description of the client's end with its last output; empty while it is running."""
        with contextlib.suppress(TimeoutExpired):
            self._process.wait(within)
        if not self.ended:
            return ""
        self._errors.seek(0)
        said = self._errors.read()[-4096:].decode(errors="replace").strip()
        last = f", saying: {said.splitlines()[-1]}" if said else ""
        return f"it ended with status {self._process.returncode}{last}"

    def stop(self) -> None:
        """Stops the client and all processes that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._clean_up()

    def _clean_up(self) -> None:
        self._errors.close()
        self._folder.cleanup()

    def connection(self, *ports: Port, within: float) -> tuple[socket.socket, Port]:
        """The next connection and its peer. Raises `Stays` if none arrives."""
        deadline = time.monotonic() + within
        while True:
            # In this order: who ends after connecting has connected.
            ended = self.ended
            for port in ports:
                found = port.accept()
                if found is not None:
                    return found, port
            if ended:
                raise Stays(self.end(within=0), ended=True)
            if time.monotonic() > deadline:
                raise Stays(f"it did not connect within {within:.0f} s", ended=False)
