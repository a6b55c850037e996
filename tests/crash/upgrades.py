"""An upgrade without a pause, there and back, while a thousand tables play.

The newer version has a migration that only adds. It brings the schema up to date while the older
one serves, and the older one goes on with the newer schema afterwards. A standby takes over, or
several active servers are stopped and started again in turn. The promises of `life.History` are
checked at the end.
"""

from __future__ import annotations

import signal
import sys
import traceback
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.crash.installed import ROOT, newer_version
from tests.crash.player import Broken
from tests.crash.rehearsal import Change, Rehearsal
from tests.kit.nats import NatsServer
from twentytwo_server.store.migrating import newest

LEASE = 10.0
"""Seconds of the servers' lease, as for operators."""
PAUSE = 0.01
"""Seconds between two moves of all tables together: 100 moves a second."""


@dataclass(frozen=True)
class Plan:
    """So many tables, each with so many moves before the first of `rounds` upgrades there and back.

    Before and after a server stands by, or before one of several active `servers` is stopped,
    everybody plays for some seconds.
    """

    tables: int
    rounds: int
    moves: int
    seconds: float
    servers: int = 1


def run(plan: Plan, seed: str, lease: float) -> int:
    """Upgrades there and back; prints the results; returns the failures."""
    with nullcontext() if plan.servers == 1 else closing(NatsServer()) as nats:
        bus = () if nats is None else ("--bus", nats.url)
        rehearsal = Rehearsal(plan.tables, PAUSE * plan.tables, seed, lease, *bus)
        return _run(plan, seed, rehearsal)


def _run(plan: Plan, seed: str, rehearsal: Rehearsal) -> int:
    crowd = rehearsal.crowd
    broken = 0
    try:
        newer = newer_version(rehearsal.folder / "newer")
        (_replace if plan.servers == 1 else _roll)(plan, rehearsal, newer)
        crowd.play(plan.seconds)
        rehearsal.end()
        with psycopg.connect(rehearsal.dsn) as db:
            (schema,) = db.execute("SELECT version_num FROM schema_version").fetchone() or ("",)
        if schema <= newest():
            raise Broken(f"the newer version has left the schema at {schema}")
    except Exception as wrong:
        broken = 1
        if not isinstance(wrong, Broken):
            traceback.print_exc()
        print(f"FAIL seed={seed} {rehearsal.folder}: {wrong}\n{rehearsal.log}")
    finally:
        rehearsal.close(keep=bool(broken))
    figures = crowd.figures
    print(
        f"{plan.tables} tables, {len(crowd.guests)} players, "
        f"{2 * plan.rounds * plan.servers} changes of version, "
        f"{figures.acked} orders acknowledged, {figures.games} games; {broken} broken"
    )
    sys.stdout.flush()
    return broken


def _replace(plan: Plan, rehearsal: Rehearsal, newer: Path) -> None:
    """The server that serves is stopped when one of the other version stands by."""
    serving = rehearsal.serving()
    rehearsal.fill([serving], plan.moves)
    for version in (newer, ROOT) * plan.rounds:
        rehearsal.crowd.play(plan.seconds)
        standby = rehearsal.standby(version)
        rehearsal.crowd.play(plan.seconds)
        _tell(version, rehearsal.change(serving, standby, signal.SIGTERM))
        serving = standby


def _roll(plan: Plan, rehearsal: Rehearsal, newer: Path) -> None:
    """Each active server is stopped in turn, and one of the other version has its name."""
    servers = [rehearsal.serving() for _ in range(plan.servers)]
    rehearsal.fill(servers, plan.moves)
    for version in (newer, ROOT) * plan.rounds:
        for old in list(servers):
            rehearsal.crowd.play(plan.seconds)
            servers.remove(old)
            _tell(version, rehearsal.leave(old, servers, signal.SIGTERM))
            servers.append(rehearsal.serving(version, old.name))
            rehearsal.serve(servers)


def _tell(version: Path, change: Change) -> None:
    print(f"to the {'older' if version == ROOT else 'newer'} version: {change}", flush=True)
