"""PostgreSQL that goes away, comes back, or loses an answer."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from sqlalchemy import QueuePool
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.kit.postgres import Postgres
from tests.store.kit import Server, ask, keep, keeping, no_end, opened
from tests.store.test_contract import ANN
from tests.store.test_trouble import Watched, big
from twentytwo_server import failpoints
from twentytwo_server.facts import TableOpened
from twentytwo_server.store import Refused
from twentytwo_server.store.engines import application_name, database, shown
from twentytwo_server.store.faults import fault
from twentytwo_server.store.node_settings import NodeSettings
from twentytwo_server.store.sql import SqlStore, open_store

GONE = "the database cannot be reached"


@pytest.fixture
def own() -> Generator[Postgres]:
    """A server that a test may stop."""
    server = Postgres()
    yield server
    server.close()


@asynccontextmanager
async def watched(url: str) -> AsyncGenerator[Watched]:
    store = await open_store(url, no_end)
    try:
        await keep(store, TableOpened("t1", "twentytwo", 0))
        yield Watched(store)
    finally:
        await store.close()


async def numbers(url: str) -> list[int]:
    async with opened(Server(url)) as store:
        (table,) = (await store.load()).tables
        return [given.seq for given in table.inputs]


async def test_a_server_that_is_gone_is_waited_for_and_nothing_is_lost_or_doubled(
    own: Postgres,
) -> None:
    url = own.url()
    async with watched(url) as the:
        await keep(the.store, big(1), ANN)
        own.stop()
        calls = [keeping(the.store, big(seq)) for seq in range(2, 40)]
        question = asyncio.ensure_future(ask(the.store.account, "ann"))
        await the.tells(GONE)
        assert not any(call.done() for call in calls)
        await asyncio.to_thread(own.start)
        await asyncio.gather(*calls)
        assert await question == ANN
        await the.tells(None)
    assert await numbers(url) == list(range(1, 40))


async def test_a_slow_database_is_waited_for_however_many_questions_are_asked(
    postgres: Postgres,
) -> None:
    async with watched(postgres.url()) as the:
        pool = the.store.engine.pool
        assert isinstance(pool, QueuePool)
        assert pool.timeout() is None


async def test_kills_in_the_middle_of_writing_lose_and_double_nothing(own: Postgres) -> None:
    url = own.url()
    async with watched(url) as the:
        calls: list[asyncio.Future[None]] = []
        for turn in range(4):
            calls += [keeping(the.store, big(40 * turn + seq)) for seq in range(1, 41)]
            await asyncio.sleep(0.002 * turn)
            own.stop(signal.SIGQUIT)
            await asyncio.to_thread(own.start)
        await asyncio.gather(*calls)
    assert await numbers(url) == list(range(1, 161))


async def test_a_commit_whose_answer_was_lost_is_not_written_again(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.url()
    commit = psycopg.AsyncConnection.commit
    commits = 0

    async def losing(self: psycopg.AsyncConnection[Any]) -> None:
        """Every other commit is made, but its answer does not come: the line is cut."""
        nonlocal commits
        await commit(self)
        commits += 1
        if commits % 2:
            await self.close()
            raise psycopg.OperationalError("the line is cut")

    async with watched(url) as the:
        monkeypatch.setattr(psycopg.AsyncConnection, "commit", losing)
        await keep(the.store, big(1))
        await keep(the.store, big(2))
        assert commits == 4
        monkeypatch.undo()
    assert await numbers(url) == [1, 2]


async def test_a_commit_that_was_not_made_is_made_when_its_answer_is_missed(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.url()

    def cut(point: str) -> None:
        """The line is cut before the commit."""
        if point == "all inserted":
            monkeypatch.setattr(failpoints, "at", None)
            postgres.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                f" WHERE datname = '{database(url).database}' AND pid <> pg_backend_pid()"
            )

    async with watched(url) as the:
        monkeypatch.setattr(failpoints, "at", cut)
        await keep(the.store, big(1))
        await the.tells(None)
        assert len(the.told) == 2
    assert await numbers(url) == [1]


async def test_a_second_server_is_shut_out_of_a_database_in_one_line(postgres: Postgres) -> None:
    url = postgres.url()
    async with watched(url) as the:
        with pytest.raises(Refused, match=r"^the database .* is in use by another server, main; "):
            await open_store(url, no_end)
        await keep(the.store, big(1))
    assert await numbers(url) == [1]


async def test_a_server_that_died_is_replaced_when_its_lease_is_not_renewed(
    postgres: Postgres,
) -> None:
    url = postgres.url()
    async with watched(url) as the:
        await keep(the.store, big(1))
    postgres.execute("UPDATE nodes SET state = 'serving'", database(url).database or "")
    assert await numbers(url) == [1]


@pytest.mark.parametrize("written", [0, 1])
async def test_a_commit_of_an_earlier_epoch_is_not_made_and_not_taken_for_a_later_one(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    """A server was restarted under the same name, and has written so many batches."""
    url = postgres.url()
    name = database(url).database or ""
    end: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    store: SqlStore = await open_store(url, end.set_result)
    await keep(store, TableOpened("t1", "twentytwo", 0))

    def replaced(point: str) -> None:
        if point == "all inserted":
            monkeypatch.setattr(failpoints, "at", None)
            postgres.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                f" WHERE datname = '{name}' AND pid <> pg_backend_pid()"
            )
            postgres.execute(f"UPDATE nodes SET epoch = epoch + 2, batch = batch + {written}", name)

    monkeypatch.setattr(failpoints, "at", replaced)
    call = keeping(store, big(1))
    assert "another server" in await end
    assert not call.done()
    await store.close()
    assert await numbers(url) == []


FAST = NodeSettings("b", lease=300)


async def test_a_server_whose_place_is_taken_ends_in_one_line_and_stores_nothing(
    postgres: Postgres,
) -> None:
    url = postgres.url()
    end: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    store: SqlStore = await open_store(url, end.set_result)  # renews once a second
    await keep(store, TableOpened("t1", "twentytwo", 0), big(1))
    served: list[str] = []
    other = await open_store(url, no_end, FAST, served.append)  # does not wait that long
    late = keeping(store, big(2))
    assert "another server" in await end
    await keep(other, big(2))
    await store.close()
    assert served == ["main"] and not late.done()
    await other.close()
    assert await numbers(url) == [1, 2]


@pytest.mark.deadline(20)
async def test_half_a_pipeline_of_a_dead_server_keeps_no_standby_waiting(
    postgres: Postgres,
) -> None:
    """The rest was lost with the network, and PostgreSQL waits for it without a time limit."""
    url = postgres.url()
    await (await open_store(url, no_end)).close()
    name = database(url).database or ""
    postgres.execute("UPDATE nodes SET state = 'serving'", name)
    dsn = f"{postgres.dsn(name)} application_name='{application_name('main')}'"
    with psycopg.connect(dsn) as dead:
        dead.pgconn.enter_pipeline_mode()
        for half in (b"BEGIN", b"UPDATE nodes SET batch = batch + 1"):
            dead.pgconn.send_query_params(half, None)
        dead.pgconn.send_flush_request()
        dead.pgconn.flush()
        assert [dead.pgconn.get_result() for _ in range(4)][2] is not None
        standby = await open_store(url, no_end, FAST)
        await keep(standby, TableOpened("t1", "twentytwo", 0), big(1))
        await standby.close()
    assert await numbers(url) == [1]


async def test_a_standby_waits_while_the_lease_is_renewed_and_takes_over_at_the_stop(
    postgres: Postgres,
) -> None:
    url = postgres.url()
    store = await open_store(url, no_end, FAST)
    await keep(store, TableOpened("t1", "twentytwo", 0), big(1))
    opening = asyncio.ensure_future(open_store(url, no_end, replace(FAST, name="c")))
    await asyncio.sleep(4 * FAST.takes_over_after)
    assert not opening.done()
    assert store.speaks is not None and store.speaks()
    await store.close()
    other = await opening
    await keep(other, big(2))
    await other.close()
    assert await numbers(url) == [1, 2]


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


async def test_a_database_that_nobody_reaches_kills_nobody(own: Postgres) -> None:
    """The server says nothing meanwhile, and goes on when the database answers again."""
    url = own.url()
    store = await open_store(url, no_end, FAST)
    await keep(store, TableOpened("t1", "twentytwo", 0))
    waiting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    standby = open_store(url, no_end, replace(FAST, name="c"), waiting.set_result)
    opening = asyncio.ensure_future(standby)
    assert await waiting == "b"
    own.stop()
    speaks = store.speaks
    assert speaks is not None
    await until(lambda: not speaks())
    await asyncio.sleep(3 * FAST.takes_over_after)
    await asyncio.to_thread(own.start)
    await until(speaks)
    await keep(store, big(1))
    assert not opening.done()
    await store.close()
    await (await opening).close()


async def test_a_database_is_free_as_soon_as_its_server_has_closed_it(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.url()
    store = await open_store(url, no_end)
    with psycopg.connect(postgres.dsn(database(url).database or ""), autocommit=True) as other:

        async def disposed(_: Any) -> None:
            """The connections are left as they are: it is free before they are closed."""
            found.append(other.execute("SELECT node, state FROM nodes").fetchone())
            await dispose(_)

        found: list[Any] = []
        dispose = AsyncEngine.dispose
        monkeypatch.setattr(AsyncEngine, "dispose", disposed)
        await store.close()
    assert found == [("main", "stopped")]


async def test_what_is_in_a_database_already_ends_the_server(postgres: Postgres) -> None:
    url = postgres.url()
    end: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    store: SqlStore = await open_store(url, end.set_result)
    await keep(store, TableOpened("t1", "twentytwo", 0), big(1))
    calls = [keeping(store, ANN, big(1), big(2)), keeping(store, big(3))]
    assert (await end).startswith("23505: ")
    await store.close()
    assert not any(call.done() for call in calls)
    assert await numbers(url) == [1]
    async with opened(Server(url)) as again:
        assert await ask(again.account, "ann") is None


async def test_somebody_else_who_writes_into_a_database_ends_the_server(
    postgres: Postgres,
) -> None:
    url = postgres.url()
    end: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    store: SqlStore = await open_store(url, end.set_result)
    name = database(url).database or ""
    postgres.execute("UPDATE nodes SET batch = batch + 1", name)
    store.keep([TableOpened("t1", "twentytwo", 0)], lambda: pytest.fail("it was kept"))
    assert await end == "another server writes into the same database"
    await store.close()


async def test_a_server_that_is_not_there_is_refused_in_one_line(tmp_path: Any) -> None:
    with pytest.raises(Refused) as refusal:
        await open_store(f"postgresql://ann:secret@/cards?host={tmp_path}", no_end)
    said = str(refusal.value)
    assert (
        "cannot be opened: the database cannot be reached: connection to server on socket" in said
    )
    assert said.endswith("failed: No such file or directory")
    assert "secret" not in said


async def refused(url: str) -> str:
    """The reason why a server does not start with this database."""
    with pytest.raises(Refused) as refusal:
        await open_store(url, no_end)
    return str(refusal.value)


async def test_what_postgresql_itself_says_is_told(own: Postgres) -> None:
    url = own.url()
    absent = await refused(url.replace("db1", "absent"))
    assert absent.endswith('failed: FATAL:  database "absent" does not exist')
    assert (await refused(f"{url}&port=77777")).endswith('invalid port number: "77777"')
    assert (await refused(f"{url}&sslmode=bad")).endswith('invalid sslmode value: "bad"')
    rules = own.folder / "data" / "pg_hba.conf"
    rules.write_text(rules.read_text().replace("trust", "scram-sha-256"))
    own.stop()
    own.start()
    wrong = await refused(url.replace("test@", "test:secret@"))
    assert wrong.endswith('FATAL:  password authentication failed for user "test"')
    behind = await refused(f"{url}&password=secret")
    assert behind.endswith('FATAL:  password authentication failed for user "test"')
    assert "secret" not in wrong + behind
    assert wrong.startswith("the data in postgresql://test:***@/db1?host=")


async def test_connections_that_share_a_session_are_refused_in_one_line(
    postgres: Postgres,
) -> None:
    """A database behind PgBouncer with pool_mode=transaction: a session lock holds nobody off."""
    url = postgres.url()
    name = database(url).database or ""
    postgres.execute(
        "CREATE FUNCTION public.pg_backend_pid() RETURNS int LANGUAGE sql AS 'SELECT 7'", name
    )
    postgres.execute(f"ALTER DATABASE {name} SET search_path = public, pg_catalog")
    assert "set pool_mode=session, or connect directly" in await refused(url)
    postgres.execute("DROP FUNCTION public.pg_backend_pid()", name)
    await (await open_store(url, no_end)).close()


async def test_a_database_that_can_only_be_read_says_so(postgres: Postgres) -> None:
    url = postgres.url()
    async with watched(url) as the:
        name = database(url).database or ""
        postgres.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        postgres.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{name}' AND pid <> pg_backend_pid()"
        )
        later = keeping(the.store, TableOpened("t2", "twentytwo", 0))
        await the.tells("the database can only be read: cannot execute ")
        postgres.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        postgres.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{name}' AND pid <> pg_backend_pid()"
        )
        await later


def test_a_transaction_that_postgresql_has_given_up_is_tried_again() -> None:
    """The network was cut in the middle of it, for longer than `IDLE_TRANSACTION`."""
    said = "terminating connection due to idle-in-transaction timeout"
    met = fault(psycopg.errors.IdleInTransactionSessionTimeout(said))
    assert (met.passing, met.why) == (True, f"the database has given up the transaction: {said}")


def test_a_url_is_taken_as_people_write_it() -> None:
    for url in ("postgres://h/d", "postgresql://h/d", "postgresql+psycopg://h/d"):
        assert str(database(url)) == "postgresql+psycopg://h/d"
    with pytest.raises(Refused, match="not mysql://"):
        database("mysql://ann:secret@h/d")


def test_a_password_is_not_shown() -> None:
    assert "secret" not in shown("postgresql://ann:secret@h/d")
    assert shown("postgresql://h/d?password=secret&port=1") == "postgresql://h/d?port=1"
