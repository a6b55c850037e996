"""Card counting: the cards of the hand that are gone, and the suits that each player lacks.

Both are computed from the events that the viewer has received, so they reveal nothing new. The
option `counting=off` turns counting off at a table.
"""

from __future__ import annotations

from .cards import Card
from .folding import Fold
from .words.cardplay import Exchanged, Played, Shown, Trick

__all__ = ["counted", "gone", "voids"]


def counted(table: Fold) -> bool:
    """True if the table shows people the cards that are gone."""
    return table.options.get("counting") != "off"


def gone(table: Fold) -> list[Card]:
    """The cards of this hand that the viewer has seen played, shown or discarded."""
    found: list[Card] = []
    for each in table.so_far():
        match each:
            case Played(cards=cards):
                found += cards
            case Exchanged(gave=cards) if cards:
                found += cards
            case Shown(card=card):
                found.append(card)
    return found


def voids(table: Fold) -> dict[int, list[str]]:
    """The suits that each seat has failed to follow in this hand."""
    found: dict[int, list[str]] = {}
    led = ""
    for each in table.so_far():
        match each:
            case Trick():
                led = ""
            case Played(cards=(card, *_)) if not led:
                led = card[-1]
            case Played(cards=(card, *_), seat=seat) if card[-1] != led:
                suits = found.setdefault(seat, [])
                if led not in suits:
                    suits.append(led)
    return found
