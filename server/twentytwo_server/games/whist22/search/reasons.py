"""Why a bid or a play of Whist 22 may be good: a clause that is true of the hand."""

from __future__ import annotations

from collections.abc import Iterable

from twentytwo_protocol.cards import FOOL, TAROT, Card
from twentytwo_protocol.voice import listed, plural
from twentytwo_protocol.words.cardplay import Turn

from ..plays import value
from .knowledge import Knowledge

STRONG = 3
"""A card counts as strong if at most so many that were not seen are higher."""


def reason(seen: Knowledge, turn: Turn, token: str) -> str:
    """The clause for a move of the seat on turn."""
    if turn.act == "bid":
        return _bid(seen, turn)
    return _play(seen, turn, token) if turn.hand else ""


def _bid(seen: Knowledge, turn: Turn) -> str:
    said = []
    if turn.hand:
        strong = [c for c in turn.hand if c != FOOL and _higher(seen, c) <= STRONG]
        best = max((c for c in turn.hand if c != FOOL), key=value, default=None)
        if strong:
            cards = listed(_named(strong))
            said.append(f"{_beat(seen, min(strong, key=value))} {cards}")
        elif best is not None:
            said.append(f"{_beat(seen, best)} your best card, {best}")
        if FOOL in turn.hand:
            said.append("your Fool takes a trick or none, as you like")
    if turn.bids and turn.tricks:
        bid = plural(sum(turn.bids), "trick")
        said.append(f"the others have bid {bid} of {turn.tricks} so far")
    return ", and ".join(said)


def _beat(seen: Knowledge, card: Card) -> str:
    """`2 of the 17 cards you have not seen beat`."""
    count, of = _higher(seen, card), len(seen.hidden())
    if not count:
        return f"none of the {of} cards you have not seen beats"
    return f"{count} of the {of} cards you have not seen {'beats' if count == 1 else 'beat'}"


def _higher(seen: Knowledge, card: Card) -> int:
    """How many cards that were not seen may beat one; the Fool may beat any."""
    return sum(other == FOOL or value(other) > value(card) for other in seen.hidden())


def _play(seen: Knowledge, turn: Turn, token: str) -> str:
    needs, left = (turn.bid or 0) - (turn.won or 0), len(turn.hand or ())
    if turn.nlegal == 1:
        return "it is all that you may play"
    if needs == 0:
        need = "you have the tricks that you bid"
    elif needs == left:
        need = f"you need {'the last trick' if left == 1 else f'all {left} tricks that are left'}"
    else:
        need = f"you need {needs} of the {left} tricks that are left"
    return f"{need}, and {_does(seen, token)}"


def _does(seen: Knowledge, token: str) -> str:
    card = _called(token)
    if seen.best is None:
        if value(token) == 0:
            return f"{card} can take none"
        return f"{_beat(seen, token)} {card}"
    on_table = _called(seen.best)
    if value(token) <= value(seen.best):
        return f"{card} goes below {on_table}"
    if all(left < seen.left[seen.seat] for seat, left in seen.left.items() if seat != seen.seat):
        return f"{card} beats {on_table} with nobody left to play"
    return f"{card} beats {on_table}; {_beat(seen, token)} it"


def _called(card: Card) -> str:
    """`20`, `the Fool as 22`."""
    return f"the Fool as {card[1:]}" if card[:1] == FOOL and len(card) > 1 else card


def _named(cards: Iterable[Card]) -> list[str]:
    return [*TAROT.sort(cards, high_first=True)]
