"""High Card: everybody plays a card, the highest takes the trick, every trick is a point.

The smallest game that plugs in: a vocabulary of one event and one prompt, rules of two knobs,
a state, its moves, a bot. It is another distribution's; nothing of the server knows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tests.fifth_game.site.highcard.bots import BOTS
from tests.fifth_game.site.highcard.lab import LAB
from tests.fifth_game.site.highcard.rules import HighCardRules
from tests.fifth_game.site.highcard.vocabulary import VOCABULARY, Ahead
from twentytwo_protocol.cards import RANKS, STANDARD, Card, Deck, pack
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import (
    Dealt,
    Gameover,
    Hand_,
    Handover,
    Play,
    Played,
    Result,
    Shuffle,
    Took,
    Trick,
)
from twentytwo_server.games.chance import RandomBelow
from twentytwo_server.games.game import HOUSE, Further, Illegal, Moves, QuickBots
from twentytwo_server.games.lab import LabTable
from twentytwo_server.games.options import BadOption, Option, described, read
from twentytwo_server.games.searchable import Search


@dataclass(frozen=True, slots=True)
class State:
    """A hand in progress: `plays` of the trick, `points` by seat; `hands` empty before a deal."""

    rules: HighCardRules
    points: tuple[int, ...]
    no: int = 0
    hands: tuple[tuple[Card, ...], ...] = ()
    trick: int = 1
    leader: int = 1
    plays: tuple[tuple[int, Card], ...] = ()
    winners: tuple[int, ...] = ()


class OneCard:
    """Any card that is held."""

    act = "play"
    subset = False
    min = max = 0
    beat = low = None
    also = Further()

    def __init__(self, hand: tuple[Card, ...]) -> None:
        self.hand = hand

    @property
    def default(self) -> Play:
        return Play(self.hand[:1])

    def __iter__(self) -> Iterator[Play]:
        return (Play((card,)) for card in self.hand)

    def tokens(self) -> Iterator[str]:
        return iter(self.hand)

    def __len__(self) -> int:
        return len(self.hand)

    def __contains__(self, deed: object) -> bool:
        return isinstance(deed, Play) and self.why(deed) is None

    def why(self, deed: Deed) -> Illegal | None:
        cards = deed.cards if isinstance(deed, Play) else ()
        if not all(self.held(card) for card in cards):
            return Illegal("", f"You do not hold that. Your cards: {' '.join(self.hand)}.")
        if len(cards) != 1:
            return Illegal("WRONG_COUNT", f"Play one card, such as {self.hand[0]}.")
        return None

    def held(self, card: Card) -> Card | None:
        """The card of the hand that a card or rank means."""
        return next((held for held in self.hand if held.startswith(card)), None)

    def any(self, pick: RandomBelow) -> Play:
        return Play((self.hand[pick(len(self.hand))],))


class HighCard:
    """The game itself, as `Game` asks for it."""

    key = VOCABULARY.key
    title = VOCABULARY.title
    version = 1
    deck: Deck = VOCABULARY.deck
    presets: Mapping[str, HighCardRules] = {"usual": HighCardRules()}
    deeds: Mapping[str, type[Deed]] = {"play": Play}
    bots: QuickBots[HighCardRules] = BOTS
    search: Search[Any, State, HighCardRules] | None = None
    lab: Mapping[str, LabTable] = LAB
    lesson: None = None

    def rules(self, preset: str, changes: Mapping[str, str]) -> HighCardRules:
        return read(self.presets[preset], changes)

    def options(self, rules: HighCardRules) -> Sequence[Option]:
        return described(rules)

    def players(self, rules: HighCardRules) -> range:
        return range(2, 5)

    def target(self, rules: HighCardRules) -> int | None:
        return rules.target

    def worth(self, rules: HighCardRules) -> Mapping[str, int]:
        return dict.fromkeys(RANKS, 0)

    def new(self, rules: HighCardRules, seats: int) -> State:
        if seats not in self.players(rules):
            raise BadOption("seats", "High Card takes 2 to 4 players.")
        return State(rules, (0,) * seats)

    def turn(self, state: State) -> int | None:
        if state.winners:
            return None
        if not state.hands:
            return HOUSE
        return (state.leader + len(state.plays) - 1) % len(state.points) + 1

    def pack(self, state: State) -> tuple[Card, ...]:
        return pack()

    def moves(self, state: State) -> Moves:
        seat = self.turn(state)
        assert seat
        return OneCard(state.hands[seat - 1])

    def play(self, state: State, deed: Deed | Shuffle) -> tuple[State, list[Event]]:
        if isinstance(deed, Shuffle):
            return _deal(state, deed.cards)
        moves = self.moves(state)
        wrong = moves.why(deed)
        if wrong is not None:
            raise wrong
        assert isinstance(deed, Play) and isinstance(moves, OneCard)
        seat, card = self.turn(state), moves.held(deed.cards[0])
        assert seat and card
        return _play(state, seat, card)

    def totals(self, state: State) -> tuple[int, ...]:
        return state.points

    def places(self, state: State) -> tuple[int, ...]:
        return tuple(1 + sum(other > points for other in state.points) for points in state.points)


def _deal(state: State, cards: tuple[Card, ...]) -> tuple[State, list[Event]]:
    if sorted(cards) != sorted(pack()):
        raise ValueError("the shuffle is not of the pack")
    seats, size = len(state.points), state.rules.cards
    hands = tuple(STANDARD.sort(cards[seat : size * seats : seats]) for seat in range(seats))
    no, dealer = state.no + 1, state.no % seats + 1
    leader = dealer % seats + 1
    events: list[Event] = [Hand_(no, dealer, size, len(cards) - size * seats)]
    events += [Dealt(seat, size, hand) for seat, hand in enumerate(hands, 1)]
    after = replace(state, no=no, hands=hands, trick=1, leader=leader)
    return after, [*events, Trick(1, leader)]


def _play(state: State, seat: int, card: Card) -> tuple[State, list[Event]]:
    left = tuple(held for held in state.hands[seat - 1] if held != card)
    hands = (*state.hands[: seat - 1], left, *state.hands[seat:])
    kind = "follow" if state.plays else "lead"
    events: list[Event] = [Played(seat, (card,), kind, len(left))]
    state = replace(state, hands=hands, plays=(*state.plays, (seat, card)))
    if len(state.plays) < len(state.points):
        return state, events
    winner, best = max(state.plays, key=lambda play: (STANDARD.position(play[1])[0], play[0]))
    points = tuple(p + (s == winner) for s, p in enumerate(state.points, 1))
    events.append(Took(winner, state.trick, (best,)))
    state = replace(state, points=points, plays=(), leader=winner, trick=state.trick + 1)
    if left:
        return state, [*events, Trick(state.trick, winner)]
    return _end_hand(state, events)


def _end_hand(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    most = max(state.points)
    first = tuple(seat for seat, points in enumerate(state.points, 1) if points == most)
    if len(first) == 1:
        events.append(Ahead(first[0], most))
    events.append(Handover(state.no, (), state.points))
    if most < state.rules.target:
        return replace(state, hands=()), events
    ranked = sorted(range(1, len(state.points) + 1), key=lambda seat: -state.points[seat - 1])
    for seat in ranked:
        points = state.points[seat - 1]
        place = 1 + sum(other > points for other in state.points)
        events.append(Result(seat, place, points))
    return replace(state, winners=first), [*events, Gameover(first, "target")]


HIGHCARD = HighCard()
