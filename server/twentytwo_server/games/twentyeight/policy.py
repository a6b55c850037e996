"""The evaluation of cards for the bots of Twenty-Eight, in the auction and in the play.

`steady` uses it with what it has seen; `hard` uses it in playouts, where it sees all cards.
"""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import Card

# The worth of four cards was found by regression over hands played by steady bots.

ANY_HAND = 11.2
"""Expected points of any four cards."""
LONGER = 1.35
"""Points added by each card of the trump suit."""
IN_TRUMPS = {"J": 2.7, "9": 1.2, "A": 0.7, "T": 0.5}
"""Points added by these ranks of the trump suit."""
JACK_BESIDE = 2.0
"""Points added by a jack of another suit."""
MARGIN = 2.8
"""Points by which the expectation must exceed a bid: a lost bid costs twice its gain."""

# The parameters of play were found by hill climbing against easy pairs on equal deals.

COMING = 0.6
"""Points that each later card of a trick adds on average."""
MASTER = 3.2
"""Later value of the highest remaining card of a suit."""
SECOND_HIGHEST = 0.5
"""Later value of the second highest."""
TRUMP = 1.6
"""Further value of a trump."""
HEIGHT = 0.02
"""Value of a step in rank; it breaks ties."""
FADE = 0.5
"""Weight of a card's later value for each remaining card."""


def expected(hand: tuple[Card, ...], trump: str) -> float:
    """A side's average points when this hand of four chooses the trump."""
    return ANY_HAND + worth(hand, trump)


@lru_cache(maxsize=1 << 17)
def worth(hand: tuple[Card, ...], trump: str) -> float:
    """The points that four cards add with this trump."""
    suit = [card[0] for card in hand if card[1] == trump]
    found = LONGER * len(suit) + sum(IN_TRUMPS.get(rank, 0.0) for rank in suit)
    return found + JACK_BESIDE * sum(card[0] == "J" and card[1] != trump for card in hand)


@lru_cache(maxsize=1 << 16)
def best_suit(hand: tuple[Card, ...]) -> tuple[float, str]:
    """The expected points with the best suit as trump, and that suit."""
    return max((expected(hand, suit), suit) for suit in {card[1] for card in hand})
