"""The sentences for refused moves: the rule, and a legal move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twentytwo_protocol.cards import FOOL, Card
from twentytwo_protocol.voice import listed, plural

from ..game import Illegal
from .rules import Whist22Rules

# ----------------------------------------------------------------------------------- the bids


def no_pass(legal: Iterable[str]) -> Illegal:
    """The refusal of a bid that is not a number: everybody must bid (W5)."""
    return Illegal("NO_PASS", f"Everybody must bid: {listed(legal, 'or')}.")


def too_high(tricks: int, legal: Iterable[str]) -> Illegal:
    """The refusal of a bid above the number of tricks (W5)."""
    are = "is" if tricks == 1 else "are"
    return Illegal(
        "TOO_HIGH", f"There {are} only {plural(tricks, 'trick')}: bid {listed(legal, 'or')}."
    )


def hook(bid: int, tricks: int, legal: Iterable[str]) -> Illegal:
    """The refusal of a last bid that makes the bids add up to the number of tricks (W6)."""
    return Illegal(
        "HOOK",
        f"With {bid} the bids would add up to {tricks}, the number of tricks, and "
        f"the last bidder may not do that: bid {listed(legal, 'or')}.",
    )


# ---------------------------------------------------------------------------------- the cards


def no_suits(card: Card) -> Illegal:
    """The refusal of a card named with a suit."""
    return Illegal("", f"The trumps have no suits: type {card[:-1]}.")


def unseen(legal: Sequence[Card]) -> Illegal:
    """The refusal of a play of an unseen card other than its two values (W10)."""
    why = "its value if it is the Fool" if len(legal) > 1 else "to play it"
    return Illegal("DECLARE_FOOL", f"You do not see your card. Type {listed(legal, 'or')}: {why}.")


def not_held(card: Card, hand: Sequence[Card]) -> Illegal:
    """The refusal of a named card that is not in the hand."""
    name = "the Fool" if card[0] == FOOL else card
    return Illegal("", f"You do not hold {name}. Your cards: {' '.join(hand)}.")


def one_card(legal: Sequence[Card]) -> Illegal:
    """The refusal of a play of no card, or of several."""
    return Illegal("ONE_CARD", f"Play one card, {listed(legal, 'or')}.")


def declare_fool(rules: Whist22Rules) -> Illegal:
    """The refusal of the Fool without a value, or with a wrong one (W8)."""
    values = rules.fool_values
    if len(values) == 1:
        said = f"By these rules the Fool is always {values[0]}: play F{values[0]}."
    else:
        said = "Declare the value of the Fool: F0 loses to every card, F22 beats every card."
    return Illegal("DECLARE_FOOL", said)
