"""Sends the orders of this server's people to the owners of their tables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from msgspec import json

from ...ports import Bus, Clock
from ...subjects import orders
from ...table import journal
from ...table.effects import Renamed
from ..guest_merge import RENAMING
from ..tables.remote_room import SentOrder
from .order_messages import OrderQuestion, QuestionOutcome, read_answer

WAIT = 1_000
"""Milliseconds until a question counts as lost."""
RETRY = 100
"""The shortest pause before the owner is asked again, in milliseconds. Pauses grow up to `WAIT`."""
LIMIT = 20_000
"""Milliseconds after which an order without an answer is given up."""


@dataclass(frozen=True, slots=True)
class OwnerClock:
    """The clock of a run of another server: it is at least `ahead` ahead of this server's clock.

    The difference was seen in a message, so the delay of the message is missing from it.
    """

    run: str = ""
    ahead: int = 0


@dataclass(slots=True)
class Sender:
    """`OrderSender` over a bus.

    An order without an answer may have been carried out. So it is retried with the same tag, at the
    server that owns the table by then. `run` is the name of this server and of its run. `read`
    reads the newer inputs of a table, and `find_owner` looks up its owner.
    """

    bus: Bus
    clock: Clock
    run: str
    read: Callable[[str], None]
    find_owner: Callable[[str], None]
    _numbers: Iterator[int] = field(init=False, default_factory=lambda: itertools.count(1))
    _clocks: dict[str, OwnerClock] = field(init=False, default_factory=dict)

    def new_tag(self) -> str:
        """A tag that no other order has, on any server. No key of a command has a `/`."""
        return f"{self.run}/{next(self._numbers)}"

    def look(self, table: str) -> None:
        """Reads the newer inputs of a table."""
        self.read(table)

    def send(self, sent: SentOrder) -> None:
        """Sends an order until the owner has answered, or `LIMIT` is over."""
        limit = _limit(sent)
        end = self.clock.now() + limit
        sent.limit = self.clock.later(limit, lambda: sent.room.give_up(sent))
        self._ask(sent, end)

    def _ask(self, sent: SentOrder, end: int) -> None:
        if sent.settled or sent.verdict is not None:
            return
        room, queued = sent.room, sent.queued
        owner = room.owner
        if not owner:
            self._ask_later(sent, end)
            return
        theirs = self._clocks.get(owner, OwnerClock())
        who, order = queued.who, journal.written(queued.order)
        question = OrderQuestion(
            room.id, who.name, who.program, order, sent.tag, theirs.run, end + theirs.ahead
        )
        answered = partial(self._answered, sent, end, owner)
        self.bus.ask(orders(owner), json.encode(question), WAIT, answered)

    def _answered(self, sent: SentOrder, end: int, owner: str, data: bytes | None) -> None:
        answer = read_answer(data) if data is not None else None
        if answer is not None:
            self._clocks[owner] = OwnerClock(answer.run, answer.now - self.clock.now())
        if sent.settled or sent.verdict is not None:
            return
        if answer is None or answer.outcome is QuestionOutcome.ELSEWHERE:
            self._ask_later(sent, end)
        elif answer.outcome is QuestionOutcome.LATE:
            self._ask(sent, end)
        else:
            sent.room.answered(sent, answer.verdict)

    def _ask_later(self, sent: SentOrder, end: int) -> None:
        """Asks the owner once more; by then it may be another server."""
        self.find_owner(sent.room.id)
        passed = self.clock.now() - (end - _limit(sent))
        pause = max(RETRY, min(WAIT, passed // 2))
        self.clock.later(pause, lambda: self._ask(sent, end))


def _limit(sent: SentOrder) -> int:
    """Milliseconds after which an order is given up."""
    return RENAMING if isinstance(sent.queued.order, Renamed) else LIMIT
