"""What the bots of Twenty-Eight make of their cards: in the auction, and in the play.

`steady` plays so by what it has seen, `hard` plays hands on so in worlds where it sees all.
"""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import Card

# What four cards are worth was found by regression over hands that steady players played.

ANY_HAND = 11.2
"""Points that any four cards may expect."""
LONGER = 1.35
"""What each card of the trump suit adds."""
IN_TRUMPS = {"J": 2.7, "9": 1.2, "A": 0.7, "T": 0.5}
"""What these ranks of it add."""
JACK_BESIDE = 2.0
"""What a jack of another suit adds."""
MARGIN = 2.8
"""Points that must be expected beyond a bid: losing costs twice what making it brings."""

# How to play was found by hill climbing against easy pairs on equal deals.

COMING = 0.6
"""Points that each card to come adds to a trick."""
MASTER = 3.2
"""What the highest card left of a suit may take later."""
SECOND = 0.5
"""The same of the second highest."""
TRUMP = 1.6
"""What a trump is worth beyond that."""
HEIGHT = 0.02
"""What a step in rank is worth; it settles equals."""
FADE = 0.5
"""Less of all that when so few cards are left: this part of it for each."""


def expected(hand: tuple[Card, ...], trump: str) -> float:
    """The points that a side takes on average when this hand of four names the trump."""
    return ANY_HAND + worth(hand, trump)


@lru_cache(maxsize=1 << 17)
def worth(hand: tuple[Card, ...], trump: str) -> float:
    """The points that four cards bring by these trumps."""
    suit = [card[0] for card in hand if card[1] == trump]
    found = LONGER * len(suit) + sum(IN_TRUMPS.get(rank, 0.0) for rank in suit)
    return found + JACK_BESIDE * sum(card[0] == "J" and card[1] != trump for card in hand)


@lru_cache(maxsize=1 << 16)
def best_suit(hand: tuple[Card, ...]) -> tuple[float, str]:
    """The points that may be expected with the best suit as trump, and the suit."""
    return max((expected(hand, suit), suit) for suit in {card[1] for card in hand})
