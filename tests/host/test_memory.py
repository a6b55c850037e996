"""What a table costs does not depend on how many games were played at it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

import pytest

from tests.kit.hosts import Peer, World
from tests.kit.lines import in_lines
from tests.kit.memory import tracing
from twentytwo_server.facts import Fact
from twentytwo_server.session.streams import CHUNK, PACK
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.table.table import Phase

pytestmark = pytest.mark.deadline(120)


class Forgetful(MemoryStore):
    """Keeps nothing, so that only the table is measured."""

    def keep(self, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        done()


def games(world: World, ann: Peer, bob: Peer, count: int) -> None:
    """Two play so many games on end at t1, each move the first that would do."""
    for _ in range(count):
        if not world.host.rooms:
            world.game(ann, bob, options="options=limit:10")
        else:
            bob.ok("ready t1")
            ann.ok("start t1")
        room = world.room()
        while room.table.phase is Phase.PLAYING:
            match = room.table.match
            assert match is not None
            assert match.question is not None
            world.on_turn().ok(f"move {match.question.default} t1")


@pytest.fixture
def traced() -> Generator[Callable[[], int]]:
    """The bytes that have been allocated since, and are in use."""

    with tracing() as now:
        yield now


def test_what_happened_long_ago_at_a_table_costs_a_few_bytes(
    traced: Callable[[], int],
) -> None:
    world = World(Forgetful())
    ann, bob = world.program("ann"), world.program("bob")
    games(world, ann, bob, 5)
    told, before = world.room().stream.last, traced()
    games(world, ann, bob, 48)
    assert traced() - before < 50 * (world.room().stream.last - told)


def of_the_table(peer: Peer, lines: Sequence[str]) -> list[str]:
    """The lines that are events of t1."""
    read = [(line, peer.read(line)) for line in lines]
    return [line for line, r in read if r is not None and r.id is None and r.on == "t1"]


@pytest.mark.parametrize("caps", ["text,time", "json,text", ""])
def test_who_looks_back_is_told_what_was_told(caps: str) -> None:
    world = World()
    ann, bob = world.program("ann", caps=caps), world.program("bob")
    all_lines: list[str] = []
    heard = ann.session.send

    def send(data: bytes) -> None:
        all_lines.extend(in_lines(data))
        heard(data)

    ann.session.send = send
    games(world, ann, bob, 12)
    stream = world.room().stream
    assert stream.last > (PACK + 1) * CHUNK
    told = of_the_table(ann, all_lines)
    assert len(told) == stream.last
    assert [entry.line(1, ann.session.form) for entry in stream.after(0)] == told
    ends = (CHUNK, 3 * CHUNK + 5, PACK * CHUNK, stream.last - 1)
    for seq in (1, *(seq + more for seq in ends for more in (-1, 0, 1))):
        assert [e.line(1, ann.session.form) for e in stream.after(seq)] == told[seq:]
    assert [entry.seq for entry in stream.backwards()] == [*range(stream.last, 0, -1)]
    ann.ok("sync t1 from=0")
    assert of_the_table(ann, ann.lines) == told
