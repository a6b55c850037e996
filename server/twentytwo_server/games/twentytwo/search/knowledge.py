"""A hand as seen by one seat, computed from the events shown to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from twentytwo_protocol.cards import Card
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import (
    Dealt,
    Exchanged,
    Game_,
    Hand_,
    Out,
    Played,
    Scored,
    Trick,
)

from ..following import covers, reading
from ..hands import BYTES, Cards, Ranks, ranks, sorted_hand, without
from ..rules import TwentyTwoRules
from ..seating import circle
from ..states import Standing, full_pack
from ..tricks import may_win

Act = tuple[Ranks, Ranks, bool]
"""A play of another seat: the bar before it (empty for a lead), the play, and True if it was the
last of its trick.
"""


@dataclass(slots=True)
class Knowledge:
    """A seat's knowledge of the hand, and of the game around it.

    `floors` are the lowest ranks that seats can still hold: a seat that threw its lowest cards has
    none below them. `exchanged` has the number of cards that each seat exchanged, `kept_by` the
    number that it chose to keep; `acts` has its plays. `gone` are all cards known to be in no other
    hand. `bar` to `winning` are as in `Playing`.
    """

    rules: TwentyTwoRules
    seat: int
    seats: int = 0
    totals: list[int] = field(default_factory=list)
    kept: list[Cards] = field(default_factory=list)
    fell: list[int] = field(default_factory=list)
    no: int = 0
    dealer: int = 0
    hand: Cards = b""
    sizes: dict[int, int] = field(default_factory=dict)
    floors: dict[int, int] = field(default_factory=dict)
    stock: int = 0
    exchanged: dict[int, int] = field(default_factory=dict)
    kept_by: dict[int, int] = field(default_factory=dict)
    acts: dict[int, list[Act]] = field(default_factory=dict)
    gone: bytearray = field(default_factory=bytearray)
    trick: int = 0
    leader: int = 0
    bar: Ranks = b""
    best: Ranks = b""
    winner: int = 0
    winning: Cards = b""

    def take(self, happened: Event) -> None:
        """Updates the knowledge with an event shown to the seat."""
        match happened:
            case Game_(players=size):
                self.seats = size
                self.totals, self.fell = [0] * size, [0] * size
                self.kept = [b""] * size
            case Hand_():
                self._begin(happened)
            case Dealt(seat=seat, n=n, cards=cards):
                self.sizes[seat], self.floors[seat], self.acts[seat] = n, 0, []
                if cards is not None:
                    self.hand = _bytes(cards)
            case Exchanged():
                self._exchange(happened)
            case Trick(trick=trick, seat=seat):
                self.trick, self.leader = trick, seat
                self.bar, self.best, self.winner, self.winning = b"", b"", 0, b""
            case Played():
                self._play(happened)
            case Scored(seat=seat, card=card) if seat and card:
                self.totals[seat - 1] = happened.total
                if self.rules.keep_cards == "yes":
                    self.kept[seat - 1] += _bytes((card,))
                # Not only with OUT: in a run-off, OUT comes only after it is lost.
                if happened.total >= self.rules.limit and self.rules.dead_cards == "back":
                    self.kept[seat - 1] = b""
            case Out(seat=seat):
                self.fell[seat - 1] = self.no

    def _begin(self, hand: Hand_) -> None:
        self.no, self.dealer, self.stock = hand.no, hand.dealer, hand.stock
        self.sizes, self.floors, self.acts = {}, {}, {}
        self.exchanged, self.kept_by = {}, {}
        self.gone, self.trick = bytearray(), 0

    def _exchange(self, happened: Exchanged) -> None:
        self.stock -= happened.n
        self.exchanged[happened.seat] = happened.n
        if self.stock:
            # A seat that emptied the stock may have wanted to exchange more.
            self.kept_by[happened.seat] = self.sizes[happened.seat] - happened.n
        if happened.gave is not None and happened.got is not None:
            gave = _bytes(happened.gave)
            self.hand = sorted_hand(without(self.hand, gave) + _bytes(happened.got))
            self.gone += gave

    def _play(self, happened: Played) -> None:
        seat, cards = happened.seat, _bytes(happened.cards)
        self.sizes[seat] = happened.left
        if seat == self.seat:
            self.hand = without(self.hand, cards)
        self.gone += cards
        last = circle(self.playing, self.seats)[seat] == self.leader
        self.acts[seat].append((self.bar, ranks(cards), last))
        if happened.kind == "low":
            self.floors[seat] = max(self.floors[seat], cards[0] >> 2)
        self._put(seat, cards)

    def _put(self, seat: int, cards: Cards) -> None:
        counts_as = reading(ranks(cards))
        if not self.bar:
            self.bar, self.best, self.winner, self.winning = counts_as, counts_as, seat, cards
            return
        if covers(counts_as, self.best) and may_win(counts_as, self.rules):
            self.best, self.winner, self.winning = counts_as, seat, cards
        if self.rules.bar == "best" and covers(counts_as, self.bar):
            self.bar = counts_as

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that were dealt cards in this hand."""
        return tuple(sorted(self.sizes))

    def standing(self) -> Standing:
        """The standing, as far as it matters within a hand."""
        runoff = any(self.totals[seat - 1] >= self.rules.limit for seat in self.playing)
        return Standing(
            self.rules,
            self.seats,
            self.playing,
            tuple(self.totals),
            tuple(self.kept),
            tuple(self.fell),
            self.rules.first_hand,
            self.no,
            self.dealer,
            runoff,
        )

    def hidden(self, standing: Standing) -> bytearray:
        """The cards that may be in another hand, in the stock, or exchanged by others."""
        left = bytearray(full_pack(self.rules, self.seats))
        for card in (*b"".join(standing.kept), *self.hand, *self.gone):
            if card in left:
                left.remove(card)
        return left


def _bytes(cards: Sequence[Card]) -> Cards:
    return bytes(BYTES[card if card in BYTES else card[0]] for card in cards)
