"""The model of a table: a viewer's knowledge, built from the events that they received.

A model can be written as the rows of `state` and read from them. So a snapshot contains exactly
what the events told (S1).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .folding import SCOPES, STANDING, Fold
from .knowledge import SeatModel
from .schema import Event, Message
from .words.cardplay import Game_, Hand_
from .words.fairness import Committed
from .words.looking import SeatRow, StateRow
from .words.seating import Host_, Option_

__all__ = ["SCOPES", "STANDING", "SeatModel", "TableModel"]


@dataclass(slots=True)
class TableModel(Fold):
    """A fold of events that can be written as the rows of `state` and read from them."""

    def rows(self) -> list[Message]:
        """The rows of `state`; `from_rows` rebuilds this model from them."""
        game, hand = self.game, self.hand
        table = StateRow(
            self.on,
            self.seq,
            self.phase,
            me=self.me,
            host=self.host,
            game=game.game if game else None,
            id=game.id if game else None,
            players=game.players if game else None,
            version=game.version if game else None,
            ruleshash=game.ruleshash if game else None,
            target=game.target if game else None,
            start=game.start if game else None,
            sides=game.sides if game else None,
            hands=game.hands if game else None,
            paused=self.paused or None,
            no=hand.no if hand else None,
            dealer=hand.dealer if hand else None,
            dealt=hand.size if hand else None,
            undealt=hand.stock if hand else None,
            stock=self.stock,
            trick=self.trick,
            leader=self.leader,
            words=self.words,
        )
        options: list[Message] = [Option_.of(k, v) for k, v in self.options.items()]
        sealed = self.promise
        promise = [Committed(sealed.id, sealed.no, sealed.alg, sealed.hash)] if sealed else []
        return [table, *options, *promise, *self._seat_rows(), *self.standing]

    def _seat_rows(self) -> Iterable[SeatRow]:
        for number, seat in sorted(self.seats.items()):
            yield SeatRow(
                number,
                seat.name,
                seat.bot,
                seat.ready,
                seat.here,
                seat.standin,
                seat.cards,
                seat.total,
                seat.out,
                seat.place,
                self.holding if number == self.me else None,
                seat.seen or None,
                seat.word or None,
                seat.sealed or None,
                seat.tricks or None,
                seat.points or None,
            )

    @classmethod
    def from_rows(cls, rows: Iterable[Message]) -> TableModel:
        """The model in the rows of a snapshot."""
        table = cls("")
        for each in rows:
            match each:
                case StateRow():
                    table._set(each)
                case SeatRow():
                    table.seats[each.seat] = SeatModel(
                        each.name,
                        each.bot,
                        each.ready,
                        each.here,
                        each.standin,
                        each.n,
                        each.total,
                        each.out,
                        each.place,
                        each.seen or (),
                        each.tricks or 0,
                        each.points or 0,
                        each.word_ or "",
                        each.sealed or "",
                    )
                    if each.cards is not None:
                        table.holding = each.cards
                case Option_() | Host_() | Committed():
                    each.fold(table)
                case Event(stream="table"):
                    table.standing.append(each)
        return table

    def _set(self, state: StateRow) -> None:
        self.on, self.seq, self.phase, self.me = state.on, state.seq, state.phase, state.me
        self.host, self.paused = state.host, bool(state.paused)
        self.stock, self.trick, self.leader = state.stock, state.trick, state.leader
        self.words = state.words
        if state.game and state.id and state.players and state.version and state.ruleshash:
            self.game = Game_(
                state.game,
                state.id,
                state.players,
                state.version,
                state.ruleshash,
                state.target,
                state.start,
                state.sides,
                state.hands,
            )
        if state.no and state.dealer and state.dealt is not None:
            self.hand = Hand_(state.no, state.dealer, state.dealt, state.undealt or 0)
