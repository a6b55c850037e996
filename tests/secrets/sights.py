"""Computes by the rules who has seen which cards, independently of the server's redaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from twentytwo_protocol.cards import Card
from twentytwo_protocol.games.twentyeight import Trump_
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Dealt, Drew, Exchanged, Played, Scored, Shown, Took

Viewer = int | None
"""A seat, or None for people without a seat."""
Sights = Mapping[Viewer, frozenset[Card]]
"""The cards that each viewer has seen, as named in the pack."""

OPEN = (Drew, Played, Scored, Shown, Took)
"""Events whose cards are public."""


def sights(events: Iterable[Event], pack: Sequence[Card], seats: int) -> Sights:
    """The cards of a pack that each viewer has seen after these events."""
    everybody: tuple[Viewer, ...] = (None, *range(1, seats + 1))
    found: dict[Viewer, set[Card]] = {viewer: set() for viewer in everybody}
    for event in events:
        for cards, viewers in _shown(event, everybody):
            for viewer in viewers:
                # A card that stands for another is named X or F in the pack.
                found[viewer].update(card if card in pack else card[:1] for card in cards)
    return {viewer: frozenset(cards) for viewer, cards in found.items()}


def _shown(
    event: Event, everybody: Sequence[Viewer]
) -> Iterator[tuple[Sequence[Card], Sequence[Viewer]]]:
    match event:
        case Dealt(seat=seat, cards=cards, seen=shown):
            yield cards or (), (seat,)
            # Only the other players see a card that its owner does not see.
            yield shown or (), [each for each in everybody if each not in (None, seat)]
        case Exchanged(seat=seat, gave=gave, got=got):
            yield (*(gave or ()), *(got or ())), (seat,)
        case Trump_(seat=seat, card=card, shown=shown):
            yield (card,) if card else (), everybody if shown else (seat,)
        case _:
            cards = tuple(_cards(event))
            assert isinstance(event, OPEN) or not cards, f"who sees the cards of {event}?"
            yield cards, everybody


def _cards(event: Event) -> Iterator[Card]:
    for field in type(event).word.fields:
        value = getattr(event, field.attr)
        if field.kind.name == "cards" and value:
            yield from value
        elif field.kind.name == "card" and value:
            yield value
