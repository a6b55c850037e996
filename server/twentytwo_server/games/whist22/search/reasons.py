"""Reasons for a bid or a play of Whist 22, as clauses.

A reason favours this move over the others, or is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twentytwo_protocol.cards import FOOL, TAROT, Card
from twentytwo_protocol.voice import listed, plural
from twentytwo_protocol.words.cardplay import Turn

from ..bidding import forbidden
from ..plays import value
from .knowledge import Knowledge

STRONG = 3
"""Maximum number of higher unseen cards for a card to count as strong."""


def reason(seen: Knowledge, turn: Turn, token: str) -> str:
    """The clause for a move of the seat on turn."""
    if turn.act == "bid":
        return _bid(seen, turn, int(token))
    return _play(seen, turn, token) if turn.hand else ""


def _bid(seen: Knowledge, turn: Turn, bid: int) -> str:
    hand, bids, tricks = turn.hand or (), turn.bids or (), turn.tricks or 0
    said = [_by_hand(seen, hand, bid) if hand else _by_what_is_shown(seen, bid)]
    if FOOL in hand:
        said.append("your Fool takes a trick or none, as you like")
    hook = forbidden(bids, tricks, seen.seats, seen.rules)
    if hook is not None and abs(bid - hook) == 1:
        said.append(f"{hook} is forbidden, since the bids would add up to {tricks}")
    # If the others want many tricks, few are left over; if they want few, some are.
    many, low = sum(bids) * seen.seats > tricks * len(bids), bid * seen.seats <= tricks
    if bids and many == low and hand:
        said.append(f"the others have bid {plural(sum(bids), 'trick')} of {tricks} so far")
    return ", and ".join(filter(None, said))


def _by_hand(seen: Knowledge, hand: Sequence[Card], bid: int) -> str:
    """The reason for a bid from the player's own cards."""
    cards = sorted((card for card in hand if card != FOOL), key=value)
    strong = [card for card in cards if _higher(seen, card) <= STRONG]
    if bid and bid <= len(strong) + (FOOL in hand) and strong:
        most = "at most " if _higher(seen, strong[0]) > _higher(seen, strong[-1]) else ""
        return f"{most}{_beat(seen, strong[0])} {listed(_named(strong))}"
    if not bid and not strong and cards:
        return f"{_beat(seen, cards[-1])} your best card, {cards[-1]}"
    return ""


def _by_what_is_shown(seen: Knowledge, bid: int) -> str:
    """The reason for a bid from the others' cards, if the player does not see their own card."""
    shown = [*seen.shown.values()]
    if not shown:
        return ""
    if FOOL in shown:
        return "" if bid else "you see the Fool, which may count 22"
    best = max(shown, key=value)
    count, of = _higher(seen, best), len(seen.hidden())
    if (2 * count > of) != bool(bid):
        return ""
    beat = "beats" if count == 1 else "beat"
    return f"{count} of the {of} cards that yours may be {beat} the {best} that you see"


def _beat(seen: Knowledge, card: Card) -> str:
    """`2 of the 17 cards you have not seen beat`."""
    count, of = _higher(seen, card), len(seen.hidden())
    if not count:
        return f"none of the {of} cards you have not seen beats"
    return f"{count} of the {of} cards you have not seen {'beats' if count == 1 else 'beat'}"


def _higher(seen: Knowledge, card: Card) -> int:
    """Number of unseen cards that may beat a card; the Fool may beat any."""
    return sum(other == FOOL or value(other) > value(card) for other in seen.hidden())


def _play(seen: Knowledge, turn: Turn, token: str) -> str:
    needs, left = (turn.bid or 0) - (turn.won or 0), len(turn.hand or ())
    if turn.nlegal == 1:
        return "it is all that you may play"
    if needs < 0:
        need = "you have more tricks than you bid"
    elif needs == 0:
        need = "you have the tricks that you bid"
    elif needs > left:
        need = "you need more tricks than are left"
    elif needs == left:
        need = f"you need {'the last trick' if left == 1 else f'all {left} tricks that are left'}"
    else:
        need = f"you need {needs} of the {left} tricks that are left"
    does = _takes(seen, token, needs) if needs > 0 else _takes_none(seen, token)
    return f"{need}, and {does}" if does else ""


def _takes_none(seen: Knowledge, token: str) -> str:
    """The clause for a card of a player who needs no further trick."""
    card = _called(token)
    if seen.best is None:
        if value(token) == 0:
            return f"{card} can take none"
        return f"{_beat(seen, token)} {card}" if _often_beaten(seen, token) else ""
    below = [value(held) for held in seen.hand if held != FOOL and value(held) < value(seen.best)]
    if value(token) < value(seen.best) and value(token) >= max(below, default=0):
        return f"{card} goes below {_called(seen.best)}"
    return ""


def _takes(seen: Knowledge, token: str, needs: int) -> str:
    """The clause for a card of a player who needs further tricks."""
    card = _called(token)
    played = FOOL if token[0] == FOOL else token
    kept = sorted((held for held in seen.hand if held != played), key=_most)
    best = kept[-needs:][::-1]
    if seen.best is None:
        if _often_beaten(seen, token) or (best and _most(best[-1]) > value(token)):
            return _keeps(seen, token, best, needs)
        return f"{_beat(seen, token)} {card}"
    on_table = _called(seen.best)
    last = all(left < seen.left[seen.seat] for seat, left in seen.left.items() if seat != seen.seat)
    if value(token) < value(seen.best) or (_often_beaten(seen, token) and not last):
        return _keeps(seen, token, best, needs)
    if last:
        return f"{card} beats {on_table} with nobody left to play"
    return f"{card} beats {on_table}; {_beat(seen, token)} it"


def _keeps(seen: Knowledge, token: str, best: Sequence[Card], needs: int) -> str:
    """The clause with the cards kept for needed tricks, if the player lets this trick go."""
    if len(best) < needs or (token[0] != FOOL and _most(best[-1]) < value(token)):
        return ""
    kept = listed(_called_kept(card) for card in best)
    if all(card == FOOL or not _higher(seen, card) for card in best):
        return f"you keep {kept}, which nothing that you have not seen can beat"
    return f"you keep {kept} for {'it' if needs == 1 else 'them'}"


def _most(card: Card) -> int:
    """The highest value of a card; the Fool beats all."""
    return 22 if card == FOOL else value(card)


def _called_kept(card: Card) -> str:
    return "the Fool" if card == FOOL else card


def _often_beaten(seen: Knowledge, card: Card) -> bool:
    """True if more than half of the unseen cards beat this card."""
    return 2 * _higher(seen, card) > len(seen.hidden())


def _called(card: Card) -> str:
    """A card in words: `20`, `the Fool as 22`."""
    return f"the Fool as {card[1:]}" if card[:1] == FOOL and len(card) > 1 else card


def _named(cards: Iterable[Card]) -> list[str]:
    return [*TAROT.sort(cards, high_first=True)]
