"""A summary of a running hand, beside its scores, cards and trick.

A client that keeps the table in view shows the summary in a few words. Each game registers a
function that makes it, so that clients need not know any game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import field

from .cards import Card
from .folding import Fold
from .value import Value
from .voice import Voice
from .words.cardplay import Bid_, Contract

__all__ = [
    "GLANCES",
    "Glance",
    "Glancing",
    "SideGlance",
    "bids_of",
    "contract_of",
    "glance",
    "usual",
]


class SideGlance(Value):
    """Partners, their score, and their result in the hand so far."""

    who: str
    score: int
    made: str = ""


class Glance(Value):
    """A game's summary of the hand, as its viewer knows it.

    `facts` are short texts about the hand, the most important first. `notes` are a word or two for
    a seat, shown beside its score: `bid 2`, `1 of 2`. `partner` is the seat of the viewer's
    partner. `sides` are all partnerships, the viewer's own first. `down` is a face-down card of the
    viewer's.
    """

    facts: tuple[str, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)
    partner: int | None = None
    down: Card | None = None
    sides: tuple[SideGlance, ...] = ()


Glancing = Callable[[Fold, Voice], Glance]
"""A function that summarises a table for a viewer."""

GLANCES: dict[str, Glancing] = {}
"""The summary function of each game, by the key of the game."""


def glance(table: Fold, voice: Voice) -> Glance:
    """The summary of the running hand; empty if no game runs."""
    if table.phase != "playing" or table.game is None:
        return Glance()
    return GLANCES.get(table.game.game, usual)(table, voice)


def usual(table: Fold, voice: Voice) -> Glance:
    """The summary of a game without a function of its own: its bids and its contract."""
    contract = contract_of(table)
    if contract is not None:
        return Glance((f"{voice.name(contract.seat)} for {contract.bid}",))
    return Glance(notes={seat: f"bid {bid}" for seat, bid in bids_of(table).items()})


def contract_of(table: Fold) -> Contract | None:
    """The contract of the hand; None before the bidding is over."""
    return next((said for said in table.standing if isinstance(said, Contract)), None)


def bids_of(table: Fold) -> dict[int, str]:
    """The last bid of each seat that has bid in this hand."""
    return {said.seat: said.bid for said in table.standing if isinstance(said, Bid_)}
