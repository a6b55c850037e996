"""Orders to the two tables of a pair, which play the same deals and are compared at the end.

Both tables get these orders at the same time, in one transaction (`host.tables.together`). An order
contains all necessary data of the other table, so that each table can be rebuilt from its own
orders.
"""

from __future__ import annotations

from twentytwo_protocol.fair import NO_WORD
from twentytwo_protocol.words import seating as said
from twentytwo_protocol.words.duplicate import Compared
from twentytwo_protocol.words.fairness import Revealed
from twentytwo_protocol.words.seating import Left

from ..games import players
from . import seating, starting
from .decision import Decision
from .effects import Disband, Settle, StartTogether


def start_together(d: Decision, order: StartTogether) -> None:
    """Begins the game, with bots in the empty seats, so that every seat has a counterpart."""
    level = d.table.settings.level or players.usual(d.table.game)
    for number in list(d.table.free()):
        d.sit(number, d.table.bot_name(level), level=level)
    starting.begin_with(d, tuple(None if word == NO_WORD else word for word in order.words))


def settle(d: Decision, order: Settle) -> None:
    """Reveals the deck, announces the comparison, removes the bots and promises the next deck."""
    table = d.table
    if table.dealt and table.match is not None:
        game = table.match.terms.id
        if order.reveal:
            d.tell(Revealed(game, d.now.deals.seed(game)))
        d.tell(Compared(table.settings.twin, order.names or None, order.points or None))
    for seat in table.seats:
        if seat.level:
            d.remove_seat(seat)
            d.tell(Left(seat.number, seat.name, "left"))
    if order.widowed:
        d.change(widowed=True, promised=None)
    else:
        d.promise()


def disband(d: Decision, _: Disband) -> None:
    """Closes the table."""
    seating.close(d, said.Close())
