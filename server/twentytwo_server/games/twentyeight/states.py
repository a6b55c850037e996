"""The states of a game of Twenty-Eight: one immutable class for every step.

    Drawing -> Dealing -> Bidding -> Choosing -> Playing -> Dealing -> ... -> Over

`Drawing` and `Dealing` wait for the house; a new deal goes from Bidding back to Dealing. Seats
count from 1 in the order of play, which is to the right: 1 and 3 are partners, 2 and 4. Lists by
seat have seat 1 at index 0; lists by side have the side of seat 1 at index 0.
"""

from __future__ import annotations

from typing import final

from msgspec.structs import replace

from twentytwo_protocol.cards import Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value

from .rules import PLAYERS, TwentyEightRules

Hands = tuple[tuple[Card, ...], ...]
"""The cards of every seat, from seat 1."""

SIDES = ((1, 3), (2, 4))


def side_of(seat: int) -> int:
    """The index of a seat's side."""
    return (seat - 1) % 2


def added(have: tuple[int, int], side: int, points: int) -> tuple[int, int]:
    """The points of both sides after one side gets some more."""
    first, second = have
    return (first, second + points) if side else (first + points, second)


def after(seat: int) -> int:
    """The next seat in the order of play."""
    return seat % PLAYERS + 1


def without(hands: Hands, seat: int, card: Card) -> Hands:
    """The hands when a seat has played a card."""
    after, hand = list(hands), list(hands[seat - 1])
    hand.remove(card)
    after[seat - 1] = tuple(hand)
    return tuple(after)


class Standing(Value):
    """The state between hands: `totals` by side, the hand's number, its dealer."""

    rules: TwentyEightRules
    totals: tuple[int, int] = (0, 0)
    hand: int = 0
    dealer: int = 0

    def then(self, totals: tuple[int, int], hand: int, dealer: int) -> Standing:
        """A copy with new totals, hand and dealer."""
        return Standing(self.rules, totals, hand, dealer)

    @property
    def by_seat(self) -> tuple[int, ...]:
        """The score of every seat, which is the score of its side."""
        return self.totals * (PLAYERS // 2)


@final
class Drawing(Value):
    """The house has to pick the first dealer."""

    standing: Standing


@final
class Dealing(Value):
    """The house has to shuffle; then the dealer deals."""

    standing: Standing


@final
class Bidding(Value):
    """The auction: `seat` is on turn, every seat has four cards, `stock` has the others.

    `bidder` made the highest of `bids` (0: nobody has bid). `passed` are the seats that have passed
    since, or, if a pass is final, all that have passed.
    """

    standing: Standing
    hands: Hands
    stock: tuple[Card, ...]
    seat: int
    bidder: int = 0
    bids: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()


@final
class Choosing(Value):
    """The bidder has to lay the trump card face down."""

    standing: Standing
    hands: Hands
    stock: tuple[Card, ...]
    bidder: int
    bid: int


@final
class Playing(Value):
    """A trick in progress: `seat` is on turn, and is `asked` whether to call, or for a card.

    `trump` is the suit. `down` is the bidder's face-down card, which is still in `hands`; empty
    after it is shown. `plays` are the cards of the trick, beginning with the lead. `shown_after` is
    the number of cards played before the trump was shown (0: in an earlier trick, None: still
    hidden). `caller` has called in this trick. `won` has the card points by side.
    """

    standing: Standing
    bidder: int
    bid: int
    hands: Hands
    trump: str
    down: Card
    seat: int
    leader: int
    trick: int = 1
    plays: tuple[Card, ...] = ()
    shown_after: int | None = None
    caller: int = 0
    asked: bool = False
    won: tuple[int, int] = (0, 0)

    @property
    def led(self) -> str:
        """The suit led; empty for a lead."""
        return self.plays[0][1] if self.plays else ""

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the seat on turn, including the face-down card."""
        return self.hands[self.seat - 1]

    @property
    def held(self) -> tuple[Card, ...]:
        """The cards of the seat on turn without the face-down card."""
        hand, down = self.hands[self.seat - 1], self.down
        if not down or down not in hand:
            return hand
        index = hand.index(down)
        return hand[:index] + hand[index + 1 :]

    def next_trick(self, leader: int, won: tuple[int, int]) -> Playing:
        """The state before the next trick."""
        return replace(
            self,
            seat=leader,
            leader=leader,
            trick=self.trick + 1,
            plays=(),
            shown_after=None if self.down else 0,
            caller=0,
            asked=False,
            won=won,
        )


@final
class Over(Value):
    """The game is over."""

    standing: Standing
    winners: tuple[int, ...]


State = Drawing | Dealing | Bidding | Choosing | Playing | Over

Step = tuple[State, list[Event]]
"""The next state, and the events."""
