"""Three servers over a real PostgreSQL and a real NATS: a game whose players sit at all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import cast

import pytest
from twisted.internet import reactor

from tests.kit.clock import HandClock
from tests.kit.hosts import Peer, World
from tests.kit.nats import NatsServer
from tests.kit.operators import HOUR, Operator
from tests.kit.postgres import Postgres
from tests.net.test_transport import StoppableClock
from tests.store.kit import no_end
from twentytwo_protocol.wire import ParsedLine
from twentytwo_server.bus.settings import BusSettings
from twentytwo_server.membership import join
from twentytwo_server.store.node_settings import NodeSettings
from twentytwo_server.store.sql import open_store

pytestmark = pytest.mark.deadline(100)


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsServer]:
    server = NatsServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


@dataclass
class Client:
    """A program at one of the servers."""

    peer: Peer
    token: str = ""
    _ids: Iterator[int] = field(default_factory=count)

    async def ask(self, line: str) -> ParsedLine:
        """Gives a command; returns its reply."""
        id = f"i{next(self._ids)}"
        self.peer.hear(f"@{id} {line}")
        while True:
            found = [each for each in self.peer.records() if each.id == id]
            if found and found[-1].word in ("OK", "ERR"):
                assert found[-1].word == "OK", (line, found[-1])
                return found[-1]
            await asyncio.sleep(0.002)

    async def enter(self, line: str) -> None:
        """Comes in by `guest` or `resume`."""
        self.token = (await self.ask(line)).fields["token"]

    def told(self) -> list[str]:
        """The lines of the table that have come."""
        return [line for line in self.peer.lines if line.split(" ", 1)[-1].startswith("on=t")]


@asynccontextmanager
async def serving(url: str, nats: NatsServer, node: str, run: int) -> AsyncGenerator[World]:
    """A server of the place, while it is needed."""
    clock = StoppableClock(reactor)
    store = await open_store(url, no_end, NodeSettings(node, active=True))
    try:
        world = World(
            store,
            clock=cast(HandClock, clock),
            run=run,
            remembered=await store.load(),
            boot=f"boot-{node}",
            clustered=True,
            dev=True,
        )
        place = await store.place()
        membership = join(world.host, clock, BusSettings(url=nats.url), node, place)
        while not membership.bus.connected:
            await asyncio.sleep(0.005)
        yield world
        await membership.end()
        world.host.tables.halt()
    finally:
        await store.close()
        clock.stop()


@pytest.mark.parametrize("game", ["twentytwo", "twentyeight"])
async def test_a_game_whose_players_sit_at_three_servers(
    game: str, nats: NatsServer, postgres: Postgres
) -> None:
    with postgres.lent() as url:
        async with AsyncExitStack() as open:
            nodes = {
                node: await open.enter_async_context(serving(url, nats, node, run))
                for run, node in enumerate("abc")
            }
            people = {
                name: Client(nodes[node].program())
                for name, node in zip(NAMES, "abcb", strict=True)
            }
            for name, client in people.items():
                await client.enter(f"guest {name}")
            on = (await people["ann"].ask(f"open {game} seats=4 clock=0")).fields["on"]
            for name in NAMES[1:]:
                await people[name].ask(f"join {on}")
                await people[name].ask(f"ready {on}")
            await people["ann"].ask(f"ready {on}")
            await people["ann"].ask(f"start {on}")
            room = nodes["a"].host.rooms.own[on]
            for moves in range(30):
                seat, match = room.table.on_turn, room.table.match
                if seat is None or match is None or match.question is None:
                    break
                if moves == 15:  # Bob goes on at the server of the table
                    token, people["bob"] = people["bob"].token, Client(nodes["a"].program())
                    await people["bob"].enter(f"resume {token} {on}:0")
                mover = people[seat.name.lstrip("~")]
                moved = await mover.ask(f"move {match.question.default} {on}")
                await _shown(nodes, on, int(moved.fields["seq"]))
            assert moves > 20
            past = [await _past(client, on) for client in people.values()]
            watcher = Client(nodes["c"].program())
            await watcher.enter("guest eve")
            await watcher.ask(f"watch {on}")
            past.append(await _past(watcher, on))
            for each in past:
                assert [*map(_public, each)] == [*map(_public, past[0])]
            assert len(past[0]) > 40


NAMES = ("ann", "bob", "cat", "dan")


async def test_an_operator_at_one_server_reaches_people_at_another(
    nats: NatsServer, postgres: Postgres
) -> None:
    with postgres.lent() as url:
        async with AsyncExitStack() as open:
            nodes = {
                node: await open.enter_async_context(serving(url, nats, node, run))
                for run, node in enumerate("ab")
            }
            operators = {node: Operator(world) for node, world in nodes.items()}
            ann, bob = (Client(nodes[node].program()) for node in "ab")
            await ann.enter("register ann :three blind mice")
            await bob.enter("guest bob")
            loop = asyncio.get_running_loop()

            async def does(node: str, command: str, **given: object) -> str:
                return (await operators[node].asks(command, **given).asFuture(loop)).text

            while not (told := await does("b", "announce", text="Tea!")).endswith("1 connection"):
                await asyncio.sleep(0.05)
            assert told == "told on 1 connection; a: told on 1 connection"
            assert "ANNOUNCE" in "".join(ann.peer.lines)
            assert await does("a", "kick", target="bob") == "1 closed"
            assert bob.peer.hung_up
            await does("b", "ban", target="ann", ms=HOUR)
            while not ann.peer.hung_up:
                await asyncio.sleep(0.005)


async def _shown(nodes: dict[str, World], on: str, seq: int) -> None:
    """Waits until all servers show the same events of the table, and this one among them."""
    while True:
        last = {node.host.rooms[on].stream.last for node in nodes.values()}  # all have players
        if len(last) == 1 and min(last) >= seq:
            return
        await asyncio.sleep(0.002)


async def _past(client: Client, on: str) -> list[str]:
    """All events of the table, as the player has seen them."""
    client.peer.take()
    await client.ask(f"sync {on} from=0")
    return client.told()


def _public(line: str) -> str:
    """The word and the number of an event, which are the same for everybody."""
    word, _, rest = line.partition(" ")
    return f"{word} {rest.split(' ')[1]}"


async def test_people_at_three_servers_find_and_tell_each_other(
    nats: NatsServer, postgres: Postgres
) -> None:
    with postgres.lent() as url:
        async with AsyncExitStack() as open:
            nodes = {
                node: await open.enter_async_context(serving(url, nats, node, run))
                for run, node in enumerate("abc")
            }
            people = [Client(nodes[node].program()) for node in "abc"]
            for client, name in zip(people, NAMES, strict=False):
                await client.enter(f"guest {name}")
            await asyncio.gather(*(c.ask("seek twentytwo players=3") for c in people))
            tables = {await _found(client) for client in people}
            assert len(tables) == 1
            (on,) = tables
            room = nodes["a"].host.rooms[on]
            assert {seat.name for seat in room.table.people} == {"~ann", "~bob", "~cat"}
            for number in range(3):
                await people[0].ask(f"tell bob :line {number}")
                await people[2].ask(f"tell bob once=k{number} :line {number}")
            bob = people[1].peer
            bob.take()
            await people[1].ask("sync me from=0")
            assert bob.words("me") == ["TOLD"] * 6
            there = ["~ann", "~bob", "~cat"]
            while [row["name"] for row in await _rows(people[1], "who")] != there:
                await asyncio.sleep(0.01)
            assert await _rows(people[1], "seeks") == []


async def _found(client: Client) -> str:
    """The table to which the seek of a person has led."""
    while True:
        for event in client.peer.events():
            if event.word == "NOTE" and event.fields["code"] == "FOUND":
                return event.fields["table"]
        await asyncio.sleep(0.005)


async def _rows(client: Client, line: str) -> list[Mapping[str, str]]:
    """The rows of a list."""
    last = await client.ask(line)
    return [r.fields for r in client.peer.records() if r.id == last.id and r.word != "OK"]
