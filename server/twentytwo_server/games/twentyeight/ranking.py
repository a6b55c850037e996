"""Card points and the ranking of cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from twentytwo_protocol.cards import SUITS, Card
from twentytwo_protocol.games.twentyeight import RANKINGS

POINTS: Mapping[str, int] = {"J": 3, "9": 2, "A": 1, "T": 1}
"""Card points by rank: 28 in the pack. Other ranks count nothing."""

_POWER = {
    order: {rank: index for index, rank in enumerate(ranks)} for order, ranks in RANKINGS.items()
}
_INDEX = {
    order: {
        rank + suit: index * len(SUITS) + SUITS.index(suit)
        for rank, index in power.items()
        for suit in SUITS
    }
    for order, power in _POWER.items()
}


def suit_of(card: Card) -> str:
    """The letter of a card's suit."""
    return card[1]


def points_of(cards: Iterable[Card]) -> int:
    """The card points of some cards."""
    return sum([POINTS.get(card[0], 0) for card in cards])


def power(card: Card, order: str) -> int:
    """The height of a card in its suit: 0 for the seven, 7 for the jack."""
    return _POWER[order][card[0]]


def ascending(cards: Iterable[Card], order: str) -> list[Card]:
    """The cards from the lowest rank to the highest, whatever their suits."""
    return sorted(cards, key=_INDEX[order].__getitem__)


def best(
    plays: tuple[Card, ...], trump: str, shown_after: int | None, order: str, early: bool
) -> int:
    """The index of the play that wins the trick so far; 0 is the lead.

    The trump was shown after `shown_after` cards, or is hidden (None). Trumps played before that
    have no power, unless `early`.
    """
    powers, led = _POWER[order], plays[0][1]
    trumps_from = len(plays) if shown_after is None else 0 if early else shown_after
    found = highest = 0
    for index, card in enumerate(plays):
        strength, suit = powers[card[0]], card[1]
        if suit != led:
            if suit != trump or index < trumps_from:
                continue
            strength += len(powers)
        if strength > highest:
            found, highest = index, strength
    return found
