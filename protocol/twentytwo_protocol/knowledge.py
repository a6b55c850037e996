"""A viewer's knowledge of a table, and the changes that events make to it.

`model` builds it from events and from snapshots.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from .cards import Card

__all__ = ["GameFacts", "HandFacts", "Knowledge", "PromiseFacts", "SeatModel"]


class GameFacts(Protocol):
    """The facts about a game: the fields of GAME."""

    @property
    def game(self) -> str:
        """The key of the game, such as `twentytwo`."""

    @property
    def id(self) -> str:
        """The game's id, such as `g51`."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def version(self) -> int:
        """The version of the game's rules."""

    @property
    def ruleshash(self) -> str:
        """The hash of the game's options."""

    @property
    def target(self) -> int | None:
        """The score that ends the game."""

    @property
    def start(self) -> int | None:
        """The score that each player begins with; None for 0."""

    @property
    def sides(self) -> tuple[str, ...] | None:
        """The partnerships, such as `1+3`; None if each plays alone."""

    @property
    def hands(self) -> int | None:
        """The number of hands after which the score decides; None if there is no such number."""


class PromiseFacts(Protocol):
    """The facts about the next or running game's shuffle: the fields of COMMITTED."""

    @property
    def id(self) -> str:
        """The game's id."""

    @property
    def no(self) -> int:
        """The number of the commitment in the server's log."""

    @property
    def alg(self) -> str:
        """The algorithm of the shuffle."""

    @property
    def hash(self) -> str:
        """The commitment."""


class HandFacts(Protocol):
    """The facts about a hand: the fields of HAND."""

    @property
    def no(self) -> int:
        """The number of the hand in its game."""

    @property
    def dealer(self) -> int:
        """The dealer's seat."""

    @property
    def size(self) -> int:
        """The number of cards dealt to each player."""

    @property
    def stock(self) -> int:
        """The number of cards left in the stock."""


@dataclass(slots=True)
class SeatModel:
    """A viewer's knowledge of a seat. `cards` is the number of its cards, `seen` are those that
    others see.

    `tricks` is the number of its tricks in this hand, `points` the card points in them. `word` is
    its word for the next shuffle, `sealed` the hash of a sealed one; both may be empty.
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
    """The knowledge of the viewer at seat `me` (None: a spectator) about the table `on`, after
    event `seq`.

    `wishes` are the open votes: the subject of each, and its voters. A snapshot does not have them.
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
        """True if the table gives a lesson."""
        return "lesson" in self.options

    def at(self, seat: int) -> SeatModel:
        """The model of a seat."""
        return self.seats[seat]

    def sit(self, seat: int, name: str, bot: bool) -> None:
        """Seats a player. The cards and score of a running game stay with the seat."""
        before = self.seats.get(seat)
        self.seats[seat] = SeatModel(name, bot)
        if before is not None:
            self.seats[seat].cards, self.seats[seat].total = before.cards, before.total
            self.seats[seat].out, self.seats[seat].seen = before.out, before.seen
            self.seats[seat].tricks, self.seats[seat].points = before.tricks, before.points

    def leave(self, seat: int) -> None:
        """Frees a seat. In a running game its cards stay for the next player."""
        if seat in self.seats:
            self.forget_wishes(name=self.seats[seat].name)
        if self.phase == "playing":
            self.seats[seat].name = ""
        else:
            self.seats.pop(seat, None)

    def move(self, seat: int, name: str, was: int) -> None:
        """Moves a player to another seat. If it was taken, the two players change places.

        Two events report such a change. The first moves both players, the second changes nothing.
        """
        there = self.seats.get(seat)
        if there is not None and there.name == name:
            return
        self.seats[seat] = self.seats.pop(was)
        if there is not None:
            self.seats[was] = there

    def rename(self, was: str, name: str) -> None:
        """Renames a player, in their seat and as host."""
        for seat in self.seats.values():
            if seat.name == was:
                seat.name = name
        if self.host == was:
            self.host = name
        self.wishes = {(what, name if whose == was else whose) for what, whose in self.wishes}

    def forget_wishes(self, *, what: str = "", name: str = "") -> None:
        """Removes open votes, by subject or by voter."""
        self.wishes = {(w, n) for w, n in self.wishes if w != what and n != name}

    def finish(self) -> None:
        """Ends the game, with or without a result."""
        self.phase, self.paused = "over", False
        self.wishes.clear()
        self.seats = {number: seat for number, seat in self.seats.items() if seat.name}

    def begin(self, game: GameFacts) -> None:
        """Begins a game."""
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
        """Removes all words for the next shuffle."""
        for seat in self.seats.values():
            seat.word = seat.sealed = ""

    def unseal(self) -> None:
        """Notes that the start waits for sealed words."""
        self.phase = "starting"

    def call_off(self) -> None:
        """Notes that the start was called off."""
        self.phase = "over" if self.game else "open"
        self.forget_words()

    def deal(self, hand: HandFacts) -> None:
        """Begins a hand."""
        self.hand, self.stock = hand, hand.stock
        self.trick = self.leader = None
        self.holding = ()
        for seat in self.seats.values():
            seat.cards, seat.seen = 0, ()
            seat.tricks, seat.points = 0, 0

    def close_question(self, seat: int) -> None:
        """Closes the open question to a seat. Only `Fold` keeps questions."""

    def hold(self, *cards: Card) -> None:
        """Adds cards to the viewer's hand."""
        self.holding += cards

    def drop(self, *cards: Card) -> None:
        """Removes cards from the viewer's hand. A joker is removed whatever it was played as.

        A card that its owner could not see was never in this hand; it is ignored.
        """
        left = list(self.holding)
        for card in cards:
            held = card if card in left else card[0]
            if held in left:
                left.remove(held)
        self.holding = tuple(left)
