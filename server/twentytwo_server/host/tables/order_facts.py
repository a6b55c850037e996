"""The facts stored with each order to a table: the order, and the end of a game."""

from __future__ import annotations

from collections.abc import Sequence

from ...facts import CommandDone, Fact, GameEnded, Input, TableClosed, TableOpened
from ...session.streams import Burst
from ...table.decision import Decision, Moment
from ...table.effects import Close
from ...table.opening import Opening
from ..daily_results import result
from ..ratings import due
from .deals import Deals
from .game_log import GameLog
from .input_log import InputLog
from .order_queue import Outcome


class OrderFacts:
    """Makes the facts of one table. `edition` is the protocol edition when it was opened.

    `ended` is the last game of a table of a pair, until it is compared. `kept`: the inputs outlive
    the table, for the servers that follow it. `inputs` is the log of its orders.
    """

    def __init__(self, table: str, edition: int, deals: Deals, kept: bool) -> None:
        self.ended: GameEnded | None = None
        self._table = table
        self._deals = deals
        self._kept = kept
        self.inputs = InputLog(table, edition)
        self._game = GameLog()

    def of(self, done: Outcome, further: Sequence[Fact], *, last: int, now: Moment) -> list[Fact]:
        """The facts to store for an order, in one transaction.

        `further` has facts from the sender, and `last` is the number of the last event before the
        order's own.
        """
        queued, after = done.queued, done.decision.table
        # This may raise, so it comes before the order gets a number.
        over = self._game.follow(done.decision, done.burst)
        if over is not None and after.kind.paired:
            self.ended = over
        key = queued.tag
        for fact in further:
            if isinstance(fact, CommandDone):
                key = fact.key
        entered = self.inputs.append(done, key, last, now)
        facts: list[Fact] = [*self._deals.commit(), entered, *further]
        if type(queued.order) is Opening:
            facts.insert(0, TableOpened(self._table, after.game.key, now.wall))
        if over is not None and not after.kind.taught:
            facts += [over, *due(over, self._game.programs), *result(after.settings, over)]
        if Close in map(type, done.decision.effects):
            facts.append(TableClosed(self._table, now.wall, self._kept))
        return facts

    def check(self, stored: Input, decision: Decision, burst: Burst, last: int) -> None:
        """Compares a stored order that was decided again. Raises `ReplayMismatch`."""
        self.inputs.check(stored, burst, last)
        over = self._game.follow(decision, burst)
        if over is not None and decision.table.kind.paired:
            self.ended = over
