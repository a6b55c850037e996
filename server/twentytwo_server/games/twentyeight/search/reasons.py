"""Reasons for a bid, a trump, a call or a play of Twenty-Eight, as clauses.

A reason favours this move over the others, or is empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.cards import SUIT_NAMES, Card, pack32
from twentytwo_protocol.games.twentyeight import partner
from twentytwo_protocol.voice import listed, plain_cards, plural
from twentytwo_protocol.words.cardplay import Turn

from ..policy import best_suit
from ..ranking import best, points_of, power, suit_of
from ..rules import stakes
from .knowledge import Knowledge

PACK = pack32()


def reason(seen: Knowledge, turn: Turn, token: str) -> str:
    """The clause for a move of the seat on turn."""
    match turn.act:
        case "bid":
            return _bid(seen, turn, token)
        case "trump":
            return _trump(turn, token)
        case "declare":
            return _call(seen, turn, token)
    if turn.nlegal == 1:
        return "it is all that you may play"
    return _lead(seen, turn, token) if not seen.plays else _follow(seen, turn, token)


def _bid(seen: Knowledge, turn: Turn, token: str) -> str:
    if token == "redeal":
        return "none of your cards counts"
    points, suit = best_suit(turn.hand or ())
    hand = f"with {SUIT_NAMES[suit]} as trump your four cards promise about {points:.0f} points"
    bid = int(token) if token.isdigit() else seen.bids[-1] if seen.bids else 0
    made, lost = stakes(bid)
    if token.isdigit():
        if round(points) < bid:
            return "" if seen.bids else f"you must bid; {hand}"
        return f"{hand}; {bid} brings {made} if made, and costs {lost} if missed"
    if seen.bidder == partner(seen.seat):
        return f"{hand}, and your partner has the highest bid, {bid}"
    costs = f"{bid} costs the others {lost} if they miss it, and brings {made} if not"
    return costs if round(points) > bid else f"{hand}, and {costs}"


def _trump(turn: Turn, token: str) -> str:
    hand = turn.hand or ()
    suit = [card for card in hand if suit_of(card) == suit_of(token)]
    name = SUIT_NAMES[suit_of(token)]
    if len(suit) == 1:
        return f"it is your only one of {name}, and your cards of other suits stay in play"
    high = [card for card in suit if card[0] in "J9" and card != token]
    holds = f", {listed(plain_cards((card,)) for card in high)} among them" if high else ""
    down = plain_cards((token,))
    return f"{len(suit)} of your four cards are {name}{holds}; {down} is out of play until shown"


def _call(seen: Knowledge, turn: Turn, token: str) -> str:
    points = points_of(seen.plays)
    ours = turn.holder in (turn.seat, partner(turn.seat))
    whose = "your partner has" if ours else "the others have"
    so_far = f"{whose} the trick so far, with {plural(points, 'card point')} in it"
    if token == "call":
        return f"{so_far}, and a trump may take it" if points and not ours else ""
    return f"{so_far}, and the trump stays hidden" if ours or not points else ""


def _lead(seen: Knowledge, turn: Turn, token: str) -> str:
    higher = [card for card in _unseen(seen, turn) if _above(card, token, seen.rules.order)]
    name = SUIT_NAMES[suit_of(token)]
    if not higher:
        highest = f"nobody else holds a higher one of {name}"
        if seen.hidden or suit_of(token) == seen.trump:
            return highest
        trumps = sum(suit_of(card) == seen.trump for card in _unseen(seen, turn))
        out = f"{plural(trumps, 'trump')} still out" if trumps else "no trump is still out"
        return f"{highest}, with {out}" if trumps else f"{highest}, and {out}"
    return (
        "" if points_of([token]) else f"it gives away no points: {plain_cards(higher)} can beat it"
    )


def _follow(seen: Knowledge, turn: Turn, token: str) -> str:
    rules, plays = seen.rules, (*seen.plays, token)
    trump = "" if seen.hidden else seen.trump
    index = best(plays, trump, seen.shown_after, rules.order, rules.early_trump == "yes")
    last = len(plays) == 4
    worth = points_of([token])
    ours = index != len(plays) - 1 and turn.holder == partner(turn.seat)
    if ours:
        has = "it is your partner's trick" if last else "your partner has the trick so far"
        if worth:
            return f"{has}: {plural(worth, 'point')} for your side"
        return f"{has}: you save your points" if points_of(turn.hand or ()) and not last else ""
    lies = plural(points_of(plays), "card point")
    if index == len(plays) - 1:
        if last:
            return f"you play last, and it takes the trick with {lies}"
        return f"it is the best so far, with {lies} in the trick"
    have = "the others have the trick" if last else "the others have the trick so far"
    return "" if worth else f"{have}, and it gives them no points"


def _unseen(seen: Knowledge, turn: Turn) -> Sequence[Card]:
    """The cards in the other hands, the highest first; cards thrown in face up are excluded."""
    mine = turn.hand or ()
    found = [card for card in PACK if card not in seen.gone and card not in mine]
    return sorted(found, key=lambda card: -power(card, seen.rules.order))


def _above(card: Card, other: Card, order: str) -> bool:
    return card[1] == other[1] and power(card, order) > power(other, order)
