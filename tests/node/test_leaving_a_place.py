"""A server stops while others go on: no order of its people begins after their BYE."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from twisted.internet.address import IPv4Address

from tests.kit.cluster import Place
from tests.kit.hashing import Direct
from tests.kit.pairs import GREETING, Line
from twentytwo_server.host.cluster.following import LOOK
from twentytwo_server.host.cluster.sending import LIMIT
from twentytwo_server.host.reviews import NoReviewWorkers
from twentytwo_server.host.surroundings import NoBotWorkers
from twentytwo_server.limits.connections import Limits
from twentytwo_server.membership import Membership
from twentytwo_server.net.channel import Channels, Reception
from twentytwo_server.net.transport import Listener
from twentytwo_server.node import ANSWERED, Node
from twentytwo_server.process_clock import ProcessClock


class Leaving:
    """Servers `a` and `b`. Bob and Cat are at `a`, which stops, and Ann is at `b`.

    Ann's table is at `b`; Bob and Cat have seats there.
    """

    def __init__(self) -> None:
        self.place = Place(names="ab")
        a = self.place.nodes["a"]
        clock = ProcessClock(self.place.clock)
        channels = Channels(a.world.commands, clock, Reception(Limits(), GREETING))
        fakes: Any = (NoBotWorkers(), NoReviewWorkers(), a.store, Direct(), clock)
        self.node = Node(a.world.host, channels, *fakes)
        self.node.membership = Membership(a.bus, a.cluster)
        self.listener = Listener(channels)
        self.ann = self.place["b"].program("ann")
        self.ann.ok("open whist22 seats=4 clock=0")
        self.place.advance(2 * LOOK)
        self.bob, self.cat = self.comes("bob"), self.comes("cat")

    def comes(self, name: str) -> Line:
        """Somebody comes to `a`, and sits down at the table."""
        line = Line(self.place.clock, self.listener.buildProtocol(IPv4Address("TCP", "::1", 4)))
        line.send(f"hello 1 client=t\nguest {name}\n")
        line.send("@j join t1\n")
        self.place.advance(2 * LOOK)
        assert "@j OK" in line.read()
        return line

    def stops(self) -> None:
        """Server `a` begins to stop."""
        self.stopping = self.node.stop().asFuture(asyncio.get_running_loop())
        self.place.clock.settle()

    async def wait(self, ms: int) -> None:
        """Lets time pass, and the server do what is due then."""
        self.place.advance(ms)
        for _ in range(10):
            await asyncio.sleep(0)

    def said(self) -> list[str]:
        """Everything that was said at the table, as it is stored."""
        orders = [each.order for each in self.place.inputs()]
        return [order.split('"text":"')[1].split('"')[0] for order in orders if '"text"' in order]


def _answers(line: Line) -> list[str]:
    """The answers to commands, and the goodbye."""
    found = [each.split(" ") for each in line.lines() if each.startswith(("@", "BYE"))]
    return [" ".join(words[:2]) for words in found]


async def test_an_order_for_a_table_of_another_server_is_answered_before_the_goodbye() -> None:
    leaving = Leaving()
    leaving.place.nats.cut("a", "b")
    leaving.bob.send("@s say table=t1 :before\n")
    leaving.stops()
    await leaving.wait(3_000)
    assert _answers(leaving.bob) == []
    assert leaving.said() == []
    leaving.place.nats.heal()
    await leaving.wait(2 * LOOK)
    assert _answers(leaving.bob) == ["@s OK", "BYE code=SHUTDOWN"]
    assert leaving.said() == ["before"]
    await leaving.stopping


async def test_a_line_that_comes_when_the_stop_has_begun_is_not_carried_out() -> None:
    leaving = Leaving()
    leaving.place.nats.cut("a", "b")
    leaving.bob.send("@1 say table=t1 :first\n@2 say table=t1 :second\n")
    leaving.cat.send("@3 say table=t1 :third\n")
    leaving.stops()
    leaving.bob.send("@4 say table=t1 :fourth\n")
    leaving.place.nats.heal()
    await leaving.wait(2 * LOOK)
    assert _answers(leaving.bob) == ["@1 OK", "BYE code=SHUTDOWN"]
    assert _answers(leaving.cat) == ["@3 OK", "BYE code=SHUTDOWN"]
    assert leaving.said() == ["first", "third"]
    await leaving.stopping


async def test_who_waits_for_nothing_reads_the_goodbye_at_once() -> None:
    leaving = Leaving()
    leaving.place.nats.cut("a", "b")
    leaving.bob.send("@s say table=t1 :before\n")
    leaving.stops()
    await leaving.wait(LOOK)
    assert _answers(leaving.cat) == ["BYE code=SHUTDOWN"]
    await leaving.wait(LIMIT)
    assert _answers(leaving.bob) == ["BYE code=MOVED"]
    leaving.place.nats.heal()
    await leaving.wait(LIMIT)
    assert leaving.said() == []
    await leaving.stopping


async def test_an_order_of_somebody_whose_connection_is_lost_is_waited_for() -> None:
    leaving = Leaving()
    leaving.place.nats.cut("a", "b")
    leaving.bob.send("@s say table=t1 :before\n")
    leaving.bob.lose()
    leaving.stops()
    await leaving.wait(LOOK)
    assert not leaving.stopping.done()
    leaving.place.nats.heal()
    await leaving.wait(2 * LOOK)
    assert leaving.said() == ["before"]
    await leaving.stopping


async def test_mail_for_another_server_is_given_up_before_the_goodbye() -> None:
    leaving = Leaving()
    leaving.place.nats.cut("a", "b")
    leaving.cat.send("@t tell ann :hello\n")
    leaving.stops()
    await leaving.wait(ANSWERED + LOOK)
    assert _answers(leaving.cat) == ["BYE code=MOVED"]
    await leaving.stopping


async def test_a_line_without_an_answer_does_not_keep_a_server_from_stopping(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leaving = Leaving()
    monkeypatch.setattr(leaving.node.store, "keeper_by_secret", lambda secret, done: None)
    leaving.cat.send("logout\n@r resume nothing\n")
    leaving.cat.lines()
    leaving.stops()
    await leaving.wait(ANSWERED - LOOK)
    assert not leaving.stopping.done()
    await leaving.wait(2 * LOOK)
    assert _answers(leaving.cat) == ["BYE code=SHUTDOWN"]
    await leaving.stopping
