"""The tricks: everybody plays a card, the highest takes the trick and leads the next."""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import FOOL, Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Played, Took, Trick

from .plays import value
from .scoring import scored
from .states import Hands, Playing, Step, playing


def played(state: Playing, card: Card) -> Step:
    """After the seat on turn has played this card, the Fool with its value."""
    standing, before, blind, bids, won, trick, leader, seat, best, winner = state
    hand, after = list(before[seat - 1]), list(before)
    hand.remove(FOOL if card[0] == FOOL else card)
    after[seat - 1] = tuple(hand)
    hands = tuple(after)
    happened = _played(seat, card, "follow" if best else "lead", len(hand))
    # No two cards are equal: only one seat can hold the Fool, and only it counts 0 or 22 (W9).
    if best is None or value(card) > value(best):
        best, winner = card, seat
    seat = seat % len(hands) + 1
    if seat == leader:
        return _taken(state, hands, best, winner, happened)
    fields = standing, hands, blind, bids, won, trick, leader, seat, best, winner
    return playing(Playing, fields), [happened]


# Events are values, and the same few are made over and over: they are made once.


@lru_cache(maxsize=1 << 13)
def _played(seat: int, card: Card, kind: str, left: int) -> Played:
    return Played(seat, (card,), kind, left)


@lru_cache(maxsize=1 << 12)
def _took(seat: int, trick: int, card: Card) -> Took:
    return Took(seat, trick, (card,))


_trick = lru_cache(maxsize=256)(Trick)


def _taken(state: Playing, hands: Hands, best: Card, winner: int, happened: Played) -> Step:
    standing, _, blind, bids, before, trick, *_ = state
    tricks = list(before)
    tricks[winner - 1] += 1
    won = tuple(tricks)
    events: list[Event] = [happened, _took(winner, trick, best)]
    if not hands[0]:
        after, more = scored(standing, bids, won)
        return after, events + more
    trick += 1
    events.append(_trick(trick, winner))
    fields = standing, hands, blind, bids, won, trick, winner, winner, None, 0
    return playing(Playing, fields), events
