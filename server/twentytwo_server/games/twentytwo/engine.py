"""Twenty-Two and Twenty-Six as games; the steps, in order (see `states`):

DRAW for the first dealer; DEAL; EXCHANGE, once each; TRICKS until every player has one card;
SHOWDOWN, in which the highest card loses; SCORE; players at the limit are out; the loser deals. The
last player below the limit wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from twentytwo_protocol.cards import JOKER, RANKS, STANDARD, Card, Deck
from twentytwo_protocol.games import twentytwo as words
from twentytwo_protocol.games.twentytwo import Exchange
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Play, Shuffle

from ..game import HOUSE, Moves, QuickBots, allowed
from ..lab import LabTable
from ..lesson import Lesson
from ..options import Option, described, named_preset, read
from .bots import BOTS
from .dealer import drawn, opening
from .dealing import dealt, exchanged
from .decided import decided
from .hands import packed, tokens
from .lab import LAB, LAB_26
from .legal import Exchanges, Plays
from .lesson import LESSON, LESSON_26
from .rules import PRESETS, PRESETS_26, TwentyTwoRules, check_seats, checked
from .search.search import SEARCH, TwentyTwoSearch
from .showdown import places_so_far
from .states import Dealing, Drawing, Exchanging, Over, Playing, Standing, State, full_pack
from .tricks import play

DEEDS: Mapping[str, type[Deed]] = {"exchange": Exchange, "play": Play}


class TwentyTwo(Value):
    """A game and its key: Twenty-Two and Twenty-Six differ only in their presets."""

    key: str
    title: str
    presets: Mapping[str, TwentyTwoRules]
    lab: Mapping[str, LabTable]
    lesson: Lesson
    version: int = 1
    deck: Deck = STANDARD
    bots: QuickBots[TwentyTwoRules] = BOTS
    search: TwentyTwoSearch = SEARCH
    deeds: ClassVar[Mapping[str, type[Deed]]] = DEEDS

    def rules(self, preset: str, changes: Mapping[str, str]) -> TwentyTwoRules:
        """The preset with some options changed. Raises `BadOption`."""
        return checked(read(named_preset(self.presets, preset), changes))

    def options(self, rules: TwentyTwoRules) -> Sequence[Option]:
        """Every option with its value in these rules."""
        return described(rules)

    def players(self, rules: TwentyTwoRules) -> range:
        """The possible numbers of players."""
        return range(2, rules.max_players + 1)

    def target(self, rules: TwentyTwoRules) -> int:
        """The score at which a player is out."""
        return rules.limit

    def worth(self, rules: TwentyTwoRules) -> Mapping[str, int]:
        """The ranks from low to high, with the points for a last card of each rank."""
        ranks = RANKS + JOKER if rules.jokers else RANKS
        return {rank: rules.points_of(rank) for rank in ranks}

    def new(self, rules: TwentyTwoRules, seats: int) -> State:
        """The initial state. Raises `BadOption` if the rules do not allow this number of seats."""
        check_seats(checked(rules), seats)
        none = (0,) * seats
        everybody = tuple(range(1, seats + 1))
        return opening(
            Standing(rules, seats, everybody, none, (b"",) * seats, none, rules.first_hand)
        )

    def turn(self, state: State) -> int | None:
        """The seat on turn, `HOUSE`, or None when the game is over."""
        if type(state) is Playing:  # faster than isinstance, which asks msgspec's metaclass
            return state.seat
        if type(state) is Exchanging:
            return state.waiting[0]
        return None if type(state) is Over else HOUSE

    def pack(self, state: State) -> tuple[Card, ...]:
        """The cards for the house to shuffle: the pack, or the seats, of which the first is chosen.

        Raises `ValueError` when the house is not on turn.
        """
        if type(state) is Drawing and state.by_lot:
            return tuple(map(str, state.among))
        if type(state) is Drawing or type(state) is Dealing:
            return _written(state.standing.pack)
        raise ValueError("the house has nothing to shuffle")

    def moves(self, state: State) -> Moves:
        """The legal moves of the seat on turn. Raises `ValueError` when no seat is."""
        if type(state) is Playing:
            return Plays(state.hands[state.seat - 1], state.bar, state.standing.rules)
        if type(state) is Exchanging:
            return _exchanges(state)
        raise ValueError("no seat is on turn")

    def play(self, state: State, deed: Deed | Shuffle) -> tuple[State, list[Event]]:
        """The state after the deed, and the events.

        Raises `Illegal` for a move against the rules, and `ValueError` for a shuffle that is not of
        the pack or a move out of turn.
        """
        if type(deed) is Shuffle:
            return self._shuffled(state, deed.cards)
        if type(state) is Playing:
            return play(state, deed)
        if type(state) is Exchanging:
            return exchanged(state, allowed(_exchanges(state).judged(deed)))
        raise ValueError("no seat is on turn")

    def _shuffled(self, state: State, cards: tuple[str, ...]) -> tuple[State, list[Event]]:
        if type(state) is Drawing and state.by_lot:
            _check(sorted(cards) == sorted(self.pack(state)))
            return drawn(state, cards)
        if type(state) is not Dealing and type(state) is not Drawing:
            raise ValueError("the house has nothing to shuffle")
        shuffled, standing = _packed(cards), state.standing
        whole = full_pack(standing.rules, standing.seats)
        _check(sorted(shuffled + b"".join(standing.kept)) == _in_order(whole))
        return dealt(state, shuffled) if type(state) is Dealing else drawn(state, cards)

    def decided(self, rules: TwentyTwoRules, hand: Sequence[Event], voice: Voice) -> str:
        """The turning point of a finished hand, in one sentence; or empty."""
        return decided(rules, hand, voice)

    def totals(self, state: State) -> tuple[int, ...]:
        """The score of every seat, from seat 1."""
        return state.standing.totals

    def places(self, state: State) -> tuple[int, ...]:
        """Every seat's place by the score so far; fewer points are better.

        Eliminated players come behind all others.
        """
        return places_so_far(state.standing)


def _exchanges(state: Exchanging) -> Exchanges:
    hand = state.hands[state.waiting[0] - 1]
    # pagat: any number, if enough replacements are left
    return Exchanges(hand, len(state.stock[: len(hand)]))


_written = lru_cache(maxsize=1 << 8)(tokens)


@lru_cache(maxsize=64)
def _in_order(cards: bytes) -> list[int]:
    return sorted(cards)


def _packed(cards: tuple[str, ...]) -> bytes:
    try:
        return packed(cards)
    except KeyError as unknown:
        raise ValueError(f"{unknown} is not a card of the pack") from None


def _check(of_the_pack: bool) -> None:
    if not of_the_pack:
        raise ValueError("the shuffle is not of the pack")


TWENTYTWO = TwentyTwo(words.VOCABULARY.key, words.VOCABULARY.title, PRESETS, LAB, LESSON)
TWENTYSIX = TwentyTwo(
    words.VOCABULARY_26.key, words.VOCABULARY_26.title, PRESETS_26, LAB_26, LESSON_26
)
