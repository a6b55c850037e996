"""The time of a move in the server by stage, and the steps of the slowest move.

Programs at tables of four play as fast as it goes, while the server is watched from within
(`watched`). Then they play at a fixed rate, and everything that the server did while the slowest
move was on its way is told in order. `instructions` counts the calls of a move.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.load import Found, Order, more_files
from tests.benchmarks.sockets import BEFORE, OWN, Loading, cores, environment, serving
from tests.kit.processes import LONG, Server

WATCHED = ("samples", "points")
FUNCTIONS = 25
STEPS = 40
"""So many functions, and steps of a slow move, are told."""
Seen = dict[str, Any]


def watch(server: Server, loading: Loading, file: Path) -> tuple[Found, Seen]:
    """What the generator and the server saw of the next phase."""
    os.kill(server.process.pid, signal.SIGUSR1)
    loading.go_on()
    found = loading.found()
    os.kill(server.process.pid, signal.SIGUSR2)
    end = time.monotonic() + LONG
    while not file.exists():
        assert time.monotonic() < end, f"nothing was seen\n{server.log()}"
        time.sleep(0.01)
    seen: Seen = json.loads(file.read_text())
    file.unlink()
    assert loading.found().phase == "idle"
    return found, seen


def watched(kind: str, wanted: argparse.Namespace) -> list[tuple[Found, Seen]]:
    """What was seen of one kind of server, in each of the ways."""
    phases: list[tuple[str, float]] = [("moves", wanted.warm), ("idle", 0)]
    for phase in ("moves", "rate"):
        phases += [(phase, wanted.seconds), ("idle", 0)]
    server_core, load_core = cores(wanted.apart)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "seen.json"
        program = ("-m", "tests.benchmarks.watched", str(file), "run")
        usual = environment(kind, wanted.before) or os.environ
        env = {**usual, "WATCH": " ".join(WATCHED)}
        with serving(kind, server_core, program, env) as server:
            host, port = server.address()
            order = Order(
                host,
                port,
                server.process.pid,
                wanted.connections,
                phases,
                warm=0.0,
                rate=wanted.rate,
            )
            with Loading(order, load_core) as loading:
                for _ in ("ramp", "moves", "idle"):
                    loading.found()
                return [watch(server, loading, file) for _ in WATCHED]


def tell_layers(kinds: Sequence[str], of: dict[str, list[tuple[Found, Seen]]]) -> None:
    """Prints the layers, and the functions that take most."""
    head = "".join(f"{kind:>14} us {'':>5}" for kind in kinds)
    print(f"  {'a move':32}{head}")
    samples = {kind: of[kind][0] for kind in kinds}
    names = {name for kind in kinds for name in samples[kind][1]["layers"]}
    total = {kind: samples[kind][0].server / samples[kind][0].sent for kind in kinds}
    rows: dict[str, dict[str, float]] = {
        name: {k: samples[k][1]["layers"].get(name, 0) / samples[k][0].sent for k in kinds}
        for name in names
    }
    rows["other threads"] = {k: samples[k][1]["others"] / samples[k][0].sent for k in kinds}
    for name, costs in sorted(rows.items(), key=lambda row: -max(row[1].values())):
        cells = (f"{costs[kind] * 1e6:17.1f} {costs[kind] / total[kind]:5.1%}" for kind in kinds)
        print(f"  {name:32}{''.join(cells)}")
    whole = "".join(f"{total[kind] * 1e6:17.1f} {'':5}" for kind in kinds)
    print(f"  {'together':32}{whole}")
    for kind in kinds:
        found, seen = samples[kind]
        print(
            f"  {kind}: garbage {seen['garbage'] / found.sent * 1e6:.1f} us a move,"
            f" passes {seen['passes']}, the longest {seen['longest'] * 1000:.1f} ms"
        )
        functions = sorted(seen["functions"].items(), key=lambda each: -each[1])[:FUNCTIONS]
        for name, spent in functions:
            print(f"    {spent / found.sent * 1e6:7.1f} us  {name}")


class Point(NamedTuple):
    """When something was reached: the time, that of its thread, which thread it was, and what."""

    at: float
    ran: float
    thread: int
    name: str


LOOP = "the loop"
"""What the event loop does begins with this."""
KINDS = {"told one": "told one", "to be written": "written", "written": "written"}
"""Points that come in rows, and what the row is called."""


class Step(NamedTuple):
    """Points of one kind in a row: how many times, until when, and seconds since the row before.

    `ran` is how long their thread ran of that; the rest it waited, or had no core.
    """

    what: str
    times: int
    at: float
    since: float
    ran: float


def steps(points: Sequence[Point], sent: float, heard: float) -> list[Step]:
    """What was done between two times."""
    found: list[Step] = []
    before, threads = sent, dict[int, float]()
    for point in points:
        ran = point.ran - threads.get(point.thread, point.ran)
        threads[point.thread] = point.ran
        if not sent <= point.at <= heard:
            continue
        what = LOOP if point.name.startswith(LOOP) else KINDS.get(point.name, point.name)
        if number := list(threads).index(point.thread):
            what += f" (thread {number + 1})"
        step = Step(what, 1, point.at, point.at - before, ran)
        before = point.at
        last = found[-1] if found else None
        if last is not None and last.what == what:
            found[-1] = Step(
                what, last.times + 1, point.at, last.since + step.since, last.ran + ran
            )
        else:
            found.append(step)
    return [*found, Step("heard by all", 1, heard, heard - before, 0.0)]


def tell_slowest(kind: str, found: Found, seen: Seen) -> None:
    """Prints what the server did from the byte that came to the byte that went."""
    sent, heard = found.worst
    print(
        f"  {kind}: the slowest of {found.sent} moves at {found.lines / found.seconds:,.0f} lines"
        f" a second took {(heard - sent) * 1000:.2f} ms (p50 {found.last['p50']:.2f},"
        f" p99 {found.last['p99']:.2f})"
    )
    print(f"    {'at ms':>8} {'took':>8} {'ran':>8}")
    all_steps = steps([Point(*each) for each in seen["points"]], sent, heard)
    shortest = sorted(step.since for step in all_steps)[-STEPS:][0]
    for step in all_steps:
        if step.since >= shortest:
            count = f" x {step.times}" if step.times > 1 else ""
            times = "".join(f"{t * 1000:8.3f} " for t in (step.at - sent, step.since, step.ran))
            print(f"    {times} {step.what}{count}")
    if len(all_steps) > STEPS:
        print(f"    ({len(all_steps) - STEPS} shorter steps are left out)")


def report(arguments: Sequence[str] = ()) -> None:
    """Prints the layers and the slowest moves."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=profile", description=__doc__)
    add = parser.add_argument
    add("--connections", type=int, default=100)
    add("--seconds", type=float, default=5.0)
    add("--warm", type=float, default=1.0)
    add("--rate", type=float, default=1200.0, help="delivered lines a second, for the slowest move")
    add("--servers", nargs="+", default=list(OWN), choices=OWN)
    add("--before", metavar="FOLDER", help="a checkout whose server is watched, too")
    add("--apart", action="store_true", help="a core each for server and generator")
    wanted = parser.parse_args(arguments)
    if wanted.before:
        wanted.servers += [
            kind for kind in BEFORE if kind.removesuffix("-before") in wanted.servers
        ]
    more_files()
    found = {kind: watched(kind, wanted) for kind in wanted.servers}
    print(f"profile: {wanted.connections} connections at tables of four")
    tell_layers(wanted.servers, found)
    print("slowest: took: since the step before; ran: of that, its thread had a core")
    for kind in wanted.servers:
        tell_slowest(kind, *found[kind][1])
