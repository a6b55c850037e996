"""Servers that are started as an operator would, of this version or of a newer one.

They are not forked: a fork would keep the connections of thousands of players open.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.load import cpu
from tests.crash.player import Broken
from tests.store.invented import invent
from twentytwo_server.store import migrating

ROOT = Path(__file__).parents[2]
LONG = 60.0
"""Seconds after which a server is stuck."""

RUN = """
import time
from tests.crash.planted import plant
from twentytwo_server import cli, failpoints
def at(name):
    if name in ("store opened", "all remembered", "listening", "restored"):
        print("at", time.monotonic(), name, flush=True)
failpoints.at = at
plant()
cli.main()
"""
"""The server's own command, which also tells when it has reached these points."""


def newer_version(folder: Path) -> Path:
    """A copy of the server in this folder, with a migration that only adds."""
    for package in ("protocol", "server"):
        shutil.copytree(ROOT / package, folder / package)
    own = migrating.MIGRATIONS.relative_to(ROOT)
    invent(folder / own)
    version = folder / "protocol" / "twentytwo_protocol" / "__init__.py"
    text = version.read_text(encoding="utf-8")
    version.write_text(re.sub('(__version__ = ".*)"', r'\1.1"', text), encoding="utf-8")
    return folder


class Running:
    """A server with a name, of the version in `folder`, on a database."""

    def __init__(self, name: str, url: str, folder: Path, log: Path, *options: str) -> None:
        self.name, self.folder, self._log = name, folder, log
        path = os.pathsep.join(map(str, (folder / "protocol", folder / "server", ROOT)))
        words = ("--while-stdin", "--port", "0", "--bot-pause", "0", "--data", url, "--node", name)
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-c", RUN, "run", *words, *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "PYTHONPATH": path},
            )
        assert self._process.stdout is not None
        self._out = self._process.stdout.fileno()
        os.set_blocking(self._out, False)
        self._said = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        """The end of its log."""
        return self._log.read_text(encoding="utf-8")[-3000:]

    def says(self, wanted: str) -> re.Match[str] | None:
        """The line that it has printed that matches, if there is one."""
        try:
            said = os.read(self._out, 1 << 16)
        except BlockingIOError:
            pass
        else:
            if not said:
                raise Broken(f"{self.name} has ended: {self.log}")
            self._said += said.decode()
        return re.search(f"^{wanted}$", self._said, re.MULTILINE)

    def at(self, point: str) -> float | None:
        """The moment at which it reached a failpoint, by the monotonic clock."""
        found = self.says(f"at (.*) {point}")
        return float(found[1]) if found is not None else None

    def stands_by(self) -> bool:
        """True as soon as it has said that it stands by."""
        return self.says("standing by for .*") is not None

    @property
    def where(self) -> tuple[str, int] | None:
        """Its address, as soon as it listens."""
        found = self.says(r"listening on (.*):(\d+)")
        return (found[1], int(found[2])) if found is not None else None

    def check(self) -> None:
        """Raises `Broken` if it has ended."""
        if self._process.poll() is not None:
            raise Broken(f"{self.name} has ended: {self.log}")

    @property
    def memory(self) -> float:
        """Its resident memory in MiB."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+)", status)
        assert found is not None
        return int(found[1]) / 1024

    @property
    def cpu(self) -> float:
        """Seconds of the processor that it has used."""
        return cpu(self.pid)

    def signal(self, how: signal.Signals) -> None:
        self._process.send_signal(how)

    def wait(self) -> int:
        """Waits for its end; returns the exit status."""
        status = self._process.wait(LONG)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        return status
