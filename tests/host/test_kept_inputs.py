"""A server keeps the inputs of a closed table for the servers that follow it, for a while."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.kit.cluster import Place
from tests.kit.hosts import World
from twentytwo_server.facts import Fact, Input, TableClosed
from twentytwo_server.host.cluster.kept_inputs import KEPT, KeptInputs
from twentytwo_server.host.config import Config
from twentytwo_server.store.memory import MemoryStore


class Busy(MemoryStore):
    """A store that cannot answer before `answers` is true."""

    answers = False

    def kept_inputs(self, done: Callable[[Sequence[str] | None], None]) -> None:
        if self.answers:
            super().kept_inputs(done)
        else:
            done(None)


def kept(world: World) -> list[str]:
    """The closed tables whose inputs the store has."""
    found: list[Sequence[str] | None] = []
    world.store.kept_inputs(found.append)
    return [*(found[0] or ())]


def close(world: World, table: str) -> None:
    """Somebody opens a table and leaves it, which closes it."""
    peer = world.program(f"of-{table}")
    peer.ok("open whist22")
    peer.ok(f"leave {table}")


def test_a_server_that_is_alone_keeps_nothing_of_a_closed_table() -> None:
    world, stored = World(), list[Fact]()
    world.store.after_commit(stored.extend)
    close(world, "t1")
    *_, last, closed = (fact for fact in stored if isinstance(fact, Input | TableClosed))
    assert isinstance(last, Input)
    assert closed == TableClosed("t1", last.wall)
    assert not kept(world)


def test_the_inputs_of_a_closed_table_are_kept_for_a_minute() -> None:
    world = World(clustered=True)
    KeptInputs(world.store, world.clock)
    close(world, "t1")
    world.advance(KEPT // 2)
    close(world, "t2")
    world.advance(KEPT // 2 - 1)
    assert kept(world) == ["t1", "t2"]
    world.advance(1)
    assert kept(world) == ["t2"]
    world.advance(KEPT // 2)
    assert not kept(world)


def test_a_server_that_is_killed_leaves_nothing_for_ever() -> None:
    world = World(clustered=True)
    close(world, "t1")
    world = world.restarted()
    KeptInputs(world.store, world.clock)
    world.advance(KEPT - 1)
    assert kept(world) == ["t1"]
    world.advance(1)
    assert not kept(world)


def test_a_store_that_cannot_answer_is_asked_again() -> None:
    store = Busy()
    world = World(store, clustered=True)
    close(world, "t1")
    KeptInputs(store, world.clock)
    world.advance(KEPT // 2)
    store.answers = True
    world.advance(2 * KEPT)
    assert not kept(world)


def test_what_a_dead_server_has_left_is_deleted_by_the_one_that_takes_its_tables() -> None:
    store = MemoryStore()
    mine = store.node("b")
    world = World(store.node("a"), clustered=True)
    KeptInputs(mine, world.clock)
    close(world, "t1")
    world.advance(2 * KEPT)
    assert kept(world)
    mine.take_tables("a")
    world.advance(KEPT)
    assert not kept(world)


def test_a_reload_of_the_settings_does_not_change_what_is_kept() -> None:
    world = World(clustered=True)
    world.host.config.change(Config())
    close(world, "t1")
    assert kept(world)


def test_a_server_of_a_cluster_deletes_the_inputs_in_the_end() -> None:
    place = Place()
    close(place["a"], "t1")
    place.advance(KEPT - 1)
    assert kept(place["b"]) == ["t1"]
    place.advance(1)
    assert not kept(place["b"])
