"""What cards are worth and how they rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from twentytwo_protocol.cards import SUITS, Card

POINTS: Mapping[str, int] = {"J": 3, "9": 2, "A": 1, "T": 1}
"""Card points by rank: 28 in the pack. Other ranks count nothing."""

ORDERS: Mapping[str, str] = {
    "seed": "78TQKA9J",  # denexa: J, 9, A, K, Q, 10, 8, 7
    "pagat": "78QKTA9J",  # pagat: J, 9, A, 10, K, Q, 8, 7
}
"""Ranks from low to high, for each value of `order`."""
_POWER = {
    order: {rank: place for place, rank in enumerate(ranks)} for order, ranks in ORDERS.items()
}
_PLACE = {
    order: {
        rank + suit: (place, SUITS.index(suit)) for rank, place in power.items() for suit in SUITS
    }
    for order, power in _POWER.items()
}


def suit_of(card: Card) -> str:
    """The letter of a card's suit."""
    return card[1]


def points_of(cards: Iterable[Card]) -> int:
    """The card points of some cards."""
    return sum(POINTS.get(card[0], 0) for card in cards)


def power(card: Card, order: str) -> int:
    """How high a card is in its suit: 0 for the seven, 7 for the jack."""
    return _POWER[order][card[0]]


def ascending(cards: Iterable[Card], order: str) -> list[Card]:
    """The cards from the lowest rank to the highest, whatever their suits."""
    return sorted(cards, key=_PLACE[order].__getitem__)


def best(
    plays: tuple[Card, ...], trump: str, shown_after: int | None, order: str, early: bool
) -> int:
    """Which play wins the trick so far, 0 being the lead.

    The trump was shown when `shown_after` cards lay there, None if it is hidden: trumps played
    before have no power, unless `early`. Of the suit led the highest wins, whenever played.
    """
    led = suit_of(plays[0])

    def strength(place: int) -> tuple[int, int]:
        card = plays[place]
        if suit_of(card) == led:
            return 1, power(card, order)
        if suit_of(card) != trump or shown_after is None:
            return 0, 0
        return (2, power(card, order)) if early or place >= shown_after else (0, 0)

    return max(range(len(plays)), key=strength)
