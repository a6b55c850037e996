"""A running table: its stream, audience, bots and timers.

Orders are carried out one at a time. Each is decided, then stored; only when it is safely stored
the new table becomes the current one, then the order is answered, then its events are sent to
everybody. An error inside one table ends its game, or closes it, and affects no other table.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Protocol

from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Command, GameMove, Refused
from twentytwo_protocol.words.cardplay import (
    Aborted,
    Gameover,
    Move,
    Paused,
    Turn,
    Unpaused,
)
from twentytwo_protocol.words.fairness import Calledoff

from ... import failpoints
from ...consequences import Consequence, keep_then, of_no_command
from ...facts import DailyEnded, Fact, TableMembers, Unrated
from ...failpoints import failpoint
from ...games.game import AnyGame
from ...metrics import Metrics
from ...ports import Evaluation, Store
from ...session.streams import Burst
from ...table import journal
from ...table.decision import Actor, Decision, Moment
from ...table.effects import (
    Close,
    Effect,
    Fault,
    GraceOver,
    Inherited,
    Inner,
    Restarted,
    Talk,
    Then,
    Think,
    TurnOver,
    Wake,
)
from ...table.opening import Opening
from ...table.orders import decide
from ...table.table import Phase, Table
from ..ratings import unrated
from .bots import BotContext, Bots
from .order_queue import (
    SERVER,
    Answered,
    FurtherFacts,
    Hold,
    OrderQueue,
    OrderResult,
    Outcome,
    QueuedOrder,
    ignore_answer,
)
from .shown_table import ShownTable, ShownTableContext
from .timers import Timers

log = logging.getLogger("twentytwo.host")

RECHECK = 100
"""Milliseconds until the next check of a grace period during its owner's return."""


_RARE = frozenset((Calledoff, Paused, Unpaused))
"""Events that have effects besides being sent."""

_AT_TABLE = attrgetter("seats", "players", "wins")
"""The fields of a table on which its members depend. A move leaves them the same objects."""

Decided = tuple[QueuedOrder, Decision]
"""An order and its decision."""


class RoomContext(BotContext, ShownTableContext, Protocol):
    """What a room needs from the host."""

    @property
    def store(self) -> Store:
        """The store for orders."""

    def moment(self, room: Room) -> Moment:
        """The time, deals and grace period for deciding one order."""

    @property
    def metrics(self) -> Metrics:
        """The counters of the server."""

    def is_arriving(self, name: str) -> bool:
        """True if somebody has come back, but their tables have not been told yet."""

    def table_changed(self, room: Room, before: Table) -> None:
        """Called when the room has a new table; `before` is the old one."""

    def room_closed(self, room: Room) -> None:
        """Called when a room is closed."""

    def rate(self, game: Unrated) -> None:
        """Called with a rated game that is over, once its end is stored."""

    def daily_finished(self, ended: DailyEnded) -> None:
        """Called with the end of a daily deal, once it is stored."""


class Room(ShownTable):
    """A table with its order queue, bots and timers. Its first order must be its opening.

    `network` is the address from which the table was opened (`Link.network`), or the table's id if
    that is no longer known. `elsewhere` are the people at the table who are connected to another
    server. To rebuild a table, call `replay` once, before any order, and then
    `restarted`.
    """

    def __init__(
        self,
        host: RoomContext,
        id: str,
        game: AnyGame,
        opening: Opening,
        who: Actor,
        network: str = "",
    ) -> None:
        super().__init__(host, id, game, opening, who)
        self.host = host
        self.network = network or id
        self.closed = False
        self.elsewhere: set[str] = set()
        self._hurried = ""
        self.bots = Bots(self)
        self._orders = OrderQueue()
        self._timers = Timers(host.clock)

    # ------------------------------------------------------------------------- orders

    def play(self, who: Actor, move: Move, wanted: Callable[[], bool]) -> None:
        """Queues a bot's move; it is dropped if `wanted()` is false when it reaches the front."""
        queued = QueuedOrder(who, move, ignore_answer, wanted=wanted)
        of_no_command(self._orders.put, queued, self._take)

    def order(
        self,
        who: Actor,
        order: Command | Inner | Opening,
        answered: Answered | None = None,
        further: FurtherFacts = None,
        tag: str = "",
    ) -> None:
        """Queues an order; `answered` is called with the result, possibly before this returns.

        The facts that `further` returns are stored in one transaction with the order, if it changes
        anything. `tag` is the key of the command, if it has one: the order may have been carried
        out when the person was at another server.
        """
        queued = QueuedOrder(who, order, answered or ignore_answer, further, tag=tag)
        self._orders.put(queued, self._take)

    def give(self, queued: QueuedOrder) -> None:
        """Queues an order. Its tag is stored with it."""
        self._orders.put(queued, self._take)

    def give_away(self) -> list[tuple[QueuedOrder | Hold, Consequence]]:
        """Ends this room, because its table goes on at another server. Call it while it is held.

        Returns the orders that wait, each with its part in a command.
        """
        self.halt()
        return self._orders.take_waiting()

    def hold(self, held: Callable[[], None], closed: Callable[[], None]) -> None:
        """Calls `held` when the earlier orders are done; later orders wait until `release`.

        `closed` is called instead if the room is closed before.
        """
        self._orders.put(Hold(held, lambda _: closed()), self._take)

    def when_told(self, then: Callable[[], None]) -> None:
        """Calls `then` when all earlier orders are carried out and their events are sent.

        If the room is closed before, `then` is called at that moment.
        """

        def held() -> None:
            try:
                then()
            finally:
                self.release()

        self.hold(held, then)

    def release(self) -> None:
        """Continues the queue if `held` has given no order."""
        self._orders.busy = False
        self._orders.carry_out(self._take)

    def prepared(self, queued: QueuedOrder, now: Moment) -> tuple[list[Fact], Callable[[], None]]:
        """The facts to store for an order, and the function to call when they are stored.

        Only while the queue is held. The prepared order may be dropped only if no other was
        prepared since, because orders are stored in sequence.
        """
        done = self._outcomes(self._decide(queued, now), now)
        return self._to_store(done, now), lambda: self._apply(done)

    def try_out(self, who: Actor, order: Command | Inner | Opening, now: Moment) -> None:
        """Raises `Refused` if an order would be refused now."""
        self._decide(QueuedOrder(who, order, ignore_answer), now)

    def _take(self, queued: QueuedOrder) -> None:
        if queued.wanted is not None and not queued.wanted():
            return
        if queued.tag and self._was_carried_out(queued):
            return
        try:
            now = self.host.moment(self)
            decided = self._decide(queued, now)
        except Refused as wrong:
            self._answer(queued, OrderResult(refusal=wrong))
        except Exception:
            self._handle_error(queued)
        else:
            try:
                if failpoints.at is not None:
                    failpoint("decided")
                self._commit(self._outcomes(decided, now), now)
            except Exception:
                self._end_after_error(queued)

    def _was_carried_out(self, queued: QueuedOrder) -> bool:
        """Answers an order again that is among the last inputs; False if it is not."""
        known = self._facts.inputs.carried(queued.who.name, queued.tag)
        if known is None:
            return False
        if known.order != journal.written(queued.order):
            wrong = Refused("ONCE_USED", f"Another command has the key {queued.tag}.", arg="once")
            self._answer(queued, OrderResult(refusal=wrong))
            return True
        self._answer(queued, OrderResult(known.seq, table=self.table))
        return True

    def _answer(self, queued: QueuedOrder, answer: OrderResult) -> None:
        """Answers an order. An error in that is logged; the table goes on."""
        try:
            queued.answered(answer)
        except Exception:
            self.host.faults.log(f"{self.id}: the answer to {type(queued.order).__name__}")

    def _decide(self, queued: QueuedOrder, now: Moment) -> list[Decided]:
        """Decides an order, and each order that it causes at once (`Then`)."""
        decided: list[Decided] = []
        orders, table = [queued], self.table
        for each in orders:  # it gets longer meanwhile
            decision = decide(table, each.who, each.order, now)
            decided.append((each, decision))
            table = decision.table
            for effect in decision.effects:
                if type(effect) is Then:
                    who = each.who if isinstance(effect.order, Command) else SERVER
                    orders.append(QueuedOrder(who, effect.order, ignore_answer))
        return decided

    def _commit(self, done: Sequence[Outcome], now: Moment) -> None:
        """Stores an order with its effects. The table changes when the store confirms it.

        Until then no other order is decided.
        """
        if done[-1].decision.table is self.table and not any([each.burst.entries for each in done]):
            self._apply(done)
            return
        facts = self._to_store(done, now)
        over = False
        for each in done:
            if Gameover in each.burst.kinds or Aborted in each.burst.kinds:
                over = True

        def stored() -> None:
            self._apply(done)
            if over:
                self.host.metrics.games[self.table.game.key] += 1
                log.debug("%s: a game of %s is over", self.id, self.table.game.key)
                failpoint("game over")
                for game in unrated(facts):
                    self.host.rate(game)
                for fact in facts:
                    if isinstance(fact, DailyEnded):
                        self.host.daily_finished(fact)

        self._orders.busy = True
        # One commit may hold many tables of one address; the tables of others must not wait.
        keep_then(self.host.store, facts, stored, partial(self.host.scheduler.soon, self.network))

    def _outcomes(self, decided: Sequence[Decided], now: Moment) -> list[Outcome]:
        last = self.stream.last
        done: list[Outcome] = []
        for queued, decision in decided:
            burst = self._burst(decision, now.wall, last)
            done.append(Outcome(queued, decision, burst))
            last += len(burst.entries)
        return done

    def _to_store(self, done: Sequence[Outcome], now: Moment) -> list[Fact]:
        last = self.stream.last
        facts: list[Fact] = []
        for each in done:
            further: Sequence[Fact] = ()
            if each.queued.further is not None:
                further = each.queued.further(OrderResult(last + 1, table=each.decision.table))
            facts += self._facts.of(each, further, last=last, now=now)
            last += len(each.burst.entries)
        if self.host.clustered:
            facts += self._members_after(done)
        return facts

    def _members_after(self, done: Sequence[Outcome]) -> Iterator[TableMembers]:
        """The members of the table, if these orders change them or may have to store them anew."""
        before, after = self.table, done[-1].decision.table
        begins = type(done[0].queued.order) in (Restarted, Inherited)
        if begins or (_AT_TABLE(before) != _AT_TABLE(after) and before.members != after.members):
            yield TableMembers(self.id, tuple(sorted(after.members)))

    def _apply(self, done: Sequence[Outcome]) -> None:
        """Makes the new table the current one, now that the order is stored.

        An error in this is logged and must not block the queue: the order cannot be taken back.
        """
        if failpoints.at is not None:
            failpoint("kept")
        before = self.table
        for each in done:
            try:
                self._carry_out(each)
            except Exception:
                self._log_error(each)
        try:
            self.host.table_changed(self, before)
        except Exception:
            self._log_error(done[0])
        self.bots.changed()
        self._orders.busy = False
        if failpoints.at is not None:
            failpoint("told")
        self._orders.carry_out(self._take)

    def _log_error(self, done: Outcome) -> None:
        self.host.faults.log(f"{self.id}: what came of {type(done.queued.order).__name__}")

    def _carry_out(self, done: Outcome) -> None:
        queued, after, burst = done.queued, done.decision.table, done.burst
        leaving = self._leaving(queued.order)
        self._change_to(after)
        if isinstance(queued.order, GameMove):
            self.host.metrics.moves[after.game.key] += 1
        self._answer(queued, OrderResult(self.stream.last + 1, table=after))
        if failpoints.at is not None:
            failpoint("answered")
        self._append(burst)
        self.bots.observe(burst)
        self.audience.tell_order(burst, leaving, after, self.stream)
        for effect in done.decision.effects:
            self._do(effect)
        if burst.kinds.isdisjoint(_RARE):  # most orders
            return
        if Calledoff in burst.kinds:
            self._log_call_off(burst)
        self._tell_clocks(burst)

    def _handle_error(self, queued: QueuedOrder) -> None:
        """Handles an exception in deciding an order. Nothing has changed yet.

        A person's command is refused, with a reference to the log. If the server or a bot gave the
        order, the game cannot go on, and is ended.
        """
        seat = self.table.seat_of(queued.who.name)
        alone = queued.who.standin or (seat is not None and seat.level)
        if isinstance(queued.order, Command) and not alone:
            self._answer_error(queued)
        else:
            self._end_after_error(queued)

    def _answer_error(self, queued: QueuedOrder) -> str:
        ref = self.host.faults.log(f"{self.id}: {type(queued.order).__name__}")
        wrong = Refused("INTERNAL", f"An error happened in the server; quote {ref}.", ref=ref)
        self._answer(queued, OrderResult(refusal=wrong))
        return ref

    def _end_after_error(self, queued: QueuedOrder) -> None:
        ref = self._answer_error(queued)
        # Stays busy: the input has a number but is not stored, so later ones could not be replayed.
        if self._orders.busy or isinstance(queued.order, Fault | Opening):
            self.close()
        else:
            self._orders.put_first(QueuedOrder(SERVER, Fault(ref), ignore_answer))

    # ------------------------------------------------------------------------- recovery

    def restarted(self, backup: bool = False) -> None:
        """Tells a rebuilt table that the server has restarted: everybody is away.

        `backup`: the data folder is a backup that is opened for the first time.
        """
        self.order(SERVER, Restarted(backup, self.host.clustered))

    def catch_up_time(self) -> None:
        """Ends the lag of the table's timeline, unless a clock or a grace period runs.

        A table that was taken over may be behind the timeline of this server, and a game must begin
        later than its players have arrived (`Person.since`).
        """
        table = self.table
        if table.phase in (Phase.OPEN, Phase.OVER) and table.present == table.people:
            self.ahead = 0

    def inherited(self) -> None:
        """Tells a rebuilt table that this server has taken it over: nobody notices anything."""
        self.order(SERVER, Inherited())

    # ------------------------------------------------------------------------ effects

    def _do(self, effect: Effect) -> None:
        match effect:
            case Wake(after, TurnOver() as why):
                self._timers.at_end_of_turn(after, lambda: self._wake(why))
            case Wake(after, why):
                self.later(after, lambda: self._wake(why))
            case Think():
                self.bots.think()
            case Talk(event):
                # Entries of the talk get their numbers only when they are sent.
                self.talk(event)
            case Close():
                self.close()

    def _wake(self, why: Inner) -> None:
        if isinstance(why, GraceOver) and self.host.is_arriving(why.name):
            # They came back in time, but that is not stored yet, or on its way from another server.
            self.later(RECHECK, lambda: self._wake(why))
        else:
            self.order(SERVER, why)

    def _log_call_off(self, burst: Burst) -> None:
        for entry in burst.entries:
            if isinstance(entry.event, Calledoff):
                names = ", ".join(entry.names[seat] for seat in entry.event.unopened) or "nobody"
                log.warning("%s: start called off; %s did not open a word", self.id, names)

    def later(self, ms: int, call: Callable[[], None]) -> None:
        """Calls after `ms` milliseconds, unless the room is closed by then."""
        self._timers.later(ms, call)

    def halt(self) -> None:
        """Stops timers, bots and the queue. An order that is being stored still ends."""
        self.closed = True
        self._orders.stop()
        self.bots.stop()
        self._timers.stop()

    def close(self) -> None:
        """Closes the room; queued orders are refused."""
        failpoint("table gone")
        self.halt()
        self._orders.refuse(Refused("NO_SUCH_TABLE", f"{self.id} is closed.", arg="table"))
        self.host.room_closed(self)
        self._orders.refuse_waiting()

    # ----------------------------------------------------------------------- questions

    @property
    def last_input(self) -> int:
        """The number of the last order that has changed the table."""
        return self._facts.inputs.last

    @property
    def hurried(self) -> bool:
        """True if a person who is out of the running game waits only for its result."""
        match = self.table.match
        return match is not None and match.terms.id == self._hurried

    def evaluate(self, asked: Turn) -> Deferred[Evaluation | None]:
        """The moves of the open question with their values, for a hint; None as in `Bots`."""
        return self.bots.evaluate(asked)

    def hurry(self) -> None:
        """Makes the bots finish the running game without a pause.

        That is not stored: after a restart they play at their usual pace.
        """
        match = self.table.match
        self._hurried = match.terms.id if match is not None else ""
        self.bots.hurry()

    def may_include(self, name: str) -> bool:
        """True if a person of this name may be at the table, or may have played here.

        Also true while an order is queued, because it may bring the name.
        """
        known = name in self.audience.seats or self.table.remembers(name)
        return known or not self._orders.empty
