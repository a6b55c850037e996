"""The deal, and the exchange that follows it."""

from __future__ import annotations

from msgspec.structs import replace

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Dealt, Exchanged, Hand_

from .hands import Cards, sorted_hand, tokens, without
from .seating import in_order, left_of
from .states import Dealing, Exchanging, Step
from .tricks import begin


def hand_size(wanted: int, pack: int, players: int) -> int:
    """The number of cards for each player: as wanted, or fewer if the pack is too small."""
    # pagat: the cards are dealt equally until fewer are left than there are players
    return min(wanted, pack // players)


def dealt(state: Dealing, shuffled: Cards) -> Step:
    """Deals the hands, one card at a time from the top, beginning on the dealer's left."""
    standing = state.standing
    players = len(standing.playing)
    size = hand_size(standing.wanted, len(shuffled), players)
    first = left_of(standing.dealer, standing.playing, standing.seats, standing.rules)
    order = in_order(first, standing.playing)
    end = size * players
    standing, stock = replace(standing, hand=standing.hand + 1), shuffled[end:]
    events: list[Event] = [Hand_(standing.hand, standing.dealer, size, len(stock))]
    hands = [b""] * standing.seats
    for index, seat in enumerate(order):
        hand = hands[seat - 1] = sorted_hand(shuffled[index:end:players])
        events.append(Dealt(seat, size, tokens(hand)))
    waiting = order if standing.rules.exchange == "on" else ()
    return _next_exchange(Exchanging(standing, tuple(hands), stock, waiting, first), events)


# ----------------------------------------------------------------------------- the exchange


def exchanged(state: Exchanging, gone: Cards) -> Step:
    """The state after the seat on turn has exchanged these cards for as many from the stock."""
    seat, count, hands = state.waiting[0], len(gone), list(state.hands)
    got, stock = state.stock[:count], state.stock[count:]
    if gone:
        hands[seat - 1] = sorted_hand(without(hands[seat - 1], gone) + got)
    after = Exchanging(state.standing, tuple(hands), stock, state.waiting[1:], state.leader)
    return _next_exchange(after, [Exchanged(seat, count, tokens(gone), tokens(got))])


def _next_exchange(state: Exchanging, events: list[Event]) -> Step:
    # Seats that could not draw any card are not asked.
    if state.waiting and state.stock:
        return state, events
    after, more = begin(state.standing, state.hands, state.leader)
    return after, events + more
