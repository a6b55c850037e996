"""The states of a game of Whist 22: one immutable class for every step.

    Drawing -> Dealing -> Bidding -> Playing -> Dealing -> ... -> Over

`Drawing` and `Dealing` wait for the house. `Standing` is the state between hands. Seats count from
1 in the order of play; lists by seat have seat 1 at index 0.
"""

from __future__ import annotations

from typing import final

from twentytwo_protocol.cards import FOOL, Card, trumps22
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value

from .rules import Whist22Rules

PACK = trumps22()
PACK_WITHOUT_FOOL = tuple(card for card in PACK if card != FOOL)

Hands = tuple[tuple[Card, ...], ...]
"""The cards by seat, ascending, the Fool last."""


class Standing(Value):
    """The state between hands; `hand` is the number of the hand dealt last."""

    rules: Whist22Rules
    totals: tuple[int, ...]
    hand: int = 0
    dealer: int = 0

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.totals)

    def after(self, seat: int) -> int:
        """The seat on the left."""
        return seat % self.seats + 1

    def dealt_by(self, dealer: int) -> Standing:
        """The standing before a hand that this seat deals."""
        return Standing(self.rules, self.totals, self.hand, dealer)


@final
class Drawing(Value):
    """The house has to choose the first dealer among all seats."""

    standing: Standing


@final
class Dealing(Value):
    """The house has to shuffle; then the dealer deals."""

    standing: Standing

    @property
    def size(self) -> int:
        """The number of cards for each player in the next hand."""
        return self.standing.rules.size_of(self.standing.hand + 1, self.standing.seats)

    @property
    def pack(self) -> tuple[Card, ...]:
        """The cards to shuffle, in canonical order."""
        return PACK if self.standing.rules.has_fool(self.size) else PACK_WITHOUT_FOOL


@final
class Bidding(Value):
    """The bidding, from the dealer's left; `bids` are the bids so far, in order."""

    standing: Standing
    hands: Hands
    bids: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of tricks in the hand."""
        return len(self.hands[0])

    @property
    def seat(self) -> int:
        """The seat that bids next."""
        return (self.standing.dealer + len(self.bids)) % len(self.hands) + 1


@final
class Playing(Value):
    """A trick in progress; `seat` is on turn.

    `blind`: nobody sees their own card. `bids` and `won` are by seat. `best` is the highest card of
    the trick so far, the Fool as declared, None before the lead; `winner` is its player.
    """

    standing: Standing
    hands: Hands
    blind: bool
    bids: tuple[int, ...]
    won: tuple[int, ...]
    trick: int
    leader: int
    seat: int
    best: Card | None = None
    winner: int = 0


Counts = tuple[int, ...]
"""A number for every seat."""


@final
class Over(Value):
    """The game is over; `places` by seat."""

    standing: Standing
    winners: tuple[int, ...]
    places: tuple[int, ...]


State = Drawing | Dealing | Bidding | Playing | Over

Step = tuple[State, list[Event]]
"""The next state, and the events."""
