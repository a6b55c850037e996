"""Twenty-Eight as a game; the steps, in order (see `states`):

The house picks the first dealer; DEAL four cards each; BID until three have passed; the bidder lays
the TRUMP face down; four more cards each; eight TRICKS, during which a player who cannot follow
calls for the trump; SCORE; the deal passes on. The first side to reach the target wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from twentytwo_protocol.cards import Card, Deck, pack32
from twentytwo_protocol.games import twentyeight as words
from twentytwo_protocol.games.twentyeight import RANKINGS, Call, Redeal, Trump
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Play, Shuffle

from ..game import HOUSE, Moves, QuickBots, allowed, places_by
from ..lab import LabTable
from ..lesson import Lesson
from ..options import Option, described, named_preset, read
from .auction import Bids, Choices, bid, chosen, dealt, to_deal
from .bots import BOTS
from .decided import decided
from .lab import LAB
from .lesson import LESSON
from .naming import DECK
from .plays import Calls, Plays, judged_play
from .ranking import POINTS
from .rules import PLAYERS, PRESETS, TwentyEightRules, check_seats
from .search.search import SEARCH, TwentyEightSearch
from .states import Bidding, Choosing, Dealing, Drawing, Over, Playing, Standing, State
from .tricks import declared, played

PACK = pack32()
EVERYBODY = tuple(map(str, range(1, PLAYERS + 1)))
"""The seats, as shuffled to choose the first dealer."""

DEEDS: Mapping[str, type[Deed]] = {"bid": Redeal, "trump": Trump, "declare": Call, "play": Play}


class TwentyEight:
    """The game."""

    key: str = words.GAME_KEY
    title: str = words.VOCABULARY.title
    version: int = 1
    deck: Deck = DECK
    bots: QuickBots[TwentyEightRules] = BOTS
    search: TwentyEightSearch = SEARCH
    presets: Mapping[str, TwentyEightRules] = PRESETS
    deeds: Mapping[str, type[Deed]] = DEEDS
    lab: Mapping[str, LabTable] = LAB
    lesson: Lesson = LESSON

    def rules(self, preset: str, changes: Mapping[str, str]) -> TwentyEightRules:
        """The preset with some options changed. Raises `BadOption`."""
        return read(named_preset(PRESETS, preset), changes)

    def options(self, rules: TwentyEightRules) -> Sequence[Option]:
        """Every option with its value in these rules."""
        return described(rules)

    def players(self, rules: TwentyEightRules) -> range:
        """The possible numbers of players: four."""
        return range(PLAYERS, PLAYERS + 1)

    def target(self, rules: TwentyEightRules) -> int:
        """The score with which a side wins."""
        return rules.target

    def worth(self, rules: TwentyEightRules) -> Mapping[str, int]:
        """The ranks from low to high, with their card points."""
        return {rank: POINTS.get(rank, 0) for rank in RANKINGS[rules.order]}

    def new(self, rules: TwentyEightRules, seats: int) -> State:
        """A game about to begin. Raises `BadOption` unless four play."""
        check_seats(seats)
        return Drawing(Standing(rules))

    def turn(self, state: State) -> int | None:
        """The seat on turn, `HOUSE`, or None when the game is over."""
        if type(state) is Playing:  # faster than isinstance, which asks msgspec's metaclass
            return state.seat
        if type(state) is Bidding:
            return state.seat
        if type(state) is Choosing:
            return state.bidder
        return None if type(state) is Over else HOUSE

    def pack(self, state: State) -> tuple[Card, ...]:
        """The cards for the house to shuffle: the pack, or the seats, of which the first becomes
        the dealer.

        Raises `ValueError` when the house is not on turn.
        """
        if type(state) is Drawing:
            return EVERYBODY
        if type(state) is Dealing:
            return PACK
        raise ValueError("the house has nothing to shuffle")

    def moves(self, state: State) -> Moves:
        """The legal moves of the seat on turn. Raises `ValueError` when no seat is."""
        if type(state) is Playing:
            return Calls(state) if state.asked else Plays(state)
        if type(state) is Bidding:
            return Bids(state)
        if type(state) is Choosing:
            return Choices(state)
        raise ValueError("no seat is on turn")

    def play(self, state: State, deed: Deed | Shuffle) -> tuple[State, list[Event]]:
        """The state after the deed, and the events.

        Raises `Illegal` for a move against the rules, and `ValueError` for a shuffle that is not of
        the pack or a move out of turn.
        """
        if type(deed) is Shuffle:
            return self._shuffled(state, deed.cards)
        if type(state) is Playing and not state.asked:
            return played(state, allowed(judged_play(state, deed)))
        if type(state) is Choosing:
            return chosen(state, allowed(Choices(state).judged(deed)))
        wrong = self.moves(state).why(deed)
        if wrong is not None:
            raise wrong
        return declared(state, deed) if type(state) is Playing else _bid(state, deed)

    def _shuffled(self, state: State, cards: tuple[str, ...]) -> tuple[State, list[Event]]:
        if sorted(cards) != sorted(self.pack(state)):
            raise ValueError("the shuffle is not of the pack")
        if type(state) is Drawing:
            return to_deal(state.standing, int(cards[0])), []
        assert type(state) is Dealing
        return dealt(state, cards)

    def decided(self, rules: TwentyEightRules, hand: Sequence[Event], voice: Voice) -> str:
        """One sentence about what decided a finished hand, or empty."""
        return decided(hand, voice)

    def totals(self, state: State) -> tuple[int, ...]:
        """The score of every seat, from seat 1: that of its side."""
        return state.standing.by_seat

    def places(self, state: State) -> tuple[int, ...]:
        """Every seat's place by the score so far: the more points the better."""
        return places_by(state.standing.by_seat)


def _bid(state: State, deed: Deed) -> tuple[State, list[Event]]:
    assert type(state) is Bidding
    return bid(state, deed)


TWENTYEIGHT = TwentyEight()
