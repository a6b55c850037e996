"""An evening with open tables of every game, each in the middle of a hand, as a script of SQL.

    python -m tests.store.evening > tests/store/released/NUMBER.sql

writes down what a version keeps of it, once, when the version has a new schema. Later versions must
be able to go on with that.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from tests.kit.hosts import Peer, World
from tests.store.kit import Folder, keep, opened
from twentytwo_server.facts import Fact
from twentytwo_server.store.memory import MemoryStore

TURNS = 9
"""Questions that are answered at each table, after which nobody does anything."""
OTHERS = {
    "twentytwo": "limit=30",
    "twentysix": "limit=30",
    "whist22": "start_score=30",
    "twentyeight": "loss_limit=40",
}
"""An option of each game that is not as its preset has it."""


class _Noting(MemoryStore):
    """Remembers everything that it was told to keep, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.all: list[Sequence[Fact]] = []

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        self.all.append(facts)
        super().keep(facts, done)


def played() -> list[Sequence[Fact]]:
    """What an evening has the server keep."""
    store = _Noting()
    world = World(store)
    zoe = world.program("zoe")
    zoe.ok("register zoe :three blind mice")
    for key, others in OTHERS.items():
        _table(world, key, zoe)
        _table(world, key, world.program("ann"), f"options={others.replace('=', ':')} clock=30+60")
        world.program("bob").ok(f"practice {key} bots=3 seed=7")
        world.advance(20_000)
    _kept_of_people(world, zoe)
    world.restarted()
    return store.all


def _kept_of_people(world: World, zoe: Peer) -> None:
    """A rated game that is over, and what is kept of people beside their games."""
    yan = world.program("yan")
    yan.ok("register yan :farmers wife")
    on = zoe.ok("open twentytwo seats=2 rated=1").fields["on"]
    yan.ok(f"join {on}")
    yan.ok(f"ready {on}")
    zoe.ok(f"start {on}")
    for line in (f"resign table={on}", f"leave {on}", "token new :laptop"):
        yan.ok(line)
    yan.ok("friend zoe")
    yan.ok("daily twentytwo")
    zoe.ok("block bob")
    yan.drop()
    zoe.ok("tell yan once=1 :see you")
    world.program().ok(f"auth SCRAM-SHA-256 {b64encode(b'n,,n=nobody,r=22').decode()}")


def _table(world: World, key: str, host: Peer, options: str = "") -> None:
    guests = [world.program(f"p{len(world.peers)}x") for _ in range(3)]
    on = host.ok(f"open {key} seats=4 {options}").fields["on"]
    for guest in guests:
        guest.ok(f"join {on}")
    if not options:
        name, _, value = OTHERS[key].partition("=")
        host.ok(f"option {name} {value} {on}")
        guests[0].ok(f"seed kitten {on}")
        guests[1].ok(f"say table={on} :good luck")
    for guest in guests:
        guest.ok(f"ready {on}")
    host.ok(f"start {on}")
    for _ in range(TURNS):
        world.advance(500)
        question = world.room(on).table.match.question  # type: ignore[union-attr]  # it runs
        assert question is not None
        world.on_turn(on).ok(f"move {question.default} {on}")
    guests[2].drop()


async def _stored(folder: Folder) -> None:
    async with opened(folder) as store:
        for facts in played():
            await keep(store, *facts)


def script() -> str:
    """The database of the evening, as SQL."""
    with tempfile.TemporaryDirectory() as made:
        folder = Folder(Path(made) / "data")
        asyncio.run(_stored(folder))
        with closing(sqlite3.connect(folder.file)) as db:
            return "\n".join(db.iterdump()) + "\n"


if __name__ == "__main__":
    sys.stdout.write(script())
