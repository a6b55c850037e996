"""The active servers of a place, as processes: each has its own ways to PostgreSQL and to NATS."""

from __future__ import annotations

import os
import re
import select
import signal
import time
from collections import Counter
from functools import partial
from pathlib import Path

import psycopg

from tests.crash.life import PATIENCE, RUNNING
from tests.crash.player import Broken
from tests.crash.relay import Routes, close_all_but
from tests.crash.server import Child
from twentytwo_server.host.cluster import homes, sending

NAMES = "abc"
"""The names of the servers."""

LIMIT = 2_000
"""Milliseconds after which an order is given up, instead of twenty seconds: a cut may be longer."""
WAIT = 300
"""Milliseconds until a question counts as lost."""
HOME = 2_000
"""Milliseconds after which an arrival is refused, because the home does not answer."""

FENCED = 70
"""The exit status of a server that was ended."""

LOST = "another server has taken over"
"""The log of a server that was ended says so."""

EFFECTS = {
    "silent": "this server says nothing until it is",
    "without NATS": "no connection to NATS",
}
"""The effects of a fault, each with a line of the log."""

FAULTS = ("Traceback", "cannot be followed", "cannot be restored", "cannot be rebuilt")
"""What no log may contain."""


class _Trap:
    """Kills a server at the next time that it reaches a named point, after SIGUSR1."""

    def __init__(self, point: str) -> None:
        self._point = point
        self._armed = False

    def __call__(self, reached: str) -> None:
        if self._armed and reached == self._point:
            os.kill(os.getpid(), signal.SIGKILL)

    def arm(self, *_: object) -> None:
        """From now on the point kills."""
        self._armed = True


def _prepare(trap: _Trap) -> None:
    """In a forked server: short times, and none of this process's connections."""
    close_all_but()
    signal.signal(signal.SIGUSR1, trap.arm)
    sending.__dict__.update(LIMIT=LIMIT, WAIT=WAIT)
    homes.__dict__.update(PATIENCE=HOME, ANSWER_TIME=WAIT)


class Member:
    """A server of the place, which may be started again under its name."""

    def __init__(self, name: str, place: Place) -> None:
        self.name = name
        self.place = place
        self.route = place.routes.route()
        self.up = False
        self.epoch = 0
        self.where = ("", 0)
        self._runs = 0
        self._said = b""

    def start(self, point: str = RUNNING[0]) -> None:
        """Starts the server; returns when it listens. At this named point SIGUSR1 will kill it."""
        self._runs += 1
        trap = _Trap(point)
        self._log = self.place.folder / f"{self.name}{self._runs}.log"
        route = self.route
        words = ("--listen", f"{route.host}:0", "--allow-plaintext-login", "--bot-pause", "0")
        shared = ("--data", route.url(self.place.database), "--bus", route.bus)
        times = ("--set", f"nodes.lease={self.place.lease}", "--set", "bus.patience=0.5")
        with route.inside():
            self.child = Child(
                (*words, *shared, "--node", self.name, *times),
                self._log,
                trap,
                partial(_prepare, trap),
            )
        self._said, self.up = b"", True
        self._wait_until_it_listens()
        self.epoch = self.place.row(self.name)[0]

    def _wait_until_it_listens(self) -> None:
        end = time.monotonic() + PATIENCE
        wanted = re.compile(rb"^listening on (\S+):(\d+)$", re.MULTILINE)
        while not (found := wanted.search(self._said)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.child.stdout], [], [], left)[0]:
                raise Broken(f"{self.name} does not listen: {self.log()}")
            said = self.child.read()
            if not said:
                raise Broken(f"{self.name} has ended: {self.log()}")
            self._said += said
        self.where = found[1].decode(), int(found[2])

    def signal(self, how: signal.Signals) -> None:
        os.kill(self.child.pid, how)

    @property
    def has_exited(self) -> bool:
        """True if the process has ended; `end` tells how."""
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return self.up and os.waitid(os.P_PID, self.child.pid, options) is not None

    @property
    def is_ended(self) -> bool:
        """True if another server has ended this run of it, or it has noted its stop."""
        epoch, state, _ = self.place.row(self.name)
        return epoch > self.epoch or state == "stopped"

    @property
    def effects(self) -> Counter[str]:
        """How often this run of it was silent, and without NATS."""
        log = self._log.read_text(encoding="utf-8")
        return Counter({effect: log.count(line) for effect, line in EFFECTS.items()})

    @property
    def batch(self) -> int:
        """The number of the last batch that it has stored."""
        return self.place.row(self.name)[2]

    def end(self, wanted: int) -> None:
        """Waits for the process to end. Raises `Broken` if it ends otherwise than `wanted`."""
        status = self.child.wait()
        self.up = False
        log = self.log()
        if status != wanted or (wanted == FENCED) != (LOST in log):
            raise Broken(f"{self.name} ended with {status}, not {wanted}: {log}")
        self.check()

    def check(self) -> None:
        """Raises `Broken` if the log tells of a fault."""
        log = self._log.read_text(encoding="utf-8")
        if any(fault in log for fault in FAULTS):
            raise Broken(f"{self.name} has logged: {self.log()}")

    def log(self) -> str:
        """The end of its log."""
        return self._log.read_text(encoding="utf-8")[-3000:]

    def close(self) -> None:
        """Ends the server and its ways."""
        if self.up:
            self.signal(signal.SIGKILL)
            self.child.wait()
        self.route.close()


class Place:
    """The servers of one database, until `close`."""

    def __init__(self, folder: Path, routes: Routes, lease: float) -> None:
        self.folder, self.routes, self.lease = folder, routes, lease
        self.url = routes.postgres.url()
        found = re.search(r"/(db\d+)\?", self.url)
        assert found is not None
        self.database = found[1]
        self.members = [Member(name, self) for name in NAMES]

    @property
    def dsn(self) -> str:
        """The database, as the driver names it."""
        return self.routes.postgres.dsn(self.database)

    def row(self, node: str) -> tuple[int, str, int]:
        """The epoch and the state of a server, and the number of its last batch."""
        with psycopg.connect(self.dsn) as db:
            found = db.execute("SELECT epoch, state, batch FROM nodes WHERE node = %s", (node,))
            return found.fetchone() or (0, "", 0)

    def tables(self, node: str) -> int:
        """The number of open tables that a server owns."""
        with psycopg.connect(self.dsn) as db:
            query = "SELECT count(*) FROM tables WHERE closed IS NULL AND node = %s"
            (found,) = db.execute(query, (node,)).fetchone() or (0,)
            return int(found)

    def logs(self) -> str:
        """The ends of the logs of all servers."""
        return "\n".join(f"{member.name}: {member.log()}" for member in self.members)

    def save(self) -> None:
        """Writes all data into the folder, a file for each table of the database."""
        with psycopg.connect(self.dsn) as db:
            names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            for (name,) in db.execute(names).fetchall():
                copy = f"COPY {name} TO STDOUT WITH CSV HEADER"
                with db.cursor().copy(copy.encode()) as rows:
                    (self.folder / f"{name}.csv").write_bytes(b"".join(map(bytes, rows)))

    def close(self) -> None:
        for member in self.members:
            member.close()
