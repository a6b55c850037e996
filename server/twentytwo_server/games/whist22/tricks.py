"""The tricks: every player plays a card; the highest takes the trick and leads next."""

from __future__ import annotations

from msgspec.structs import replace

from twentytwo_protocol.cards import FOOL
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Play, Played, Took, Trick

from ..game import allowed
from .plays import Plays, value
from .scoring import scored
from .states import Playing, Step


def play(state: Playing, deed: Deed) -> Step:
    """The state after a play of the seat on turn. Raises `Illegal`."""
    seat, best, winner = state.seat, state.best, state.winner
    hand = list(state.hands[seat - 1])
    words = deed.cards if isinstance(deed, Play) else ()
    if len(words) == 1 and words[0] in hand and words[0] != FOOL and not state.blind:
        card = words[0]
    else:
        card = allowed(Plays(state).judged(deed))
    hand.remove(FOOL if card[0] == FOOL else card)
    after = list(state.hands)
    after[seat - 1] = tuple(hand)
    hands = tuple(after)
    kind = "follow" if best else "lead"
    events: list[Event] = [Played(seat, (card,), kind, len(hand))]
    # No two cards are equal: only one seat can hold the Fool, and only the Fool counts 0 or 22
    # (W9).
    if best is None or value(card) > value(best):
        best, winner = card, seat
    seat = seat % len(hands) + 1
    if seat != state.leader:
        return replace(state, hands=hands, seat=seat, best=best, winner=winner), events
    events.append(Took(winner, state.trick, (best,)))
    tricks = list(state.won)
    tricks[winner - 1] += 1
    won = tuple(tricks)
    if not hands[0]:
        last, more = scored(state.standing, state.bids, won)
        return last, events + more
    trick = state.trick + 1
    events.append(Trick(trick, winner))
    standing, blind, bids = state.standing, state.blind, state.bids
    return Playing(standing, hands, blind, bids, won, trick, winner, winner), events
