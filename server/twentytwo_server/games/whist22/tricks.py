"""The tricks: everybody plays a card, the highest takes the trick and leads the next."""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import FOOL, Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Played, Took, Trick

from .plays import value
from .scoring import scored
from .states import Hands, Playing, Step


def played(state: Playing, card: Card) -> Step:
    """After the seat on turn has played this card, the Fool with its value."""
    seat, best, winner = state.seat, state.best, state.winner
    hands, left = _without(state.hands, seat, FOOL if card[0] == FOOL else card)
    happened = _played(seat, card, "follow" if best else "lead", left)
    # No two cards are equal: only one seat can hold the Fool, and only it counts 0 or 22 (W9).
    if best is None or value(card) > value(best):
        best, winner = card, seat
    seat = seat % len(hands) + 1
    if seat == state.leader:
        return _taken(state, hands, best, winner, happened)
    return Playing(
        state.standing,
        hands,
        state.blind,
        state.bids,
        state.won,
        state.trick,
        state.leader,
        seat,
        best,
        winner,
    ), [happened]


def _without(hands: Hands, seat: int, card: Card) -> tuple[Hands, int]:
    """The hands when a seat has played a card, and how many cards it has left."""
    after, hand = list(hands), list(hands[seat - 1])
    hand.remove(card)
    after[seat - 1] = tuple(hand)
    return tuple(after), len(hand)


# Events are values, and the same few are made over and over: they are made once.


@lru_cache(maxsize=1 << 13)
def _played(seat: int, card: Card, kind: str, left: int) -> Played:
    return Played(seat, (card,), kind, left)


@lru_cache(maxsize=1 << 12)
def _took(seat: int, trick: int, card: Card) -> Took:
    return Took(seat, trick, (card,))


_trick = lru_cache(maxsize=256)(Trick)


def _taken(state: Playing, hands: Hands, best: Card, winner: int, happened: Played) -> Step:
    standing, bids, trick = state.standing, state.bids, state.trick
    won = tuple([n + (seat == winner) for seat, n in enumerate(state.won, 1)])
    events: list[Event] = [happened, _took(winner, trick, best)]
    if not hands[0]:
        after, more = scored(standing, bids, won)
        return after, events + more
    trick += 1
    events.append(_trick(trick, winner))
    return Playing(standing, hands, state.blind, bids, won, trick, winner, winner), events
