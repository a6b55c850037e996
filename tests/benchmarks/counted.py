"""The work of `instructions`: a program that does it on the modules of the checkout in PYTHONPATH.

A server in this process gets bytes and sends bytes, without sockets. The garbage collector is off,
and the same bytes come each time. `calls` counts the calls of the Python functions of this project
and prints them as JSON; `marks` calls `sched_yield` before and after each piece of work, where
callgrind writes what it has counted.

It uses only parts of `tests.kit` that earlier versions have.
"""

from __future__ import annotations

import gc
import json
import os
import random
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import count, islice
from types import FrameType
from typing import Any
from unittest.mock import patch

from tests.kit import hosts, pairs
from tests.kit.clock import Due, HandClock, nothing
from tests.kit.pairs import Doors, Line
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.words.cardplay import Shuffle
from twentytwo_server.games.game import HOUSE
from twentytwo_server.games.registry import games

OURS = ("twentytwo_protocol", "twentytwo_server")
NAMES = ("ann", "bob", "cat", "dan")
WARM = 30
"""Pieces of work before anything is counted: by then all caches are filled."""
TIMES = {"move": 120, "say": 100, "decision": 1000, "rebuild": 2}
"""How many pieces of each kind of work are counted."""
ORDERS = 120
"""Moves at the table that is rebuilt."""


class Loop(HandClock):
    """A clock whose calls in the next turn cost little."""

    def __init__(self) -> None:
        super().__init__()
        self._ready: deque[Due] = deque()

    def later(self, ms: int, call: Callable[[], None]) -> Due:
        if ms:
            return super().later(ms, call)
        due = Due(self.now(), call)
        self._ready.append(due)
        return due

    def settle(self) -> None:
        while self._ready:
            due = self._ready.popleft()
            if due.waiting:
                call, due.waiting, due.call = due.call, False, nothing
                call()


def table() -> tuple[Doors, list[Line]]:
    """Four programs in a game of Twenty-Two without a clock."""
    kit: Any = pairs  # where the limits are declared differs between versions
    usual = kit.Limits()
    rates = [each.name for each in fields(usual) if each.name.endswith(("burst", "rate"))]
    with patch.object(pairs, "World", lambda: hosts.World(clock=Loop())):
        doors = Doors(limits=replace(usual, **dict.fromkeys(rates, 1e9)))
    lines = [doors.program(name) for name in NAMES]
    lines[0].send("open twentytwo seats=4 clock=0\n")
    for line in lines[1:]:
        line.send("join t1\nready\n")
    lines[0].send("start\n")
    return doors, lines


def played() -> Iterator[tuple[int, bytes]]:
    """The moves of a game: who sends which bytes."""
    _, lines = table()
    while True:
        asked = [
            (number, found)
            for number, line in enumerate(lines)
            for found in re.findall(r"^TURN on=t1 .*turn=(\d+) .*default=(\S+)", line.read(), re.M)
        ]
        if not asked:
            return
        number, (turn, default) = asked[-1]
        data = f"move {default} turn={turn}\n".encode()
        yield number, data
        lines[number].send(data)


def _deaf(lines: list[Line]) -> None:
    """Has the peers keep nothing that they are sent, which would cost time."""
    for line in lines:
        line.transport.write = list[bytes]().append
        if "write" in vars(line.protocol):
            vars(line.protocol)["write"] = line.transport.write


def moves() -> Iterator[int]:
    """Each step is a move: bytes in, bytes out to four programs."""
    given = [*played()]
    doors, lines = table()
    _deaf(lines)
    settle = doors.clock.settle
    for number, data in given:
        lines[number].protocol.dataReceived(data)
        settle()
        yield 1


def talk() -> Iterator[int]:
    """Each step is a line that one of four says to the others during a game."""
    doors, lines = table()
    _deaf(lines)
    for number in count():
        # The same text a fourth time would be refused.
        lines[number % 4].protocol.dataReceived(b"say :hello %d\n" % number)
        doors.clock.settle()
        yield 1


def decisions() -> Iterator[int]:
    """Each step is a decision in a random game: what is legal, the choice, the move."""
    game = games()["twentytwo"]
    rules = game.rules("pagat", {})
    dice = random.Random(22)
    while True:
        state = game.new(rules, 4)
        while (seat := game.turn(state)) is not None:
            deed: Deed | Shuffle
            if seat == HOUSE:
                pack = game.pack(state)
                deed = Shuffle(tuple(dice.sample(pack, len(pack))))
            else:
                deed = game.moves(state).any(lambda choices: int(dice.random() * choices))
            state, _ = game.play(state, deed)
            if seat != HOUSE:
                yield 1


def rebuilds() -> Iterator[int]:
    """Each step is the start of a host that rebuilds a table from so many moves."""
    doors, lines = table()
    for number, data in islice(played(), ORDERS):
        lines[number].send(data)
    world = doors.world
    while world is not None:
        world = world.restarted()
        yield ORDERS


WORK: dict[str, Callable[[], Iterator[int]]] = {
    "move": moves,
    "say": talk,
    "decision": decisions,
    "rebuild": rebuilds,
}


@dataclass
class Calls:
    """The calls of our functions: how many for each unit of work, and of which functions."""

    units: int = 0
    functions: Counter[str] = field(default_factory=Counter)

    @property
    def each(self) -> float:
        """The number of calls for a unit."""
        return self.functions.total() / self.units


def _steps(kind: str) -> Iterator[int]:
    """The work, after as much of it as is not counted."""
    work = WORK[kind]()
    for _ in islice(work, 1 if kind == "rebuild" else WARM):
        pass
    return work


def counted(kind: str) -> Calls:
    """The calls of a kind of work."""
    found = Calls()

    def called(frame: FrameType, event: str, _: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith(OURS):
            found.functions[f"{module}:{frame.f_code.co_qualname}"] += 1

    work, before = _steps(kind), sys.getprofile()
    sys.setprofile(called)
    try:
        found.units = sum(islice(work, TIMES[kind]))
    finally:
        sys.setprofile(before)
    return found


def main(way: str) -> None:
    """Does all the work, and counts it or marks it."""
    gc.disable()
    if way == "calls":
        print(json.dumps({kind: vars(counted(kind)) for kind in WORK}))
        return
    for kind in WORK:
        work = _steps(kind)
        os.sched_yield()
        units = sum(islice(work, TIMES[kind]))
        os.sched_yield()
        print(kind, units)


if __name__ == "__main__":
    main(sys.argv[1])
