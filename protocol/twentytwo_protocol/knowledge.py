"""What can be known of a table, with the changes that events make to it.

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
    def players(self) -> int:
        """The number of players."""

    @property
    def version(self) -> int:
        """The version of its laws."""

    @property
    def ruleshash(self) -> str:
        """The hash of its options."""

    @property
    def target(self) -> int | None:
        """The score that ends it."""

    @property
    def start(self) -> int | None:
        """The score that everybody begins with, if it is not 0."""

    @property
    def sides(self) -> tuple[str, ...] | None:
        """Who plays with whom, if anybody does: `1+3`."""

    @property
    def hands(self) -> int | None:
        """After how many hands the score decides, if so many were set."""


class PromiseFacts(Protocol):
    """What is known of the game to come, or running: the fields of COMMITTED."""

    @property
    def id(self) -> str:
        """Its number."""

    @property
    def no(self) -> int:
        """The number of the commitment."""

    @property
    def alg(self) -> str:
        """How its packs are shuffled."""

    @property
    def hash(self) -> str:
        """The commitment."""


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
    """What is known of a seat; `cards` is how many it holds, `seen` those that others see.

    `tricks` are those it has taken in this hand, `points` the card points in them.
    `word` was given for the next shuffle, or `sealed` is the hash of one; both may be empty.
    """

    name: str
    bot: bool
    ready: bool = False
    here: bool = True
    standin: bool = False
    cards: int = 0
    total: int = 0
    out: bool = False
    place: int | None = None
    seen: tuple[Card, ...] = ()
    tricks: int = 0
    points: int = 0
    word: str = ""
    sealed: str = ""


@dataclass(slots=True)
class Knowledge:
    """What the viewer at seat `me` (None: a spectator) knows of table `on` after event `seq`.

    `wishes` are votes to which not all have agreed: what, and whose. A snapshot has none of them.
    """

    on: str
    me: int | None = None
    seq: int = 0
    phase: str = "open"
    host: str | None = None
    paused: bool = False
    game: GameFacts | None = None
    hand: HandFacts | None = None
    promise: PromiseFacts | None = None
    words: tuple[str, ...] | None = None
    stock: int | None = None
    trick: int | None = None
    leader: int | None = None
    holding: tuple[Card, ...] = ()
    options: dict[str, str] = field(default_factory=dict)
    seats: dict[int, SeatModel] = field(default_factory=dict)
    wishes: set[tuple[str, str]] = field(default_factory=set, compare=False)

    @property
    def lesson(self) -> bool:
        """True if a lesson is given at the table."""
        return "lesson" in self.options

    def at(self, seat: int) -> SeatModel:
        """What is known of the seat."""
        return self.seats[seat]

    def sit(self, seat: int, name: str, bot: bool) -> None:
        """Somebody has taken the seat; the cards and score of a running game stay with it."""
        before = self.seats.get(seat)
        self.seats[seat] = SeatModel(name, bot)
        if before is not None:
            self.seats[seat].cards, self.seats[seat].total = before.cards, before.total
            self.seats[seat].out, self.seats[seat].seen = before.out, before.seen
            self.seats[seat].tricks, self.seats[seat].points = before.tricks, before.points

    def leave(self, seat: int) -> None:
        """Somebody has given up the seat; in a running game its cards stay for the next one."""
        if seat in self.seats:
            self.forget_wishes(name=self.seats[seat].name)
        if self.phase == "playing":
            self.seats[seat].name = ""
        else:
            self.seats.pop(seat, None)

    def move(self, seat: int, name: str, was: int) -> None:
        """Somebody has moved to another seat; if it was taken, both have changed places.

        That is told by two events: the first moves both, the second changes nothing.
        """
        there = self.seats.get(seat)
        if there is not None and there.name == name:
            return
        self.seats[seat] = self.seats.pop(was)
        if there is not None:
            self.seats[was] = there

    def rename(self, was: str, name: str) -> None:
        """Somebody has another name: in their seat, and as host."""
        for seat in self.seats.values():
            if seat.name == was:
                seat.name = name
        if self.host == was:
            self.host = name
        self.wishes = {(what, name if whose == was else whose) for what, whose in self.wishes}

    def forget_wishes(self, *, what: str = "", name: str = "") -> None:
        """The votes for something, or of somebody, are votes no longer."""
        self.wishes = {(w, n) for w, n in self.wishes if w != what and n != name}

    def finish(self) -> None:
        """The game is over, with or without a result."""
        self.phase, self.paused = "over", False
        self.wishes.clear()
        self.seats = {number: seat for number, seat in self.seats.items() if seat.name}

    def begin(self, game: GameFacts) -> None:
        """A game has begun."""
        self.phase, self.game, self.paused = "playing", game, False
        self.words = None
        self.forget_words()
        self.wishes.clear()
        self.hand = self.stock = self.trick = self.leader = None
        self.holding = ()
        for seat in self.seats.values():
            seat.cards, seat.total, seat.seen = 0, game.start or 0, ()
            seat.tricks, seat.points = 0, 0
            seat.out, seat.place, seat.ready = False, None, False

    def forget_words(self) -> None:
        """The words for the next shuffle count no longer."""
        for seat in self.seats.values():
            seat.word = seat.sealed = ""

    def unseal(self) -> None:
        """The start waits for words to be opened."""
        self.phase = "starting"

    def call_off(self) -> None:
        """The start has not come about."""
        self.phase = "over" if self.game else "open"
        self.forget_words()

    def deal(self, hand: HandFacts) -> None:
        """A hand has begun."""
        self.hand, self.stock = hand, hand.stock
        self.trick = self.leader = None
        self.holding = ()
        for seat in self.seats.values():
            seat.cards, seat.seen = 0, ()
            seat.tricks, seat.points = 0, 0

    def close_question(self, seat: int) -> None:
        """The question to a seat is open no longer. Here no questions are kept: see `Fold`."""

    def hold(self, *cards: Card) -> None:
        """The viewer has these cards too."""
        self.holding += cards

    def drop(self, *cards: Card) -> None:
        """The viewer has these cards no longer; a wild card goes whatever it was played as.

        Cards that the viewer held without seeing them were never in the hand as it is known.
        """
        left = list(self.holding)
        for card in cards:
            held = card if card in left else card[0]
            if held in left:
                left.remove(held)
        self.holding = tuple(left)
