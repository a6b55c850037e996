"""The interface of a game: what the server, the bots and the records need of it.

A state is immutable. Chance is a move of the house: when `turn` is `HOUSE`, the caller shuffles
`pack` and plays it as `Shuffle`. So games need no random generator, a test can choose the cards,
and a record can be replayed without a seed. A seat knows only the events that it was shown: there
is no view of a state for a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import (
    Any,
    ClassVar,
    Generic,
    Protocol,
    TypeAlias,
    TypedDict,
    TypeVar,
    final,
    runtime_checkable,
)

from twentytwo_protocol.cards import Card, Deck
from twentytwo_protocol.schema import Deed, Event, Refusal
from twentytwo_protocol.value import Value
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Gameover, Result, Shuffle, Turn

from .chance import RandomBelow
from .lab import LabTable
from .lesson import Lesson
from .options import Option
from .searchable import Search

T = TypeVar("T")

HOUSE = 0
"""The seat on turn when the caller has to shuffle. Seats of players count from 1."""


@final
class Illegal(Refusal):
    """A move breaks the rules, or its cards are not held.

    `reason` is one of the protocol's `REASONS`, or empty if the cards are not held. The text tells
    a person the rule and names a move that would be legal.
    """

    def __init__(self, reason: str, why: str, advice: str = "") -> None:
        super().__init__(why, advice)
        self.reason = reason


def allowed(found: T | Illegal) -> T:
    """The result of judging a move, or raises it if it is an `Illegal`."""
    if type(found) is Illegal:
        raise found
    return found


def wrong_act(asked: str) -> Illegal:
    """The `Illegal` for a move that does not answer `asked`, such as `play a card`."""
    return Illegal("", f"Now is the time to {asked}.")


def places_by(merits: Sequence[Any]) -> tuple[int, ...]:
    """The place of every seat, from seat 1: the highest merit is first, ties share a place."""
    ranked = sorted(merits, reverse=True)
    return tuple([1 + ranked.index(mine) for mine in merits])


def ending(places: Sequence[int], totals: Sequence[int], why: str) -> list[Event]:
    """The events at the end of a game: RESULT for each seat, the best first, and GAMEOVER."""
    ranked = sorted(enumerate(places, 1), key=itemgetter(1))
    winners = tuple(seat for seat, place in ranked if place == 1)
    results = (Result(seat, place, totals[seat - 1]) for seat, place in ranked)
    return [*results, Gameover(winners, why)]


class Further(TypedDict, total=False):
    """Fields of TURN that only some games use; TURN declares their meaning."""

    tricks: int
    bids: tuple[int, ...]
    bid: int | None
    won: int
    holder: int | None
    trump: str | None
    down: Card | None


class Moves(Protocol):
    """The legal moves of the seat on turn.

    They are not listed until iterated over: `why` checks a move directly, since there may be very
    many. Iteration yields each distinct move once, the default first, as ranks if suits do not
    matter. A deed may name cards or only ranks.
    """

    @property
    def act(self) -> str:
        """The kind of question: `exchange`, `play`, `bid`..."""

    @property
    def subset(self) -> bool:
        """True if any `min` to `max` cards of the hand may be chosen; else one listed move."""

    @property
    def min(self) -> int:
        """The minimum number of cards of a subset."""

    @property
    def max(self) -> int:
        """The maximum number of cards of a subset."""

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the seat on turn, in written order."""

    @property
    def beat(self) -> tuple[Card, ...] | None:
        """The play to equal or beat, as ranks; None if there is none, as for a lead."""

    @property
    def low(self) -> tuple[Card, ...] | None:
        """The lowest play, as ranks, if it is legal; else None."""

    @property
    def also(self) -> Further:
        """Further fields of the question; usually empty.

        Everybody sees these fields unless TURN marks them as a seat's own: they must not contain a
        card.
        """

    @property
    def default(self) -> Deed:
        """The legal move that is played when the time is up."""

    def __iter__(self) -> Iterator[Deed]: ...

    def tokens(self) -> Iterator[str]:
        """The tokens of the moves, in the same order."""

    def __len__(self) -> int: ...

    def __contains__(self, deed: object) -> bool: ...

    def why(self, deed: Deed) -> Illegal | None:
        """The reason why a move is illegal, or None: cards held, their number, then the rules."""

    def any(self, pick: RandomBelow) -> Deed:
        """A random legal move; every legal move is possible."""


class JudgedMoves:
    """A base class for questions answered with one listed move. A subclass checks a move in
    `judged`.
    """

    __slots__ = ()
    subset: ClassVar[bool] = False
    min = 0
    max = 0

    @property
    def also(self) -> Further:
        """No further fields."""
        return {}

    def __iter__(self) -> Iterator[Deed]:
        raise NotImplementedError  # each subclass has its own

    def tokens(self) -> Iterator[str]:
        """The tokens of the moves, in the same order."""
        return (deed.token for deed in self)

    def judged(self, deed: Deed) -> object:
        """The result of a move, or an `Illegal`."""
        raise NotImplementedError  # each subclass has its own

    def why(self, deed: Deed) -> Illegal | None:
        """The reason why a move is illegal, or None."""
        found = self.judged(deed)
        return found if isinstance(found, Illegal) else None

    def __contains__(self, deed: object) -> bool:
        return isinstance(deed, Deed) and not isinstance(self.judged(deed), Illegal)


class Bot(Protocol):
    """A player: it sees the events that its seat is shown, and answers its turns."""

    def see(self, happened: Event) -> None:
        """Reads an event, redacted for the bot's seat."""

    def choose(self, turn: Turn) -> str:
        """The token to play; always one of the legal moves."""


S = TypeVar("S")
R = TypeVar("R")


class QuickBots(Value, Generic[R]):
    """A game's own bots, which answer at once.

    `levels` maps names to functions that make bots, the weakest first. Each function takes the
    rules, the bot's seat and a source of randomness. Increase `version` whenever one of the bots
    plays differently.
    """

    levels: Mapping[str, Callable[[R, int, RandomBelow], Bot]]
    version: int = 1

    def new(self, level: str, rules: R, seat: int, pick: RandomBelow) -> Bot:
        """A new bot of that level. Raises `KeyError` for an unknown level."""
        return self.levels[level](rules, seat, pick)


class Game(Protocol[S, R]):
    """A game: a value without state of its own."""

    @property
    def key(self) -> str:
        """The game's name in the protocol."""

    @property
    def title(self) -> str:
        """The game's name for people."""

    @property
    def version(self) -> int:
        """The version of the rules, so that old records are not checked by corrected rules."""

    @property
    def deck(self) -> Deck:
        """The deck, which defines how cards are written."""

    @property
    def presets(self) -> Mapping[str, R]:
        """Named rule sets; the first is the default."""

    @property
    def deeds(self) -> Mapping[str, type[Deed]]:
        """The kinds of questions, each with the deed that answers it."""

    @property
    def bots(self) -> QuickBots[R]:
        """The game's own bots."""

    @property
    def search(self) -> Search[Any, S, R] | None:
        """The search for the hard bot and hints; None if the game has none."""

    @property
    def lab(self) -> Mapping[str, LabTable]:
        """Practice tables for client authors, by names that no other game uses."""

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that teaches the game; None if there is none."""

    def rules(self, preset: str, changes: Mapping[str, str]) -> R:
        """The rules of a preset with some options changed. Raises `BadOption`."""

    def options(self, rules: R) -> Sequence[Option]:
        """Every option with its value in these rules."""

    def players(self, rules: R) -> range:
        """The possible numbers of players."""

    def target(self, rules: R) -> int | None:
        """The score that ends the game, or None."""

    def worth(self, rules: R) -> Mapping[str, int]:
        """The ranks of a trick from low to high, with the score of a card of each rank.

        The scores are 0 in games in which cards score nothing.
        """

    def new(self, rules: R, seats: int) -> S:
        """The initial state. Raises `BadOption` if the rules do not allow this number of seats."""

    def turn(self, state: S) -> int | None:
        """The seat on turn, `HOUSE`, or None when the game is over."""

    def pack(self, state: S) -> tuple[Card, ...]:
        """The cards to shuffle, in canonical order; public. Only when the house is on turn."""

    def moves(self, state: S) -> Moves:
        """The legal moves of the seat on turn."""

    def play(self, state: S, deed: Deed | Shuffle) -> tuple[S, list[Event]]:
        """The state after the deed, and the events. Raises `Illegal`."""

    def totals(self, state: S) -> tuple[int, ...]:
        """The score of every seat, from seat 1."""

    def places(self, state: S) -> tuple[int, ...]:
        """Every seat's place by the score so far, from seat 1; 1 is the best, equal seats share a
        place.

        The places decide a game that is stopped after its maximum number of hands.
        """


@runtime_checkable
class Deciding(Protocol):
    """An addition to `Game`: a sentence about what decided a hand."""

    def decided(self, rules: Any, hand: Sequence[Event], voice: Voice) -> str:
        """A sentence about a finished hand, from the events shown to a seat; or empty.

        Another move is named only if it would have saved the hand. The events begin with the hand's
        first event and end with its HANDOVER; `voice` has the names.
        """


AnyGame: TypeAlias = Game[Any, Any]
"""A game with rules and states of unknown types.

Pass it only its own values: rules from `rules`, states from `new` and `play`.
"""
Games: TypeAlias = Mapping[str, AnyGame]
"""The games of a server, by key."""


def deed_of(game: AnyGame, seat: int, act: str, token: str) -> Deed | Shuffle:
    """The deed of a stored move. Raises `ValueError` if the game has no such question."""
    if seat == HOUSE:
        return Shuffle.of(token)
    if act not in game.deeds:
        raise ValueError(f"{game.title} never asks to {act}")
    return game.deeds[act].of(token)
