"""How the tests of Whist 22 set a table: seats, hands, moves by their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from twentytwo_protocol.cards import TAROT, Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Bid, Play, Shuffle
from twentytwo_server.games.game import Illegal, Moves
from twentytwo_server.games.whist22 import WHIST22, Whist22Rules
from twentytwo_server.games.whist22.states import Bidding, Dealing, Playing, Standing, State

E = TypeVar("E", bound=Event)


def rules_of(preset: str = "gamerules", **options: Any) -> Whist22Rules:
    """The preset with options changed."""
    names = {name.replace("out_in_ones", "out-in-ones"): str(v) for name, v in options.items()}
    return WHIST22.rules(preset, names)


def of(events: Iterable[Event], kind: type[E]) -> list[E]:
    """The events of a kind."""
    return [event for event in events if isinstance(event, kind)]


class Table:
    """A table: moves go in, events come out. The last seat deals unless told otherwise.

    `hands` are those of the seats, from seat 1; `size` is found in the sequence of sizes, so
    that the hand is one that the rules would deal.
    """

    def __init__(
        self,
        *hands: str,
        preset: str = "gamerules",
        dealer: int | None = None,
        totals: Sequence[int] = (),
        **options: Any,
    ) -> None:
        seats = len(hands)
        rules = rules_of(preset, **{"max_players": max(3, seats), **options})
        held = [hand.split() for hand in hands]
        number = next(n for n in range(1, 40) if rules.size_of(n, seats) == len(held[0]))
        totals = tuple(totals) or (rules.start_score,) * seats
        self.state: State = Dealing(Standing(rules, totals, number - 1, dealer or seats))
        self.events: list[Event] = []
        self.say(stacked(self.state, held))

    @property
    def seat(self) -> int | None:
        """Whose turn it is."""
        return WHIST22.turn(self.state)

    @property
    def moves(self) -> Moves:
        """The legal moves."""
        return WHIST22.moves(self.state)

    @property
    def legal(self) -> list[str]:
        """Their tokens."""
        return [deed.token for deed in self.moves]

    @property
    def playing(self) -> Playing:
        """The trick."""
        assert isinstance(self.state, Playing)
        return self.state

    def say(self, deed: Any) -> list[Event]:
        """A move is made; what happened."""
        self.state, events = WHIST22.play(self.state, deed)
        self.events += events
        return events

    def bid(self, *bids: int) -> list[Event]:
        """Bids, in turn; what the last of them brought."""
        return [self.say(Bid(str(bid))) for bid in bids][-1]

    def play(self, *cards: str) -> list[Event]:
        """Plays, in turn; what the last of them brought."""
        return [self.say(Play((card,))) for card in cards][-1]

    def why(self, token: str) -> Illegal:
        """Why a move is refused; it is."""
        act = Bid if isinstance(self.state, Bidding) else Play
        wrong = self.moves.why(act.of(token))
        assert wrong is not None, f"{token} is legal"
        return wrong


def stacked(state: State, hands: Sequence[Sequence[Card]]) -> Shuffle:
    """The pack that deals these hands, seat 1's first, one card at a time."""
    assert isinstance(state, Dealing)
    seats = len(hands)
    order = [(state.standing.dealer + place) % seats for place in range(seats)]
    top = [hands[seat][number] for number in range(len(hands[0])) for seat in order]
    return Shuffle((*top, *TAROT.sort(set(state.pack) - set(top))))
