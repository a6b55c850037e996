"""The tricks: everybody plays a card, the highest takes the trick and leads the next."""

from __future__ import annotations

from dataclasses import replace

from twentytwo_protocol.cards import FOOL, Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Played, Took, Trick

from .plays import value
from .scoring import scored
from .states import Playing, Step


def played(state: Playing, card: Card) -> Step:
    """After the seat on turn has played this card, the Fool with its value."""
    seat = state.seat
    held_as = FOOL if card[0] == FOOL else card
    hand = tuple(held for held in state.hands[seat - 1] if held != held_as)
    hands = (*state.hands[: seat - 1], hand, *state.hands[seat:])
    kind = "follow" if state.best else "lead"
    events: list[Event] = [Played(seat, (card,), kind, len(hand))]
    best, winner = state.best, state.winner
    # No two cards are equal: only one seat can hold the Fool, and only it counts 0 or 22 (W9).
    if best is None or value(card) > value(best):
        best, winner = card, seat
    seat = state.standing.after(seat)
    after = replace(state, hands=hands, seat=seat, best=best, winner=winner)
    return _taken(after, events) if seat == state.leader else (after, events)


def _taken(state: Playing, events: list[Event]) -> Step:
    assert state.best is not None
    winner = state.winner
    won = tuple(n + (seat == winner) for seat, n in enumerate(state.won, 1))
    events.append(Took(winner, state.trick, (state.best,)))
    if not state.hands[0]:
        after, more = scored(state.standing, state.bids, won)
        return after, events + more
    trick = state.trick + 1
    events.append(Trick(trick, winner))
    after = replace(state, won=won, trick=trick, leader=winner, seat=winner, best=None, winner=0)
    return after, events
