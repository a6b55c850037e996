"""A server behind real connections, over a store that may be late, and the journal it keeps."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.kit.hosts import LateStore, World
from tests.kit.pairs import Line
from twentytwo_protocol import wire
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.facts import Fact, Input
from twentytwo_server.host.tables.room import Room
from twentytwo_server.limits.connections import UNLIMITED
from twentytwo_server.net.channel import Channels, Reception
from twentytwo_server.net.transport import Listener
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table.match import Match

GRACE = 120_000
PATIENT = replace(UNLIMITED, ping_after=10**9, gone_after=10**9)
"""Nobody is hung up on who says nothing for long."""
PASSWORD = "three blind mice"


class Journal(LateStore):
    """A late store that also has every fact that was kept, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Fact] = []

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        def kept() -> None:
            self.kept += facts
            done()

        super().keep(facts, kept)

    def release_one(self) -> None:
        """The call that has waited longest is safe."""
        if self.waiting:
            MemoryStore.keep(self, *self.waiting.pop(0))

    @property
    def orders(self) -> list[Input]:
        """The inputs of tables that were kept."""
        return [fact for fact in self.kept if isinstance(fact, Input)]


class Caller:
    """A program at the other end of a connection, and all that it was sent."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.line = Line(house.world.clock, house.listener.buildProtocol(None))
        self.heard: list[ParsedLine] = []
        self.name = self.token = ""

    def send(self, data: str) -> None:
        """These bytes come in, together; then nothing is left to do at this moment."""
        self.line.send(data)

    def ask(self, line: str) -> ParsedLine:
        """A command and its answer."""
        self.send(f"@x {line}\n")
        return [each for each in self.listen() if each.id == "x"][-1]

    def listen(self) -> list[ParsedLine]:
        """What was sent since somebody last listened."""
        found = [record for line in self.line.lines() if (record := wire.parse(line))]
        self.heard += found
        return found

    def answer(self, id: str) -> ParsedLine | None:
        """The answer to a command; None where there is none."""
        self.listen()
        found = [each for each in self.heard if each.id == id and each.word in ("OK", "ERR")]
        assert len(found) <= 1, f"answered twice: {found}"
        return found[0] if found else None

    def events(self, on: str = "t1") -> list[ParsedLine]:
        """The events of a stream that were sent."""
        self.listen()
        return [each for each in self.heard if each.id is None and each.on == on]

    @property
    def byes(self) -> list[str]:
        """The codes of the last lines that were sent."""
        self.listen()
        return [each.fields["code"] for each in self.heard if each.word == "BYE"]


class House:
    """A server, its clock, its journal."""

    def __init__(self, **config: Any) -> None:
        self.store = Journal()
        self.world = World(self.store, grace=GRACE, **config)
        self.clock = self.world.clock
        channels = Channels(self.world.commands, self.clock, Reception(PATIENT, "cardline/1 test"))
        self.listener = Listener(channels)

    def caller(self) -> Caller:
        """A program that has said hello."""
        caller = Caller(self)
        caller.send("hello 1 client=t\n")
        caller.listen()
        return caller

    def guest(self, name: str) -> Caller:
        """A program that is somebody."""
        caller = self.caller()
        reply = caller.ask(f"guest {name}")
        caller.name, caller.token = reply.fields["name"], reply.fields["token"]
        return caller

    def account(self, name: str) -> Caller:
        """A program that has an account."""
        caller = self.caller()
        reply = caller.ask(f"register {name} :{PASSWORD}")
        caller.name, caller.token = reply.fields["name"], reply.fields["token"]
        return caller

    def game(self, *callers: Caller, options: str = "clock=0") -> None:
        """A game at t1 that has begun."""
        first, *others = callers
        first.ask(f"open twentytwo seats={len(callers)} {options}")
        for caller in others:
            caller.ask("join t1")
            caller.ask("ready t1")
        first.ask("start t1")
        for caller in callers:
            caller.listen()

    @property
    def room(self) -> Room:
        return self.world.room()

    @property
    def match(self) -> Match:
        match = self.room.table.match
        assert match is not None
        return match

    def moves(self) -> list[str]:
        """Two lawful moves of whoever is on turn, the default first."""
        found = [deed.token for _, deed in zip(range(2), self.match.moves(), strict=False)]
        assert len(found) == 2
        return found

    def on_turn(self, *callers: Caller) -> Caller:
        """Who of them is on turn."""
        seat = self.room.table.on_turn
        assert seat is not None
        return next(caller for caller in callers if caller.name == seat.name)

    def inputs(self, word: str) -> list[Input]:
        """The orders of this kind that the journal has."""
        return [each for each in self.store.orders if json.loads(each.order)[0] == word]
