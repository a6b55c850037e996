"""The queue of orders to a table, and the answer to each order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import final

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.value import Value

from ...consequences import Consequence
from ...facts import Fact
from ...session.streams import Burst
from ...table.decision import Actor, Decision
from ...table.effects import Inner
from ...table.opening import Opening
from ...table.table import Table


class OrderResult(Value):
    """The result of an order: a `refusal`, or else `seq`, the number of its first event.

    `table` is the table after the order, None where it is refused.
    """

    seq: int = 0
    refusal: Refused | None = None
    table: Table | None = None

    def seat(self, name: str) -> int | None:
        """The seat number of a person after the order, or None."""
        seat = self.table.seat_of(name) if self.table is not None else None
        return seat.number if seat is not None else None


Answered = Callable[[OrderResult], None]
"""Called with the result of an order, before any of its events is sent."""

FurtherFacts = Callable[[OrderResult], Sequence[Fact]] | None
"""Returns the facts to store in one transaction with an order, given its answer; None if there are
none.
"""

SERVER = Actor("")


class QueuedOrder(Value):
    """An order in the queue of a room.

    `answered` is called with the result; the facts that `further` returns are stored with the
    order. If `wanted()` is false when the order reaches the front, it is dropped without an answer.
    An order with a `tag` that has been carried out already is answered again, and changes nothing.
    """

    who: Actor
    order: Command | Inner | Opening
    answered: Answered
    further: FurtherFacts = None
    wanted: Callable[[], bool] | None = None
    tag: str = ""


class Outcome(Value):
    """A decided order, and its events with their numbers."""

    queued: QueuedOrder
    decision: Decision
    burst: Burst


@final
class Hold(Value):
    """A position in the queue at which the queue stops and `held` is called.

    `answered` is called instead if the room is closed before.
    """

    held: Callable[[], None]
    answered: Answered


Take = Callable[[QueuedOrder], None]
"""Decides and stores an order; it may be stored only later."""


class OrderQueue:
    """The orders to one table, carried out one at a time.

    `busy`: the previous order is not stored yet, or the queue is held. The next order waits until
    `busy` is false and `carry_out` is called. The queue has no strong reference to the room.
    """

    def __init__(self) -> None:
        self.busy = False
        self._waiting: list[tuple[QueuedOrder | Hold, Consequence]] = []
        self._working = False
        self._stopped = False
        self._gone: Refused | None = None

    @property
    def empty(self) -> bool:
        """True if no order waits, and none is being stored."""
        return not self.busy and not self._waiting

    def put(self, queued: QueuedOrder | Hold, take: Take) -> None:
        """Carries out an order, and all that are due after it; or queues it if it has to wait.

        It is refused at once if the table is closed.
        """
        if self._gone is not None:
            queued.answered(OrderResult(refusal=self._gone))
        elif self._working or self.busy or self._waiting or self._stopped:
            self._waiting.append((queued, Consequence()))
            self.carry_out(take)
        else:
            self._working = True
            try:
                if type(queued) is Hold:
                    self._hold(queued)
                else:
                    take(queued)
            finally:
                self._working = False
            if self._waiting:
                self.carry_out(take)

    def put_first(self, queued: QueuedOrder) -> None:
        """Adds an order before all others."""
        self._waiting.insert(0, (queued, Consequence()))

    def _hold(self, hold: Hold) -> None:
        self.busy = True
        hold.held()

    def carry_out(self, take: Take) -> None:
        """Calls `take` for the orders that are due, one after the other.

        A call from within an order does nothing: the next order follows when that order is done. A
        `Hold` is called when its turn comes.
        """
        if self._working:
            return
        self._working = True
        try:
            while self._waiting and not self.busy and not self._stopped:
                first, consequence = self._waiting.pop(0)
                with consequence:
                    if isinstance(first, Hold):
                        self._hold(first)
                    else:
                        take(first)
        finally:
            self._working = False

    def stop(self) -> None:
        """Stops carrying out orders."""
        self._stopped = True

    def take_waiting(self) -> list[tuple[QueuedOrder | Hold, Consequence]]:
        """Removes the waiting orders, each with its part in a command, and returns them."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def refuse(self, gone: Refused) -> None:
        """Refuses new orders. `refuse_waiting` refuses the waiting ones."""
        self._gone = gone

    def refuse_waiting(self) -> None:
        """Refuses, in order, the orders that waited before `refuse`."""
        while self._waiting:
            first, consequence = self._waiting.pop(0)
            with consequence:
                first.answered(OrderResult(refusal=self._gone))


def ignore_answer(_: OrderResult) -> None:
    """For orders of the server itself and of bots."""
