"""Several servers over one store: each has its tables, its log of promises and its numbers."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from msgspec.structs import replace

from tests.kit.postgres import Postgres
from tests.store.kit import (
    ActiveServer,
    Folder,
    Memory,
    Nodes,
    Server,
    ask,
    keep,
    keeping,
    no_end,
    opened,
    owners,
)
from tests.store.test_contract import ended, given_input, promised, rating
from twentytwo_server.facts import (
    Account,
    Boot,
    GameEnded,
    GameSummed,
    InviteCode,
    Owned,
    PersonKept,
    PersonMoved,
    Pool,
    Promise,
    Rated,
    RatingDue,
    Report,
    TableClosed,
    TableMembers,
    TableMoved,
    TableOpened,
    WantedTables,
)
from twentytwo_server.ports import Numbered, Redeemed, Store
from twentytwo_server.store import Refused, peers, sql
from twentytwo_server.store.checking import complaints
from twentytwo_server.store.common import AFTER_BACKUP, chained
from twentytwo_server.store.engines import application_name, database
from twentytwo_server.store.memory import MemoryStore
from twentytwo_server.store.node_settings import NodeSettings
from twentytwo_server.store.nodes import (
    Fence,
    NodeRow,
    NodeState,
    StillServing,
    read_nodes,
    take_tables,
)
from twentytwo_server.store.schema import ACTIVE_SCHEMA, OLDEST_SCHEMA
from twentytwo_server.store.sql import SqlStore, migrated, open_store
from twentytwo_server.store.standby import last_serving
from twentytwo_server.store.transfer import transfer


@pytest.fixture(params=["memory", "postgresql"])
def nodes(request: pytest.FixtureRequest) -> Iterator[Nodes]:
    if request.param == "memory":
        yield Memory()
        return
    with request.getfixturevalue("postgres").lent() as url:
        yield Server(url)


async def test_the_store_tells_which_server_owns_each_table(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        await keep(a, TableOpened("t1", "twentytwo", 0), given_input("t1", 1))
        await keep(b, TableOpened("t101", "twentytwo", 0))
        for store in (a, b):
            found = await owners(store, "t1", "t101")
            assert found == {"t1": Owned("a", 1), "t101": Owned("b", 0)}
        (read,) = await ask(b.newer_inputs, {"t1": 0})
        assert list(read.inputs) == [given_input("t1", 1)]
        assert [each.table for each in (await b.load()).tables] == ["t101"]


async def test_a_server_asks_for_its_own_tables_and_those_of_its_people(nodes: Nodes) -> None:
    ann, bob = (PersonKept(name, False, b"1", b"") for name in ("~ann", "~bob"))
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        for table in ("t1", "t2", "t3"):
            await keep(a, TableOpened(table, "twentytwo", 0), given_input(table, 1))
        await keep(a, ann, TableMembers("t1", ("~ann", "~bob")), TableMembers("t2", ("~ann",)))
        await keep(b, bob, TableOpened("t101", "twentytwo", 0))
        found = await ask(b.owners, WantedTables(all=True))
        assert found["t1"] == Owned("a", 1) and {*found} == {"t1", "t101"}
        assert {*await ask(a.owners, WantedTables(all=True))} == {"t1", "t2", "t3"}
        await keep(a, PersonMoved("~ann", "b"))
        assert {*await ask(b.owners, WantedTables(all=True))} == {"t1", "t2", "t101"}


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
    ann = PersonKept("~ann", False, b"1", b"", 7)
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        assert [await ask(each.claim, ann) for each in (a, a)] == [7, 7]
        assert await ask(b.claim, PersonKept("~Ann", False, b"2", b"")) is None
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


async def test_a_guest_arrives_after_all_that_is_stored_at_any_server(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        await keep(b, TableOpened("t1", "twentytwo", 0), replace(given_input("t1", 1), at=5000))
        assert await ask(a.claim, PersonKept("~ann", False, b"1", b"", 7)) == 5001
        assert (await ask(b.person, "~ann")).kept.since == 5001
        assert await ask(a.claim, PersonKept("~ann", False, b"1", b"", 7)) == 5001
        assert await ask(b.claim, PersonKept("~bob", False, b"2", b"", 9000)) == 9000


async def test_each_server_makes_other_missing_summaries(nodes: Nodes) -> None:
    def game(number: int, table: str) -> GameEnded:
        return replace(ended(number, "ann", "bob"), table=table, record=f"record {number}")

    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        for store, number in ((a, 1), (b, 101)):
            table = f"t{number}"
            await keep(store, TableOpened(table, "twentytwo", 0), game(number, table))
            await keep(store, TableClosed(table, 0))
        assert [*await ask(a.unsummed, 9, "")] == [("g1", "record 1")]
        assert [*await ask(b.unsummed, 9, "")] == [("g101", "record 101")]


async def test_the_first_server_makes_the_summaries_of_those_that_are_gone(server: Server) -> None:
    async with opened(server.of("z")) as gone:
        await keep(gone, TableOpened("t1", "twentytwo", 0), ended(1, "ann", "bob"))
        await keep(gone, TableClosed("t1", 0))
    async with opened(server.of("a")) as a, opened(server.of("b")) as b:
        assert [game for game, _ in await ask(a.unsummed, 9, "")] == ["g1"]
        assert [*await ask(b.unsummed, 9, "")] == []
        await keep(a, GameSummed("g1", "{}"))
        assert [*await ask(a.unsummed, 9, "")] == []


async def test_a_code_is_used_at_one_of_two_servers(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        for no in range(10):
            digest = b"%d" % no
            await keep(a, InviteCode(digest, 9, 0))
            asked = [
                ask(store.redeem, Account(f"x{no}{who}", f"{no}{who}", who, "", 0), digest)
                for who, store in (("a", a), ("b", b))
            ]
            outcomes = await asyncio.gather(*asked)
            assert {*outcomes} == {Redeemed.DONE, Redeemed.CODE_USED}
            asked = [
                ask(store.redeem, Account(f"y{no}", f"y{no}", who, "", 0), b"")
                for who, store in (("a", a), ("b", b))
            ]
            assert {*await asyncio.gather(*asked)} == {Redeemed.DONE, Redeemed.NAME_TAKEN}


async def test_servers_that_rate_at_once_lose_no_game(nodes: Nodes) -> None:
    games = [ended(number, "ann", "bob", "cat", "dan") for number in range(1, 13)]
    tries = 0

    async def rates(store: Store, names: Sequence[str], game: str) -> None:
        nonlocal tries
        after: list[Rated] = []
        while not after or not await ask(store.rate, game, after):
            tries += 1
            after.clear()
            for name in names:
                before = [each.games for each in await ask(store.rating, name)]
                after.append(rating(name, 1 + sum(before), untold=game))

    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        for game in games:
            await keep(a, game, RatingDue(game.game, Pool.PEOPLE))
        names = ("ann", "bob", "cat", "dan")
        orders = (names, names[::-1])
        await asyncio.gather(
            *(
                rates(store, each, game.game)
                for game in games
                for store, each in zip((a, b), orders, strict=True)
            )
        )
        for name in names:
            found = await ask(b.rating_history, name)
            assert [each.games for each in found] == [*range(1, 13)]
            told = (await ask(a.untold, [name])).ratings
            assert {each.rated.untold for each in told} == {game.game for game in games}
        assert list(await ask(a.unrated)) == []
    assert tries >= 12


async def test_a_table_passes_to_another_server_unless_that_one_has_ended(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("c")) as c:
        async with opened(nodes.of("b")) as b:
            for table in ("t1", "t2"):
                await keep(a, TableOpened(table, "twentytwo", 0), given_input(table, 1))
            await keep(b, TableMoved("t1", "b"))  # it is not b's to give
            assert await owners(a, "t1", "t2") == {"t1": Owned("a", 1), "t2": Owned("a", 1)}
            await keep(a, TableMoved("t1", "b"))
            assert await owners(b, "t1", "t2") == {"t1": Owned("b", 1), "t2": Owned("a", 1)}
            await keep(b, given_input("t1", 2))
        if isinstance(c, MemoryStore):
            c.take_tables("b")
        await keep(a, TableMoved("t2", "b"))
        assert (await owners(a, "t2"))["t2"] == Owned("a", 1)


async def test_the_promises_before_and_after_a_move_are_in_order(nodes: Nodes) -> None:
    async with opened(nodes.of("b")) as b, opened(nodes.of("a")) as a:
        first, second = (promised(1), promised(2)), dataclasses.replace(promised(1), game="g3")
        await keep(a, TableOpened("t1", "twentytwo", 0), given_input("t1", 1))
        await asyncio.gather(
            keeping(a, given_input("t1", 2), *first), keeping(a, TableMoved("t1", "b"))
        )
        await keep(b, second)
        (table,) = await ask(b.newer_inputs, {"t1": 0})
        assert [promise.game for promise in table.promises] == ["g1", "g2", "g3"]


async def test_no_two_servers_get_the_same_numbers(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a, opened(nodes.of("b")) as b:
        for kind in Numbered:
            blocks = [store.reserve(kind, 0) for store in (a, b)]
            while not (more := a.reserve(kind, 0)):
                await asyncio.sleep(0.01)  # it is reserved while the first is used
            blocks.append(more)
            assert [len(block) for block in blocks] == [100, 100, 100]
            assert len({*chain(*blocks)}) == 300


async def test_reports_are_numbered_above_those_of_a_server_that_was_alone(
    postgres: Postgres,
) -> None:
    with postgres.lent() as url:
        place, filed = Server(url), Report(7, "ann", "bob", "cheats", "", "", 0)
        for last in (7, 1000):
            async with opened(place) as alone:
                await keep(alone, replace(filed, no=last))
            async with opened(place.of("a")) as a:
                assert a.reserve(Numbered.REPORT, 0)[0] == last + 1
        async with opened(place) as alone:
            assert (await alone.load()).report == 1000


async def test_the_timeline_of_a_new_server_begins_after_all_others(nodes: Nodes) -> None:
    async with opened(nodes.of("a")) as a:
        await keep(a, Boot("b1", 77, 0))
    async with opened(nodes.of("b")) as b:
        assert (await b.load()).at == 77


async def test_a_store_in_memory_passes_the_tables_of_a_dead_server_to_another() -> None:
    shared = MemoryStore()
    a, b = shared.node("a"), shared.node("b")
    taken: list[str] = []
    a.after_taking(lambda tables: pytest.fail("these are its own"))
    b.after_taking(taken.extend)
    await keep(a, TableOpened("t1", "twentytwo", 0))
    await keep(b, TableOpened("t101", "twentytwo", 0))
    await keep(a, PersonKept("~ann", False, b"1", b""))
    b.take_tables("a")
    assert [each.name for each in (await b.load()).people] == ["~ann"]
    assert await owners(a, "t1", "t101") == {"t1": Owned("b", 0), "t101": Owned("b", 0)}
    assert taken == ["t1"]
    assert (await a.load()).tables == ()


# ------------------------------------------------------------------------------ PostgreSQL

SLOW = 10_000
"""A lease that is renewed once a second."""
FAST = 300
"""A lease of a server that does not wait that long for others."""


@pytest.fixture
def server(postgres: Postgres) -> Iterator[Server]:
    with postgres.lent() as url:
        yield Server(url)


def told(store: Store) -> asyncio.Future[list[str]]:
    """The next tables that a server has taken."""
    found: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()

    def taken(tables: Sequence[str]) -> None:
        if tables and not found.done():  # without tables it has looked, or has taken people
            found.set_result(sorted(tables))

    store.after_taking(taken)
    return found


async def owners_by(store: Store, *tables: str) -> dict[str, str]:
    """The names of the owners of these tables."""
    return {table: owned.node for table, owned in (await owners(store, *tables)).items()}


async def test_the_tables_of_a_server_that_stops_are_taken_at_once_by_one_other(
    server: Server,
) -> None:
    tables = [f"t{number}" for number in range(1, 5)]
    async with opened(server.of("b")) as b, opened(server.of("c")) as c:
        async with opened(server.of("a")) as a:
            await keep(a, *[TableOpened(table, "twentytwo", 0) for table in tables[:3]])
            await keep(b, TableOpened("t4", "twentytwo", 0))
            first = [told(store) for store in (b, c)]
            await asyncio.sleep(0)
        done, _ = await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        assert [each.result() for each in done] == [tables[:3]]
        found = await owners_by(b, *tables)
        assert found.keys() == set(tables) and len({found[table] for table in tables[:3]}) == 1
        assert found["t4"] == "b"


async def test_a_server_that_died_is_ended_and_its_tables_are_taken(server: Server) -> None:
    end: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    a = await server.of("a", SLOW).open(end.set_result)
    await keep(a, TableOpened("t1", "twentytwo", 0), given_input("t1", 1))
    await keep(a, promised(1), promised(2), PersonKept("~ann", False, b"1", b""))
    async with opened(server.of("b", FAST)) as b:
        assert await told(b) == ["t1"]
        late = keeping(a, given_input("t1", 2))
        assert "another server" in await end
        await a.close()
        assert not late.done()
        assert (await ask(b.person, "~ann")).node == "b"
        await keep(b, given_input("t1", 2), Promise("g101", 1, "t1", "fd1", "5", "6", 0))
        (read,) = await ask(b.newer_inputs, {"t1": 1})
        assert [each.seq for each in read.inputs] == [2]
        assert [each.game for each in read.promises] == ["g1", "g2", "g101"]
    async with opened(server) as alone:
        await keep(alone, Promise("g201", 1, "t1", "fd1", "7", "8", 0))
        (table,) = (await alone.load()).tables
        assert [each.game for each in table.promises] == ["g1", "g2", "g101", "g201"]


async def test_half_a_pipeline_of_a_dead_server_keeps_nobody_waiting(
    server: Server, postgres: Postgres
) -> None:
    """The rest was lost with the network, and PostgreSQL waits for it without a time limit."""
    a = await server.of("a").open(lambda why: None)
    await keep(a, TableOpened("t1", "twentytwo", 0))
    with as_server("a", server, postgres) as dead:
        dead.pgconn.enter_pipeline_mode()
        for half in (b"BEGIN", b"UPDATE nodes SET batch = batch + 1 WHERE node = 'a'"):
            dead.pgconn.send_query_params(half, None)
        dead.pgconn.send_flush_request()
        dead.pgconn.flush()
        assert [dead.pgconn.get_result() for _ in range(4)][2] is not None
        async with opened(server.of("b", FAST)) as b:
            assert await told(b) == ["t1"]
    await a.close()


async def test_a_server_that_starts_again_is_not_disturbed(
    server: Server, postgres: Postgres
) -> None:
    async with opened(server.of("b")) as b:
        async with opened(server.of("a")) as a:
            await keep(a, TableOpened("t1", "twentytwo", 0))
            taken = told(b)
        with as_server("a", server, postgres) as starting:
            starting.execute("SELECT 1")
            assert await taken == ["t1"]
            starting.execute("SELECT 1")


async def test_the_next_process_of_a_dead_server_is_not_disturbed(
    server: Server, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins a transaction just before another server takes the tables of the dead one."""
    dead = await server.of("a").open(lambda why: None)
    await keep(dead, TableOpened("t1", "twentytwo", 0))
    with as_server("a", server, postgres) as starting:

        def taking(*of: Any) -> Sequence[str]:
            starting.execute("SELECT 1")
            return take_tables(*of)

        monkeypatch.setattr(peers, "take_tables", taking)
        async with opened(server.of("b", FAST)) as b:
            assert await told(b) == ["t1"]
            starting.execute("SELECT 1")
    await dead.close()


async def test_a_server_starts_while_another_one_takes_the_tables_of_its_earlier_process(
    server: Server, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(server.of("a")) as a:
        await keep(a, TableOpened("t1", "twentytwo", 0))
    postgres.execute("UPDATE nodes SET state = 'active'", database(server.url).database or "")
    async with opened(server.of("b", SLOW)) as b:

        async def looked(*of: Any) -> Sequence[NodeRow]:
            monkeypatch.undo()
            (row,) = await last_serving(*of)
            async with cast("SqlStore", b).engine.begin() as db:
                _, mine = await db.run_sync(read_nodes)
                await db.run_sync(take_tables, Fence("b", mine.epoch, active=True), row)
            return [row]

        monkeypatch.setattr(sql, "last_serving", looked)
        async with opened(server.of("a", FAST)) as again:
            assert await owners_by(again, "t1") == {"t1": "b"}


def as_server(node: str, server: Server, postgres: Postgres) -> psycopg.Connection:
    """A session of the server of that name."""
    name = database(server.url).database or ""
    return psycopg.connect(f"{postgres.dsn(name)} application_name='{application_name(node)}'")


async def test_a_server_that_renews_its_lease_keeps_its_tables(server: Server) -> None:
    async with opened(server.of("a", FAST)) as a, opened(server.of("b", FAST)) as b:
        await keep(a, TableOpened("t1", "twentytwo", 0))
        taken = told(b)
        await asyncio.sleep(4 * FAST / 1000)
        assert not taken.done()
        assert await owners_by(b, "t1") == {"t1": "a"}


async def test_all_tables_are_told_if_an_answer_was_lost(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some may have been taken."""

    def lost(*of: object) -> Sequence[str]:
        monkeypatch.undo()
        raise OSError("the connection is lost")

    async with opened(server.of("b")) as b:
        await keep(b, TableOpened("t2", "twentytwo", 0))
        monkeypatch.setattr(peers, "take_tables", lost)
        async with opened(server.of("a")) as a:
            await keep(a, TableOpened("t1", "twentytwo", 0))
            first = told(b)
        assert await first == ["t2"]
        assert await told(b) == ["t1"]


async def test_a_server_joins_with_the_tables_of_all_that_have_ended(server: Server) -> None:
    async with opened(server) as alone:
        await keep(alone, TableOpened("t1", "twentytwo", 0), promised(1), Boot("b1", 40, 0))
        await keep(alone, PersonKept("~ann", False, b"1", b""))
    async with opened(server.of("a")) as a:
        found = await a.load()
        assert [each.name for each in found.people] == ["~ann"]
        assert ([each.table for each in found.tables], found.promise, found.at) == (["t1"], 0, 40)
        await keep(a, Promise("g2", 1, "t1", "fd1", "5", "6", 0), Boot("b2", 50, 0))
    async with opened(server) as alone:
        found = await alone.load()
        assert (found.promise, found.chain, found.at) == (1, chained("", promised(1)), 50)
        assert [each.game for each in found.tables[0].promises] == ["g1", "g2"]


async def test_servers_are_active_together_or_one_serves_alone(
    server: Server, postgres: Postgres
) -> None:
    in_use = "in use by another server, "
    async with opened(server.of("a")):
        with pytest.raises(Refused, match=f"{in_use}a;"):
            await server.open()
        with pytest.raises(Refused, match=f"{in_use}a;"):
            await server.of("a").open()
        name = database(server.url).database or ""
        with pytest.raises(psycopg.errors.ExclusionViolation):  # an older version would do it
            postgres.execute("INSERT INTO nodes VALUES ('b', 1, 0, 0, 'serving', '', '')", name)
    async with opened(server):
        with pytest.raises(Refused, match=f"{in_use}main;"):
            await server.of("a").open()


async def test_older_versions_are_kept_off_after_servers_were_active(server: Server) -> None:
    async def oldest() -> int:
        async with opened(server) as store, cast("SqlStore", store).engine.connect() as db:
            wanted = "SELECT value FROM marks WHERE name = 'oldest'"
            return int((await db.exec_driver_sql(wanted)).scalar_one())

    assert await oldest() == OLDEST_SCHEMA
    async with opened(server.of("a")):
        pass
    assert await oldest() == ACTIVE_SCHEMA


async def test_a_secret_word_is_free_again_once_its_server_has_ended_without_the_table(
    server: Server,
) -> None:
    async with opened(server.of("b")) as b:
        async with opened(server.of("a")) as a:
            assert await ask(a.claim_word, "fox", "t1")
            assert await ask(a.claim_word, "hound", "t2")
            await keep(a, TableOpened("t2", "twentytwo", 0))
            assert not await ask(b.claim_word, "fox", "t101")
        async with opened(server.of("a")):
            assert await ask(b.claim_word, "fox", "t101")
            assert not await ask(b.claim_word, "hound", "t101")


async def test_people_stored_by_an_older_version_are_found(
    server: Server, postgres: Postgres
) -> None:
    ann = PersonKept("~Ann", False, b"1", b"")
    async with opened(server) as alone:
        await keep(alone, ann)
    name = database(server.url).database or ""
    postgres.execute("UPDATE people SET who = '', node = ''", name)
    async with opened(server.of("a")) as a:
        found = await ask(a.person, "~ann")
        assert (found.kept, found.node) == (ann, "a")
        assert await ask(a.claim, PersonKept("~ann", False, b"2", b"")) is None


async def test_a_dead_server_is_waited_for_before_one_serves_alone(
    server: Server, postgres: Postgres
) -> None:
    for node in ("a", "b"):
        async with opened(server.of(node)) as store:
            await keep(store, TableOpened(f"t{node}1", "twentytwo", 0))
    name = database(server.url).database or ""
    postgres.execute("UPDATE nodes SET state = 'active'", name)
    alone = await open_store(server.url, no_end, NodeSettings("c", lease=FAST))
    assert await owners_by(alone, "ta1", "tb1") == {"ta1": "c", "tb1": "c"}
    await alone.close()


async def test_numbers_go_on_in_a_copy(server: Server, tmp_path: Path) -> None:
    async with opened(server.of("a")) as a:
        await keep(a, TableOpened("t1", "twentytwo", 0), Boot("b1", 77, 0), promised(1))
        last = a.reserve(Numbered.GAME, 0)[-1]
    await transfer(server.url, str(tmp_path / "copy"))
    async with opened(Folder(tmp_path / "copy")) as alone:
        found = await alone.load()
        assert (found.at, found.promise) == (77, 0) and found.game >= last
        assert [each.game for each in found.tables[0].promises] == ["g1"]


async def test_a_restored_database_repeats_no_number_of_a_log(server: Server) -> None:
    async with opened(server.of("a")) as a:
        await keep(a, promised(5))
    await migrated(server.url, restored=True)
    async with opened(server.of("a")) as a:
        assert (await a.load()).promise == 5 + AFTER_BACKUP


async def test_a_folder_has_no_active_servers(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is a folder, which only one server can use"):
        await ActiveServer(str(tmp_path), NodeSettings("a", active=True)).open()


async def test_nothing_is_taken_from_a_server_that_is_alive_or_by_one_that_was_ended(
    server: Server,
) -> None:
    async with opened(server.of("a")) as a, opened(server.of("b")) as b:
        await keep(a, TableOpened("t1", "twentytwo", 0))
        made = cast("SqlStore", b).engine
        async with made.connect() as db:
            row, mine = await db.run_sync(read_nodes)
        fence = Fence("b", mine.epoch, active=True)
        for its, after in (
            (fence, replace(row, beat=row.beat - 1)),
            (fence, replace(row, state=NodeState.STOPPED)),
            (Fence("b", mine.epoch - 1, active=True), row),
        ):
            with pytest.raises(StillServing):
                async with made.begin() as db:
                    await db.run_sync(take_tables, its, after)
        assert await owners_by(b, "t1") == {"t1": "a"}


async def test_each_log_of_promises_is_checked(server: Server, postgres: Postgres) -> None:
    for node in ("a", "b"):
        async with opened(server.of(node)) as store:
            for no in (1, 2):
                await keep(store, Promise(f"g{node}{no}", no, "t1", "fd1", "5", "6", 0))
    assert [found async for found in complaints(server.url)] == []
    name = database(server.url).database or ""
    postgres.execute("UPDATE promises SET digest = '7' WHERE log = 'b' AND no = 2", name)
    (found,) = [found.line async for found in complaints(server.url)]
    assert found == "the chain of promises of b breaks at number 2"
