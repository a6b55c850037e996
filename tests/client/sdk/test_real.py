"""The SDK on a real server: cut at any line, dead lines, two tables, blocking, restarts."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.client.sdk.proxy import Proxy
from tests.kit import processes
from twentytwo_client import (
    BlockingTable,
    Dismissed,
    NoAnswer,
    Question,
    Reconnected,
    Refused,
    Server,
    Table,
    Timing,
    connect,
    events,
)
from twentytwo_protocol.schema import EVENTS, ErrorClass
from twentytwo_protocol.words.lobby import TableRow

HASTY = Timing(first=0, longest=0.1)
SHORT: dict[str, Any] = {"bots": 1, "seed": 5, "first_hand": 5, "limit": 10}
"""A game of a hand or two."""


async def _play(table: Table) -> list[int]:
    """Answers every question of a game by its default; the numbers of the turns."""
    turns = []
    async for question in table.questions():
        turns.append(question.event.turn)
        await question.play(question.default)
    return turns


async def _against(server: Server, bots: int, **options: Any) -> Table:
    """A game against bots; unlike those of practice, there can be several."""
    table = await server.open(seats=bots + 1, bots=bots, clock=0, **options)
    await table.start()
    return table


async def _asked(server: Server, table: Table) -> Question:
    """The question to us, once there is one."""
    await server.until(lambda: table.question)
    question = table.question
    assert question is not None
    return question


async def _snapshot(server: Server, table: Table) -> object:
    rows = (await server.command(f"state {table.on}")).rows
    return type(table.state).from_rows(rows)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


# ------------------------------------------------------------------------------------- cuts


@pytest.mark.deadline(300)
async def test_a_cut_after_any_line_of_a_game_changes_nothing(server: str) -> None:
    async with Proxy(_port(server)) as proxy, connect(proxy.address, name="uncut") as robin:
        table = await robin.practice(**SHORT)
        proxy.count()
        turns = await _play(table)
        places = list(table.places.values())
        lines = proxy.counted
    assert len(turns) > 3
    for cut in range(1, lines, 3):
        async with (
            Proxy(_port(server)) as proxy,
            connect(proxy.address, name="cut", timing=HASTY) as robin,
        ):
            table = await robin.practice(**SHORT)
            proxy.cut_after(cut)
            assert await _play(table) == turns, cut
            assert proxy.cuts, cut
            assert list(table.places.values()) == places, cut
            assert table.state == await _snapshot(robin, table), cut


async def test_every_event_is_told_once_and_in_order_over_a_cut(server: str) -> None:
    told: list[events.Event] = []
    reconnected = []
    async with (
        Proxy(_port(server)) as proxy,
        connect(proxy.address, name="once", timing=HASTY) as robin,
    ):
        table = await robin.practice(**SHORT)
        proxy.cut_after(20)
        async for event in table:
            if isinstance(event, Reconnected):
                reconnected.append(event.complete)
            else:
                told.append(event)
            if isinstance(event, events.Gameover):
                break
            if question := table.question:
                await question.play(question.default)
        game = table.state.game
        assert game is not None
        played = [each for each in await robin.export(game.id) if isinstance(each, events.Played)]
    assert reconnected == [True]
    assert [event for event in told if isinstance(event, events.Played)] == played


async def test_what_was_not_answered_is_said_again_and_done_once(server: str) -> None:
    async with (
        Proxy(_port(server)) as proxy,
        connect(proxy.address, name="asker", timing=HASTY) as robin,
    ):
        proxy.swallow()
        assert (await robin.command("whoami")).ok
        assert proxy.cuts == 1
        proxy.swallow()
        table = await robin.practice()
        assert proxy.cuts == 2
        assert list(robin.tables) == [table.on]
        proxy.swallow()
        with pytest.raises(NoAnswer, match="block") as lost:
            await robin.command("block")
        assert lost.value.line == "block"
        assert (await robin.command("whoami")).ok  # and life goes on


async def test_a_line_that_goes_dead_is_noticed_and_the_game_goes_on(server: str) -> None:
    impatient = Timing(first=0, quiet=0.2, answer=0.5)
    async with (
        Proxy(_port(server)) as proxy,
        connect(proxy.address, name="dead", timing=impatient) as robin,
    ):
        table = await robin.practice(**SHORT)
        proxy.freeze()
        assert await _play(table)
        assert proxy.connections == 2
        assert table.places


# ----------------------------------------------------------------------------------- tables


async def test_two_tables_on_one_connection_that_is_cut(server: str) -> None:
    async with (
        Proxy(_port(server)) as proxy,
        connect(proxy.address, name="twice", timing=HASTY) as robin,
    ):
        tables = [await _against(robin, bots, first_hand=5, limit=10) for bots in (1, 2)]
        assert list(robin.tables.values()) == tables
        proxy.cut_after(30)
        short, long = await asyncio.gather(*map(_play, tables))
        assert short and long
        assert proxy.cuts == 1
        for table in tables:
            assert "~twice" in table.places
            assert table.state == await _snapshot(robin, table)


async def test_people_find_each_other_watch_and_leave(server: str) -> None:
    async with (
        connect(server, name="ann") as ann,
        connect(server, name="ben") as ben,
        connect(server, name="cat") as cat,
    ):
        first, second = await asyncio.gather(ann.seek(players=2), ben.seek(players=2))
        assert first.on == second.on
        seen = await cat.watch(first.on)
        assert seen.state.me is None and len(seen.state.seats) == 2
        assert [r.on for r in await cat.listing(TableRow, "tables") if r.on == first.on]
        await ann.tell("ben", "hello")
        async for event in ben:
            if event == events.Told("~ann", "~ben", "hello"):
                break
        await first.say("good luck")
        async for event in seen:
            if event == events.Said("~ann", "good luck"):
                break
        await first.leave()
        assert [type(e) for e in [each async for each in first]][-1:] == [events.Left]
        assert first.gone and first.question is None and first.on not in ann.tables
        assert not await first.play("-")


async def test_a_refusal_has_code_class_and_fields(server: str) -> None:
    async with connect(server, name="wrong") as robin:
        with pytest.raises(Refused) as refused:
            await robin.practice(bots="many")
        assert refused.value.code == "BAD_ARG"
        assert refused.value.kind is ErrorClass.SYNTAX
        assert refused.value.fields["arg"] == "bots"
        table = await robin.practice(bots=1, seed=1)
        question = await anext(table.questions())
        with pytest.raises(Refused) as refused:
            await question.play("2C", "3D", "4H", "5S", "6C", "7D", "8H")
        assert refused.value.kind in (ErrorClass.RULE, ErrorClass.SYNTAX)
        assert table.question is not None and table.question.same(question)
        assert await question.play(question.default)
        await robin.until(lambda: table.question)
        assert not await question.play(question.default)  # never another one
        assert table.question is not None


async def test_all_moves_are_listed_however_many(server: str) -> None:
    async with connect(server, name="mover") as robin:
        table = await robin.practice("whist22", bots=3, seed=1)
        question = await anext(table.questions())
        assert await table.moves() == question.legal


# -------------------------------------------------------------------------------- blocking


def test_without_asyncio_it_is_the_same(server: str) -> None:
    with connect(server, name="plain") as robin:
        assert robin.name == "~plain" and robin.token
        table = robin.practice(**SHORT)
        assert table.state.me == 1
        heard: list[object] = []
        for event in table:
            heard.append(event)
            if isinstance(event, events.Gameover):
                break
            question = table.question
            if question is not None:
                assert question.default in question.legal or not question.legal
                assert question.play(question.default)
        assert any(isinstance(event, events.Played) for event in heard)
        assert "~plain" in table.places
        assert list(robin.tables) == [table.on]
        with pytest.raises(Refused, match="NO_SUCH_TABLE"):
            robin.join("t99999")
        _play_blocking(robin.practice(**SHORT))
        robin.tell("plain", "done")
        assert next(robin) == events.Told("~plain", "~plain", "done")


def _play_blocking(table: BlockingTable) -> None:
    for question in table.questions():
        question.play(question.default)
    assert table.places


def test_where_nobody_listens_a_blocking_program_is_told_and_no_thread_is_left() -> None:
    import threading

    before = threading.active_count()
    with pytest.raises(OSError), connect("127.0.0.1:1", name="plain"):
        raise AssertionError
    assert threading.active_count() == before


# --------------------------------------------------------------------------------- restarts


class Restarted:
    """A server on one port and one folder, to be stopped and started again."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.port = 0
        self.start()

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        options = ("--data", str(self._data), "--port", str(self.port), "--bot-pause", "0")
        self._server = processes.Server(*options)
        _, self.port = self._server.address()

    def stop(self, *, kill: bool = False) -> None:
        """Stops it, or kills it."""
        with self._server as server:
            server.stop(signal.SIGKILL if kill else signal.SIGTERM)


@pytest.mark.deadline(120)
@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
async def test_a_restart_of_the_server_is_survived(tmp_path: Path, kill: bool) -> None:
    server = Restarted(tmp_path)
    try:
        async with connect(f"127.0.0.1:{server.port}", name="phoenix", timing=HASTY) as robin:
            tables = [await _against(robin, bots) for bots in (1, 2)]
            for table in tables:
                for _ in range(3):
                    question = await _asked(robin, table)
                    await question.play(question.default)
            await asyncio.to_thread(server.stop, kill=kill)
            await asyncio.to_thread(server.start)
            assert all(await asyncio.gather(*map(_play, tables)))
            for table in tables:
                assert "~phoenix" in table.places
                assert table.state == await _snapshot(robin, table)
    finally:
        server.stop()


async def test_the_token_takes_the_place_from_the_first_who_is_told_so(server: str) -> None:
    async with connect(server, name="twin", timing=HASTY) as first:
        table = await first.practice(**SHORT)
        async with connect(server, name="twin", token=first.token) as second:
            assert second.name == "~twin"
            await second.until(lambda: table.on in second.tables)
            with pytest.raises(Dismissed) as dismissed:
                await _play(table)
            assert dismissed.value.code == "REPLACED"
            assert await _play(second.tables[table.on])


def test_every_event_has_its_name_in_events() -> None:
    declared = {cls for cls in EVENTS.values() if cls.__module__.startswith("twentytwo_protocol.")}
    found = {getattr(events, name) for name in events.__all__}
    assert found == declared | {events.Event}
