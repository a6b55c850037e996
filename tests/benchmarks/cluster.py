"""What several active servers carry, what a hop between them costs, and how they part.

All servers of a measurement share a PostgreSQL that syncs and a NATS server, on one machine.

- `carry`: moves at full speed and at a fixed rate, at a server without others (`alone`) and at one
  to three servers. The players of a table are at the server that owns it, or each is anywhere
  (`mixed`); then a table goes where most of its players are. In each round every kind runs once.
- `hop`: two servers, of which the first owns all tables. The players are all there, or two of the
  four are at the other one (`apart`).
- `stop` and `kill`: three servers, of which the first owns all tables and has all players; it is
  stopped or killed while they play. At the end everything that they were told and had acknowledged
  is compared with what is stored (`tests.crash`).
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from tests.benchmarks.load import SEATS, Found, Order, more_files
from tests.benchmarks.sockets import OURS, Loading, spread
from tests.crash.rehearsal import Rehearsal
from tests.kit.nats import NatsServer
from tests.kit.postgres import Postgres
from tests.kit.processes import Server

Places = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Kind:
    """So many servers, with a bus or without, and the servers of the seats of each table."""

    servers: int
    places: Places
    bus: bool = True


def own(servers: int) -> Places:
    """All players of a table are at one server; each server has as many tables."""
    return [[server] * SEATS for server in range(servers)]


def mixed(servers: int) -> Places:
    """Each player is at any server."""
    dice = random.Random(servers)
    return [[dice.randrange(servers) for _ in range(SEATS)] for _ in range(1000)]


CARRY = {
    "alone": Kind(1, own(1), bus=False),
    "1": Kind(1, own(1)),
    "2": Kind(2, own(2)),
    "3": Kind(3, own(3)),
    "2 mixed": Kind(2, mixed(2)),
    "3 mixed": Kind(3, mixed(3)),
}
HOP = {"at home": Kind(2, own(1)), "apart": Kind(2, [[0, 0, 1, 1]])}
PHASES = {"moves": "moves at full speed", "rate": "moves at a fixed rate", "say": "talk"}
SETTLE = 11.0
"""Seconds of play before the first phase, in which tables go where their players are."""

Rounds = Mapping[str, list[list[Found]]]
"""The phases of each round of each kind."""


class Place:
    """Until `close`: the database and the bus of all measurements."""

    def __init__(self) -> None:
        self.postgres = Postgres(syncs=True)
        self.nats = NatsServer()

    def run(
        self, kind: Kind, connections: int, phases: Sequence[str], rate: float, seconds: float
    ) -> list[Found]:
        """What the phases show, at new servers with a new database."""
        data = ("--data", self.postgres.url())
        with ExitStack() as stack:
            servers = []
            for number in range(kind.servers):
                bus = ("--node", f"n{number}", "--bus", self.nats.url) if kind.bus else ()
                server = Server(*OURS, *data, *bus, python=sys.executable)
                servers.append(stack.enter_context(server))
            (host, port), *others = [server.address() for server in servers]
            pids = [server.process.pid for server in servers]
            order = Order(
                host,
                port,
                pids[0],
                connections,
                [("rate", SETTLE), *((phase, seconds) for phase in phases)],
                rate=rate,
                others=others,
                places=kind.places,
                watched=[*pids, self.postgres.pid, self.nats.process.pid],
            )
            with Loading(order, None) as loading:
                try:
                    for _ in ("ramp", "settled"):
                        loading.found()
                    return [loading.found() for _ in phases]
                except AssertionError as failed:
                    failed.add_note("\n".join(server.log() for server in servers))
                    raise

    def close(self) -> None:
        """Ends both."""
        self.nats.close()
        self.postgres.close()

    def rounds(
        self,
        kinds: Mapping[str, Kind],
        connections: int,
        phases: Sequence[str],
        wanted: argparse.Namespace,
    ) -> Rounds:
        """Runs all kinds in turn, as often as is wanted."""
        found: Rounds = {name: [] for name in kinds}
        for _ in range(wanted.repeats):
            for name, kind in kinds.items():
                found[name].append(self.run(kind, connections, phases, wanted.rate, wanted.seconds))
        return found


def table(
    phases: Sequence[str],
    rounds: Rounds,
    parts: Callable[[Sequence[float]], Sequence[float]],
    names: Sequence[str],
) -> None:
    """Prints the medians, a table for each phase; `parts` are the shares of the processor."""
    for place, phase in enumerate(phases):
        print(f"  {PHASES[phase]}")
        titles = [
            *(f"us {name}" for name in names),
            "us all",
            "OK p50",
            "p99",
            "away p50",
            "p99",
            "last p50",
            "p99",
        ]
        print(f"    {'':9} {'a second':>9}" + "".join(f"{title:>12}" for title in titles))
        for name, runs in rounds.items():
            mine = [run[place] for run in runs]
            rows = [
                [
                    each.sent / each.seconds,
                    *(part / each.sent * 1e6 for part in (*parts(each.watched), sum(each.watched))),
                    *(
                        times[part]
                        for times in (each.first, each.away, each.last)
                        for part in ("p50", "p99")
                    ),
                ]
                for each in mine
            ]
            rate, *others = (median(column) for column in zip(*rows, strict=True))
            figures = "".join(
                f"{other:12,.0f}" if number <= len(names) else f"{other:12.2f}"
                for number, other in enumerate(others)
            )
            print(f"    {name:9} {rate:9,.0f}{figures}", flush=True)


def carry(place: Place, wanted: argparse.Namespace) -> None:
    """Prints what one to three servers carry."""
    phases = ("moves", "rate")
    rounds = place.rounds(CARRY, wanted.connections, phases, wanted)
    print(f"cluster: {wanted.connections} connections, ms, microseconds of a core for a move")
    table(
        phases, rounds, lambda each: (sum(each[:-2]), *each[-2:]), ("servers", "database", "NATS")
    )
    for name in ("first", "last"):
        ratios = [
            getattr(many[1], name)["p99"] / getattr(one[1], name)["p99"]
            for many, one in zip(rounds["3"], rounds["alone"], strict=True)
        ]
        print(
            f"  p99 ({name}) at the fixed rate, three servers to one alone: {spread(ratios, '.2f')}"
        )


def hop(place: Place, wanted: argparse.Namespace) -> None:
    """Prints what an order costs that is given at another server."""
    phases = ("rate", "moves", "say")
    for connections in (2 * SEATS, wanted.connections):
        rounds = place.rounds(HOP, connections, phases, wanted)
        print(f"cluster: {connections} connections, ms, microseconds of a core for an order")
        table(phases, rounds, lambda each: each, ("owner", "other", "database", "NATS"))


def part(place: Place, wanted: argparse.Namespace, tables: int, how: signal.Signals) -> None:
    """Ends a server that owns all tables, and prints how long it takes the others."""
    bus = ("--bus", place.nats.url)
    rehearsal = Rehearsal(tables, max(1.0, tables / wanted.moves_a_second), "1", wanted.lease, *bus)
    broken = True
    try:
        servers = [rehearsal.serving() for _ in range(3)]
        first, *others = servers
        rehearsal.fill([first], wanted.moves)
        rehearsal.crowd.play(wanted.pause)
        began = [server.cpu for server in others]
        print(f"cluster: {tables} tables, {how.name}: {rehearsal.leave(first, others, how)}")
        took = ", ".join(f"{s.cpu - b:.1f}" for s, b in zip(others, began, strict=True))
        memory = ", ".join(f"{server.memory:.0f}" for server in others)
        print(f"  the others took {took} s of a core, and have {memory} MiB", flush=True)
        rehearsal.crowd.play(wanted.pause)
        rehearsal.end()
        broken = False
        print(f"  {rehearsal.crowd.figures.acked} acknowledged orders, 0 lost, 0 doubled")
    finally:
        rehearsal.close(keep=broken)


def report(arguments: Sequence[str] = ()) -> None:
    """Prints what several servers carry and cost."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=cluster", description=__doc__)
    add = parser.add_argument
    add("--parts", nargs="+", default=["carry", "hop", "stop", "kill"])
    add("--connections", type=int, default=96)
    add("--repeats", type=int, default=5, help="rounds of `carry` and `hop` [5]")
    add("--seconds", type=float, default=5.0, help="of each phase [5]")
    add("--rate", type=float, default=1200.0, help="delivered lines a second [1200]")
    add("--tables", type=int, nargs="+", default=[100, 1000], help="of `stop` and `kill`")
    add("--moves", type=int, default=120, help="made at each of them: the half of a game [120]")
    add("--moves-a-second", type=float, default=100.0, help="of all of them [100]")
    add("--lease", type=float, default=10.0, help="seconds of the servers' lease [10]")
    add("--pause", type=float, default=5.0, help="seconds of play before and after [5]")
    wanted = parser.parse_args(arguments)
    more_files()
    place = Place()
    try:
        if "carry" in wanted.parts:
            carry(place, wanted)
        if "hop" in wanted.parts:
            hop(place, wanted)
        for name, how in {"stop": signal.SIGTERM, "kill": signal.SIGKILL}.items():
            for tables in wanted.tables if name in wanted.parts else ():
                part(place, wanted, tables, how)
    finally:
        place.close()
