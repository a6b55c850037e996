"""Whist 22 as a game; the steps, in order (see `states`):

The house picks the first dealer; DEAL; BID, once each, the dealer last; TRICKS; SCORE; the deal
passes to the left, and the next hand has another size. The game ends when a player has no points
left; the highest score wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twentytwo_protocol.cards import Card, Deck
from twentytwo_protocol.games import whist22 as words
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Bid, Play, Shuffle

from ..game import HOUSE, Moves, QuickBots, allowed, places_by
from ..lab import LabTable
from ..lesson import Lesson
from ..options import Option, described, named_preset, read
from .bidding import bid_made, bids_of
from .bots import BOTS
from .dealing import dealt, drawn
from .decided import decided
from .lab import LAB
from .lesson import LESSON
from .plays import DECK, Plays
from .rules import PRESETS, Whist22Rules, check_seats, checked
from .search.search import SEARCH, Whist22Search
from .states import Bidding, Dealing, Drawing, Over, Playing, Standing, State
from .tricks import play

DEEDS: Mapping[str, type[Deed]] = {"bid": Bid, "play": Play}


class Whist22:
    """The game."""

    key: str = words.GAME_KEY
    title: str = words.VOCABULARY.title
    version: int = 1
    deck: Deck = DECK
    bots: QuickBots[Whist22Rules] = BOTS
    search: Whist22Search = SEARCH
    presets: Mapping[str, Whist22Rules] = PRESETS
    deeds: Mapping[str, type[Deed]] = DEEDS
    lab: Mapping[str, LabTable] = LAB
    lesson: Lesson = LESSON

    def rules(self, preset: str, changes: Mapping[str, str]) -> Whist22Rules:
        """The preset with some options changed. Raises `BadOption`."""
        return checked(read(named_preset(PRESETS, preset), changes))

    def options(self, rules: Whist22Rules) -> Sequence[Option]:
        """Every option with its value in these rules."""
        return described(rules)

    def players(self, rules: Whist22Rules) -> range:
        """The possible numbers of players."""
        return range(rules.fewest, rules.max_players + 1)

    def target(self, rules: Whist22Rules) -> int:
        """The score that ends the game."""
        return 0

    def worth(self, rules: Whist22Rules) -> Mapping[str, int]:
        """The trumps from low to high, with the Fool first and last; only tricks score."""
        return dict.fromkeys(("F0", *map(str, range(1, 22)), "F22"), 0)

    def new(self, rules: Whist22Rules, seats: int) -> State:
        """The initial state. Raises `BadOption` if the rules do not allow this number of seats."""
        check_seats(checked(rules), seats)
        return Drawing(Standing(rules, (rules.start_score,) * seats))

    def turn(self, state: State) -> int | None:
        """The seat on turn, `HOUSE`, or None when the game is over."""
        if type(state) is Playing:  # faster than isinstance, which asks msgspec's metaclass
            return state.seat
        if type(state) is Bidding:
            return state.seat
        return None if type(state) is Over else HOUSE

    def pack(self, state: State) -> tuple[Card, ...]:
        """The cards for the house to shuffle: the trumps, or the seats, of which the first becomes
        the dealer.

        Raises `ValueError` when the house is not on turn.
        """
        if type(state) is Drawing:
            return tuple(map(str, range(1, state.standing.seats + 1)))
        if type(state) is Dealing:
            return state.pack
        raise ValueError("the house has nothing to shuffle")

    def moves(self, state: State) -> Moves:
        """The legal moves of the seat on turn. Raises `ValueError` when no seat is."""
        if type(state) is Playing:
            return Plays(state)
        if type(state) is Bidding:
            return bids_of(state)
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
        if type(state) is Bidding:
            return bid_made(state, allowed(bids_of(state).judged(deed)))
        raise ValueError("no seat is on turn")

    def _shuffled(self, state: State, cards: tuple[str, ...]) -> tuple[State, list[Event]]:
        if sorted(cards) != sorted(self.pack(state)):
            raise ValueError("the shuffle is not of the pack")
        if type(state) is Drawing:
            return drawn(state, cards)
        assert type(state) is Dealing
        return dealt(state, cards)

    def decided(self, rules: Whist22Rules, hand: Sequence[Event], voice: Voice) -> str:
        """The turning point of a finished hand, in one sentence; or empty."""
        return decided(hand, voice)

    def totals(self, state: State) -> tuple[int, ...]:
        """The score of every seat, from seat 1."""
        return state.standing.totals

    def places(self, state: State) -> tuple[int, ...]:
        """Every seat's place by the score so far; more points are better."""
        return places_by(state.standing.totals)


WHIST22 = Whist22()
