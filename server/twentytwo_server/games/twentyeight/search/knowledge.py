"""The knowledge of a seat in a hand of Twenty-Eight: the fold of the events shown to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from twentytwo_protocol.cards import Card
from twentytwo_protocol.games.twentyeight import Trump_
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import (
    Bid_,
    Contract,
    Dealt,
    Hand_,
    Handover,
    Played,
    Took,
    Trick,
)

from ..ranking import suit_of
from ..rules import PLAYERS, TwentyEightRules
from ..states import Standing, added, side_of


@dataclass(slots=True)
class Knowledge:
    """A hand as seen by one seat. Lists by seat have seat 1 at index 0.

    `free` are the seats that bid although they could have passed. `void` are the suits that seats
    lack, not counting the face-down card. `led` are the suits that the bidder led while the trump
    was hidden. `turned` is the trump card after it was shown.
    """

    rules: TwentyEightRules
    seat: int
    totals: tuple[int, int] = (0, 0)
    no: int = 0
    dealer: int = 0
    sizes: list[int] = field(default_factory=lambda: [0] * PLAYERS)
    bidder: int = 0
    bids: tuple[int, ...] = ()
    passed: tuple[int, ...] = ()
    free: set[int] = field(default_factory=set)
    bid: int = 0
    trump: str = ""
    hidden: bool = False
    turned: Card = ""
    trick: int = 0
    leader: int = 0
    plays: tuple[Card, ...] = ()
    shown_after: int | None = None
    caller: int = 0
    won: tuple[int, int] = (0, 0)
    void: list[set[str]] = field(default_factory=lambda: [set() for _ in range(PLAYERS)])
    led: set[str] = field(default_factory=set)
    gone: set[Card] = field(default_factory=set)

    @property
    def standing(self) -> Standing:
        """The standing during this hand."""
        return Standing(self.rules, self.totals, self.no, self.dealer)

    def take(self, happened: Event) -> None:
        """Updates the knowledge with an event of the hand."""
        match happened:
            case Played():
                self._play(happened.seat, happened.cards[0], happened.left)
            case Took(seat=seat, points=points):
                self.won = added(self.won, side_of(seat), points or 0)
            case Trick(trick=trick, seat=seat):
                self.trick, self.leader, self.plays = trick, seat, ()
                self.shown_after, self.caller = None if self.hidden else 0, 0
            case Trump_():
                self._trump(happened)
            case Bid_(seat=seat, bid=bid):
                self._bid(seat, bid)
            case Dealt(seat=seat, n=n):
                self.sizes[seat - 1] += n
            case Contract(bid=bid):
                self.bid = bid
            case Hand_(no=no, dealer=dealer):
                self.no, self.dealer = no, dealer

    def _bid(self, seat: int, bid: str) -> None:
        if bid == "pass":
            self.passed = (*self.passed, seat)
            return
        if self.bids:
            self.free.add(seat)
        self.bidder, self.bids = seat, (*self.bids, int(bid))
        if self.rules.pass_out == "no":
            self.passed = ()

    def _trump(self, happened: Trump_) -> None:
        self.trump = happened.suit or ""
        self.hidden = not happened.shown
        if happened.shown:
            self.turned = happened.card or ""
            self.shown_after, self.caller = len(self.plays), happened.caller or 0

    def _play(self, seat: int, card: Card, left: int) -> None:
        suit = suit_of(card)
        self.sizes[seat - 1] = left
        self.gone.add(card)
        if not self.plays:
            if self.hidden and seat == self.bidder:
                self.led.add(suit)
        elif suit != suit_of(self.plays[0]):
            self._not_followed(seat, suit)
        self.plays = (*self.plays, card)

    def _not_followed(self, seat: int, suit: str) -> None:
        """Records that a seat did not follow: it is void in the suit led, and perhaps in trumps."""
        self.void[seat - 1].add(suit_of(self.plays[0]))
        if self.hidden or suit == self.trump:
            return
        if self.rules.must_trump == "always" or self.caller == seat:
            self.void[seat - 1].add(self.trump)


def knowledge_of(rules: TwentyEightRules, seat: int, events: Sequence[Event]) -> Knowledge:
    """The knowledge of the current hand, which is the last hand of these events."""
    first = len(events) - 1
    while first > 0 and not isinstance(events[first], Hand_):
        first -= 1
    seen = Knowledge(rules, seat, _totals(events, first))
    for happened in events[first:]:
        seen.take(happened)
    return seen


def _totals(events: Sequence[Event], before: int) -> tuple[int, int]:
    """The score by side before an event."""
    for index in range(before - 1, -1, -1):
        happened = events[index]
        if isinstance(happened, Handover):
            return happened.totals[0], happened.totals[1]
    return 0, 0
