"""What can be known of a table, and how it changes: what the events' folds work on.

`model` builds it from events and from snapshots; here is only what there is to know.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from .cards import Card


class GameFacts(Protocol):
    """What is known of a game: the fields of GAME."""

    @property
    def game(self) -> str:
        """The game's key."""

    @property
    def id(self) -> str:
        """Its number."""

    @property
    def size(self) -> int:
        """How many play."""

    @property
    def rules(self) -> str:
        """The hash of its options."""

    @property
    def target(self) -> int | None:
        """The score that ends it."""


class HandFacts(Protocol):
    """What is known of a hand: the fields of HAND."""

    @property
    def no(self) -> int:
        """Its number in the game."""

    @property
    def dealer(self) -> int:
        """The dealer's seat."""

    @property
    def size(self) -> int:
        """How many cards were dealt to each."""

    @property
    def stock(self) -> int:
        """How many were left."""


@dataclass(slots=True)
class SeatModel:
    """What is known of a seat; `cards` is how many it holds."""

    name: str
    bot: bool
    ready: bool = False
    here: bool = True
    standin: bool = False
    cards: int = 0
    total: int = 0
    out: bool = False
    place: int | None = None


@dataclass(slots=True)
class Knowledge:
    """What the viewer at seat `me` (None: a spectator) knows of table `on` after event `seq`."""

    on: str
    me: int | None = None
    seq: int = 0
    phase: str = "open"
    host: str | None = None
    paused: bool = False
    game: GameFacts | None = None
    hand: HandFacts | None = None
    stock: int | None = None
    trick: int | None = None
    leader: int | None = None
    holding: tuple[Card, ...] = ()
    options: dict[str, str] = field(default_factory=dict)
    seats: dict[int, SeatModel] = field(default_factory=dict)
    watchers: dict[str, bool] = field(default_factory=dict)

    def at(self, seat: int) -> SeatModel:
        """What is known of the seat."""
        return self.seats[seat]

    def sit(self, seat: int, name: str, bot: bool) -> None:
        """Somebody has taken the seat; the cards and score of a running game stay with it."""
        before = self.seats.get(seat)
        self.seats[seat] = SeatModel(name, bot)
        if before is not None:
            self.seats[seat].cards, self.seats[seat].total = before.cards, before.total
            self.seats[seat].out = before.out

    def move(self, seat: int, name: str, was: int, bot: bool) -> None:
        """Somebody has moved from one seat to another."""
        old = self.seats.get(was)
        if old is not None and old.name == name:
            del self.seats[was]
        self.seats[seat] = SeatModel(name, bot)

    def begin(self, game: GameFacts) -> None:
        """A game has begun."""
        self.phase, self.game, self.paused = "playing", game, False
        self.hand = self.stock = self.trick = self.leader = None
        self.holding = ()
        for seat in self.seats.values():
            seat.cards, seat.total, seat.out, seat.place, seat.ready = 0, 0, False, None, False

    def deal(self, hand: HandFacts) -> None:
        """A hand has begun."""
        self.hand, self.stock = hand, hand.stock
        self.trick = self.leader = None
        self.holding = ()
        for seat in self.seats.values():
            seat.cards = 0

    def hold(self, *cards: Card) -> None:
        """The viewer has these cards too."""
        self.holding += cards

    def drop(self, *cards: Card) -> None:
        """The viewer has these cards no longer; a joker goes whatever it was played as."""
        left = list(self.holding)
        for card in cards:
            left.remove(card if card in left else card[0])
        self.holding = tuple(left)
