"""The tricks: everybody plays a card, the highest takes the trick and leads the next."""

from __future__ import annotations

from twentytwo_protocol.cards import FOOL
from twentytwo_protocol.frozen import maker
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Play, Played, Took, Trick

from ..game import allowed
from .plays import Plays, value
from .scoring import scored
from .states import Playing, Step, playing


def play(state: Playing, deed: Deed) -> Step:
    """After the seat on turn has played what the deed says. Raises `Illegal`."""
    standing, before, blind, bids, won, trick, leader, seat, best, winner = state
    hand = list(before[seat - 1])
    words = deed.cards if isinstance(deed, Play) else ()
    if len(words) == 1 and words[0] in hand and words[0] != FOOL and not blind:
        card = words[0]
    else:
        card = allowed(Plays(state).judged(deed))
    hand.remove(FOOL if card[0] == FOOL else card)
    after = list(before)
    after[seat - 1] = tuple(hand)
    hands = tuple(after)
    kind = "follow" if best else "lead"
    events: list[Event] = [_Played(seat, (card,), kind, len(hand))]
    # No two cards are equal: only one seat can hold the Fool, and only it counts 0 or 22 (W9).
    if best is None or value(card) > value(best):
        best, winner = card, seat
    seat = seat % len(hands) + 1
    if seat == leader:
        events.append(_Took(winner, trick, (best,)))
        tricks = list(won)
        tricks[winner - 1] += 1
        won = tuple(tricks)
        if not hands[0]:
            last, more = scored(standing, bids, won)
            return last, events + more
        trick += 1
        events.append(_Trick(trick, winner))
        leader = seat = winner
        best, winner = None, 0
    fields = standing, hands, blind, bids, won, trick, leader, seat, best, winner
    return playing(Playing, fields), events


_Played, _Took, _Trick = maker(Played), maker(Took), maker(Trick)
