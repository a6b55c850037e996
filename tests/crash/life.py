"""The life of a data folder: a sequence of servers, each of them killed.

Nothing is repaired between two servers. At the end these promises are checked: acknowledged
commands are in the file once, every player got every event once, and the events are still the same.
"""

from __future__ import annotations

import random
import select
import signal
import sqlite3
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.player import Broken, Plan, Player
from tests.crash.server import Child, killer
from twentytwo_server.failpoints import FAILPOINTS

FIRST = ("file made", "schema checked", "schema step made", "schema ready")
STARTING = FAILPOINTS[: FAILPOINTS.index("line read")]
RARE = ("game over", "table gone", "log to be moved", "log moved")
"""Points that need more time to be reached."""
RUNNING = [point for point in FAILPOINTS if point not in STARTING + RARE]

TRIES = 3
"""Number of servers started to be killed at one point: if a table has just been closed, the next
server has nothing to restore.
"""

STORED = (
    "SELECT tag, table_id, last FROM inputs WHERE tag <> ''",
    "SELECT id FROM tables WHERE closed IS NOT NULL",
)
"""Reads the orders with a key, and the closed tables; see `History.stored`."""

PATIENCE = 60.0
"""Seconds without a line after which a server counts as stuck."""

TABLES = (
    "open twentytwo options=first_hand:2,limit:10 clock=0",
    "open twentytwo rules=rasmussen options=first_hand:3,limit:10 clock=0",
    "open twentysix options=first_hand:2,limit:10 clock=0",
    "open whist22 options=start_score:2 clock=0",
    "open twentyeight options=target:1 clock=0",
)
ALONE = (
    "practice twentytwo bots=1 options=first_hand:2,limit:10 level=easy",
    "practice twentyeight bots=3 options=target:1 level=easy",
    "practice whist22 bots=2 options=start_score:2 level=easy",
)
SEATS = {"whist22": (3, 4), "twentyeight": (4, 4)}


@dataclass(frozen=True, slots=True)
class Kill:
    """The way a server ends: at the k-th time at a point, or killed from outside.

    From outside: a number of seconds after its start, or, if that is None, after a number of lines.
    """

    point: str = ""
    times: int = 0
    after: float | None = None
    lines: int = 0

    def __str__(self) -> str:
        if self.point:
            return f"{self.point}:{self.times}"
        return f"{self.lines} lines" if self.after is None else f"{self.after:.4f} s"


@dataclass
class Figures:
    """Statistics of a run."""

    kills: int = 0
    recoveries: int = 0
    acked: int = 0
    unacked: int = 0
    games: int = 0
    points: Counter[str] = field(default_factory=Counter)

    def add(self, other: Figures) -> None:
        """Adds the statistics of another life."""
        self.kills += other.kills
        self.recoveries += other.recoveries
        self.acked += other.acked
        self.unacked += other.unacked
        self.games += other.games
        self.points += other.points


def plans(dice: random.Random) -> list[Plan]:
    """One or two tables, and sometimes a practice table."""
    found = []
    for _ in range(dice.choice((1, 1, 2))):
        line = dice.choice(TABLES)
        least, most = SEATS.get(line.split()[1], (2, 4))
        seats = dice.randint(least, most)
        programs = dice.randint(2, min(3, seats))
        bots = f" seats={seats} bots={seats - programs} level=easy"
        found.append(Plan(line + bots, programs))
    if dice.random() < 0.4:
        found.append(Plan(dice.choice(ALONE), 1))
    return found


class History(ABC):
    """The lines that players got, and the stored data: the promises are checked at the end."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self.figures = Figures()

    def audit(self) -> None:
        """Raises `Broken` if a promise was not kept."""
        for player in self.players:
            self._told_once(player)
        rows, closed = self.stored()
        for player in self.players:
            # Closed while the last lines were in transit: nothing is stored about it any more.
            for on in closed:
                if on in player.plan.closing:
                    player.drop(on)
        kept = Counter(tag for tag, _, _ in rows)
        places = {tag: (table, last) for tag, table, last in rows}
        for player in self.players:
            self._kept_once(player, kept, places)
        self.figures.acked += sum(len(player.acked) for player in self.players)
        self.figures.games += sum(player.games for player in self.players if player.host)

    @abstractmethod
    def stored(self) -> tuple[list[tuple[str, str, int]], list[str]]:
        """The stored orders with a key: key, table, last event; and the tables that are closed."""

    def _told_once(self, player: Player) -> None:
        whole = player.whole or {}
        for on, told in player.told.items():
            lines = whole.get(on, {})
            if sorted(lines) != list(range(1, len(lines) + 1)):
                raise Broken(f"{player.wanted} is told {on} with gaps: {sorted(lines)}")
            for seq, line in told.lines.items():
                if lines.get(seq) != line:
                    raise Broken(f"{player.wanted} was told {line}, and now {lines.get(seq)}")
        inbox = " ".join(whole.get("me", {}).values()).split()
        for friend in player.friends:
            for text, whom in friend.tells.items():
                if whom is player and inbox.count(text) + inbox.count(f":{text}") != 1:
                    raise Broken(f"{text} was acknowledged, and {player.wanted} has {inbox}")

    def _kept_once(
        self, player: Player, kept: Counter[str], places: dict[str, tuple[str, int]]
    ) -> None:
        for id, order in player.sent.items():
            ack = player.acked.get(id)
            if kept[id] > 1 or (ack is not None and kept[id] != 1):
                raise Broken(f"{id} {order} ({ack}) is kept {kept[id]} times")
            if ack is not None and (places[id][0] != ack.on or places[id][1] < ack.seq - 1):
                raise Broken(f"{id} {order} ({ack}) is kept as {places[id]}")
            self.figures.unacked += ack is None and kept[id] == 1


class Life(History):
    """One data folder, from its creation to the audit."""

    def __init__(self, folder: Path, seed: str) -> None:
        self.folder = folder
        self.dice = random.Random(seed)
        players: list[Player] = []
        for plan in plans(self.dice):
            for number in range(plan.programs):
                name = f"p{len(players)}q"
                dice = random.Random(f"{seed} {name}")
                players.append(Player(name, plan, number == 0, dice))
        super().__init__(players)
        for player in self.players:
            player.friends = [each for each in self.players if each is not player]
        for player in self.players[-2:]:
            player.registers = self.dice.random() < 0.25

    # ------------------------------------------------------------------------- the kills

    def run(self, kills: int) -> None:
        """Kills `kills` servers, starts one more, then checks everything. Raises `Broken`."""
        again = False
        while self.figures.kills < kills:
            kill = self._choose(again)
            self._serve(kill)
            self.figures.kills += 1
            self.figures.recoveries += again
            again = self.dice.random() < 0.3
        self._come_to_the_end()
        self.audit()

    def hit(self, points: Sequence[str]) -> None:
        """Kills servers at these points, one after the other, then checks everything."""
        for point in points:
            for _ in range(TRIES):
                if not self.figures.points[point]:
                    self._serve(Kill(point, 1), most=200 if point in STARTING else 5000)
                    self.figures.kills += 1
        self._come_to_the_end()
        self.audit()

    def _choose(self, again: bool) -> Kill:
        dice = self.dice
        if again or self.figures.kills == 0:
            known = FIRST if self.figures.kills == 0 else STARTING
            if dice.random() < 0.6:
                point = dice.choice(known)
                times = dice.randint(1, 40) if point == "replayed one" else dice.choice((1, 1, 2))
                return Kill(point, times)
            return Kill(after=dice.uniform(0.0, 0.06))
        chance = dice.random()
        if chance < 0.6:
            return Kill(dice.choice(RUNNING), 1 + int(dice.expovariate(0.3)))
        if chance < 0.65:
            return Kill(dice.choice(RARE), 1)
        if chance < 0.8:
            return Kill(lines=dice.randint(1, 80))
        return Kill(after=dice.uniform(0.03, 0.15))

    def child(self, at: Callable[[str], None] | None) -> Child:
        """A server on the folder, which may be killed at a point."""
        words = ("--port", "0", "--data", str(self.folder / "data"), "--bot-pause", "0")
        return Child(words, self.folder / "complaints", at)

    def _serve(self, kill: Kill, most: int = 50) -> None:
        """Runs a server from its start to its end, at most for `most` lines."""
        child = self.child(killer(str(kill)) if kill.point else None)
        run = Run(self.players, child)
        most = max(most, 300) if kill.point in RARE else most
        try:
            run.until(kill.after, kill.lines or most)
        except BaseException:
            child.kill()
            child.wait()
            raise
        if run.ended:
            status = child.wait()
            if status == -signal.SIGKILL:
                self.figures.points[kill.point] += 1
        else:
            child.kill()
            status = child.wait()
        for player in self.players:
            player.gone()
        self._complaints(status)

    def last_words(self) -> str:
        """The last lines of the servers' logs."""
        complaints = self.folder / "complaints"
        said = complaints.read_text(encoding="utf-8") if complaints.exists() else ""
        return "\n  ".join(["", *said.splitlines()[-20:]])

    def _complaints(self, status: int) -> None:
        said = (self.folder / "complaints").read_text(encoding="utf-8")
        if status != -signal.SIGKILL or "cannot be restored" in said or "Traceback" in said:
            raise Broken(f"the server ended with {status} and said: {said[-3000:]}")

    # --------------------------------------------------------------------------- the end

    def _come_to_the_end(self) -> None:
        """Runs the last server: all tables continue, and players ask for the whole history."""
        child = self.child(None)
        try:
            run = Run(self.players, child)
            run.until(None, 30 * len(self.players), each=3)
            for player in self.players:
                player.gone()
                player.whole = {}
            where = run.where
            assert where is not None
            for player in self.players:
                player.connect(where)
            run.read_until(lambda: all(player.here for player in self.players))
        finally:
            child.kill()
            status = child.wait()
            for player in self.players:
                player.gone()
        self._complaints(status)

    def stored(self) -> tuple[list[tuple[str, str, int]], list[str]]:
        """See `History`."""
        with closing(sqlite3.connect(self.folder / "data" / "twentytwo.db")) as db:
            rows, closed = (db.execute(query).fetchall() for query in STORED)
        return rows, [on for (on,) in closed]


class Run:
    """The exchange between one server and its players."""

    def __init__(
        self, players: Sequence[Player], child: Child, where: tuple[str, int] | None = None
    ) -> None:
        self.players = players
        self.child = child
        self.where = where
        self.ended = False
        self.began = self._heard = time.monotonic()
        self._lines = 0
        self._said = b""
        if where is not None:
            self._connect(where)

    def until(self, after: float | None, lines: int, each: int = 0) -> None:
        """Runs until the server ends, `after` seconds have passed, or `lines` lines have arrived.

        Also waits until `each` player has this many lines. Raises `Broken` if the server is stuck.
        """
        before = [player.heard for player in self.players]

        def enough() -> bool:
            if after is not None:
                return False
            now = [player.heard for player in self.players]
            return sum(now) - sum(before) >= lines and all(
                a - b >= each for a, b in zip(now, before, strict=True)
            )

        self.read_until(enough, after)

    def read_until(self, enough: Callable[[], bool], after: float | None = None) -> None:
        """Reads until `enough` is true or the server has ended."""
        while not self.ended and not enough():
            left = 0.05
            if after is not None:
                left = min(left, self.began + after - time.monotonic())
                if left <= 0:
                    return
            self._read(left)
            if time.monotonic() - self._heard > PATIENCE:
                state = [(p.wanted, p.plan, p.pending, p.here) for p in self.players]
                raise Broken(f"nothing happens any more: {state}")

    def _read(self, seconds: float) -> None:
        open = {p.socket.fileno(): p for p in self.players if p.socket is not None}
        found, _, _ = select.select([self.child.stdout, *open], [], [], seconds)
        if not found:
            for player in self.players:
                player.try_again()
                player.flush()
            return
        self._heard = time.monotonic()
        for fd in found:
            if fd == self.child.stdout:
                self._hear_server()
            elif not open[fd].read():
                # The server has ended or is about to; its output shows it.
                open[fd].gone()
        for player in self.players:
            if player.socket is not None:
                player.go_on()

    def _hear_server(self) -> None:
        said = self.child.read()
        if not said:
            self.ended = True
            return
        self._said += said
        if self.where is None and b"\n" in self._said:
            line = self._said.partition(b"\n")[0].decode()
            host, _, port = line.removeprefix("listening on ").rpartition(":")
            self.where = host, int(port)
            self._connect(self.where)

    def _connect(self, where: tuple[str, int]) -> None:
        for player in self.players:
            if player.socket is None:
                player.connect(where)
