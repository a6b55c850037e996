"""What a player could remember of a hand: which cards have gone, and who cannot follow what.

It is reckoned from the events that the player was shown, so it tells nothing that they have not
seen. A table may be opened without: `counting=off`.
"""

from __future__ import annotations

from .cards import Card
from .folding import Fold
from .words.cardplay import Exchanged, Played, Shown, Trick


def counted(table: Fold) -> bool:
    """True if people are shown at this table which cards have gone."""
    return table.options.get("counting") != "off"


def gone(table: Fold) -> list[Card]:
    """The cards of this hand that the viewer has seen go: played, laid open, or thrown by them."""
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
    """The suits that each seat has shown not to have, by not following them in this hand."""
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
