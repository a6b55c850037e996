"""The evaluation of cards for the bots of Twenty-Eight, in the auction and in the play.

`steady` uses it with what it has seen; `hard` uses it in playouts, where it sees all cards.
"""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import Card

# What four cards are worth was found by regression over hands that steady players played.

ANY_HAND = 11.2
"""Expected points of any four cards."""
LONGER = 1.35
"""Points that each card of the trump suit adds."""
IN_TRUMPS = {"J": 2.7, "9": 1.2, "A": 0.7, "T": 0.5}
"""Points that these ranks of the trump suit add."""
JACK_BESIDE = 2.0
"""Points that a jack of another suit adds."""
MARGIN = 2.8
"""Points by which the expectation must exceed a bid: a lost bid costs twice its gain."""

# How to play was found by hill climbing against easy pairs on equal deals.

COMING = 0.6
"""Points that each later card adds to a trick."""
MASTER = 3.2
"""Later value of the highest remaining card of a suit."""
SECOND = 0.5
"""Later value of the second highest."""
TRUMP = 1.6
"""Further value of a trump."""
HEIGHT = 0.02
"""Value of a step in rank; it breaks ties."""
FADE = 0.5
"""The later values fade with the number of cards left: this part for each card."""


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
