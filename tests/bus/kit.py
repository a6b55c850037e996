"""Places with several buses, and short ways to wait for what they do."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.kit.clock import HandClock
from tests.kit.nats import NatsServer
from tests.kit.simulated_bus import SimulatedNats
from twentytwo_server.bus.local import LocalBus
from twentytwo_server.bus.nats import NatsBus
from twentytwo_server.bus.settings import BusSettings
from twentytwo_server.ports import Bus
from twentytwo_server.subjects import Subject

LONG = 1_000_000
"""Milliseconds that no test lets pass."""

_numbers = itertools.count(1)


class BusPlace:
    """Servers with a bus in common. Their timers are those of `clock`, which stands still."""

    def __init__(self, make: Callable[[HandClock, str], Bus], joined: bool) -> None:
        self.clock = HandClock()
        self._make = make
        self.joined = joined
        """True if all buses are one: then one that closes ends the others."""

    async def until(self, what: Callable[[], object]) -> None:
        """Lets everything go on until this is true. Of the clock no time passes."""
        while not what():
            self.clock.settle()
            await asyncio.sleep(0)

    @asynccontextmanager
    async def buses(self, *nodes: str) -> AsyncGenerator[list[Bus]]:
        """The connected buses of these servers."""
        made = [self._make(self.clock, node) for node in nodes]
        try:
            await self.until(lambda: all(bus.connected for bus in made))
            yield made
        finally:
            for bus in made:
                await bus.close()
            self.clock.settle()
            assert not self.clock.waiting, "a timer is left"

    async def known(self, bus: Bus) -> None:
        """Waits until all know the subscriptions of this bus: what it tells itself has arrived."""
        came: list[bytes] = []
        probe = Subject(f"probe.{next(_numbers)}")
        stop = bus.listen(probe, came.append)
        bus.tell(probe, b"")
        await self.until(lambda: came)
        stop()

    async def answer(self, bus: Bus, subject: Subject, data: bytes, ms: int = LONG) -> bytes | None:
        """The answer to a question."""
        answers: list[bytes | None] = []
        bus.ask(subject, data, ms, answers.append)
        assert not answers, "a callback within the call"
        await self.until(lambda: answers)
        (answer,) = answers
        return answer


def local_place() -> BusPlace:
    """One server, by itself: all who ask for a bus get the same."""
    found: list[LocalBus] = []

    def make(clock: HandClock, node: str) -> Bus:
        found.append(found[0] if found else LocalBus(clock))
        return found[0]

    return BusPlace(make, joined=True)


def simulated_place() -> BusPlace:
    """Servers with a simulated bus without faults."""
    nats: list[SimulatedNats] = []

    def make(clock: HandClock, node: str) -> Bus:
        if not nats:
            nats.append(SimulatedNats(clock))
        return nats[0].bus(node)

    return BusPlace(make, joined=False)


def nats_place(server: NatsServer, **settings: Any) -> BusPlace:
    """Servers at a NATS, as a place of their own."""
    named, place = BusSettings(**{"url": server.url} | settings), f"place{next(_numbers)}"
    return BusPlace(lambda clock, node: NatsBus(named, clock, node, place), joined=False)
