"""A server process of our own to check."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from twentytwo_conform.connections import Address


class Server:
    """A server process of our own, on a free port, stopped when its standard input ends."""

    def __init__(self, *options: str) -> None:
        root = Path(__file__).parents[2]
        path = os.pathsep.join(str(root / part) for part in ("protocol", "server", "client"))
        command = [sys.executable, "-m", "twentytwo_server", "run", "--port", "0"]
        if "--data" not in options:
            command.append("--memory")
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed by stop
        self._process = subprocess.Popen(
            [*command, "--while-stdin", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**os.environ, "PYTHONPATH": path},
            text=True,
        )
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        if not first.startswith("listening on "):
            self._process.kill()
            self._process.wait()
            self._log.seek(0)
            raise AssertionError(f"{command}: {first!r}\n{self._log.read()}")
        self.address = read_address(first.split()[-1])

    def stop(self) -> None:
        """Ends the process; it must not have stumbled over anything that was asked of it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._log.seek(0)
        log = self._log.read()
        self._log.close()
        assert "Traceback" not in log, log


def read_address(word: str) -> Address:
    """HOST:PORT taken apart."""
    host, _, port = word.rpartition(":")
    return host.strip("[]"), int(port)
