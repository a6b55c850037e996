"""How the tests of Twenty-Eight set a table: cards as the vectors write them, seats, states."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from twentytwo_protocol.cards import PIQUET
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Bid, Play, Shuffle
from twentytwo_server.games.game import HOUSE, Illegal
from twentytwo_server.games.twentyeight import TWENTYEIGHT, TwentyEightRules
from twentytwo_server.games.twentyeight.states import (
    Bidding,
    Choosing,
    Dealing,
    Playing,
    Standing,
    State,
)

FOURS = ("JH 9H AH 8C", "7H 8H 7C 9C", "7D 8D 9D TD", "7S 8S QS KS")
"""What the seats hold first, seat 1 first."""
MORE = ("TH AD KD JS", "QH KH TC JC", "QC KC JD QD", "AC 9S TS AS")
"""What they get then."""


def words(text: str) -> tuple[str, ...]:
    """The cards of `10S JH` as the protocol writes them."""
    return tuple(text.replace("10", "T").split())


def rules_of(preset: str = "denexa", **options: Any) -> TwentyEightRules:
    """The preset with options changed."""
    return TWENTYEIGHT.rules(preset, {name: str(value) for name, value in options.items()})


def stacked(fours: Sequence[str], more: Sequence[str], dealer: int = 4) -> Shuffle:
    """The pack that deals these cards to the seats, each list from seat 1 on."""
    first = dealer % 4 + 1
    cards: list[str] = []
    for hands in (fours, more):
        held = [words(hands[(first + place - 1) % 4]) for place in range(4)]
        cards += [hand[number] for number in range(4) for hand in held]
    return Shuffle(tuple(cards))


class Table:
    """A table: moves go in, events come out. Seat 4 deals unless told otherwise."""

    def __init__(
        self,
        fours: Sequence[str] = FOURS,
        more: Sequence[str] = MORE,
        *,
        preset: str = "denexa",
        totals: tuple[int, int] = (0, 0),
        dealer: int = 4,
        **options: Any,
    ) -> None:
        rules = rules_of(preset, **options)
        self.state: State = Dealing(Standing(rules, totals, dealer=dealer))
        self.events: list[Event] = []
        self.say(stacked(fours, more, dealer))

    @property
    def turn(self) -> int | None:
        return TWENTYEIGHT.turn(self.state)

    @property
    def legal(self) -> list[str]:
        """The tokens of the legal moves."""
        return [deed.token for deed in TWENTYEIGHT.moves(self.state)]

    @property
    def act(self) -> str:
        return TWENTYEIGHT.moves(self.state).act

    def say(self, *deeds: Deed | Shuffle) -> list[Event]:
        """Makes these moves; what the last of them brought."""
        events: list[Event] = []
        for deed in deeds:
            self.state, events = TWENTYEIGHT.play(self.state, deed)
            self.events += events
        return events

    def token(self, *tokens: str) -> list[Event]:
        """Makes the moves of these tokens; what the last of them brought."""
        events: list[Event] = []
        for token in tokens:
            events = self.say(TWENTYEIGHT.deeds[self.act].of(token))
        return events

    def bid(self, *calls: int | str) -> list[Event]:
        return self.say(*(Bid(str(call)) for call in calls))

    def contract(self, bidder: int = 1, bid: int = 14, trump: str = "8C") -> list[Event]:
        """The first to speak or another gets the bid, and lays a card down."""
        first = self.turn
        assert first is not None
        opening: list[int | str] = (
            [] if bidder == first else [14, *["pass"] * ((bidder - first) % 4 - 1)]
        )
        self.bid(*opening, bid)
        while isinstance(self.state, Bidding):
            self.bid("pass")
        assert isinstance(self.state, Choosing) and self.state.bidder == bidder
        return self.token(trump)

    def play(self, *cards: str) -> list[Event]:
        """Plays these cards."""
        return self.say(*(Play(words(card)) for card in cards))

    def why(self, deed: Deed) -> tuple[str, str]:
        """The reason and the text of a refusal."""
        before = self.state
        try:
            TWENTYEIGHT.play(self.state, deed)
        except Illegal as wrong:
            assert self.state == before
            return wrong.reason, wrong.text
        raise AssertionError(f"{deed} is legal")

    def defaults(self) -> list[Event]:
        """Everybody plays the default to the end of the hand; all that happened."""
        start = len(self.events)
        while self.turn not in (None, HOUSE):
            self.say(TWENTYEIGHT.moves(self.state).default)
        return self.events[start:]


def playing(
    hands: Sequence[str],
    *,
    trump: str = "S",
    down: str = "",
    bidder: int = 1,
    leader: int = 1,
    plays: str = "",
    shown: bool = False,
    preset: str = "denexa",
    bid: int = 14,
    won: tuple[int, int] = (0, 0),
    **options: Any,
) -> Playing:
    """A trick in progress: `hands` from seat 1, the face-down card being the bidder's besides."""
    held = [PIQUET.sort(words(hand)) for hand in hands]
    (*down_card,) = words(down)
    if down_card:
        held[bidder - 1] = PIQUET.sort((*held[bidder - 1], *down_card))
    cards = words(plays)
    return Playing(
        Standing(rules_of(preset, **options), hand=1, dealer=4),
        bidder,
        bid,
        tuple(held),
        trump,
        down_card[0] if down_card else "",
        (leader + len(cards) - 1) % 4 + 1,
        leader,
        plays=cards,
        shown_after=0 if shown else None,
        won=won,
    )


def resumed(state: State) -> Table:
    """A table that goes on from a state."""
    table = Table.__new__(Table)
    table.state, table.events = state, []
    return table


def of(events: Iterable[Event], *kinds: type[Event]) -> list[Any]:
    """The events of these kinds."""
    return [event for event in events if isinstance(event, kinds)]


def game(
    seed: int, preset: str = "denexa", options: Mapping[str, str] | None = None, moves: int = 5000
) -> tuple[State, list[Event]]:
    """A game of random moves, and all that happened in it."""
    chance = random.Random(seed)
    rules = replace(rules_of(preset, **(options or {})))
    state: State = TWENTYEIGHT.new(rules, 4)
    happened: list[Event] = []
    for _ in range(moves):
        seat = TWENTYEIGHT.turn(state)
        if seat is None:
            break
        deed: Deed | Shuffle
        if seat == HOUSE:
            pack = list(TWENTYEIGHT.pack(state))
            chance.shuffle(pack)
            deed = Shuffle(tuple(pack))
        else:
            deed = TWENTYEIGHT.moves(state).any(chance.randrange)
        state, events = TWENTYEIGHT.play(state, deed)
        happened += events
    return state, happened
