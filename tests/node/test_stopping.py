"""What a server does last: it answers what is being stored, and then says goodbye."""

from __future__ import annotations

import asyncio
from typing import Any

from twisted.internet.address import IPv4Address

from tests.kit.hashing import Direct
from tests.kit.hosts import LateStore, World
from tests.kit.pairs import GREETING, Line
from twentytwo_server.host.reviews import NoReviewWorkers
from twentytwo_server.host.surroundings import NoBotWorkers
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.channel import Channels, Reception
from twentytwo_server.net.transport import Listener
from twentytwo_server.node import STORED, Node
from twentytwo_server.process_clock import ProcessClock


class Stopped:
    """A node over fakes, with a move of ann's that is being stored when it stops."""

    def __init__(self) -> None:
        self.store = LateStore()
        self.world = World(self.store)
        clock = ProcessClock(self.world.clock)
        channels = Channels(self.world.commands, clock, Reception(Limits(), GREETING))
        fakes: Any = (NoBotWorkers(), NoReviewWorkers(), self.store, Direct(), clock)
        self.node = Node(self.world.host, channels, *fakes)
        listener = Listener(channels)
        where = IPv4Address("TCP", "127.0.0.1", 4)
        self.ann = Line(self.world.clock, listener.buildProtocol(where))
        self.ann.send("hello 1 client=t\nguest ann\npractice bots=1 seed=22 clock=0\n")
        self.ann.read()
        self.ann.send("practice bots=1 seed=22\n")
        self.ann.read()
        self.store.late = True
        self.ann.send("@m move -\n")
        self.stopping = self.node.stop().asFuture(asyncio.get_running_loop())
        self.world.clock.settle()


async def test_what_was_being_stored_is_answered_before_the_goodbye() -> None:
    stopped = Stopped()
    assert stopped.ann.lines() == []
    stopped.store.late = False
    stopped.store.release()
    stopped.world.clock.settle()
    lines = stopped.ann.lines()
    assert lines[0].startswith("@m OK")
    assert lines[-1].startswith("BYE code=SHUTDOWN")
    await stopped.stopping


async def test_a_store_that_does_not_answer_keeps_nobody_from_a_goodbye() -> None:
    stopped = Stopped()
    stopped.world.clock.advance(STORED - 1)
    assert stopped.ann.lines() == []
    stopped.world.clock.advance(1)
    assert [line.split()[1] for line in stopped.ann.lines()] == ["code=SHUTDOWN"]
    await stopped.stopping
