"""Players of Whist 22.

`easy` bids a card for a trick where it is high enough, and then plays as it comes. `steady`
counts the cards: it bids what it may expect, and plays whatever leaves the least to lose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from twentytwo_protocol.cards import FOOL, Card, trumps22
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Bid_, Dealt, Hand_, Played, Took, Turn

from ..game import Bot, Pick

if TYPE_CHECKING:
    from ..whist22.rules import Whist22Rules

LEVELS = ("easy", "steady")

HIGH = 17
"""From which trump on `easy` bids a trick."""


def player(level: str, rules: Whist22Rules, seat: int, pick: Pick) -> Bot:
    """A new player of that level. Raises `KeyError` for an unknown level."""
    return {"easy": Easy, "steady": Steady}[level](rules, seat, pick)


class Easy:
    """Bids a trick for every high card, and plays any card."""

    def __init__(self, rules: Whist22Rules, seat: int, pick: Pick) -> None:
        self._pick = pick

    def see(self, happened: Event) -> None:
        """Forgets it."""

    def choose(self, turn: Turn) -> str:
        """The bid nearest to the number of high cards; any play."""
        legal = turn.legal or ()
        if turn.act == "bid":
            high = sum(card == FOOL or int(card) >= HIGH for card in turn.hand or ())
            return min(legal, key=lambda bid: abs(int(bid) - high))
        return legal[self._pick(len(legal))]


class Hand:
    """What a seat has seen of a hand: the cards it does not see, the bids, the tricks."""

    def __init__(self, seat: int, has_fool: bool) -> None:
        self.seat = seat
        self.unseen = {card for card in trumps22() if has_fool or card != FOOL}
        self.held: dict[int, int] = {}
        self.need: dict[int, int] = {}
        self.trick: dict[int, Card] = {}

    def see(self, happened: Event) -> None:
        """Takes in an event of the hand."""
        match happened:
            case Dealt():
                self.held[happened.seat] = happened.n
                self.unseen -= {*(happened.cards or ()), *(happened.shown or ())}
            case Bid_():
                self.need[happened.seat] = int(happened.bid)
            case Played():
                (card,) = happened.cards
                self.held[happened.seat] = happened.left
                self.unseen.discard(FOOL if card[0] == FOOL else card)
                self.trick[happened.seat] = card
            case Took():
                self.need[happened.seat] -= 1
                self.trick.clear()

    @property
    def others(self) -> int:
        """How many play against the seat."""
        return len(self.held) - 1

    @property
    def to_come(self) -> list[int]:
        """The other seats that still play to this trick."""
        return [seat for seat in self.held if seat != self.seat and seat not in self.trick]

    def below(self, value: int) -> float:
        """The share of the unseen cards that are below a value; the Fool is mostly above."""
        if not self.unseen:
            return 1.0
        lower = sum(card != FOOL and int(card) < value for card in self.unseen)
        return lower / len(self.unseen)


class Steady:
    """Expects of every card the chance that nobody has a higher one, and loses least by that."""

    def __init__(self, rules: Whist22Rules, seat: int, pick: Pick) -> None:
        self._rules = rules
        self._seat = seat
        self._hand = Hand(seat, True)

    def see(self, happened: Event) -> None:
        """Keeps count."""
        if isinstance(happened, Hand_):
            self._hand = Hand(self._seat, self._rules.has_fool(happened.size))
        self._hand.see(happened)

    def choose(self, turn: Turn) -> str:
        """The move with the least to lose."""
        legal = turn.legal or ()
        weigh = self._bid if turn.act == "bid" else self._play
        return min(legal, key=lambda token: weigh(token, turn))

    # ------------------------------------------------------------------------- bidding

    def _bid(self, token: str, turn: Turn) -> float:
        """What a bid may be expected to cost."""
        return self._loss(int(token), turn.hand or (), self._hand.others)

    # ------------------------------------------------------------------------- playing

    def _play(self, token: str, turn: Turn) -> float:
        hand = self._hand
        need = hand.need[self._seat]
        card = token if token in TAROT.order else token
        value = TAROT.order[card]
        best = max((TAROT.order[other] for other in hand.trick.values()), default=-1)
        wins = 0.0
        if value > best:
            wins = 1.0
            for seat in hand.to_come:
                wins *= 1 - self._beaten_by(seat, value)
        held = FOOL if token[0] == FOOL else token
        rest = [other for other in turn.hand or () if other != held]
        return wins * self._loss(need - 1, rest, hand.others) + (1 - wins) * self._loss(
            need, rest, hand.others
        )

    def _beaten_by(self, seat: int, value: int) -> float:
        hand = self._hand
        below = hand.below(value)
        cards = hand.held[seat]
        has_higher = 1 - below**cards
        only_higher = (1 - below) ** cards
        wish = min(1.0, max(0.0, hand.need[seat] / cards))
        return wish * has_higher + (1 - wish) * only_higher

    def _loss(self, need: int, cards: Sequence[Card], others: int) -> float:
        """How many tricks too many or too few these cards will take, on average."""
        hand = self._hand
        chances = [1.0]
        flexible = 0
        for card in cards:
            if card == FOOL:
                flexible = 1
                continue
            p = hand.below(int(card)) ** (others * K)
            chances = [
                (chances[i] * (1 - p) if i < len(chances) else 0)
                + (chances[i - 1] * p if i else 0)
                for i in range(len(chances) + 1)
            ]
        loss = 0.0
        for tricks, chance in enumerate(chances):
            miss = abs(need - tricks)
            if flexible:
                miss = min(miss, abs(need - tricks - 1))
            loss += chance * miss
        return loss


K = 1.0
