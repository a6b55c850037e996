"""The orders to a table that wait for their turn, and how each of them ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.value import Value

from ...consequences import Consequence
from ...facts import Fact
from ...session.streams import Burst
from ...table.decision import Actor
from ...table.effects import Effect, Inner
from ...table.opening import Opening
from ...table.table import Table


@dataclass(slots=True)
class Answer:
    """How an order ended: by a `refusal`, or else `seq` is the number of its first event.

    `table` is the table after the order, None where it is refused.
    """

    seq: int = 0
    refusal: Refused | None = None
    table: Table | None = None

    def seat(self, name: str) -> int | None:
        """The number of the seat that somebody has after the order, or None."""
        seat = self.table.seat_of(name) if self.table is not None else None
        return seat.number if seat is not None else None


Answered = Callable[[Answer], None]
"""Called with how an order ended, before any of its events is sent."""

Kept = Callable[[Answer], Sequence[Fact]]
"""What is to be stored in one transaction with an order, given how it is about to be answered."""

SERVER = Actor("")


class QueuedOrder(Value):
    """An order in the queue of a room.

    `answered` is called when it has ended; what `kept` returns is stored with it. It is dropped
    without an answer if `wanted()` is false when it reaches the front.
    """

    who: Actor
    order: Command | Inner | Opening
    answered: Answered
    kept: Kept = lambda answer: ()
    wanted: Callable[[], bool] = lambda: True


class Outcome(Value):
    """What an order has led to: the table `after` it, the effects, and the events among them."""

    queued: QueuedOrder
    after: Table
    effects: Sequence[Effect]
    burst: Burst


class Hold(Value):
    """A place in the queue of a room at which it stands still: `held` is called then.

    `answered` is called instead if the room is closed before.
    """

    held: Callable[[], None]
    answered: Answered


class OrderQueue:
    """The orders to one table, of which one is carried out at a time.

    `busy`: the one before is not stored yet, or the queue is held; no other is taken until
    `busy` is false again and `carry_out` is called. It keeps no room alive.
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

    def put(self, queued: QueuedOrder | Hold) -> None:
        """Adds an order behind the others; it is refused at once if the table is closed."""
        if self._gone is not None:
            queued.answered(Answer(refusal=self._gone))
        else:
            self._waiting.append((queued, Consequence()))

    def put_first(self, queued: QueuedOrder) -> None:
        """Adds an order before all others."""
        self._waiting.insert(0, (queued, Consequence()))

    def carry_out(self, take: Callable[[QueuedOrder], None]) -> None:
        """Has `take` carry out the orders that are due, one after the other.

        Within an order it does nothing: the next one is taken when that order is done. A place to
        stand still at is called when its turn comes.
        """
        if self._working:
            return
        self._working = True
        try:
            while self._waiting and not self.busy and not self._stopped:
                first, consequence = self._waiting.pop(0)
                with consequence:
                    if isinstance(first, Hold):
                        self.busy = True
                        first.held()
                    else:
                        take(first)
        finally:
            self._working = False

    def stop(self) -> None:
        """No order is due any more."""
        self._stopped = True

    def refuse(self, gone: Refused) -> None:
        """Refuses what comes from now on. What has waited is refused by `refuse_waiting`."""
        self._gone = gone

    def refuse_waiting(self) -> None:
        """Refuses, in order, all that has waited until `refuse`."""
        while self._waiting:
            first, consequence = self._waiting.pop(0)
            with consequence:
                first.answered(Answer(refusal=self._gone))


def ignore_answer(_: Answer) -> None:
    """For orders of the server itself and of bots."""
