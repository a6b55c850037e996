"""The sentences for refused moves: the rule, and a legal move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twentytwo_protocol.cards import SUIT_NAMES, Card
from twentytwo_protocol.games.twentyeight import partner
from twentytwo_protocol.voice import listed, plain_cards

from ..game import Illegal
from .states import Bidding, Playing


def _or(cards: Iterable[Card]) -> str:
    return listed((plain_cards((card,)) for card in cards), "or")


def _and(cards: Iterable[Card]) -> str:
    return listed(plain_cards((card,)) for card in cards)


# -------------------------------------------------------------------------------- the auction


def must_bid() -> Illegal:
    """The refusal of a pass by the first bidder."""
    return Illegal("MUST_BID", "You bid first and may not pass.", "Bid 14, or more.")


def too_low(state: Bidding, lowest: int) -> Illegal:
    """The refusal of a bid that is too low."""
    if not state.bids:
        return Illegal("TOO_LOW", "The lowest bid is 14.", "Bid 14 to 28.")
    height = state.bids[-1]
    if state.bidder == partner(state.seat) and lowest > height + 1:
        return Illegal(
            "PARTNER_20",
            f"Your partner has the highest bid, {height}; to outbid a partner you must bid at "
            f"least {lowest}.",
            f"Pass, or bid {_up(lowest)}.",
        )
    return Illegal("TOO_LOW", f"The highest bid is {height}.", f"Pass, or bid {_up(lowest)}.")


def too_high(lowest: int) -> Illegal:
    """The refusal of a bid for more points than the pack has."""
    return Illegal("ONLY_28", "There are only 28 points.", f"Bid {_up(lowest)}.")


def _up(lowest: int) -> str:
    return f"{lowest} to 28" if lowest < 28 else "28"


def no_redeal(state: Bidding) -> Illegal:
    """The refusal of a new deal when none is possible."""
    if state.standing.rules.redeal_no_points == "no":
        why = "By these rules there are no new deals."
    elif state.bids:
        why = "Only the first bidder may ask for a new deal, before the first bid."
    else:
        why = "You have a card that counts points, so you may not ask for a new deal."
    return Illegal("NO_REDEAL", why, "Bid, or pass." if state.bids else "Bid 14, or more.")


# ---------------------------------------------------------------------------------- the cards


def not_held(word: str, hand: Sequence[Card]) -> Illegal:
    """The refusal of a named card that is not in the hand."""
    named, has = plain_cards((word,)), plain_cards(hand)
    return Illegal("", f"You do not hold {named}. Your cards: {has}.")


def one_card(hand: Sequence[Card]) -> Illegal:
    """The refusal of a move that names no card, or several."""
    return Illegal("WRONG_COUNT", f"Name one card: {_or(hand)}.")


def suit_named(suit: str, hand: Sequence[Card], legal: Sequence[Card], verb: str) -> Illegal:
    """The refusal of a move that names a suit instead of a card."""
    name, held = SUIT_NAMES[suit], [card for card in hand if card[1] == suit]
    if not held:
        return Illegal("WRONG_COUNT", f"Name a card, not a suit; you hold no {name}.")
    may = [card for card in held if card in legal]
    so = f", so {verb} {plain_cards(may).lower()}" if len(may) == 1 else ""
    return Illegal("WRONG_COUNT", f"Name a card, not a suit: of {name} you hold {_and(held)}{so}.")


def which_suit(rank: str, cards: Sequence[Card]) -> Illegal:
    """The refusal of a rank of which the hand has several cards."""
    named = plain_cards((rank,))
    return Illegal("WHICH_SUIT", f"Which {named}? Name the suit too: {_or(cards)}.")


def play(reason: str, state: Playing, card: Card, legal: Sequence[Card]) -> Illegal:
    """The refusal of a card that may not be played."""
    named, may = plain_cards((card,)), _or(legal)
    why, advice = {
        "FOLLOW_SUIT": (f"You can follow suit with {may}, so you must.", ""),
        "TRUMP_LEAD": (
            "You may not lead trumps while they are hidden and you have other cards.",
            f"Lead {may}.",
        ),
        "TRUMP_CARD_DOWN": (
            f"{named} lies face down as the trump, and cannot be played before it is shown.",
            f"Play {may}.",
        ),
        "MUST_TRUMP": (
            f"You cannot follow suit and must trump: {_trumps(state)} are trump.",
            f"Play {may}.",
        ),
    }[reason]
    return Illegal(reason, why, advice)


def _trumps(state: Playing) -> str:
    return SUIT_NAMES[state.trump]
