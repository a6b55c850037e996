"""What a delivered line costs over real sockets, beside servers that do nothing but deliver it.

For each number of connections some rounds are run, and in each round every server once, in a
process of its own, with a load generator of its own (`load`): ours in memory, ours with a folder
that is synced, ours in memory over Twisted's own transports (`plain`), ours over TLS (`tls`),
bare Twisted and asyncio's own transports (`bare`). With `--before FOLDER` the server of another
checkout is among them. The figures are medians of the rounds, with the least and the most; ratios
are those to bare Twisted of the same round.

Two ratios are told. `x bare` has bare Twisted deliver the very same: for a move one OK and three
events to each of four, in one write for each of them. `x 1:4` has it deliver one line for one line
to each of four, the pattern of a chat server, where a line is dearer, as each is a write.

Server and generator share one core, so that each has what the other leaves; `--apart` gives each
its own. What the server costs is asked of the kernel: the time of all its threads.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from statistics import median

from tests.benchmarks import checkouts
from tests.benchmarks.load import Found, Order, more_files
from tests.kit.certificates import certificate
from tests.kit.processes import Server

Options = Sequence[str]
OURS: Options = ("--dev", "--port", "0", "--bot-pause", "0")
OVER_TLS: Options = ("--dev", "--listen", "tls:127.0.0.1:0", "--bot-pause", "0")
OWN = ("memory", "disk")
BEFORE = ("memory-before", "disk-before")
BARES = ("twisted", "asyncio")
SERVERS = (*OWN, "plain", "tls", *BARES)
KINDS = (*SERVERS, *BEFORE)
BARE = "twisted"
"""The server that the others are compared with."""
OURS_PROGRAM = ("-m", "twentytwo_server", "run")
PLAIN = """
from twentytwo_server import cli
from twentytwo_server.net import opening
assert opening.send_directly
opening.send_directly = lambda port, meter: None
cli.main()
"""
"""Our server on Twisted's own transports."""


@contextmanager
def pinned(core: int | None) -> Iterator[None]:
    """Processes that are started within run on this core, if it is not None."""
    before = os.sched_getaffinity(0)
    if core is not None:
        os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def serving(
    kind: str,
    core: int | None,
    program: Options = OURS_PROGRAM,
    env: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """A server of this kind; `program` is what runs ours."""
    with ExitStack() as stack:
        options = OURS
        if kind.startswith("disk"):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            options = (*OURS, "--data", folder)
        elif kind == "plain":
            program = ("-c", PLAIN, "run")
        elif kind == "tls":
            files = certificate(Path(stack.enter_context(tempfile.TemporaryDirectory())))
            options = (*OVER_TLS, *files.options)
        elif kind in BARES:
            options, program = (), ("-m", "tests.benchmarks.bare", kind)
        stack.enter_context(pinned(core))
        yield stack.enter_context(Server(*options, program=program, env=env, python=sys.executable))


def environment(kind: str, before: str | None) -> Mapping[str, str] | None:
    """In which environment a server is run: the other checkout's has its own modules."""
    if kind not in BEFORE:
        return None
    return checkouts.environment(Path(before or "."))


class Loading:
    """A load generator at work; `found` is what it says, line by line."""

    def __init__(self, order: Order, core: int | None) -> None:
        with pinned(core):
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.benchmarks.load"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        self.go_on(json.dumps(asdict(order)))

    def __enter__(self) -> Loading:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout):
            assert file is not None
            file.close()

    def go_on(self, line: str = "") -> None:
        """Says a line to it."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def found(self) -> Found:
        """What the next phase showed. Raises `AssertionError` if the server failed."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        words = json.loads(line or '{"failed": "the generator has died"}')
        assert "failed" not in words, words["failed"]
        return Found(**words)


def cores(apart: bool) -> tuple[int, int]:
    """The cores of the server and of the generator."""
    first, *others = sorted(os.sched_getaffinity(0))
    return first, others[0] if apart and others else first


# ------------------------------------------------------------------------------- the figures


def per_line(found: Found) -> float:
    """Microseconds of the server for each delivered line."""
    return found.server / max(1, found.lines) * 1e6


def spread(values: Sequence[float], form: str = ".1f") -> str:
    """The median, with the least and the most."""
    if len(values) < 2:
        return format(median(values), form)
    low, high = format(min(values), form), format(max(values), form)
    return f"{format(median(values), form)} ({low}-{high})"


Rounds = dict[tuple[str, str], list[Found]]
"""What was found, round by round, in each phase of each server."""


def line_of(kind: str, mine: list[Found], bases: Sequence[list[Found]]) -> str:
    """What one server costs and how late its lines are, in a line."""
    late = [
        f"{spread([each.last[name] for each in mine], '.2f'):>{width}}"
        for name, width in LATENCIES.items()
    ]
    ok = spread([each.first["p99"] for each in mine], ".2f")
    costs = [per_line(each) for each in mine]
    ratio = "".join(
        f"{spread([a / per_line(b) for a, b in zip(costs, base, strict=True)], '.2f'):>18}"
        for base in bases
        if base
    )
    rate = median(each.lines / each.seconds for each in mine)
    busy = median(each.server / each.seconds for each in mine)
    own = median(each.own / each.seconds for each in mine)
    lines = median(each.lines / max(1, each.sent) for each in mine)
    size = median(each.size / max(1, each.lines) for each in mine)
    itself = [each.late["p99"] for each in mine if each.late["p99"] >= 0]
    notes = max(each.notes for each in mine)
    return (
        f"  {kind:13} {spread(costs):>18}{ratio}{''.join(late)}{ok:>21}"
        f" {rate:8,.0f} {busy:5.0%} {own:5.0%} {lines:5.1f} {size:4.0f}"
        + (f"{spread(itself, '.2f'):>21}" if itself else "")
        + (f"  (NOTE {notes} times)" if notes else "")
    )


LATENCIES = {"p50": 21, "p99": 23, "p99.9": 25}
"""The quantiles that are told, and the widths of their columns."""
RATIOS = f"{'x bare':>18}{'x 1:4':>18}"
HEAD = (
    f"  {'':13} {'us/line':>18}{RATIOS}"
    + "".join(f"{name + ' ms':>{width}}" for name, width in LATENCIES.items())
    + f"{'OK, p99 ms':>21} {'lines/s':>8} {'busy':>5} {'load':>5} {'l/cmd':>5} {'B/l':>4}"
)
"""us/line: of the processor, by the server; p50 to p99.9: from a move to its last line at the last
seat; busy and load: how busy the server and the generator were; l/cmd and B/l: lines delivered
for one command, and their bytes; a last column, where moves are sent by the clock: by how many ms
the generator was late itself, p99."""

FAN = "fan"
"""The phase in which a bare server delivers one line for one line to each of four."""
PHASES = {
    "moves": "moves of Twenty-Two as fast as they go",
    "say": "`say` heard by four as fast as it goes",
    "rate": "moves at {rate:,.0f} delivered lines a second, by the clock",
    "half": "moves by the clock, half as many as go",
}
USUAL = ("moves", "say", "rate")


TAKES = 2500
"""Connections for which each phase and each warm-up takes a second more: all are to have moved."""


def measure(
    wanted: argparse.Namespace, connections: int, say: Callable[[str], None] = print
) -> None:
    """Runs the rounds for one number of connections, and prints the tables."""
    rounds: Rounds = {(phase, kind): [] for phase in (FAN, *PHASES) for kind in KINDS}
    server_core, load_core = cores(wanted.apart)
    longer = connections / TAKES
    for _ in range(wanted.repeats):
        for kind in wanted.servers:
            phases = [FAN, *wanted.phases] if kind in BARES else wanted.phases
            env = environment(kind, wanted.before)
            with serving(kind, server_core, env=env) as server:
                host, port = server.address()
                order = Order(
                    host.removeprefix("tls:"),
                    port,
                    server.process.pid,
                    connections,
                    [(phase, wanted.seconds + longer) for phase in phases],
                    wanted.warm + longer,
                    wanted.rate,
                    tls=host.startswith("tls:"),
                )
                with Loading(order, load_core) as loading:
                    try:
                        loading.found()
                        for phase in phases:
                            rounds[phase, kind].append(loading.found())
                    except AssertionError as failed:
                        failed.add_note(f"{kind}, {connections} connections\n{server.log()}")
                        raise
    for phase in wanted.phases:
        say(f"sockets: {connections} connections, {PHASES[phase].format(rate=wanted.rate)}")
        say(HEAD if BARE in wanted.servers else HEAD.replace(RATIOS, ""))
        for kind in wanted.servers:
            say(line_of(kind, rounds[phase, kind], [rounds[phase, BARE], rounds[FAN, BARE]]))


def options() -> argparse.ArgumentParser:
    """What can be asked for."""
    found = argparse.ArgumentParser(prog="make bench ARGS=sockets", description=__doc__)
    add = found.add_argument
    add("--connections", type=int, nargs="+", default=[100, 1000, 5000])
    add("--repeats", type=int, default=5, help="rounds [5]")
    add("--seconds", type=float, default=2.0, help="of each phase, the warm-up not counted [2]")
    add("--warm", type=float, default=0.5, help="seconds of warm-up before each phase [0.5]")
    add("--rate", type=float, default=1200.0, help="delivered lines a second [1200]")
    add("--servers", nargs="+", default=list(SERVERS), choices=SERVERS)
    add("--phases", nargs="+", default=list(USUAL), choices=list(PHASES))
    add("--before", metavar="FOLDER", help="a checkout whose server is measured, too")
    add("--apart", action="store_true", help="a core each for server and generator")
    return found


def report(arguments: Sequence[str] = ()) -> None:
    """Prints what a delivered line costs."""
    wanted = options().parse_args(arguments)
    if wanted.before:
        wanted.servers += [
            kind for kind in BEFORE if kind.removesuffix("-before") in wanted.servers
        ]
    more_files()
    for connections in wanted.connections:
        measure(wanted, connections)
