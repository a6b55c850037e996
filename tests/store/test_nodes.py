"""Several servers over one store: each has its tables, its log of promises and its numbers."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.store.kit import Memory, Nodes, ask, keep, opened
from tests.store.test_contract import given_input, promised
from twentytwo_server.facts import Boot, Owned, PersonKept, PersonMoved, Promise, TableOpened
from twentytwo_server.ports import Numbered
from twentytwo_server.store.memory import MemoryStore


@pytest.fixture(params=["memory"])
def nodes(request: pytest.FixtureRequest) -> Nodes:
    return Memory()


async def test_the_store_tells_which_server_owns_each_table(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        await keep(a, TableOpened("t1", "twentytwo", 0), given_input("t1", 1))
        await keep(b, TableOpened("t101", "twentytwo", 0))
        for store in (a, b):
            assert await ask(store.owners) == {"t1": Owned("a", 1), "t101": Owned("b", 0)}
        (read,) = await ask(b.newer_inputs, {"t1": 0})
        assert list(read.inputs) == [given_input("t1", 1)]
        assert [each.table for each in (await b.load()).tables] == ["t101"]


async def test_each_server_keeps_a_log_of_promises(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        for store, table in ((a, "t1"), (b, "t2")):
            await keep(store, TableOpened(table, "twentytwo", 0))
        await keep(a, promised(1, "t1"))
        await keep(a, promised(2, "t1"))
        theirs = Promise("g101", 1, "t2", "fd1", "5", "6", 0)
        await keep(b, theirs)
        assert [each.promise.game for each in await ask(a.promises, "", 9)] == ["g2", "g1"]
        (entry,) = await ask(b.promises, "", 9)
        assert entry.promise.game == "g101"
        assert entry.chain == sha256(b"|g101|6").hexdigest()
        assert [each.promise.game for each in await ask(a.promises, "g101", 9)] == ["g101"]
        with pytest.raises(ValueError, match="promise 1 comes after promise 1"):
            b.keep([theirs], lambda: None)
    async with opened(nodes.of("b")) as b:
        found = await b.load()
        assert (found.promise, found.chain) == (1, entry.chain)


async def test_a_name_is_for_one_person_at_all_servers(nodes: Nodes) -> None:
    ann = PersonKept("~ann", False, b"1", b"")
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        assert [await ask(each.claim, ann) for each in (a, a)] == [True, True]
        assert not await ask(b.claim, PersonKept("~Ann", False, b"2", b""))
        for store in (a, b):
            found = await ask(store.person, "~ann")
            assert (found.kept, found.node) == (ann, "a")
        assert [*(await a.load()).people] == [ann]
        assert [*(await b.load()).people] == []
        await keep(b, PersonMoved("~ann", "b"))  # it is not b that keeps the person
        assert [*(await a.load()).people] == [ann]
        await keep(a, PersonMoved("~ann", "b"))
        assert [*(await a.load()).people] == []
        assert [*(await b.load()).people] == [ann]


async def test_no_two_servers_get_the_same_numbers(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        blocks = [store.reserve(kind, 0) for store in (a, b) for kind in Numbered]
        blocks += [a.reserve(Numbered.TABLE, 0)]
    assert [len(block) for block in blocks] == [100] * 5
    tables = [*blocks[0], *blocks[2], *blocks[4]]
    assert len(set(tables)) == 300
    assert not set(blocks[1]) & set(blocks[3])


async def test_the_timeline_of_a_new_server_begins_after_all_others(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a:
        await keep(a, Boot("b1", 77, 0))
    async with opened(nodes.of("b")) as b:
        assert (await b.load()).at == 77


async def test_a_store_in_memory_passes_the_tables_of_a_dead_server_to_another() -> None:
    shared = MemoryStore()
    a, b = shared.node("a"), shared.node("b")
    taken: list[str] = []
    b.after_taking(taken.extend)
    await keep(a, TableOpened("t1", "twentytwo", 0))
    await keep(b, TableOpened("t101", "twentytwo", 0))
    b.take_tables("a")
    assert await ask(a.owners) == {"t1": Owned("b", 0), "t101": Owned("b", 0)}
    assert taken == ["t1"]
    assert (await a.load()).tables == ()
