"""The first dealer, and the deal."""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.cards import Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Dealt, Hand_

from .plays import value
from .states import Bidding, Dealing, Drawing, Standing, Step


def drawn(state: Drawing, shuffled: Sequence[str]) -> Step:
    """The state after the choice of the first dealer, who is the first of the shuffled seats."""
    return Dealing(state.standing.dealt_by(int(shuffled[0]))), []


def dealt(state: Dealing, shuffled: tuple[Card, ...]) -> Step:
    """Deals the hands, one card at a time from the top, beginning on the dealer's left.

    The remaining cards stay out of the hand, unseen (W16).
    """
    size, before = state.size, state.standing
    standing = Standing(before.rules, before.totals, before.hand + 1, before.dealer)
    seats = standing.seats
    order = [(standing.dealer + index) % seats + 1 for index in range(seats)]
    hands = {
        seat: tuple(sorted(shuffled[index : size * seats : seats], key=value))
        for index, seat in enumerate(order)
    }
    blind = standing.rules.is_blind(size)
    events: list[Event] = [
        Hand_(standing.hand, standing.dealer, size, len(shuffled) - size * seats)
    ]
    events += [
        Dealt(seat, size, seen=hands[seat]) if blind else Dealt(seat, size, hands[seat])
        for seat in order
    ]
    return Bidding(standing, tuple(hands[seat] for seat in sorted(hands))), events
