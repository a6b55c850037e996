"""Servers of one database, and a crowd that plays at whichever serves."""

from __future__ import annotations

import shutil
import signal
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.benchmarks.figures import quantile
from tests.benchmarks.load import more_files
from tests.crash.crowd import Crowd, Guest
from tests.crash.installed import ROOT, Running
from tests.crash.player import Broken
from tests.kit.postgres import Postgres


@dataclass
class Change:
    """Durations of a change of servers, in seconds since the old one was ended.

    `points` are those of the new server; `back` those at which each player who had to move had the
    seat again, and `asked` those at which each player had the next question.
    """

    points: dict[str, float]
    back: Sequence[float]
    asked: Sequence[float]

    def __str__(self) -> str:
        at = ", ".join(f"{name} {seconds:.2f}" for name, seconds in self.points.items())
        return f"{at}; seats {_spread(self.back)}; next TURN {_spread(self.asked)}"


def _spread(times: Sequence[float]) -> str:
    p50, p99, last = (quantile(times, part) for part in (0.5, 0.99, 1.0))
    return f"of {len(times)} p50 {p50:.2f} p99 {p99:.2f} last {last:.2f}"


POINTS = {
    "store opened": "took over",
    "all remembered": "loaded",
    "listening": "serves",
    "restored": "tables rebuilt",
}
"""The failpoints of a take-over, and what is so from then on."""


class Rehearsal:
    """Until `close`: a database that syncs, a folder for logs, and the crowd.

    All servers are started with `options`.
    """

    def __init__(self, tables: int, pause: float, seed: str, lease: float, *options: str) -> None:
        more_files()
        self.folder = Path(tempfile.mkdtemp(prefix="twentytwo-crowd-"))
        self.postgres = Postgres(syncs=True)
        self.url = self.postgres.url()
        self._lease = lease
        self._options = ("--set", f"nodes.lease={lease}", *options)
        self.dsn = self.postgres.dsn("db1")
        self.crowd = Crowd(tables, pause, seed, self.dsn)
        self.crowd.look_after = self._look_after
        self._number = 0
        self._running: list[Running] = []
        self._leaving: Running | None = None

    @property
    def log(self) -> str:
        """The ends of the logs of all servers that run."""
        return "\n".join(server.log for server in self._running)

    def started(self, version: Path = ROOT, name: str = "") -> Running:
        """A server that is starting, with a new name or with that of one that has ended."""
        self._number += 1
        name = name or f"n{self._number}"
        log = self.folder / f"{self._number}.log"
        server = Running(name, self.url, version, log, *self._options)
        self._running.append(server)
        return server

    def serving(self, version: Path = ROOT, name: str = "") -> Running:
        """A server that listens."""
        server = self.started(version, name)
        self.crowd.until(lambda: server.where is not None, f"{server.name} does not listen")
        return server

    def serve(self, servers: Sequence[Running]) -> None:
        """From now on everybody connects to these."""
        self.crowd.serve(*(server.where for server in servers if server.where is not None))

    def fill(self, servers: Sequence[Running], moves: int) -> None:
        """Seats everybody, and has every table make so many moves, as fast as it can."""
        crowd = self.crowd
        pause, crowd.pause = crowd.pause, 0.0
        self.serve(servers)
        crowd.until(lambda: all(g.moves >= moves for g in crowd.guests), "filling")
        crowd.pause = pause

    def standby(self, version: Path = ROOT) -> Running:
        """A server that stands by; meanwhile everybody plays."""
        server = self.started(version)
        self.crowd.until(server.stands_by, "nobody stands by")
        self.crowd.play(self._lease / 5)  # until the other server has seen it
        return server

    def change(self, old: Running, new: Running, how: signal.Signals) -> Change:
        """Ends the server that serves; returns when everybody plays at the other one."""
        crowd = self.crowd
        crowd.serve()
        began = time.monotonic()
        self._end(old, how)
        crowd.until(lambda: new.where is not None, f"{new.name} does not serve")
        crowd.begin()
        assert new.where is not None
        crowd.serve(new.where)
        self._ended(old, how)
        crowd.until(lambda: new.at("restored") is not None, "tables are not rebuilt")
        points = {told: (new.at(point) or began) - began for point, told in POINTS.items()}
        return self._all_play(points, began, crowd.guests)

    def leave(self, old: Running, others: Sequence[Running], how: signal.Signals) -> Change:
        """Ends one of several active servers.

        Returns when its tables have other owners and everybody plays at the others.
        """
        crowd = self.crowd
        moving = [guest for guest in crowd.guests if guest.at == old.where]
        crowd.begin()
        self.serve(others)
        began = time.monotonic()
        self._end(old, how)
        with psycopg.connect(self.dsn, autocommit=True) as db:
            crowd.until(lambda: not _owned(db, old.name), f"{old.name} keeps tables")
        taken = time.monotonic() - began
        change = self._all_play({"all tables have other owners": taken}, began, moving)
        self._ended(old, how)
        return change

    def _look_after(self) -> None:
        """Raises `Broken` if a server has ended that nobody has ended."""
        for server in self._running:
            if server is not self._leaving:
                server.check()

    def _end(self, old: Running, how: signal.Signals) -> None:
        self._leaving = old
        old.signal(how)

    def _ended(self, old: Running, how: signal.Signals) -> None:
        status = old.wait()
        self._running.remove(old)
        if status != (0 if how == signal.SIGTERM else -how) or "Traceback" in old.log:
            raise Broken(f"{old.name} ended with {status}: {old.log}")

    def _all_play(self, points: dict[str, float], began: float, moving: Sequence[Guest]) -> Change:
        guests = self.crowd.guests
        self.crowd.until(
            lambda: all(guest.back for guest in moving) and all(guest.asked for guest in guests),
            "somebody does not play on",
        )
        back = [guest.back - began for guest in moving]
        return Change(points, back, [guest.asked - began for guest in guests])

    def end(self) -> None:
        """Compares all that was told and stored. Raises `Broken` if a promise was not kept."""
        self.crowd.ask_for_everything()
        self.crowd.audit()

    def close(self, *, keep: bool) -> None:
        """Ends everything, and perhaps keeps the logs."""
        self.crowd.close()
        for server in self._running:
            server.signal(signal.SIGKILL)
            server.wait()
        self.postgres.close()
        if not keep:
            shutil.rmtree(self.folder)


def _owned(db: psycopg.Connection, node: str) -> bool:
    """True if a server owns tables."""
    query = "SELECT 1 FROM tables WHERE closed IS NULL AND node = %s LIMIT 1"
    return db.execute(query, (node,)).fetchone() is not None
