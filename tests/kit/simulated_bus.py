"""A simulated bus between simulated servers: it loses, doubles, delays and reorders messages."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from twentytwo_server.bus.common import (
    HandlersBySubject,
    OpenQuestions,
    fits,
    guarded,
    ignoring_reply,
    no_reply,
)
from twentytwo_server.ports import Clock, MessageHandler, Unsubscribe
from twentytwo_server.subjects import Subject


@dataclass(frozen=True)
class BusFaults:
    """The shares of messages that are lost and doubled, and the longest delay in milliseconds.

    Each message has its own delay, and so they overtake each other.
    """

    lost: float = 0.0
    doubled: float = 0.0
    delay: int = 0


class SimulatedNats:
    """A NATS for simulated servers. Everything follows from the seed and the calls."""

    def __init__(self, clock: Clock, seed: int = 0, faults: BusFaults = BusFaults()) -> None:
        self.faults = faults
        self._clock = clock
        self._dice = random.Random(seed)
        self._cut: set[tuple[str, str]] = set()
        self.buses: list[SimulatedBus] = []

    def bus(self, node: str, clock: Clock | None = None) -> SimulatedBus:
        """The bus of a server, whose timers are those of `clock`."""
        made = SimulatedBus(self, node, clock or self._clock)
        self.buses.append(made)
        return made

    def cut(self, sender: str, receiver: str) -> None:
        """Loses all messages from one server to another, also answers."""
        self._cut.add((sender, receiver))

    def heal(self) -> None:
        """Ends all cuts."""
        self._cut.clear()

    def stop(self) -> None:
        """Disconnects all servers, as NATS does when it stops."""
        for bus in self.buses:
            bus.connect(False)

    def start(self) -> None:
        """Connects all servers again."""
        for bus in self.buses:
            bus.connect(True)

    def carry(self, sender: SimulatedBus, receiver: SimulatedBus, call: Callable[[], None]) -> None:
        """Delivers a message, as the faults will have it."""
        cut = (sender.node, receiver.node) in self._cut
        if cut or not sender.connected or self._dice.random() < self.faults.lost:
            return
        for _ in range(1 + (self._dice.random() < self.faults.doubled)):
            delay = self._dice.randint(0, self.faults.delay)
            self._clock.later(delay, partial(self._arrive, receiver, receiver.connection, call))

    def _arrive(self, receiver: SimulatedBus, connection: int, call: Callable[[], None]) -> None:
        if receiver.connected and receiver.connection == connection:
            call()


class SimulatedBus:
    """`ports.Bus` of one simulated server."""

    def __init__(self, nats: SimulatedNats, node: str, clock: Clock) -> None:
        self.node = node
        self.connected = True
        self.connection = 1
        self.subscriptions = HandlersBySubject()
        self._nats = nats
        self._questions = OpenQuestions(clock)
        self._watching: list[Callable[[bool], None]] = []

    def watch(self, changed: Callable[[bool], None]) -> None:
        self._watching.append(changed)

    def connect(self, connected: bool) -> None:
        """Loses the connection, or has it again; messages on their way are lost."""
        if self.connected != connected:
            self.connected = connected
            self.connection += connected
            if not connected:
                self._questions.end_all()
            for changed in tuple(self._watching):
                guarded(changed, connected)

    def tell(self, subject: Subject, data: bytes) -> None:
        self._send(subject, data, no_reply)

    def listen(self, subject: Subject, heard: Callable[[bytes], None]) -> Unsubscribe:
        return self.serve(subject, ignoring_reply(heard))

    def ask(
        self, subject: Subject, data: bytes, ms: int, answered: Callable[[bytes | None], None]
    ) -> None:
        number = self._questions.add(ms, answered)
        if not self._send(subject, data, number):
            self._questions.end_soon(number)

    def serve(self, subject: Subject, handler: MessageHandler) -> Unsubscribe:
        return self.subscriptions.add(subject, handler)

    def _send(self, subject: Subject, data: bytes, question: int | Callable[[bytes], None]) -> bool:
        """Sends a message to all who hear the subject; False if it is lost already."""
        hearing = [
            bus for bus in self._nats.buses if bus.connected and subject in bus.subscriptions
        ]
        if not self.connected or not fits(data):
            return False
        for bus in hearing:
            reply = partial(bus.answer, self, question) if isinstance(question, int) else question
            self._nats.carry(self, bus, partial(bus.subscriptions.deliver, subject, data, reply))
        return bool(hearing)

    def answer(self, asker: SimulatedBus, number: int, data: bytes) -> None:
        """Sends the answer to a question."""
        if fits(data):
            self._nats.carry(self, asker, partial(asker.end, number, data))

    def end(self, number: int, data: bytes) -> None:
        """Takes the answer to a question."""
        self._questions.end(number, data)

    def die(self) -> None:
        """Ends, as its server does when it is killed."""
        self.connected = False
        self.subscriptions.drop()
        self._questions.drop()
        self._watching.clear()
        if self in self._nats.buses:
            self._nats.buses.remove(self)

    async def close(self) -> None:
        """Ends. What was told is still delivered."""
        self.die()
