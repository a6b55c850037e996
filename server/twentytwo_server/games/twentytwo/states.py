"""The states of a game of Twenty-Two: one immutable class for every step.

    Drawing -> Dealing -> Exchanging -> Playing -> (Drawing ->) Dealing -> ... -> Over

`Drawing` and `Dealing` wait for the house. `Standing` is what lasts from hand to hand.
Seats count from 1 in the order of play; lists by seat have seat 1 at index 0.
"""

from __future__ import annotations

from functools import lru_cache

from twentytwo_protocol.cards import pack
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Handover

from .hands import Cards, Ranks, packed, without
from .rules import TwentyTwoRules


class Standing(Value):
    """What lasts from hand to hand.

    `playing` are the seats in the game, ascending, in a run-off those in it; `kept` the scoring
    cards that lie before each seat, out of the pack; `fell` the hand in which each seat went
    out of the game or the run-off, 0 for not yet. `hand` is the number of the hand dealt last,
    `wanted` how many cards each should have in the next, if the pack suffices.
    """

    rules: TwentyTwoRules
    seats: int
    playing: tuple[int, ...]
    totals: tuple[int, ...]
    kept: tuple[Cards, ...]
    fell: tuple[int, ...]
    wanted: int
    hand: int = 0
    dealer: int = 0
    runoff: bool = False

    @property
    def pack(self) -> Cards:
        """The pack without the scoring cards on the table; the first of equal ones is left out."""
        return _pack_without(full_pack(self.rules, self.seats), b"".join(self.kept))


def full_pack(rules: TwentyTwoRules, seats: int) -> Cards:
    """All the cards that so many players use, in canonical order."""
    return _packed(rules.packs(seats), rules.jokers)


@lru_cache(maxsize=64)
def _packed(packs: int, jokers: int) -> Cards:
    return packed(pack(packs, jokers))


@lru_cache(maxsize=1 << 10)
def _pack_without(whole: Cards, kept: Cards) -> Cards:
    return without(whole, kept)


class Drawing(Value):
    """The house is to choose among seats: who deals.

    They draw cards, the highest deals; or, `by_lot`, the house picks one of them. `closing`
    ends the hand before, once the dealer is known. `again` if they drew before and were tied.
    """

    standing: Standing
    among: tuple[int, ...]
    by_lot: bool
    closing: Handover | None = None
    again: bool = False


class Dealing(Value):
    """The house is to shuffle; then the dealer deals."""

    standing: Standing


class Exchanging(Value):
    """Seats exchange cards; `waiting` are those to come, whose turn it is first.

    The next card of the stock is the first.
    """

    standing: Standing
    hands: tuple[Cards, ...]
    stock: Cards
    waiting: tuple[int, ...]
    leader: int


class Playing(Value):
    """A trick is played; `seat` is on turn.

    `next_seat` maps every seat to the next one in the game (index 0 is unused). `bar` are the
    ranks to equal or beat, empty for a lead; `best`, `winner` and `winning` the ranks, the seat
    and the cards of the play that wins so far.
    """

    standing: Standing
    next_seat: tuple[int, ...]
    hands: tuple[Cards, ...]
    trick: int
    leader: int
    seat: int
    bar: Ranks = b""
    best: Ranks = b""
    winner: int = 0
    winning: Cards = b""


class Over(Value):
    """The game is over; `places` by seat."""

    standing: Standing
    winners: tuple[int, ...]
    places: tuple[int, ...]


State = Drawing | Dealing | Exchanging | Playing | Over

Step = tuple[State, list[Event]]
"""The next state, and the events."""
