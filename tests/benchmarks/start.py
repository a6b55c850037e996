"""How long a server needs until it listens, and until its tables are there again.

A server is filled with tables in the middle of a game and killed. Then servers are started, as an
operator would: in memory, on a new folder, and on what the killed one has left, and each is timed
at its failpoints.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from tests.benchmarks.figures import quantile
from tests.benchmarks.load import SEATS, Order, more_files
from tests.benchmarks.sockets import BEFORE, OURS, Loading, environment
from tests.kit.processes import Server

POINTS = {
    "imported": "Python and its modules",
    "store opened": "the store is open",
    "all remembered": "all is read from it",
    "listening": "it listens; whoever comes back has their table at once",
    "restored": "all tables are built anew",
}
STARTED = """
import sys, time
from twentytwo_server import cli, failpoints, node
seen = {}
def at(name):
    if name not in seen:
        seen[name] = time.monotonic(), time.process_time()
        if "listening" in seen and "restored" in seen:
            failpoints.at = None
            for each, (wall, cpu) in seen.items():
                print("at", wall, cpu, each, flush=True)
failpoints.at = at
at("imported")
cli.main()
"""


Environment = Mapping[str, str] | None


def fill(folder: Path, tables: int, moves: int, env: Environment) -> None:
    """Has a server keep so many tables with so many moves each, and kills it."""
    options = (*OURS, "--data", str(folder))
    with Server(*options, env=env, python=sys.executable) as server:
        host, port = server.address()
        order = Order(
            host,
            port,
            server.process.pid,
            tables * SEATS,
            [("fill", 0.0)],
            warm=0.0,
            moves=moves,
        )
        with Loading(order, None) as loading:
            for _ in ("ramp", "fill"):
                loading.found()
            server.process.kill()
            server.process.wait()


class Start:
    """A server that is started: `points` are seconds since then, and of the processor.

    `pings` are the seconds in which it answered while it was still building tables.
    """

    def __init__(self, *options: str, env: Environment) -> None:
        began = time.monotonic()
        server = subprocess.Popen(
            [sys.executable, "-c", STARTED, "run", "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=env,
        )
        self.points: dict[str, tuple[float, float]] = {}
        self.pings: list[float] = []
        asking: threading.Thread | None = None
        assert server.stdout is not None
        for line in server.stdout:
            if line.startswith("at "):
                _, at, cpu, name = line.rstrip().split(" ", 3)
                self.points[name] = float(at) - began, float(cpu)
            elif line.startswith("listening on "):
                port = int(line.rpartition(":")[2])
                asking = threading.Thread(target=self._ask, args=(port,))
                asking.start()
            if self.points.keys() >= POINTS.keys():
                break
        if asking is not None:
            asking.join()
        server.kill()
        server.wait()
        server.stdout.close()

    def _ask(self, port: int) -> None:
        """Pings until all is restored."""
        with socket.create_connection(("127.0.0.1", port)) as wire:
            lines = wire.makefile("r")
            wire.sendall(b"hello 1 client=bench\r\n")
            while "restored" not in self.points:
                began = time.perf_counter()
                wire.sendall(b"@p ping x\r\n")
                while not (line := lines.readline()).startswith("@p OK"):
                    assert line and not line.startswith("@p ERR"), f"a ping is answered {line!r}"
                self.pings.append(time.perf_counter() - began)
                time.sleep(0.2)  # any faster is too much for a connection


def tell(what: str, starts: Sequence[Start]) -> None:
    """Prints the medians, point after point in the order in which they were reached."""
    print(f"start: {what}; the median of {len(starts)}")
    print(f"  {'s':>7} {'of a core':>10}")
    rows = {
        name: tuple(median(start.points[name][part] for start in starts) for part in (0, 1))
        for name in POINTS
    }
    for name, (wall, cpu) in sorted(rows.items(), key=lambda row: row[1]):
        print(f"  {wall:7.2f} {cpu:10.2f}  {POINTS[name]}")
    pings = [ping for start in starts for ping in start.pings]
    if len(pings) > len(starts):
        half, most = quantile(pings, 0.5) * 1000, max(pings) * 1000
        print(f"  {len(pings)} pings meanwhile: half in {half:.0f} ms, all in {most:.0f} ms")


def report(arguments: Sequence[str] = ()) -> None:
    """Prints how long starts take."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=start", description=__doc__)
    add = parser.add_argument
    add("--tables", type=int, default=1000)
    add("--moves", type=int, default=120, help="made at each table: the half of a game [120]")
    add("--repeats", type=int, default=5)
    add("--before", metavar="FOLDER", help="a checkout whose server is started, too")
    wanted = parser.parse_args(arguments)
    more_files()
    environments: dict[str, Environment] = {"": None}
    if wanted.before:
        environments = {", before": environment(BEFORE[0], wanted.before), "": None}
    starts: dict[str, list[Start]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "data"
        for word, env in environments.items():
            fill(Path(name) / f"full{word}", wanted.tables, wanted.moves, env)
        for _ in range(wanted.repeats):
            for word, env in environments.items():
                full = Path(name) / f"full{word}"
                for what, options in (
                    ("in memory", ("--memory",)),
                    ("on a new folder", ("--data", str(folder))),
                    (f"on {wanted.tables} tables of four", ("--data", str(folder))),
                ):
                    if what.endswith("four"):
                        shutil.copytree(full, folder, ignore=shutil.ignore_patterns("*.sock"))
                    starts.setdefault(what + word, []).append(Start(*options, env=env))
                    shutil.rmtree(folder, ignore_errors=True)
    for what, found in sorted(starts.items()):
        tell(what, found)
