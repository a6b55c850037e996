"""A seat's knowledge in a hand of Whist 22, and the standing of a sampled world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from twentytwo_protocol.cards import FOOL, Card, trumps22
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Bid_, Dealt, Hand_, Handover, Played, Took, Trick

from ..bidding import forbidden
from ..plays import value
from ..rules import Whist22Rules
from ..states import Standing


class Imagined(Standing):
    """The standing in a sampled world: `stock` has the cards left out of the hand."""

    stock: int = 0


@dataclass(slots=True)
class Knowledge:
    """A hand as seen by one seat, computed from the events shown to it."""

    rules: Whist22Rules
    seat: int
    totals: tuple[int, ...] = ()
    no: int = 0
    dealer: int = 0
    size: int = 0
    hand: tuple[Card, ...] = ()
    shown: dict[int, Card] = field(default_factory=dict)
    left: dict[int, int] = field(default_factory=dict)
    bids: list[int] = field(default_factory=list)
    played: dict[int, list[Card]] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)
    trick: int = 0
    leader: int = 0
    best: Card | None = None
    winner: int = 0

    def take(self, happened: Event) -> None:
        """Updates the knowledge with an event of the hand."""
        match happened:
            case Hand_():
                self.no, self.dealer, self.size = happened.no, happened.dealer, happened.size
            case Dealt(seat=seat):
                self.left[seat], self.won[seat], self.played[seat] = happened.n, 0, []
                self.hand = happened.cards or self.hand
                for card in happened.seen or ():
                    self.shown[seat] = card
            case Bid_():
                self.bids.append(int(happened.bid))
            case Trick():
                self.trick, self.leader = happened.trick, happened.seat
                self.best, self.winner = None, 0
            case Played(seat=seat, cards=(card,)):
                self._play(seat, card)
            case Took():
                self.won[happened.seat] += 1

    def _play(self, seat: int, card: Card) -> None:
        held = FOOL if card[0] == FOOL else card
        self.left[seat] -= 1
        self.played[seat].append(held)
        self.shown.pop(seat, None)
        if seat == self.seat:
            self.hand = tuple(other for other in self.hand if other != held)
        if self.best is None or value(card) > value(self.best):
            self.best, self.winner = card, seat

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.left)

    @property
    def blind(self) -> bool:
        """True if nobody sees their own card."""
        return self.rules.is_blind(self.size)

    def hook(self, index: int) -> int | None:
        """The bid that the hook forbids at that index in the order of bidding, or None."""
        return forbidden(self.bids[:index], self.size, self.seats, self.rules)

    def hidden(self) -> list[Card]:
        """The cards of this hand that the seat has not seen."""
        has_fool = self.rules.has_fool(self.size)
        gone = {*self.hand, *self.shown.values(), *(c for cs in self.played.values() for c in cs)}
        return [card for card in trumps22() if card not in gone and (has_fool or card != FOOL)]


def knowledge_of(rules: Whist22Rules, seat: int, events: Sequence[Event]) -> Knowledge:
    """The knowledge of the current hand, which is the last hand of these events."""
    known = Knowledge(rules, seat)
    first = len(events) - 1
    while not isinstance(events[first], Hand_):
        first -= 1
    for happened in events[first:]:
        known.take(happened)
    before = (e.totals for e in reversed(events[:first]) if isinstance(e, Handover))
    known.totals = next(before, (rules.start_score,) * known.seats)
    return known
