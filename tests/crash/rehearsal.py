"""Servers of one database, one after the other, and a crowd that plays at whichever serves."""

from __future__ import annotations

import shutil
import signal
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.figures import quantile
from tests.benchmarks.load import more_files
from tests.crash.crowd import Crowd
from tests.crash.installed import ROOT, Running
from tests.crash.player import Broken
from tests.kit.postgres import Postgres


@dataclass
class Change:
    """Durations of a change of servers, in seconds since the old one was ended.

    `points` are those of the new server; `back` and `asked` those at which each player had the seat
    and the next question again.
    """

    points: dict[str, float]
    back: Sequence[float]
    asked: Sequence[float]

    def __str__(self) -> str:
        at = ", ".join(f"{name} {seconds:.2f}" for name, seconds in self.points.items())
        return f"{at}; seats {_spread(self.back)}; next TURN {_spread(self.asked)}"


def _spread(times: Sequence[float]) -> str:
    p50, p99, last = (quantile(times, part) for part in (0.5, 0.99, 1.0))
    return f"p50 {p50:.2f} p99 {p99:.2f} last {last:.2f}"


POINTS = {
    "store opened": "took over",
    "all remembered": "loaded",
    "listening": "serves",
    "restored": "tables rebuilt",
}
"""The failpoints of a take-over, and what is so from then on."""


class Rehearsal:
    """Until `close`: a database that syncs, a folder for logs, and the crowd."""

    def __init__(self, tables: int, pause: float, seed: str, lease: float) -> None:
        more_files()
        self.folder = Path(tempfile.mkdtemp(prefix="twentytwo-crowd-"))
        self.postgres = Postgres(syncs=True)
        self.url = self.postgres.url()
        self._lease = lease
        self.dsn = self.postgres.dsn("db1")
        self.crowd = Crowd(tables, pause, seed, self.dsn)
        self._number = 0
        self._running: list[Running] = []

    @property
    def log(self) -> str:
        """The ends of the logs of all servers that run."""
        return "\n".join(server.log for server in self._running)

    def started(self, version: Path = ROOT) -> Running:
        """A server that is starting."""
        self._number += 1
        name = f"n{self._number}"
        lease = ("--set", f"nodes.lease={self._lease}")
        server = Running(name, self.url, version, self.folder / f"{name}.log", *lease)
        self._running.append(server)
        return server

    def serving(self) -> Running:
        """The first server, which listens."""
        server = self.started()
        self.crowd.until(lambda: server.where is not None, "the first server does not listen")
        return server

    def fill(self, server: Running, moves: int) -> None:
        """Seats everybody, and has every table make so many moves, as fast as it can."""
        crowd = self.crowd
        pause, crowd.pause = crowd.pause, 0.0
        crowd.serve(server.where)
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
        crowd.serve(None)
        began = time.monotonic()
        old.signal(how)
        crowd.until(lambda: new.where is not None, f"{new.name} does not serve")
        crowd.begin()
        crowd.serve(new.where)
        status = old.wait()
        self._running.remove(old)
        if status != (0 if how == signal.SIGTERM else -how) or "Traceback" in old.log:
            raise Broken(f"{old.name} ended with {status}: {old.log}")
        crowd.until(
            lambda: (
                new.at("restored") is not None and all(g.back and g.asked for g in crowd.guests)
            ),
            "somebody does not play on",
        )
        points = {told: (new.at(point) or began) - began for point, told in POINTS.items()}
        back, asked = (
            [each - began for each in moments]
            for moments in zip(*((g.back, g.asked) for g in crowd.guests), strict=True)
        )
        return Change(points, back, asked)

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
