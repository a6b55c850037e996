"""Seeks in the store: a match takes all of its seeks at once, and ends or frees them together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from tests.kit.postgres import Postgres
from tests.store.kit import ActiveServer, Kept, Memory, Nodes, Place, Server, ask, keep, opened
from twentytwo_server.facts import Seek, SeekEnded, SeekMatch, SeeksFreed, SeeksSeated, TableOpened
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.store.node_settings import NodeSettings


def wanted(name: str, players: int = 2, preset: str = "pagat") -> Seek:
    options = (("limit", "30"), ("bonus", "yes"))
    return Seek(0, name, name == "cy", "twentytwo", players, preset, options)


async def seek(
    store: Kept,
    name: str,
    players: int = 2,
    *,
    tag: str = "",
    preset: str = "pagat",
    busy: str = "",
) -> SeekMatch:
    asked = wanted(name, players, preset)
    found: SeekMatch = await ask(store.seek, asked, tag or f"a/1/{name}", busy.split())
    return found


def names(match: SeekMatch) -> Sequence[str]:
    return [each.name for each in match.others]


async def test_the_oldest_seeks_for_the_same_are_taken(place: Place) -> None:
    async with opened(place) as store:
        first = await seek(store, "ann", 3)
        assert (names(first), first.new) == ([], True)
        assert names(await seek(store, "bob", 3, preset="tv")) == []
        assert names(await seek(store, "cy", 3)) == []
        found = await seek(store, "dan", 3)
        assert list(found.others) == [
            replace(wanted("ann", 3), number=first.number),
            replace(wanted("cy", 3), number=first.number + 2),
        ]
        assert names(await seek(store, "eve", 3)) == []  # nobody is taken twice


async def test_a_match_is_told_again_and_then_ended_or_freed(place: Place) -> None:
    async with opened(place) as store:
        await seek(store, "ann")
        for end, others in ((SeeksFreed("m1"), ["ann"]), (SeeksSeated("m2"), [])):
            tag = end.tag
            found = await seek(store, "bob", tag=tag)
            assert names(found) == ["ann"]
            again = await seek(store, "bob", tag=tag)
            assert (names(again), again.number) == (["ann"], found.number)
            assert (await seek(store, "ann")).number == 0  # ann is being seated
            assert not await ask(store.unseek, again.others[0].number)
            await keep(store, end)
            await keep(store, SeekEnded(found.number))
            assert names(await seek(store, "cy", preset="x")) == []
            after = await seek(store, "dan")
            assert names(after) == others
            await keep(store, SeeksFreed("a/1/dan"), SeekEnded(after.number))


async def test_a_person_has_one_seek(place: Place) -> None:
    async with opened(place) as store:
        first = await seek(store, "ann")
        same = await seek(store, "ann")
        assert (same.number, same.new) == (first.number, False)
        other = await seek(store, "ann", preset="tv")
        assert other.number > first.number
        assert names(await seek(store, "bob")) == []
        assert names(await seek(store, "cy", preset="tv")) == ["ann"]


async def test_a_seek_that_has_ended_is_not_found(place: Place) -> None:
    async with opened(place) as store:
        first = await seek(store, "ann")
        assert names(await ask(store.seek, wanted("bob"), "m1", {"ann"})) == []
        assert await ask(store.unseek, first.number)
        assert not await ask(store.unseek, first.number)
        found = await seek(store, "cy")
        assert names(found) == ["bob"]
        await keep(store, SeeksSeated("a/1/cy"))
        bob = found.others[0].number
        assert await seek(store, "bob") == SeekMatch(bob, seated=True)
        await keep(store, SeekEnded(bob), SeekEnded(found.number))
        assert names(await seek(store, "dan")) == []
        assert names(await seek(store, "bob")) == ["dan"]


async def test_a_seek_that_is_matched_once_more_must_be_open(place: Place) -> None:
    async with opened(place) as store:
        first = await seek(store, "ann")
        again = replace(wanted("ann"), number=first.number)
        assert (await ask(store.seek, again, "m1", ())).number == first.number
        assert await ask(store.unseek, first.number)
        assert (await ask(store.seek, again, "m2", ())).number == 0
        assert names(await seek(store, "bob")) == []


# ------------------------------------------------------------------------- several servers


@pytest.fixture(params=["memory", "postgresql"])
def nodes(request: pytest.FixtureRequest) -> Iterator[Nodes]:
    if request.param == "memory":
        yield Memory()
        return
    with request.getfixturevalue("postgres").lent() as url:
        yield Server(url)


async def test_a_match_happens_once_whatever_comes_at_the_same_time(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b, opened(nodes.of("c")) as c:
        stores = [a, b, c]
        people = [f"p{number}" for number in range(60)]

        async def one(number: int, name: str) -> Sequence[str]:
            store = stores[number % 3]
            found = await seek(store, name, 3, tag=f"{number}")
            if not found.others:
                return ()
            await keep(store, SeeksSeated(f"{number}"))
            return [*names(found), name]

        games = await asyncio.gather(*(one(number, name) for number, name in enumerate(people)))
        seated = [name for game in games for name in game]
        assert sorted(seated) == sorted(people)
        assert {len(game) for game in games} == {0, 3}


async def test_the_match_of_a_dead_server_is_free_again_and_its_people_seek_no_more(
    postgres: Postgres,
) -> None:
    shared = MemoryStore()
    a, b = shared.node("a"), shared.node("b")
    b.after_taking(lambda _: None)
    await _one_dies(a, b)
    b.take_tables("a")
    await _all_free(b)
    with postgres.lent() as url:
        fast = NodeSettings("a", lease=1_000, active=True)
        async with opened(ActiveServer(url, fast)) as one, opened(Server(url).of("b")) as other:
            taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            other.after_taking(lambda _: taken.set_result(None))
            await _one_dies(one, other)
            await keep(one, TableOpened("t1", "twentytwo", 0))
            await one.close()
            await taken
            await _all_free(other)


async def _one_dies(a: Kept, b: Kept) -> None:
    """Two people of `b` are matched by `a`, which does no more."""
    for name in ("ann", "bob"):
        assert names(await seek(b, name, 3)) == []
    assert names(await seek(a, "cy", 3)) == ["ann", "bob"]
    assert names(await seek(a, "dan", 4)) == []


async def test_people_who_have_their_seats_are_matched_no_more_when_servers_come_and_go(
    nodes: Nodes,
) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        await seek(a, "ann")
        assert names(await seek(b, "bob", tag="b/1/1")) == ["ann"]
        await keep(b, SeeksSeated("b/1/1"))
        async with opened(nodes.of("c")) as c:
            assert names(await seek(c, "cy")) == []
            assert (await seek(c, "ann")).seated


async def _all_free(b: Kept) -> None:
    assert names(await seek(b, "eve", 3)) == ["ann", "bob"]
    assert names(await seek(b, "fay", 4)) == []
    assert names(await seek(b, "gil", 4)) == []
    assert names(await seek(b, "hal", 4)) == []  # without dan
