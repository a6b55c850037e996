"""A server as a member of its place: its bus, and its part of the cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .bus.opening import open_bus
from .bus.settings import BusSettings
from .host.cluster.cluster import Cluster
from .host.host import Host
from .host.recovery.inheriting import Inheritance
from .ports import Bus, Clock


@dataclass(frozen=True, slots=True)
class Membership:
    """An active server among others. `end` leaves them."""

    bus: Bus
    cluster: Cluster

    def give_tables(self, done: Callable[[], None]) -> None:
        """Gives all tables to the other servers, because this one stops; then calls `done`."""
        self.cluster.placement.give_all(done)

    async def end(self) -> None:
        """Stops answering the other servers."""
        self.cluster.stop()
        await self.bus.close()


def join(host: Host, clock: Clock, settings: BusSettings, node: str, place: str) -> Membership:
    """Joins the servers that share the database with the name `place`.

    `node` is the name of this one, and `clock` never stands still. Raises `ValueError` in one line
    if the settings cannot be used.
    """
    bus = open_bus(settings, clock, node, place)
    return Membership(bus, Cluster(host.parts, clock, bus, node, host.parts.make(Inheritance)))
