"""What the searching bot needs of High Pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tests.fifth_game.site.highcard.laws import HIGHCARD, State
from tests.fifth_game.site.highcard.rules import HighCardRules
from tests.fifth_game.site.highcard.vocabulary import PAIRS
from twentytwo_protocol.cards import Card, pack
from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Dealt, Hand_, Played, Took, Trick, Turn
from twentytwo_server.games.chance import RandomBelow, shuffle
from twentytwo_server.games.searchable import Ends, Stake


@dataclass(slots=True)
class Knowledge:
    """What a seat knows: what lies open, how many cards each holds, the cards it has seen."""

    state: State
    left: list[int] = field(default_factory=lambda: [0] * 4)
    seen: set[Card] = field(default_factory=set)

    def take(self, happened: Event) -> None:
        """Takes in an event."""
        state = self.state
        match happened:
            case Hand_():
                self.left, self.seen = [happened.size] * 4, set()
                self.state = replace(state, no=happened.no)
            case Dealt():
                self.seen.update(happened.cards or ())
            case Trick():
                self.state = replace(state, trick=happened.trick, leader=happened.seat, plays=())
            case Played(seat=seat, cards=(card,)):
                self.seen.add(card)
                self.left[seat - 1] -= 1
                self.state = replace(state, plays=(*state.plays, (seat, card)))
            case Took():
                points = list(state.points)
                points[happened.seat - 1] += 1
                self.state = replace(state, points=tuple(points))


class HighPairsSearch:
    """Deals the hidden cards at random, and plays on at random."""

    version = 1
    stake = Stake("your side falls behind", "fall behind")

    def known(
        self, rules: HighCardRules, seat: int, seen: Sequence[Event], *, figures: bool = False
    ) -> Knowledge:
        """The fold of the events."""
        known = Knowledge(State(rules, (0,) * 4))
        for happened in seen:
            known.take(happened)
        return known

    def imagine(self, known: Knowledge, turn: Turn, pick: RandomBelow) -> State:
        """The cards that were not seen, dealt to the others."""
        hidden = [card for card in pack() if card not in known.seen]
        shuffle(hidden, pick)
        hands = []
        for seat, count in enumerate(known.left, 1):
            hands.append(turn.hand or () if seat == turn.seat else tuple(hidden[:count]))
            del hidden[:count]
        return replace(known.state, hands=tuple(hands))

    def candidates(self, state: State) -> Sequence[Deed]:
        """Every card."""
        return list(HIGHCARD.moves(state))

    def playout(self, state: State, happened: Sequence[Event], pick: RandomBelow) -> Ends:
        """The share of the tricks that each side has in the end, and who has fewer."""
        while state.hands and not state.winners:
            state, _ = HIGHCARD.play(state, HIGHCARD.moves(state).any(pick))
        one, two = (sum(state.points[seat - 1] for seat in side) for side in PAIRS.partners)
        share, behind = one / (one + two), (float(one < two), float(two < one))
        won = (float(one > two), float(two > one))
        return Ends((share, 1 - share) * 2, behind * 2, won * 2)

    def reason(self, known: Knowledge, turn: Turn, token: str) -> str:
        """Nothing to say."""
        return ""

    def risks_alike(self, turn: Turn) -> bool:
        """Always."""
        return True

    def fact(self, turn: Turn) -> str:
        """Nothing."""
        return ""


SEARCH = HighPairsSearch()
