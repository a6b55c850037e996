"""A table at a glance: what counts in a hand besides its scores, its cards and its trick.

A client that keeps a table in view shows it in a few words. Which words those are each game knows,
and enters here; so a client that shows them need not know any game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import field

from .cards import Card
from .folding import Fold
from .value import Value
from .voice import Voice
from .words.cardplay import Bid_, Contract


class SideGlance(Value):
    """Players who win and lose together: who, their score, and what they have made of a hand."""

    who: str
    score: int
    made: str = ""


class Glance(Value):
    """What a game adds to a table that is in view, as its viewer knows it.

    `facts` are short texts about the hand, what matters most first. `notes` are a word or two
    about a seat, which stand beside its score: `bid 2`, `1 of 2`. `partner` is the seat that
    wins and loses with the viewer, `sides` are all who do so, the viewer's own first. `down` is a
    card of the viewer's that lies face down.
    """

    facts: tuple[str, ...] = ()
    notes: Mapping[int, str] = field(default_factory=dict)
    partner: int | None = None
    down: Card | None = None
    sides: tuple[SideGlance, ...] = ()


Glancing = Callable[[Fold, Voice], Glance]
"""What a game has to say of a table to somebody there."""

GLANCES: dict[str, Glancing] = {}
"""What is shown of a running game, by its key."""


def glance(table: Fold, voice: Voice) -> Glance:
    """What counts in the hand that is played at a table; nothing where no game runs."""
    if table.phase != "playing" or table.game is None:
        return Glance()
    return GLANCES.get(table.game.game, usual)(table, voice)


def usual(table: Fold, voice: Voice) -> Glance:
    """What can be said of a game that is not known here: its bids, and what is to be made."""
    contract = contract_of(table)
    if contract is not None:
        return Glance((f"{voice.name(contract.seat)} for {contract.bid}",))
    return Glance(notes={seat: f"bid {bid}" for seat, bid in bids_of(table).items()})


def contract_of(table: Fold) -> Contract | None:
    """What the hand is played for, once the bidding is over."""
    return next((said for said in table.standing if isinstance(said, Contract)), None)


def bids_of(table: Fold) -> dict[int, str]:
    """The last bid of everybody who has spoken in this hand."""
    return {said.seat: said.bid for said in table.standing if isinstance(said, Bid_)}
