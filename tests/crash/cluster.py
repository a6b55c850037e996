"""Three active servers of one place, disturbed and ended in every way while people play at all.

Programs play at tables of all three servers, come back at any of them, and watch. A server is
killed, frozen, cut off from PostgreSQL, from NATS or from both, or stopped, and is started again;
PostgreSQL and NATS are restarted. A server that others have ended must exit with status 70, and
must not send a byte any more. At the end every server must tell everybody the same, and the
promises of `life.History` and of `rivals.Rivals` are checked.
"""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import get_args

import psycopg

from tests.benchmarks.figures import quantile
from tests.crash.forking import prepare
from tests.crash.life import RUNNING, STORED, TABLES, History
from tests.crash.members import FENCED, LIMIT, Member, Place
from tests.crash.namespaces import opened
from tests.crash.player import Broken, Plan
from tests.crash.relay import STORE, Cut, End, Routes
from tests.crash.rivals import Rivals
from tests.crash.roaming import Crew, Roamer, Watcher
from tests.crash.takeovers import Held, check_silent, drained, send_too_late

LEASE = 4.0
"""Seconds of the servers' lease, which is ten for operators."""

ALL: Sequence[End] = get_args(End)
CUTS: Mapping[str, tuple[Cut, Sequence[End]]] = {
    f"{name} {how}": (how, ends)
    for name, ends in (("store", STORE), ("all", ALL))
    for how in get_args(Cut)
}
"""The cuts after which others end a server."""
BUS_CUTS: Mapping[str, Cut] = {f"bus {how}": how for how in get_args(Cut)}
"""The cuts that end no server."""
ENDS = ("kill", "freeze", *CUTS, "stop")
"""The ways in which one server ends, or two at once."""
WAYS = (*ENDS, "pause", *BUS_CUTS, "bus restart", "store restart")
"""All faults."""
ROUND = (*WAYS, "kill", *("freeze",) * 3)
"""The faults of a round: for each server that is killed two are frozen, and four cut off."""

RATED = "open twentytwo seats=2 clock=0 rated=1"
RIVALS = 0.3
"""The probability that people want one name, and play one daily deal, when a server ends."""
TWO = 0.5
"""The probability that two servers end together."""
SOON = 0.5
"""Seconds in which a server comes to the point at which it is killed."""
QUIET = 0.5
"""Seconds without an event after which nothing more comes."""

REFUSED = b"ERROR:  another server has taken over"
"""The log of PostgreSQL says so when it refuses a batch of a server that was ended."""


@dataclass
class Figures:
    """Statistics of a run.

    `faults` has the faults by kind, and `effects` the servers that each kind met: those that owned
    tables, were taken over, and wrote the lines in `members.EFFECTS`. `took` has the seconds until
    servers were replaced. `refused` batches were those of servers that were ended.
    """

    faults: Counter[str] = field(default_factory=Counter)
    effects: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    took: dict[str, list[float]] = field(default_factory=dict)
    lapsed: int = 0
    refused: int = 0
    byes: Counter[str] = field(default_factory=Counter)
    given_up: int = 0
    acked: int = 0
    unacked: int = 0
    games: int = 0
    promises: int = 0
    events: int = 0

    def add(self, other: Figures) -> None:
        """Adds the statistics of another life."""
        self.faults += other.faults
        self.byes += other.byes
        for way, effects in other.effects.items():
            self.effects[way] += effects
        for way, took in other.took.items():
            self.took.setdefault(way, []).extend(took)
        for each in fields(self):
            if each.type == "int":
                setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def of(self, way: str) -> str:
        """A line with the statistics of a kind of fault."""
        found = f"{way:18} {self.faults[way]:5} times"
        for effect, times in self.effects[way].items():
            found += f", {times} {effect}"
        if took := self.took.get(way):
            found += f"; s p50 {quantile(took, 0.5):.2f} p99 {quantile(took, 0.99):.2f}"
        return found


def _people(seed: str) -> list[Roamer]:
    """Two tables of three and of two, one of them rated perhaps, and two who watch."""
    dice = random.Random(f"{seed} people")
    found: list[Roamer] = []
    lines = [(f"{dice.choice(TABLES[:3])} seats=4 bots=1 level=easy", 3)]
    if dice.random() < 0.5:
        lines.append((RATED, 2))
    else:
        lines.append((f"{dice.choice(TABLES[3:])} seats=4 bots=2 level=easy", 2))
    for line, programs in lines:
        plan = Plan(line, programs, ends=0.2)
        for number in range(programs):
            name = f"p{len(found)}q"
            player = Roamer(name, plan, number == 0, random.Random(f"{seed} {name}"))
            player.registers = line == RATED
            found.append(player)
        name = f"w{len(found)}q"
        found.append(Watcher(name, plan, False, random.Random(f"{seed} {name}")))
    for player in found:
        player.friends = [each for each in found if each is not player]
    return found


class ClusterLife(History):
    """A place of three servers, from its beginning to the audit."""

    def __init__(self, folder: Path, seed: str, routes: Routes, lease: float) -> None:
        people = _people(seed)
        super().__init__(people)
        self.dice = random.Random(seed)
        self.place = Place(folder, routes, lease)
        self.crew = Crew(people, self.place.members, seed, self._start_those_that_lapsed)
        self.people = people
        self.rivals = Rivals(self.dice, self.crew.play)
        self.found = Figures()
        self.way = "start"
        self._ending: Sequence[Member] = ()

    def run(self, ways: Sequence[str]) -> None:
        """Meets one fault after the other, then checks everything."""
        refused = self._refused()
        try:
            for member in self.place.members:
                self._start(member)
            self.crew.hear(5)
            for way in ways:
                self.way = way
                self.crew.hear(self.dice.randint(1, 8))
                self._roam()
                self._meet(way)
            self.way = "end"
            self._finish()
            self.audit()
        finally:
            self.place.close()
        self.found.refused = self._refused() - refused

    def _refused(self) -> int:
        return self.place.routes.postgres.log.count(REFUSED)

    # ------------------------------------------------------------------------- the faults

    def _start(self, member: Member) -> None:
        member.start(self.dice.choice(RUNNING))

    def _meet(self, way: str) -> None:
        members = self.dice.sample(self.place.members, 3)
        if way in ENDS:
            both = self.dice.random() < TWO
            members.sort(key=lambda each: self.place.tables(each.name) == 0)  # owners first
            victims, others = members[: 1 + both], members[1 + both :]
            self._end(victims, others, way)
        else:
            self._disturb(members, way)
        self.found.faults[way] += 1

    def _disturb(self, members: Sequence[Member], way: str) -> None:
        """A fault that ends no server. It meets the first one, or all."""
        routes = self.place.routes
        hit = members if way.endswith("restart") else members[:1]
        before = [each.effects for each in hit]
        if way == "pause":
            self._pause(hit[0])
        elif way in BUS_CUTS:
            hit[0].route.cut(BUS_CUTS[way], ("bus",))
            longest = self.dice.choice((0.5, 1.2)) * LIMIT / 1000  # orders are given up, or not
            self.crew.play(self.dice.uniform(0.8, 1.0) * longest)
            hit[0].route.heal()
        elif way == "bus restart":
            routes.nats.stop()
            self.crew.play(self.dice.uniform(0, 1.5))
            routes.nats.start()
        else:
            routes.postgres.stop(signal.SIGQUIT)
            self.crew.play(self.dice.uniform(0, 1.0))
            routes.postgres.start()
        for each, then in zip(hit, before, strict=True):
            self._note(way, {"servers": 1} | (each.effects - then))

    def _note(self, way: str, effects: Mapping[str, int]) -> None:
        self.found.effects[way].update({each: 1 for each, times in effects.items() if times})

    def _roam(self) -> None:
        """Some people change servers, though nothing is wrong."""
        for player in self.people:
            if self.dice.random() < 0.2:
                player.leave()

    def _pause(self, victim: Member) -> None:
        """Freezes a server for less than the lease: it goes on."""
        victim.signal(signal.SIGSTOP)
        self.crew.shunned = {victim.name}
        self.crew.play(self.dice.uniform(0.1, 0.5) * self.place.lease)
        victim.signal(signal.SIGCONT)
        self.crew.shunned = set()

    def _end(self, victims: Sequence[Member], others: Sequence[Member], way: str) -> None:
        rivals = self.dice.random() < RIVALS
        if rivals:
            self.rivals.meet(victims[0].where, [each.where for each in others])
        self.crew.hear(1)
        if rivals and way not in CUTS:
            self.rivals.reach()
        self.crew.play(self.dice.uniform(0, 0.1))
        self.crew.shunned = {each.name for each in victims}
        self._ending = victims
        for each in victims:
            self._note(way, {"servers": 1, "with tables": self.place.tables(each.name)})
        before = [each.effects for each in victims]
        began = time.monotonic()
        for each in victims:
            self._begin_to_end(each, way)
        if rivals and way in CUTS:
            self.rivals.reach()
        at_once = self.dice.random() < 0.3 and way in (*CUTS, "freeze")
        held = [self._lost(each) if at_once else [] for each in victims]
        if way == "kill" and self.dice.random() < 0.3:  # before another server takes over
            self.crew.until(lambda: all(each.has_exited for each in victims), "none ends")
            for each in victims:
                each.end(-signal.SIGKILL)
                if rivals:
                    self.rivals.left(each.where)
        else:
            names = [each.name for each in victims]
            self.crew.until(
                lambda: all(each.is_ended for each in victims), f"nobody ends one of {names}"
            )
            self.found.took.setdefault(way, []).append(time.monotonic() - began)
            for each, sockets, then in zip(victims, held, before, strict=True):
                self._note(way, {"taken over": 1})
                lost = [*sockets, *self._lost(each)]
                for connection, _ in lost:
                    drained(connection)
                if rivals:
                    lost += [(connection, None) for connection in self.rivals.left(each.where)]
                self._check_that_it_is_gone(each, way, lost)
                self._note(way, each.effects - then)
        for each in victims:
            self._start(each)
        self.crew.shunned, self._ending = set(), ()
        if rivals:
            self.rivals.go_on(self.dice.choice(others).where)

    def _begin_to_end(self, victim: Member, way: str) -> None:
        match way:
            case "kill":
                self._kill(victim)
            case "freeze":
                victim.signal(signal.SIGSTOP)
            case "stop":
                victim.signal(signal.SIGTERM)
            case _:
                victim.route.cut(*CUTS[way])

    def _kill(self, victim: Member) -> None:
        """Kills a server at its named point, or at any, if it does not come to that one soon."""
        if self.dice.random() < 0.7:
            victim.signal(signal.SIGUSR1)
            end = time.monotonic() + SOON
            self.crew.until(lambda: victim.has_exited or time.monotonic() > end, "a kill")
        victim.signal(signal.SIGKILL)

    def _check_that_it_is_gone(self, victim: Member, way: str, held: Held) -> None:
        """A server that was ended says and stores nothing, whoever wakes it, and exits."""
        batch = victim.batch
        send_too_late(held)
        if way == "freeze":
            victim.signal(signal.SIGCONT)
        elif way in CUTS:
            victim.route.heal()
        if way == "freeze" or way in CUTS:
            check_silent(held, victim.name, frozen=way == "freeze")
        for each, _ in held:
            each.close()
        self.crew.until(lambda: victim.has_exited, f"{victim.name} does not exit")
        victim.end({"kill": -signal.SIGKILL, "stop": 0}.get(way, FENCED))
        if victim.batch != batch:
            raise Broken(f"{victim.name} has stored something although another server ended it")

    def _lost(self, victim: Member) -> Held:
        """The connections to a server, whose people come back elsewhere."""
        lost = [(player.lost(), player) for player in self.crew.at(victim)]
        return [(each, player) for each, player in lost if each is not None]

    def _start_those_that_lapsed(self) -> None:
        """Starts servers again that had no processor for so long that others have ended them."""
        for member in self.place.members:
            if member.has_exited and member not in self._ending:
                self.found.lapsed += 1
                member.end(FENCED)
                self._start(member)

    # --------------------------------------------------------------------------- the end

    def _finish(self) -> None:
        crew = self.crew
        crew.hear(2)
        crew.rest()
        self._wait_until_it_is_quiet()
        for member in self.place.members:
            crew.shunned = {each.name for each in self.place.members if each is not member}
            for player in self.people:
                player.leave()
                player.whole = {}
            crew.until(lambda: all(p.here for p in self.people), "somebody has no lines")
            for player in self.people:
                self._told_once(player)
        self._compare()
        for player in self.people:
            player.gone()
        self.rivals.audit(self.dice.choice(self.place.members).where, self.place.dsn)
        for member in self.place.members:
            member.signal(signal.SIGTERM)
            member.end(0)
        self._check_data()

    def _wait_until_it_is_quiet(self) -> None:
        """Waits until everything is answered, and the bots have done what is theirs."""
        last, since = -1, time.monotonic()

        def quiet() -> bool:
            nonlocal last, since
            heard = sum(player.heard for player in self.people)
            if heard != last or any(player.pending for player in self.people):
                last, since = heard, time.monotonic()
            return time.monotonic() - since > QUIET and all(p.here for p in self.people)

        self.crew.until(quiet, "it does not get quiet")

    def _compare(self) -> None:
        """All who see an event as a watcher does see the same line."""
        seen: dict[tuple[str, int], str] = {}
        for player in self.people:
            for on, lines in (player.whole or {}).items() if isinstance(player, Watcher) else ():
                for seq, line in lines.items():
                    if on != "me" and seen.setdefault((on, seq), line) != line:
                        raise Broken(f"{player.wanted} is told {line}, not {seen[on, seq]}")

    def _check_data(self) -> None:
        words = ("-m", "twentytwo_server", "check", "--data", self.place.url)
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Broken(f"check says {done.stdout}{done.stderr}")
        with psycopg.connect(self.place.dsn) as db:
            walls: dict[str, int] = dict(
                db.execute("SELECT tag, wall FROM inputs WHERE tag <> ''").fetchall()
            )
            (promises,) = db.execute("SELECT count(*) FROM promises").fetchone() or (0,)
            _check_inputs(db)
            _check_ratings(db)
        self.found.promises = promises
        for player in self.people:
            for id, bye in player.given_up.items():
                if walls.get(id, 0) > bye:
                    late = walls[id] - bye
                    raise Broken(f"{id} {player.sent.get(id)} is carried out {late} ms after BYE")

    def save(self) -> None:
        """Writes the data and everybody's last lines into the folder."""
        self.place.save()
        for player in self.people:
            (self.place.folder / f"{player.wanted}.txt").write_text("".join(player.lines))

    def stored(self) -> tuple[list[tuple[str, str, int]], list[str]]:
        """See `History`."""
        with psycopg.connect(self.place.dsn) as db:
            rows, closed = (db.execute(query).fetchall() for query in STORED)
        return rows, [on for (on,) in closed]

    def audit(self) -> None:
        """See `History`."""
        super().audit()
        found = self.found
        found.acked, found.games = self.figures.acked, self.figures.games
        found.unacked = self.figures.unacked
        for player in self.people:
            found.byes += player.byes
            found.given_up += len(player.given_up)
            found.events += sum(map(len, (player.whole or {}).values()))
        names = Counter(player.name.lower() for player in self.people)
        if twice := [name for name, owners in names.items() if owners > 1]:
            raise Broken(f"{twice} are at two places at once")


def _check_inputs(db: psycopg.Connection) -> None:
    """The inputs of every table are numbered without a gap."""
    gaps = db.execute(
        "SELECT table_id, count(*), max(seq) FROM inputs GROUP BY table_id"
        " HAVING count(*) <> max(seq)"
    ).fetchall()
    if gaps:
        raise Broken(f"these tables have inputs with gaps: {gaps}")


def _check_ratings(db: psycopg.Connection) -> None:
    """Every rated game counts once for each of its players."""
    played = db.execute(
        "SELECT s.name, count(*) FROM seats s JOIN games g ON g.id = s.game"
        " WHERE g.rated AND g.id NOT IN (SELECT game FROM dues) GROUP BY s.name"
    ).fetchall()
    rated: dict[str, int] = dict(
        db.execute("SELECT name, sum(games) FROM ratings GROUP BY name").fetchall()
    )
    if wrong := [
        (name, games, rated.get(name)) for name, games in played if rated.get(name, 0) != games
    ]:
        raise Broken(f"players with their games and how many are rated: {wrong}")


def run(
    rounds: int, seed: str, lease: float, ways: Sequence[str] = WAYS, *, namespaces: bool | None
) -> int:
    """Meets each fault `rounds` times; prints the results; returns the failures."""
    prepare()
    broken = 0
    total = Figures()
    with closing(opened(namespaces)) as routes:
        for number in range(rounds):
            folder = Path(tempfile.mkdtemp(prefix="twentytwo-cluster-"))
            name = f"{seed}.{number}"
            life = ClusterLife(folder, name, routes, lease)
            order = list(ways)
            life.dice.shuffle(order)
            try:
                life.run(order)
            except Exception as wrong:
                broken += 1
                traceback.print_exc()
                met = dict(life.found.faults)
                print(f"FAIL seed={name} {folder} at {life.way} after {met}: {wrong}")
                life.save()
            else:
                shutil.rmtree(folder)
            total.add(life.found)
            sys.stdout.flush()
    for way in dict.fromkeys(ways):
        print(total.of(way))
    print(
        f"{total.faults.total()} faults, {total.lapsed} more servers were ended,"
        f" {total.refused} batches refused,"
        f" {total.acked} orders acknowledged, {total.unacked} kept without an answer,"
        f" {total.given_up} given up, {total.games} games, {total.promises} promises,"
        f" {total.events} events compared; {dict(total.byes)}; {broken} lives broken"
    )
    return broken
