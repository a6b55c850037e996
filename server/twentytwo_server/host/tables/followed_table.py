"""A table whose orders another server of the same database carries out.

This server reads the inputs from the database once they are stored, decides them again, and shows
the events to its own viewers. The checksum of each input proves that they are the same events.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...facts import Input, OpenTable, Promise
from ...games.game import AnyGame
from ...table.decision import Actor, Decision
from ...table.effects import Talk
from ...table.opening import Opening
from .deals import ReplayedDeals
from .shown_table import ShownTable, ShownTableContext, read_order


class FollowedTable(ShownTable):
    """A table of another server, shown by this one. `last` is the number of the last known input,
    and `last_at` its time.

    Call `catch_up` once, before there are viewers. Every method may raise `ReplayMismatch`; discard
    the table then.
    """

    def __init__(
        self, host: ShownTableContext, id: str, game: AnyGame, opening: Opening, who: Actor
    ) -> None:
        super().__init__(host, id, game, opening, who)
        self.last = 0
        self.last_at = 0
        self._deals = ReplayedDeals()

    @property
    def promises(self) -> Iterable[Promise]:
        """The promises of its games, with their secrets."""
        return self._deals.promises

    def go_on_with(self, other: ShownTable, last: int, promises: Iterable[Promise]) -> None:
        """Takes the state of the same table, which had `last` inputs, from its former owner.

        Call it instead of `catch_up`.
        """
        self.take_from(other)
        self.go_on_from(other.now)
        self.last, self.last_at = last, other.now
        self._deals.know(promises)

    def catch_up(self, stored: OpenTable) -> None:
        """Takes in all inputs up to now, and shows nothing."""
        self._take_in(stored)
        self.replay(stored.inputs, self._deals)
        self.go_on_from(self.last_at)

    def follow(self, newer: OpenTable) -> None:
        """Takes in newer inputs and shows their events. Known ones may be among them."""
        unknown = [each for each in newer.inputs if each.seq > self.last]
        self._take_in(newer)
        for stored in unknown:
            self._follow(stored)

    def _take_in(self, newer: OpenTable) -> None:
        packs = [pack for each in newer.inputs if each.seq > self.last for pack in each.packs]
        self._deals.add(newer.promises, packs)
        if newer.inputs:
            self.last = max(self.last, newer.inputs[-1].seq)
            self.last_at = max(self.last_at, newer.inputs[-1].at)

    def _follow(self, stored: Input) -> None:
        order = read_order(stored)
        self.go_on_from(stored.at)
        decision = self._decide_again(stored, order, self._deals)
        burst = self._burst(decision, stored.wall, self.stream.last)
        self._facts.check(stored, decision, burst, self.stream.last)
        leaving = self._leaving(order)
        self._change_to(decision.table)
        self._decided(stored, decision)
        self._append(burst)
        self.audience.tell_order(burst, leaving, decision.table, self.stream)
        for effect in decision.effects:
            if type(effect) is Talk:
                self.talk(effect.event)
        self._tell_clocks(burst)

    def _decided(self, stored: Input, decision: Decision) -> None:
        """Called with each input before its events are shown."""
