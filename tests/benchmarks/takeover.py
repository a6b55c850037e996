"""Time of a take-over by number of live tables, and the cost of a standby.

For each number of tables two servers of this version share a PostgreSQL that syncs. First nobody
plays, and the statements of the servers are counted. Then programs play at all tables to the middle
of a game, and go on at a fixed rate. The server that serves is killed. All programs connect to the
standby at the moment at which it listens. At the end everything that they were told and had
acknowledged is compared with what is stored (`tests.crash`).
"""

from __future__ import annotations

import argparse
import re
import signal
import time
from collections.abc import Sequence

import psycopg

from tests.benchmarks.load import cpu_of
from tests.crash.crowd import SEATS
from tests.crash.installed import Running
from tests.crash.rehearsal import Rehearsal

STATEMENT = re.compile(rb"LOG:  (?:statement|execute)")
TRANSACTIONS = """
    SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()
"""


class Watch:
    """The load of a database and its servers, per second."""

    def __init__(self, rehearsal: Rehearsal, *servers: Running) -> None:
        self._rehearsal, self._servers = rehearsal, servers

    def statements(self, seconds: float) -> float:
        """The statements a second while nobody plays; slow, as each is written into a log."""
        postgres = self._rehearsal.postgres
        for how in ("all", "none"):
            postgres.execute(f"ALTER SYSTEM SET log_statement = '{how}'")
            postgres.execute("SELECT pg_reload_conf()")
            if how == "all":
                time.sleep(0.5)  # every process reads its settings
                before = len(STATEMENT.findall(postgres.log))
                time.sleep(seconds)
                found = len(STATEMENT.findall(postgres.log)) - before
        return found / seconds

    def shares(self, seconds: float) -> str:
        """Moves and transactions a second, and of a core what everybody takes."""
        before, began = self._totals(), time.monotonic()
        self._rehearsal.crowd.play(seconds)
        took = time.monotonic() - began
        moves, transactions, *shares = (
            (b - a) / took for a, b in zip(before, self._totals(), strict=True)
        )
        names = ("PostgreSQL", "the server", "the standby")
        told = ", ".join(f"{n} {each:.1%}" for n, each in zip(names, shares, strict=False))
        return f"{moves:.0f} moves, {transactions:.1f} transactions a second; of a core {told}"

    def _totals(self) -> list[float]:
        with psycopg.connect(self._rehearsal.dsn) as db:
            found = db.execute(TRANSACTIONS.encode()).fetchone()
        assert found is not None
        return [
            sum(guest.moves for guest in self._rehearsal.crowd.guests) / SEATS,
            float(found[0]),
            cpu_of(self._rehearsal.postgres.pid),
            *(server.cpu for server in self._servers),
        ]


def measure(wanted: argparse.Namespace, tables: int) -> None:
    """Has one server take over from another, and prints how long that took."""
    rehearsal = Rehearsal(tables, max(1.0, tables / wanted.rate), "1", wanted.lease)
    broken = True
    try:
        print(f"takeover: {tables} tables of {SEATS}, lease {wanted.lease:g} s")
        server = rehearsal.serving()
        if wanted.idle:
            alone = Watch(rehearsal, server)
            print(f"  one server: {alone.statements(wanted.idle):.1f} statements a second")
            print(f"    {alone.shares(wanted.idle)}")
        standby = rehearsal.standby()
        both = Watch(rehearsal, server, standby)
        if wanted.idle:
            print(f"  with a standby: {both.statements(wanted.idle):.1f} statements a second")
            print(f"    {both.shares(wanted.idle)}")
        rehearsal.fill([server], wanted.moves)
        rehearsal.crowd.play(wanted.pause)
        print(f"  live: {both.shares(wanted.seconds)}", flush=True)
        print(f"  memory: server {server.memory:.0f} MiB, standby {standby.memory:.0f} MiB")
        began = standby.cpu
        print(f"  killed: {rehearsal.change(server, standby, signal.SIGKILL)}")
        print(
            f"  the standby took {standby.cpu - began:.1f} s of a core for it,"
            f" and has {standby.memory:.0f} MiB",
            flush=True,
        )
        rehearsal.crowd.play(wanted.pause)
        rehearsal.end()
        broken = False
        print(f"  {rehearsal.crowd.figures.acked} acknowledged orders, 0 lost, 0 doubled")
    finally:
        rehearsal.close(keep=broken)


def report(arguments: Sequence[str] = ()) -> None:
    """Prints how long take-overs last."""
    parser = argparse.ArgumentParser(prog="make bench ARGS=takeover", description=__doc__)
    add = parser.add_argument
    add("--tables", type=int, nargs="+", default=[10, 100, 1000])
    add("--moves", type=int, default=120, help="made at each table: the half of a game [120]")
    add("--rate", type=float, default=100.0, help="moves a second of all tables [100]")
    add("--lease", type=float, default=10.0, help="seconds of the servers' lease [10]")
    add("--idle", type=float, default=20.0, help="seconds in which nobody plays; 0: none [20]")
    add("--seconds", type=float, default=20.0, help="of play in which the load is measured [20]")
    add("--pause", type=float, default=5.0, help="seconds of play before and after [5]")
    wanted = parser.parse_args(arguments)
    for tables in wanted.tables:
        measure(wanted, tables)
