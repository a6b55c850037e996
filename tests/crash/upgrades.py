"""An upgrade without a pause, there and back, while a thousand tables play.

The newer version has a migration that only adds. It brings the schema up to date while the older
one serves, and the older one goes on with the newer schema afterwards. The promises of
`life.History` are checked at the end.
"""

from __future__ import annotations

import signal
import sys
import traceback
from dataclasses import dataclass

import psycopg

from tests.crash.installed import ROOT, newer_version
from tests.crash.player import Broken
from tests.crash.rehearsal import Rehearsal
from twentytwo_server.store.migrating import newest

LEASE = 10.0
"""Seconds of the servers' lease, as for operators."""
PAUSE = 0.01
"""Seconds between two moves of all tables together: 100 moves a second."""


@dataclass(frozen=True)
class Plan:
    """So many tables, each with so many moves before the first of `rounds` upgrades there and back.

    Before and after a server stands by, everybody plays for some seconds.
    """

    tables: int
    rounds: int
    moves: int
    seconds: float


def run(plan: Plan, seed: str, lease: float) -> int:
    """Upgrades there and back; prints the results; returns the failures."""
    tables, rounds = plan.tables, plan.rounds
    rehearsal = Rehearsal(tables, PAUSE * tables, seed, lease)
    crowd = rehearsal.crowd
    broken = 0
    try:
        newer = newer_version(rehearsal.folder / "newer")
        serving = rehearsal.serving()
        rehearsal.fill(serving, plan.moves)
        for version in (newer, ROOT) * rounds:
            crowd.play(plan.seconds)
            standby = rehearsal.standby(version)
            crowd.play(plan.seconds)
            change = rehearsal.change(serving, standby, signal.SIGTERM)
            print(f"to the {'older' if version == ROOT else 'newer'} version: {change}", flush=True)
            serving = standby
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
        f"{tables} tables, {len(crowd.guests)} players, {2 * rounds} changes of version, "
        f"{figures.acked} orders acknowledged, {figures.games} games; {broken} broken"
    )
    sys.stdout.flush()
    return broken
