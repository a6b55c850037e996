"""The states of a game of Twenty-Two: one immutable class for every step.

    Drawing -> Dealing -> Exchanging -> Playing -> (Drawing ->) Dealing -> ... -> Over

`Drawing` and `Dealing` wait for the house. `Standing` is the state between hands. Seats count from
1 in the order of play; lists by seat have seat 1 at index 0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import final

from twentytwo_protocol.cards import pack
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Handover

from .hands import Cards, Ranks, packed, without
from .rules import TwentyTwoRules


class Standing(Value):
    """The state between hands.

    `playing` are the seats in the game or in the run-off, ascending. `kept` are the scoring cards
    on the table before each seat, outside the pack. `fell` is the hand in which each seat was
    eliminated from the game or the run-off, 0 if it was not. `hand` is the number of the hand dealt
    last. `wanted` is the number of cards for each player in the next hand, if the pack is large
    enough.
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
        """The pack without the scoring cards on the table; the first of equal cards is left out."""
        return without(full_pack(self.rules, self.seats), b"".join(self.kept))


def full_pack(rules: TwentyTwoRules, seats: int) -> Cards:
    """All cards used by this number of players, in canonical order."""
    return _packed(rules.packs(seats), rules.jokers)


@lru_cache(maxsize=64)
def _packed(packs: int, jokers: int) -> Cards:
    return packed(pack(packs, jokers))


@final
class Drawing(Value):
    """The house has to choose the dealer among seats.

    The seats draw cards, and the highest card deals; or, `by_lot`, the house picks one of them.
    `closing` is the event that ends the hand before; it follows once the dealer is known. `again`:
    these seats were tied in an earlier draw.
    """

    standing: Standing
    among: tuple[int, ...]
    by_lot: bool
    closing: Handover | None = None
    again: bool = False


@final
class Dealing(Value):
    """The house has to shuffle; then the dealer deals."""

    standing: Standing


@final
class Exchanging(Value):
    """Seats exchange cards; `waiting` are the seats to come, the seat on turn first.

    The first card of the stock is drawn next.
    """

    standing: Standing
    hands: tuple[Cards, ...]
    stock: Cards
    waiting: tuple[int, ...]
    leader: int


@final
class Playing(Value):
    """A trick in progress; `seat` is on turn.

    `next_seat` maps every seat to the next one in the game (index 0 is unused). `bar` has the ranks
    to equal or beat, empty for a lead. `best`, `winner` and `winning` are the ranks, the seat and
    the cards of the best play so far.
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


@final
class Over(Value):
    """The game is over; `places` by seat."""

    standing: Standing
    winners: tuple[int, ...]
    places: tuple[int, ...]


State = Drawing | Dealing | Exchanging | Playing | Over

Step = tuple[State, list[Event]]
"""The next state, and the events."""
