"""Runs a script on a whole server, with real connections, a manual clock and given packs.

Every write to every party is recorded with its time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from twisted.internet.defer import Deferred, succeed

from tests.kit.clock import HandClock
from tests.kit.hosts import counted_chance, like
from tests.kit.pairs import Line
from tests.laws.laws import Step
from tests.secrets.scripts import Move, Party, Return, Say, Script, after, packs, readable
from twentytwo_protocol.cards import Card
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Shuffle, Turn
from twentytwo_server.games.game import QuickBots
from twentytwo_server.host.config import Config
from twentytwo_server.host.numbers import NewNumbers
from twentytwo_server.host.start import open_host
from twentytwo_server.host.surroundings import Surroundings
from twentytwo_server.host.tables.deals import Deals, PendingDeals
from twentytwo_server.host.tables.room import Room
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.channel import Channels, Reception
from twentytwo_server.net.transport import Listener
from twentytwo_server.ports import Evaluation, Job, MoveEvaluation, Numbered
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table.match import House, Words

TOKEN = re.compile(rb"token[0-9]+")
PATIENCE = 60_000
"""Simulated milliseconds within which a move must happen, even if by the clock."""

PATIENT = Limits(ping_after=10**9, gone_after=10**9)
"""Limits under which silent connections are not closed."""

Heard = list[tuple[int, bytes]]
"""The writes to a party, with their times."""


class Rigged(Deals):
    """A source of deals with given packs."""

    def __init__(self, secret: Callable[[], str], dealt: Sequence[tuple[Card, ...]]) -> None:
        super().__init__(secret, NewNumbers(Numbered.GAME, MemoryStore().reserve))
        self._dealt = dealt

    def for_decision(
        self, table: str, seed: int | None, wall: int, daily: str = "", pair: str = ""
    ) -> PendingDeals:
        self._pending = RiggedPendingDeals(self, table, seed, wall, daily, pair)
        return self._pending

    def pack(self, n: int) -> tuple[Card, ...]:
        return self._dealt[n - 1]


class RiggedPendingDeals(PendingDeals):
    """The deals of one decision."""

    def __init__(self, deals: Rigged, *context: Any) -> None:
        super().__init__(deals, *context)
        self._rigged = deals

    def house(
        self, game: str, words: Words | None, taken: Sequence[tuple[Card, ...]] = ()
    ) -> House:
        return lambda n, pack: self._rigged.pack(n)


class Scripted:
    """A bot that plays the moves of the script, by the number of the turn."""

    def __init__(self, moves: Sequence[Deed]) -> None:
        self._moves = moves

    def see(self, happened: Event) -> None:
        """Does nothing: the script has all moves."""

    def choose(self, turn: Turn) -> str:
        """The move of the script."""
        return self._moves[turn.turn - 1].token


class Oracle:
    """Workers whose answers depend on all their inputs, so that a leak into a job is visible."""

    def think(self, job: Job) -> Deferred[str | None]:
        return succeed(None)

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        assert job.turn.default is not None
        told = sum(map(ord, repr((job.seat, job.rules, job.seen, job.turn, job.seed))))
        return succeed((MoveEvaluation(job.turn.default, told % 101 / 100, told % 89 / 100),))

    def stop(self) -> None:
        """Does nothing."""


class Noted(list[bytes]):
    """A list of writes, each with its time."""

    def __init__(self, clock: HandClock, heard: Heard) -> None:
        super().__init__()
        self._clock, self._heard = clock, heard

    def append(self, data: bytes) -> None:
        self._heard.append((self._clock.now(), data))


class Ear(Line):
    """One end of a connection, with all writes to it."""

    def __init__(self, listener: Listener, clock: HandClock, heard: Heard) -> None:
        super().__init__(clock, listener.buildProtocol(None))
        self.transport.writes = Noted(clock, heard)


@dataclass
class Stage:
    """A server that plays a script in one of its worlds."""

    script: Script
    steps: Sequence[Step]

    def __post_init__(self) -> None:
        script = self.script
        self.moves: list[Deed] = [s.deed for s in self.steps if not isinstance(s.deed, Shuffle)]
        self.clock = HandClock()
        chance = counted_chance()
        bot = Scripted(self.moves)
        begins = self.steps[0].before
        bots = QuickBots({level: lambda *_: bot for level in script.game.bots.levels})
        game: Any = like(script.game, bots=bots, new=lambda *_: begins)
        outside = Surroundings(self.clock, MemoryStore(), chance, bot_workers=Oracle())
        self.host, dispatcher = open_host(outside, {game.key: game}, Config(boot="boot", dev=True))
        self.host.tables.deals = Rigged(chance.secret, packs(self.steps))
        self.listener = Listener(
            Channels(dispatcher, self.clock, Reception(PATIENT, "cardline/1 test"))
        )
        self.heard: list[Heard] = [[] for _ in script.parties]
        self.ears: list[Ear] = []
        self.played = 0
        self.after_each: Callable[[], None] = lambda: None
        """Called after each act of the script, for observers outside it."""

    # ------------------------------------------------------------------------ the script

    def play(self) -> list[Heard]:
        """Plays the script from the first hello to the end; returns the writes to each party."""
        self._gather()
        for act in self.script.acts:
            match act:
                case Say(who=who, wait=wait):
                    self.clock.advance(wait)
                    self._say(who, act)
                case Return(who=who, wait=wait, seen=seen):
                    self._return(who, wait, seen)
                case Move():
                    self._move(act)
            self.after_each()
        self.clock.advance(3000)
        self._check()
        for ear in self.ears:
            ear.lose()
        return self.heard

    def _gather(self) -> None:
        """Connects all parties, opens the table, and begins the game."""
        script = self.script
        for who, party in enumerate(script.parties):
            self.ears.append(self._connect(who))
            self._tell(who, party.hello, *([f"guest {party.name}"] if party.program else []))
            self._tell(who, *party.wishes)
        about = f"{script.game.key} rules={script.case.preset} bots={script.bots}"
        if script.options:
            options = ",".join(f"{key}:{value}" for key, value in script.options.items())
            about = f"{about} options={options}"
        if script.practice:
            self._tell(0, f"practice {about}")
        else:
            self._tell(0, f"open {about} seats={script.seats} clock={script.clock}")
        for who, party in enumerate(script.parties):
            if party.seat == 0:
                self._tell(who, "watch t1")
            elif party.seat is None:
                self._tell(who, "follow")
            elif who:
                self._tell(who, "join t1", "ready t1")
        if not script.practice:
            self._tell(0, "start t1")

    def _connect(self, who: int) -> Ear:
        return Ear(self.listener, self.clock, self.heard[who])

    def _tell(self, who: int, *lines: str) -> None:
        for line in lines:
            self.ears[who].send(f"{line}\n")

    def _say(self, who: int, said: Say) -> None:
        # A bot may have moved for this party already.
        if not said.line.startswith("move") or self._turn == self.played + 1:
            self._tell(who, said.line)

    def _return(self, who: int, wait: int, seen: float) -> None:
        """Breaks a connection; the party takes its place back on another."""
        token = TOKEN.findall(b"".join(data for _, data in self.heard[who]))[-1].decode()
        self.ears[who].lose()
        self.clock.advance(wait)
        self.ears[who] = self._connect(who)
        party = self.script.parties[who]
        where = f" t1:{int(seen * self.room.stream.last)}" if self._may_read(party) else ""
        self._tell(who, *([party.hello] if party.program else []), f"resume {token}{where}")
        if party.seat == 0:
            self._tell(who, "watch t1")

    def _may_read(self, party: Party) -> bool:
        return bool(party.seat) or not self.script.practice

    # -------------------------------------------------------------------------- the moves

    @property
    def room(self) -> Room:
        return self.host.rooms.own["t1"]

    @property
    def _turn(self) -> int:
        match = self.room.table.match
        assert match is not None
        return match.turn

    def _move(self, act: Move) -> None:
        """The next move: made by the party, or awaited from a bot or the clock."""
        self.clock.advance(act.wait)
        seat, deed = self.room.table.on_turn, self.moves[self.played]
        self.played += 1
        if self._turn > self.played:
            return
        assert seat is not None
        who = next((n for n, p in enumerate(self.script.parties) if p.seat == seat.number), None)
        if who is None or seat.played_by_bot or act.late:
            self._await()
        elif act.readable:
            self._tell(who, readable(deed))
        else:
            self._tell(who, f"move {deed.token} turn={self.played}")

    def _await(self) -> None:
        for _ in range(PATIENCE // 100):
            if self._turn > self.played:
                return
            self.clock.advance(100)
        raise AssertionError("nobody moves")

    def _check(self) -> None:
        """Checks that the game followed the script."""
        match = self.room.table.match
        assert match is not None
        assert match.turn == len(self.moves) + 1, f"turn {match.turn} of {len(self.moves)}"
        assert match.state == after(self.script.game, self.steps)
