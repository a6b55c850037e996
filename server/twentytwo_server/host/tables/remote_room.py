"""A table of another server, at which people of this one sit and watch.

It has the same interface for orders as `Room`, but its owner carries them out. An accepted order
comes back as a stored input with its tag: then it is answered, and its events follow. So nothing is
acknowledged that is not stored, and the order of answers and events is that at the owner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from msgspec.structs import replace
from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.words.cardplay import Turn

from ...consequences import Consequence
from ...facts import Input, OpenTable, Promise
from ...games import players
from ...games.game import AnyGame
from ...metrics import Metrics
from ...ports import BotWorkers, Evaluation, Store, Timer
from ...table.decision import Actor, Decision
from ...table.effects import Inner, Then
from ...table.opening import Opening
from ...table.table import Table
from ..faults import Faults
from .bots import cancelled, job
from .followed_table import FollowedTable
from .order_queue import Answered, FurtherFacts, OrderResult, QueuedOrder, ignore_answer
from .room import Room
from .shown_table import ShownTable, ShownTableContext


class RemoteRoomContext(ShownTableContext, Protocol):
    """The services of the host for a room of another server."""

    @property
    def store(self) -> Store:
        """The store for further facts."""

    @property
    def faults(self) -> Faults:
        """The log for errors."""

    @property
    def bot_workers(self) -> BotWorkers:
        """The processes that weigh moves."""

    @property
    def metrics(self) -> Metrics:
        """The counters of the server."""

    @property
    def sender(self) -> OrderSender:
        """Sends orders to the owners of their tables."""

    def followed(self, room: RemoteRoom, before: Table) -> None:
        """Called when the room has a new table; `before` is the old one."""


class OrderUnanswered(Refused):
    """The end of a command whose order may have been carried out, or may not.

    Close the connection: its client has to come back, and to look.
    """

    def __init__(self) -> None:
        super().__init__("BUSY", "The server of the table does not answer.")


class OwnerVerdict(OrderResult):
    """The answer of the owner to an order; `after` is the last input of the table at that time."""

    after: int = 0


class SentOrder:
    """An order on its way to the owner of its table.

    Each time that it is sent it has the same `tag`. `verdict` is the answer of the owner, which
    waits until this server has followed the table so far. At `limit` the order is given up.
    """

    def __init__(self, room: RemoteRoom, queued: QueuedOrder) -> None:
        self.room = room
        self.queued = queued
        self.tag = queued.tag
        self.began = room.host.metrics.now()
        self.verdict: OwnerVerdict | None = None
        self.settled = False
        self.consequence = Consequence()
        self.limit: Timer | None = None

    @property
    def name(self) -> str:
        """The name of its giver."""
        return self.queued.who.name

    def end(self) -> None:
        """Ends its part in the command, when its events are sent."""
        if self.limit is not None and self.limit.active():
            self.limit.cancel()
        self.consequence.end()


class OrderSender(Protocol):
    """Sends orders to the owners of their tables."""

    def new_tag(self) -> str:
        """A tag that no other order has, on any server."""

    def send(self, sent: SentOrder) -> None:
        """Sends an order until the owner has answered.

        Then calls `RemoteRoom.answered`, or `RemoteRoom.give_up` after some time.
        """

    def look(self, table: str) -> None:
        """Reads the newer inputs of a table."""


class RemoteRoom(FollowedTable):
    """A table of another server. `owner` is the name of that server, empty if it is not known.

    The orders of one person are sent one after the other.
    """

    def __init__(
        self,
        host: RemoteRoomContext,
        id: str,
        game: AnyGame,
        opening: Opening,
        who: Actor,
    ) -> None:
        super().__init__(host, id, game, opening, who)
        self.owner = ""
        self.closed = False
        self.host = host
        self._shown = 0
        self._caused = 0
        self._following = False
        self._sent: list[SentOrder] = []
        self._told: list[Callable[[], None]] = []

    # ------------------------------------------------------------------------- orders

    def order(
        self,
        who: Actor,
        order: Command | Inner | Opening,
        answered: Answered | None = None,
        further: FurtherFacts = None,
        tag: str = "",
    ) -> None:
        """Sends an order to the owner; `answered` is called with the result later.

        The facts that `further` returns are stored after the order, by this server: see the record
        of the decision, 0042. `tag` is the key of the command, if it has one.
        """
        if self.closed:
            (answered or ignore_answer)(OrderResult(refusal=self._gone()))
            return
        tag = tag or self.host.sender.new_tag()
        sent = SentOrder(self, QueuedOrder(who, order, answered or ignore_answer, further, tag=tag))
        waits = any(each.name == who.name for each in self._sent)
        self._sent.append(sent)
        if not waits:
            self.host.sender.send(sent)

    @property
    def unanswered(self) -> Iterator[SentOrder]:
        """The orders that have no answer yet."""
        return (sent for sent in self._sent if not sent.settled)

    def has_sent(self, name: str) -> bool:
        """True if an order of this person has no answer yet."""
        return any(sent.name == name for sent in self.unanswered)

    @property
    def has_open_orders(self) -> bool:
        """True if an order has no answer yet."""
        return bool(self._sent)

    def may_include(self, name: str) -> bool:
        """True if a person of this name may be at the table, or may have played here."""
        known = name in self.audience.seats or self.table.remembers(name)
        return known or self.has_sent(name)

    def is_answered(self, name: str) -> bool:
        """True while the events of an order of this person, given here, are shown."""
        return any(sent.name == name and sent.settled for sent in self._sent)

    def when_told(self, then: Callable[[], None]) -> None:
        """Calls `then` when the events of the order that is just answered are sent."""
        if not self._following:
            then()
            return
        consequence = Consequence()

        def told() -> None:
            with consequence:
                then()

        self._told.append(told)

    def answered(self, sent: SentOrder, verdict: OwnerVerdict) -> None:
        """Takes the answer of the owner to an order."""
        sent.verdict = verdict
        if self.last < verdict.after:
            self.host.sender.look(self.id)
        else:
            self._settle_due()

    def give_up(self, sent: SentOrder) -> None:
        """Ends an order that may have been carried out, or may not."""
        if not sent.settled:
            self.host.metrics.orders_given_up += 1
            self._settle(sent, OrderResult(refusal=OrderUnanswered()))
            self._end_settled()

    def _settle(self, sent: SentOrder, result: OrderResult) -> None:
        """Answers the order. An error in that is logged; the table goes on."""
        sent.settled = True
        metrics, queued = self.host.metrics, sent.queued
        metrics.order_answered.observe(metrics.now() - sent.began)
        if result.refusal is None and result.table is None:
            result = replace(result, table=self.table)
        try:
            if queued.further is not None and result.refusal is None:
                self.host.store.keep(queued.further(result), _nothing)
            queued.answered(result)
        except Exception:
            self.host.faults.log(f"{self.id}: the answer to {type(queued.order).__name__}")

    def _settle_due(self) -> None:
        """Answers the orders that are refused, that changed nothing, or whose input is known."""
        for sent in self._sent:
            verdict = sent.verdict
            if verdict is None or sent.settled or self._shown < verdict.after:
                continue
            self._settle(sent, verdict)
        self._end_settled()

    def _end_settled(self) -> None:
        """Ends the answered orders, and sends the next one of each of these people."""
        ended = [sent for sent in self._sent if sent.settled]
        self._sent = [sent for sent in self._sent if not sent.settled]
        for name in dict.fromkeys(sent.name for sent in ended):
            following = next((sent for sent in self._sent if sent.name == name), None)
            if following is not None:
                self.host.sender.send(following)
        for sent in ended:
            sent.end()

    def _gone(self) -> Refused:
        return Refused("NO_SUCH_TABLE", f"{self.id} is closed.", arg="table")

    # ------------------------------------------------------------------------- questions

    def evaluate(self, asked: Turn) -> Deferred[Evaluation | None]:
        """The moves of the open question with their values, for a hint.

        Fires with None if the search failed, or if the question was answered before it was done.
        """

        def over(found: Evaluation | None) -> Evaluation | None:
            match = self.table.match
            return found if match is not None and match.question is asked else None

        wanted = job(self.table, self.game_entries(), players.HARD, asked)
        weighed = self.host.bot_workers.evaluate(wanted)
        return weighed.addErrback(cancelled).addCallback(over)

    # ---------------------------------------------------------------------- following

    def catch_up(self, stored: OpenTable) -> None:
        """Takes in all inputs up to now, and shows nothing."""
        super().catch_up(stored)
        self._shown = self.last

    def go_on_with(self, other: ShownTable, last: int, promises: Iterable[Promise]) -> None:
        """Takes the state of the same table, which had `last` inputs, from its former owner."""
        super().go_on_with(other, last, promises)
        self._shown = last

    def _follow(self, stored: Input) -> None:
        before = self.table
        self._following = True
        try:
            super()._follow(stored)
        finally:
            self._following = False
        self._shown = stored.seq
        self.host.followed(self, before)
        if not self._caused:
            self._all_told()

    def _decided(self, stored: Input, decision: Decision) -> None:
        caused = sum(type(effect) is Then for effect in decision.effects)
        self._caused = max(0, self._caused - 1) + caused
        for sent in self._sent if stored.id else ():
            if sent.tag == stored.id and sent.name == stored.who and not sent.settled:
                self._settle(sent, OrderResult(self.stream.last + 1, table=decision.table))

    def _all_told(self) -> None:
        """An order and all that it caused at once are shown."""
        told, self._told = self._told, []
        for then in told:
            then()
        self._settle_due()

    # ------------------------------------------------------------------------ the end

    def close(self) -> None:
        """Refuses the orders that came too late: the table is closed, and its inputs are shown."""
        self.closed = True
        for sent in self._sent:
            if not sent.settled:
                self._settle(sent, OrderResult(refusal=self._gone()))
        self._end_settled()

    def lose(self) -> None:
        """Gives up all orders: the table cannot be followed any more."""
        self.closed = True
        for sent in tuple(self._sent):
            self.give_up(sent)
        self._end_settled()

    def move_to(self, room: Room) -> None:
        """Gives the orders without an answer to the room by which this server owns the table now.

        The room recognizes those that the former owner has stored.
        """
        self.closed = True
        waiting, self._sent = self._sent, []
        for sent in waiting:
            sent.settled = True
            with sent.consequence:
                room.give(sent.queued)
            sent.end()


def _nothing() -> None:
    """The order itself is stored; nobody waits for further facts."""
