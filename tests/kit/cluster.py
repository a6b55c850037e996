"""Several servers in one process, which share a store in memory and a simulated bus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.kit.clock import HandClock
from tests.kit.hosts import LateStore, World
from tests.kit.simulated_bus import BusFaults, SimulatedBus, SimulatedNats
from twentytwo_server.facts import Input, WantedTables
from twentytwo_server.host.cluster.cluster import Cluster
from twentytwo_server.host.recovery.inheriting import Inheritance


@dataclass
class Node:
    """A server of the place."""

    world: World
    store: LateStore
    bus: SimulatedBus
    cluster: Cluster


@dataclass
class Place:
    """Several servers, with names of one letter.

    The timelines of those in `ahead` are an hour ahead of the others. Only if they are `placing`,
    they move tables to the servers of their players.
    """

    faults: BusFaults = field(default_factory=BusFaults)
    seed: int = 22
    names: str = "abc"
    clock: HandClock = field(default_factory=HandClock)
    config: Mapping[str, Any] = field(default_factory=dict)
    ahead: str = ""
    placing: bool = False

    def __post_init__(self) -> None:
        self.nats = SimulatedNats(self.clock, self.seed, self.faults)
        self.dead: set[str] = set()
        self.store = LateStore()
        self.nodes = {name: self.start(name, run) for run, name in enumerate(self.names)}

    def start(self, name: str, run: int) -> Node:
        """Starts a server; another `run` of it needs another `boot` in `config`."""
        store = self.store.node(name)
        store.waiting = []
        config = {"clustered": True, "boot": f"boot-{name}", **self.config}
        world = World(store, clock=self.clock, run=run, **config)
        world.host.clock.set(3_600_000 if name in self.ahead else 0)
        bus, heir = self.nats.bus(name), world.host.parts.make(Inheritance)
        cluster = Cluster(world.host.parts, self.clock, bus, name, heir)
        if not self.placing:
            cluster.placement.stop()
        return Node(world, store, bus, cluster)

    def __getitem__(self, name: str) -> World:
        return self.nodes[name].world

    @property
    def alive(self) -> list[World]:
        """The servers that were not killed."""
        return [node.world for name, node in self.nodes.items() if name not in self.dead]

    def advance(self, ms: int) -> None:
        self.clock.advance(ms)

    def inputs(self, table: str = "t1") -> Sequence[Input]:
        """The stored inputs of an open table."""
        found: list[Sequence[Any] | None] = []
        self.store.newer_inputs({table: 0}, found.append)
        assert found[0]
        inputs: Sequence[Input] = found[0][0].inputs
        return inputs

    def kill(self, name: str) -> None:
        """A server stops in the middle of everything."""
        node = self.nodes[name]
        node.bus.die()
        node.store.late = True
        node.cluster.stop()
        node.world.host.tables.halt()
        self.dead.add(name)

    def hold_inputs(self, name: str) -> list[Callable[[], None]]:
        """Has the answers of the store about inputs wait; call them in order."""
        store, held = self.nodes[name].store, list[Callable[[], None]]()
        read = store.newer_inputs

        def newer_inputs(known: Mapping[str, int], done: Callable[[Any], None]) -> None:
            read(known, lambda found: held.append(partial(done, found)))

        store.newer_inputs = newer_inputs  # type: ignore[method-assign]
        return held

    def count_questions(self, name: str) -> Callable[[], int]:
        """Counts the questions of a server about owners from now on."""
        store, asked = self.nodes[name].store, list[WantedTables]()
        ask = store.owners

        def owners(wanted: WantedTables, done: Callable[[Any], None]) -> None:
            asked.append(wanted)
            ask(wanted, done)

        store.owners = owners  # type: ignore[method-assign]
        return lambda: len(asked)

    def take_over(self, dead: str, heir: str) -> None:
        """A server takes the tables of a dead one; the people of that one are away."""
        self.nodes[heir].store.take_tables(dead)
