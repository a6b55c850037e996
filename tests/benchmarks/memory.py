"""What a connection and a table cost in memory, beside bare Twisted.

An idle connection is a program that has said hello, has a name, and is silent. A table is one of
four programs in the middle of a game, with everything it remembers; what its connections cost is
taken off. All are differences of the resident memory of the server, told in kB of 1,024 bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.benchmarks.load import SEATS, Order, more_files
from tests.benchmarks.sockets import BARE, BEFORE, OWN, Loading, cores, environment, serving, spread

FEW = 100
"""Connections before which nothing is measured: by then all is imported and each path was taken."""
SETTLES = 2.0
"""Seconds of rest before the memory is looked at."""


def resident(pid: int) -> int:
    """A process's memory in kB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise ProcessLookupError(pid)


def used(kind: str, before: str | None, connections: int, moves: int) -> int:
    """The memory of a server with so many connections, in kB, which have made moves or are idle."""
    server_core, load_core = cores(apart=True)
    with serving(kind, server_core, env=environment(kind, before)) as server:
        host, port = server.address()
        pid = server.process.pid
        phases = [("fill", 0.0)] if moves else []
        order = Order(
            host,
            port,
            pid,
            connections,
            [*phases, ("idle", SETTLES)],
            warm=0.0,
            moves=moves,
            seat=moves > 0,
        )
        with Loading(order, load_core) as loading:
            for _ in ("ramp", *phases, "idle"):
                loading.found()
            return resident(pid)


def report(arguments: Sequence[str] = ()) -> None:
    """Prints what connections and tables cost."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=memory", description=__doc__)
    add = parser.add_argument
    add("--connections", type=int, nargs="+", default=[1000, 5000])
    add("--tables", type=int, nargs="+", default=[100, 1000])
    add("--moves", type=int, default=120, help="made at each table: the half of a game [120]")
    add("--repeats", type=int, default=3)
    add("--before", metavar="FOLDER", help="a checkout whose server is measured, too")
    wanted = parser.parse_args(arguments)
    if min(wanted.connections) <= FEW:
        parser.error(f"connections are compared with {FEW}: ask for more")
    more_files()
    ours = [*(BEFORE if wanted.before else ()), *OWN]
    for connections in wanted.connections:
        found: dict[str, list[float]] = {kind: [] for kind in (*ours, BARE)}
        for _ in range(wanted.repeats):
            for kind, costs in found.items():
                few, many = (used(kind, wanted.before, n, 0) for n in (FEW, connections))
                costs.append((many - few) / (connections - FEW))
        print(f"memory: {connections} idle connections, kB for each")
        for kind, costs in found.items():
            ratio = median(costs) / median(found[BARE])
            print(f"  {kind:13} {spread(costs):>18} {ratio:6.1f} x bare")
    for tables in wanted.tables:
        print(f"memory: {tables} tables of four after {wanted.moves} moves each, kB for each")
        found = {kind: [] for kind in ours}
        for _ in range(wanted.repeats):
            for kind, costs in found.items():
                idle, playing = (
                    used(kind, wanted.before, tables * SEATS, moves) for moves in (0, wanted.moves)
                )
                costs.append((playing - idle) / tables)
        for kind, costs in found.items():
            print(f"  {kind:13} {spread(costs):>18}")
