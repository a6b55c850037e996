"""NewNumbers for new tables and games: all that follow, or blocks of them."""

from __future__ import annotations

import pytest

from tests.kit.hosts import World
from twentytwo_protocol.schema import Refused
from twentytwo_server.host.numbers import NewNumbers
from twentytwo_server.ports import Numbered
from twentytwo_server.store.memory import MemoryStore


def test_numbers_go_on_from_block_to_block() -> None:
    blocks = [range(1, 3), range(7, 9), range(0)]
    numbers = NewNumbers(Numbered.GAME, lambda kind, last: blocks.pop(0))
    assert [numbers.upcoming(nth) for nth in (1, 2, 3)] == [1, 2, 7]
    assert [numbers.take() for _ in range(4)] == [1, 2, 7, 8]
    with pytest.raises(Refused, match="try again soon"):
        numbers.take()


def test_the_only_server_counts_on() -> None:
    numbers = NewNumbers(Numbered.TABLE, MemoryStore().reserve)
    numbers.resume(7)
    assert [numbers.take(), numbers.upcoming(2), numbers.take()] == [8, 10, 9]


def test_a_promise_of_another_server_changes_no_numbers() -> None:
    shared = MemoryStore()
    a, b = World(shared.node("a")), World(shared.node("b"), run=1)
    for world, name in ((a, "ann"), (a, "bob"), (b, "cy")):
        world.program(name).ok("practice bots=1")
    assert list(b.host.rooms) == ["t101"]
    assert isinstance(b.store, MemoryStore)
    b.store.take_tables("a")
    later = b.restarted()
    assert list(later.host.rooms) == ["t1", "t2", "t101"]
    later.program("di").ok("practice bots=1")
    found: list[tuple[str, int]] = []
    later.store.promises(
        "", 9, lambda log: found.extend((each.promise.game, each.promise.no) for each in log)
    )
    assert [no for _, no in found] == [2, 1]
    assert [game for game, _ in found] == ["g201", "g101"]
