"""A simulated evening, determined by a seed: a whole server, its players, and random faults.

    python -m tests.simulation --seeds 0-499
    python -m tests.simulation --seeds 4711        one again, after a failure

The same seed gives the same evening, event by event. Each seed has its own mixture of faults. After
the evening the faults end, all players reconnect, and the promises are checked.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from zlib import crc32

from tests.kit.hosts import counted_chance
from tests.simulation import audit
from tests.simulation.clock import ServerClock, Time
from tests.simulation.network import Wire
from tests.simulation.player import Broken, Player
from tests.simulation.storage import Disk, LateStore, as_store
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.seating import Presence
from twentytwo_server.games.registry import games
from twentytwo_server.host.config import Config
from twentytwo_server.host.host import Host
from twentytwo_server.host.start import open_host
from twentytwo_server.host.surroundings import Surroundings
from twentytwo_server.host.tables.room import Room
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.channel import Channels, Reception
from twentytwo_server.net.transport import Listener
from twentytwo_server.table.table import Phase

FAULTS = ("crashes", "cuts", "duplicates", "liars", "stalling", "full disk", "deaf", "two heads")
"""Possible faults. Every evening has some of them, few have all."""
SHORT = {"twentytwo": " options=first_hand:4", "twentyeight": " options=target:3"}
"""Options for shorter games, used by half of the tables."""
CLOCKS = ("0", "20", "30+10")
LEAST = 30_000
"""Minimum time left for an open turn after a restart, in milliseconds."""
AFTERWARDS = 130_000
"""Milliseconds without faults after the evening, in which every game with players continues."""


@dataclass
class Plan:
    """A planned table: its options, and its players, beginning with the host."""

    line: str
    names: list[str]
    on: str = ""
    ready: int = 0
    started: bool = False


class Evening:
    """The world of one seed."""

    def __init__(self, seed: int, minutes: int = 2, store: type[LateStore] = LateStore) -> None:
        self.seed, self.minutes = seed, minutes
        self.dice = random.Random(seed)
        self.time = Time()
        self.disk = Disk()
        self.swarm = {fault for fault in FAULTS if self.dice.random() < 0.5}
        self.delay = self.dice.choice((0, 5, 80, 600))
        self.latency = self.dice.choice((0, 3, 40))
        self.rooms: dict[str, Room] = {}
        self.open_tables: set[str] = set()
        self.trace = 0
        self.runs = 0
        self._store_kind = store
        self._wires: list[Wire] = []
        self.host: Host | None = None
        self.plans = [self._plan() for _ in range(self.dice.randint(1, 2))]
        names = sorted({name for plan in self.plans for name in plan.names})
        self.players = {name: Player(self, name, random.Random(f"{seed}{name}")) for name in names}
        self.boot()

    def _plan(self) -> Plan:
        game = games()[self.dice.choice(("twentytwo", "twentytwo", *games()))]
        preset = self.dice.choice(list(game.presets))
        allowed = game.players(game.presets[preset])
        seats = min(self.dice.randint(allowed.start, allowed.stop - 1), max(allowed.start, 5))
        people = self.dice.randint(1, min(3, seats))
        names = self.dice.sample(["ann", "bob", "cat", "dan", "eve"], people)
        short = SHORT.get(game.key, "") if self.dice.random() < 0.5 else ""
        line = f"open {game.key} rules={preset} seats={seats} bots={seats - people}"
        return Plan(f"{line} clock={self.dice.choice(CLOCKS)}{short}", names)

    # ------------------------------------------------------------------- the server

    def boot(self) -> None:
        """Starts a server on the contents of the disk."""
        self.clock = ServerClock(self.time, self.dice.randint(0, 10**9))
        self.store = self._store_kind(self.disk, self.clock, self.dice, self.latency)
        self.runs += 1
        config = Config(boot=f"b{self.runs}", pause=300, grace=60_000)
        chance = counted_chance(self.seed, self.runs)
        outside = Surroundings(self.clock, as_store(self.store), chance)
        self.host, dispatcher = open_host(outside, games(), config, self.disk.remembered())
        limits = Limits(each_address=1000)
        channels = Channels(dispatcher, self.clock, Reception(limits, "cardline/1 sim"))
        self.listener: Listener | None = Listener(channels)
        self._check_restored()
        self.look()

    def _check_restored(self) -> None:
        """I5: every table is restored."""
        assert self.host is not None
        kept = {table.table for table in self.disk.remembered().tables}
        if kept != set(self.host.rooms):
            raise Broken(f"I5 {kept ^ set(self.host.rooms)} could not be restored")
        host = self.host
        before = {on: room.stream.last for on, room in host.rooms.items()}
        self.time.later(1000, lambda: self._check_time(host, before))

    def _check_time(self, host: Host, before: dict[str, int]) -> None:
        """I7: a turn has at least half a minute after a restart, until its player has returned."""
        if host is not self.host or self.disk.full or host.clock.stopped:
            return
        for on, last in before.items():
            room = host.rooms.get(on)
            if room is None:
                continue
            match = room.table.match
            since = room.stream.after(last)
            if any(isinstance(each.event, Presence) and each.event.here for each in since):
                continue
            if match is None or match.question is None or match.terms.clock is None:
                continue
            left = match.left(host.clock.now())
            if left < LEAST:
                raise Broken(f"I7 {on} has {left} ms left")

    def crash(self) -> None:
        """Kills the server or cuts its power; a new one starts some time later."""
        self.look()
        self.store.power_off()
        self.clock.die()
        self.host = self.listener = None
        for wire in self._wires:
            wire.die()
        self._wires.clear()
        self.time.later(self.dice.randint(0, 8000), self.boot)

    def dial(self, player: Player) -> Wire | None:
        """Connects a player, if there is a running server."""
        if self.listener is None:
            return None
        number = sorted(self.players).index(player.wanted)
        wire = Wire(self.time, self.dice, player, self.listener, self.delay, number)
        self._wires = [each for each in self._wires if each.open]
        self._wires.append(wire)
        return wire

    def look(self) -> None:
        """Records every existing table."""
        if self.host is not None:
            self.rooms.update(self.host.rooms.own)
            self.open_tables = set(self.host.rooms)

    def blind(self, on: str) -> bool:
        """True if the cards at a table are hidden from their owners."""
        room = self.rooms.get(on)
        return room is None or room.table.game.key == "whist22"

    # ------------------------------------------------------------------ what players do

    def told(self, player: Player, line: str) -> None:
        """Records a line to a player in the trace of the evening."""
        self.trace = crc32(f"{self.time.at} {player.wanted} {line}".encode(), self.trace)

    def done(self, player: Player, verb: str, reply: ParsedLine) -> None:
        """Continues the plan after an executed command."""
        self.look()
        if verb in ("guest", "resume"):
            self._sit(player)
        elif verb == "open":
            plan = self._mine(player, "")
            if plan is not None:
                plan.on = reply.fields["on"]
                for name in plan.names[1:]:
                    self._later(partial(self._join, plan, name))
                self._later(lambda: self._start(plan))
        elif verb == "join":
            self._later(lambda: player.say(f"ready {reply.fields['on']}"))

    def _sit(self, player: Player) -> None:
        plan = self._mine(player, "")
        if plan is not None and not any(t.startswith("t") for t in player.seats):
            player.say(plan.line)

    def _mine(self, player: Player, on: str) -> Plan | None:
        return next((p for p in self.plans if p.names[0] == player.wanted and p.on == on), None)

    def _join(self, plan: Plan, name: str) -> None:
        player = self.players[name]
        if plan.started or plan.on in player.seats:
            return
        if player.name and plan.on in self.open_tables:
            player.say(f"join {plan.on}")
        self._later(lambda: self._join(plan, name), 4000)

    def _start(self, plan: Plan) -> None:
        host = self.players[plan.names[0]]
        if plan.started or plan.on not in host.seats:
            return
        if all(plan.on in self.players[name].seats for name in plan.names):
            host.say(f"start {plan.on}")
            for name in plan.names[1:]:
                self.players[name].say(f"ready {plan.on}")
        self._later(lambda: self._start(plan), 2000)

    def refused(self, player: Player, line: str, code: str) -> None:
        """Handles a refusal; most refused commands are not repeated."""
        verb, _, rest = line.partition(" ")
        if verb == "start" and code == "GAME_RUNNING":
            for plan in self.plans:
                plan.started |= plan.on == rest.split()[0]
        elif verb == "open" and code == "BUSY":
            self._later(lambda: self._sit(player), 3000)

    def game_over(self, player: Player, on: str) -> None:
        """Handles the end of a game: requests another, or leaves."""
        enough = player.games.get(on, 0) >= 2
        line = f"leave {on}" if enough else f"rematch {on}"
        self._later(lambda: player.say(line) if on in player.seats else None, 500)

    def forgotten(self, player: Player) -> None:
        """Checks that a lost seat was lost only after its grace period."""
        person = self.host.people.find(player.name) if self.host and player.name else None
        if person is not None and self.host is not None and self.host.rooms.of(person):
            raise Broken(f"I13 {player.name} has a seat, and their token opens nothing")

    def _later(self, call: Callable[[], Any], ms: int = 50) -> None:
        self.time.later(self.dice.randint(0, ms), lambda: call())

    # ---------------------------------------------------------------------- the evening

    def run(self) -> None:
        """Runs everything, from the first player to the audit. Raises `Broken`."""
        for player in self.players.values():
            self._later(player.connect, 2000)
        for _ in range(self.minutes * 60):
            self._mishap()
            self.time.pass_by(1000)
            self.look()
        self._calm_down()
        audit.check(self)

    def _mishap(self) -> None:
        roll = self.dice.random()
        wires = [wire for wire in self._wires if wire.open]
        if "crashes" in self.swarm and roll < 0.02 and self.host is not None:
            self.crash()
        elif "cuts" in self.swarm and roll < 0.06 and wires:
            self._cut(self.dice.choice(wires))
        elif "full disk" in self.swarm and roll < 0.075:
            self.disk.full = True
            self.time.later(self.dice.randint(500, 20_000), self._room_again)
            self.time.later(1000, self._watch_clocks)
        elif "deaf" in self.swarm and roll < 0.09 and wires:
            self.dice.choice(wires).reading = False
        elif "two heads" in self.swarm and roll < 0.11:
            self._second_head()

    def _cut(self, wire: Wire) -> None:
        wire.cut()
        for player in self.players.values():
            if player.wire is wire:
                player.gone(wire)

    def _room_again(self) -> None:
        self.disk.full = False

    def _watch_clocks(self) -> None:
        """I7: during a known storage fault, the clocks of tables stand still."""
        host = self.host
        if not (self.disk.full and host is not None and host.clock.stopped):
            if self.disk.full and self.store.waiting(1000):
                raise Broken("I7 the disk is full, and time goes on")
            return
        at = host.clock.now()
        self.time.later(400, lambda: self._compare_clocks(host, at))

    def _compare_clocks(self, host: Host, at: int) -> None:
        if self.disk.full and host is self.host and host.clock.now() != at:
            raise Broken("I7 the disk is full, and time goes on")

    def _second_head(self) -> None:
        """Lets a player resume while the old connection is still open."""
        player = self.dice.choice(sorted(self.players.values(), key=lambda p: p.wanted))
        if player.token and player.wire is not None:
            player.wire = None
            player.connect()

    def _calm_down(self) -> None:
        """Ends the faults; all players reconnect and the games continue."""
        self.disk.full = False
        self.swarm = set()
        self.delay = 5
        if self.host is None:
            self.time.pass_by(10_000)
        for wire in list(self._wires):
            if not wire.reading:
                self._cut(wire)
        for player in self.players.values():
            player.connect()
        self.time.pass_by(20_000)
        self.look()
        assert self.host is not None
        before = {on: room.stream.last for on, room in self.host.rooms.items()}
        playing = {
            on
            for on, room in self.host.rooms.items()
            if room.table.phase is Phase.PLAYING and room.table.present and not room.table.paused
        }
        self.time.pass_by(AFTERWARDS)
        self.look()
        for on in playing:
            if self.rooms[on].stream.last == before[on]:
                raise Broken(f"I8 {on} stands still at {before[on]}")


def run(seed: int, **how: Any) -> int:
    """Runs an evening; returns its trace. Raises `Broken` with a command to repeat it."""
    evening = Evening(seed, **how)
    try:
        evening.run()
    except AssertionError as broken:
        again = f"python -m tests.simulation --seeds {seed}"
        raise Broken(f"seed {seed}, {evening.time.at} ms: {broken}\n{again}") from broken
    finally:
        with suppress(Exception):
            evening.clock.die()
    return evening.trace
