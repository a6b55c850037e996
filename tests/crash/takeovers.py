"""Servers of one PostgreSQL database, ended in every way while others stand by.

Players follow whichever server serves. A server is killed, frozen, cut off from the database, or
told to stop; then the standby goes on. A server that was frozen or cut off must end by itself with
status 70, and must not send a byte once another one serves. At the end the promises of
`life.Life` and of `rivals.Rivals` are checked.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import psycopg

from tests.benchmarks.figures import quantile
from tests.crash.forking import prepare
from tests.crash.life import PATIENCE, STORED, Life, Run
from tests.crash.namespaces import opened
from tests.crash.player import LATE, Broken, Player
from tests.crash.relay import Cut, Route, Routes
from tests.crash.rivals import CALM, Rivals
from tests.crash.server import Child

LEASE = 1.0
"""Seconds of the servers' lease, which is ten for operators."""

Way = Literal["kill", "freeze", Cut, "stop"]
"""The ways in which a server ends."""
WAYS: Sequence[Way] = get_args(Way)
CUTS: Sequence[Cut] = get_args(Cut)

RESTARTS = 0.2
"""The probability that PostgreSQL is restarted before a server ends, and while it is cut off."""

FENCED = 70
"""The exit status of a server whose place was taken."""


@dataclass
class Figures:
    """Statistics of a run: the ends of servers by way, and the seconds until another one served."""

    ends: Counter[str] = field(default_factory=Counter)
    took: dict[str, list[float]] = field(default_factory=dict)
    restarts: int = 0
    acked: int = 0
    games: int = 0


class Node:
    """A server process with its own way to the database."""

    def __init__(self, name: str, route: Route, database: str, folder: Path, lease: float) -> None:
        self.name = name
        self.to = f"{name}.example.org:2222"
        self.complaints = folder / f"{name}.log"
        self.route = route
        here = ("--listen", f"{route.host}:0", "--allow-plaintext-login")
        words = (*here, "--bot-pause", "0", "--data", route.url(database))
        with route.inside():
            self.child = Child(
                (
                    *words,
                    "--node",
                    name,
                    "--set",
                    f"nodes.lease={lease}",
                    "--node-address",
                    self.to,
                ),
                self.complaints,
            )
        self.said = b""

    def wait_until(self, line: str) -> float:
        """Waits until the server has printed a line with this beginning; returns the seconds."""
        began = time.monotonic()
        wanted = re.compile(rb"^" + line.encode(), re.MULTILINE)
        while not wanted.search(self.said):
            left = began + PATIENCE - time.monotonic()
            if left <= 0 or not select.select([self.child.stdout], [], [], left)[0]:
                raise Broken(f"{self.name} does not say {line}: {self.log()}")
            said = self.child.read()
            if not said:
                raise Broken(f"{self.name} has ended: {self.log()}")
            self.said += said
        return time.monotonic() - began

    @property
    def where(self) -> tuple[str, int]:
        """Its address."""
        found = re.search(rb"^listening on (\S+):(\d+)$", self.said, re.MULTILINE)
        assert found is not None
        return found[1].decode(), int(found[2])

    def signal(self, how: signal.Signals) -> None:
        os.kill(self.child.pid, how)

    def end(self) -> int:
        """Waits for the process to end, and ends its way; returns the exit status."""
        status = self.child.wait()
        self.route.close()
        return status

    def log(self) -> str:
        """The end of its log."""
        return self.complaints.read_text(encoding="utf-8")[-3000:]


class SharedLife(Life):
    """A database that several servers use in turn, each over a way of its own."""

    def __init__(
        self,
        folder: Path,
        seed: str,
        routes: Routes,
        lease: float = LEASE,
        restarts: float = RESTARTS,
    ) -> None:
        super().__init__(folder, seed)
        self.restarts = restarts
        self.routes = routes
        self.postgres = routes.postgres
        self.database = _name(self.postgres.url())
        self.lease = lease
        self.found = Figures()
        self.rivals = Rivals(self.dice)
        self._number = 0
        self._nodes: list[Node] = []

    def _started(self) -> Node:
        self._number += 1
        name = f"n{self._number}"
        node = Node(name, self.routes.route(), self.database, self.folder, self.lease)
        self._nodes.append(node)
        return node

    def take_turns(self, ways: Sequence[Way]) -> None:
        """Ends one server after the other in these ways, then checks everything."""
        try:
            serving = self._started()
            serving.wait_until("listening on ")
            for way in ways:
                standby = self._started()
                standby.wait_until("standing by for ")
                if self.dice.random() < self.restarts:
                    # Nobody takes over, and everybody stays connected.
                    self._play(serving, 10)
                    self._restart_database()
                self._play(serving, self.dice.randint(20, 60))
                self.rivals.meet(serving.where)
                self._end(serving, standby, way)
                serving = standby
            self._finish(serving)
        finally:
            for node in self._nodes:
                node.signal(signal.SIGKILL)
                node.end()
        self.audit()

    def _play(self, node: Node, lines: int, each: int = 0) -> Run:
        run = Run(self.players, node.child, node.where)
        run.until(None, lines, each)
        if run.ended:
            raise Broken(f"{node.name} has ended: {node.log()}")
        return run

    def _end(self, serving: Node, standby: Node, way: Way) -> None:
        began = self._begin_to_end(serving, way)
        sockets = [self._left(player, way) for player in self.players]
        if way in CUTS and self.dice.random() < self.restarts:
            self._restart_database()
            began = time.monotonic()
        standby.wait_until("listening on ")
        self.found.ends[way] += 1
        self.found.took.setdefault(way, []).append(time.monotonic() - began)
        players = zip(sockets, self.players, strict=True)
        held = [(each, player) for each, player in players if each is not None]
        said = [drained(each) for each, _ in held]
        bye = re.compile(rb"BYE code=MOVED resume=1 wait=\d+ to=%b " % standby.to.encode())
        if way == "stop" and not all(map(bye.search, said)):
            raise Broken(f"{serving.name} did not say MOVED: {said}")
        rivals = [(each, None) for each in self.rivals.left(serving.where)]
        self.rivals.go_on(standby.where)
        send_too_late([*held, *rivals])
        if way == "freeze":
            serving.signal(signal.SIGCONT)
        elif way in CUTS:
            serving.route.heal()
        if way == "freeze" or way in CUTS:
            check_silent([*held, *rivals], serving.name, frozen=way == "freeze")
        for each, _ in [*held, *rivals]:
            each.close()
        status = serving.end()
        self._nodes.remove(serving)
        wanted = {"kill": -signal.SIGKILL, "stop": 0}.get(way, FENCED)
        lost = "another server" in serving.log()
        if status != wanted or lost != (wanted == FENCED) or "Traceback" in serving.log():
            raise Broken(f"{serving.name} ended ({way}) with {status}: {serving.log()}")

    def _begin_to_end(self, serving: Node, way: Way) -> float:
        """Ends a server, with the last lines to it; returns the time."""
        if way == "stop":
            time.sleep(self.lease / 5)  # until the server has seen the standby
        if way not in CUTS:
            self.rivals.reach()
        began = time.monotonic()
        match way:
            case "kill":
                serving.signal(signal.SIGKILL)
            case "freeze":
                serving.signal(signal.SIGSTOP)
            case "cut" | "requests cut" | "answers cut":
                serving.route.cut(way)
                self.rivals.reach()
            case "stop":
                serving.signal(signal.SIGTERM)
        return began

    def _restart_database(self) -> None:
        time.sleep(CALM)
        self.postgres.stop(signal.SIGQUIT)
        self.postgres.start()
        self.found.restarts += 1

    def _left(self, player: Player, way: Way) -> socket.socket | None:
        """The socket of a player, who is told that the connection is lost."""
        found, player.socket = player.socket, None
        player.gone()
        return found

    def _finish(self, node: Node) -> None:
        self._play(node, 30 * len(self.players), each=3)
        for player in self.players:
            player.gone()
            player.whole = {}
        run = Run(self.players, node.child, node.where)
        run.read_until(lambda: all(player.here for player in self.players))
        for player in self.players:
            player.gone()
        self.rivals.audit(node.where, self.postgres.dsn(self.database))

    def stored(self) -> tuple[list[tuple[str, str, int]], list[str]]:
        """See `History`."""
        with psycopg.connect(self.postgres.dsn(self.database)) as db:
            rows, closed = (db.execute(query).fetchall() for query in STORED)
        return rows, [on for (on,) in closed]


def _name(url: str) -> str:
    found = re.search(r"/(db\d+)\?", url)
    assert found is not None
    return found[1]


def drained(connection: socket.socket) -> bytes:
    """Everything that has arrived on a connection."""
    said = b""
    with suppress(OSError):
        while more := connection.recv(1 << 16):
            said += more
    return said


Held = Sequence[tuple[socket.socket, Player | None]]
"""Connections to a server that was ended, each with its player if there is one."""


def send_too_late(held: Held) -> None:
    """Sends commands that must not be answered any more."""
    lines = "".join(f"@{id} {command}\r\n" for id, command in LATE.items())
    for connection, _ in held:
        with suppress(OSError):
            connection.sendall(lines.encode())


def check_silent(held: Held, name: str, *, frozen: bool) -> None:
    """Raises `Broken` if anything comes before the connections end.

    No server can look at its lease and write in one step. If it was frozen in between, it writes
    once more when it is awake (`Player.overhear`).
    """
    for connection, player in held:
        connection.settimeout(PATIENCE)
        said = b""
        with suppress(ConnectionError):
            while more := connection.recv(1 << 16):
                said += more
        if said and (player is None or not frozen):
            raise Broken(f"{name} still says {said!r} although another server serves")
        if player is not None:
            player.overhear(said)


def run(
    rounds: int,
    seed: str,
    lease: float,
    ways: Sequence[Way] = WAYS,
    *,
    restarts: float = RESTARTS,
    namespaces: bool | None,
) -> int:
    """Ends servers `rounds` times in every way; prints the results; returns the failures.

    The ways to the database lead through network namespaces, or are relays.
    """
    prepare()
    broken = 0
    total = Figures()
    with closing(opened(namespaces)) as routes:
        for number in range(0, rounds, 5):
            folder = Path(tempfile.mkdtemp(prefix="twentytwo-nodes-"))
            life = SharedLife(folder, f"{seed}.{number}", routes, lease, restarts)
            order = [way for way in ways for _ in range(min(5, rounds - number))]
            life.dice.shuffle(order)
            try:
                life.take_turns(order)
            except Exception as wrong:
                broken += 1
                if not isinstance(wrong, AssertionError):
                    traceback.print_exc()
                print(f"FAIL seed={seed}.{number} {folder} {dict(life.found.ends)}: {wrong}")
            else:
                shutil.rmtree(folder)
            total.acked += life.figures.acked
            total.games += life.figures.games
            total.ends += life.found.ends
            total.restarts += life.found.restarts
            for way, took in life.found.took.items():
                total.took.setdefault(way, []).extend(took)
            sys.stdout.flush()
    for way, took in total.took.items():
        p50, p99 = quantile(took, 0.5), quantile(took, 0.99)
        print(f"{way:12} {len(took):4} take-overs, s p50 {p50:5.2f} p99 {p99:5.2f}")
    print(
        f"{total.ends.total()} servers ended, PostgreSQL restarted {total.restarts} times, "
        f"{total.acked} orders acknowledged, "
        f"{total.games} games; {broken} lives broken"
    )
    return broken
