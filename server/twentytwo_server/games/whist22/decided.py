"""The turning point of a hand of Whist 22 for a seat: the trick too many, or the card that fell."""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice, listed
from twentytwo_protocol.words.cardplay import Bid_, Played, Took, Trick

from .plays import value


def decided(hand: Sequence[Event], voice: Voice) -> str:
    """One sentence about a finished hand for the addressed player, or empty."""
    bids = {event.seat: int(event.bid) for event in hand if isinstance(event, Bid_)}
    if voice.me not in bids:
        return ""
    bid = bids[voice.me]
    took = [event for event in hand if isinstance(event, Took) and event.seat == voice.me]
    said = f"You bid {bid} and took {len(took)}"
    if len(took) == bid:
        cards = listed(voice.show(event.cards) for event in took)
        if bid:
            return f"{said}: {cards} took {'them' if bid > 1 else 'it'}."
    if len(took) > bid:
        over = took[bid]
        return f"{said}: {voice.show(over.cards)} in trick {over.trick} was one too many."
    lost = _best_lost(hand, voice.me)
    if lost is None:
        return f"{said}."
    card, by = lost
    beaten = f"{voice.possessive(by.seat)} {voice.show(by.cards)}"
    under = "fell to" if bid else "went below"
    return f"{said}: your {voice.show((card,))} {under} {beaten} in trick {by.trick}."


def _best_lost(hand: Sequence[Event], seat: int) -> tuple[str, Took] | None:
    """The highest card with which a seat lost a trick, and the play that took the trick."""
    found: tuple[str, Took] | None = None
    card = ""
    for event in hand:
        match event:
            case Trick():
                card = ""
            case Played(cards=(played,)) if event.seat == seat:
                card = played
            case Took() if card and event.seat != seat:
                if found is None or value(card) > value(found[0]):
                    found = card, event
    return found
