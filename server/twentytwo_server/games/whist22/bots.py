"""Players of Whist 22.

`easy` bids a trick for every high card, and then plays at random. `steady` counts the cards: it
bids its expected number of tricks, and minimises its expected loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from twentytwo_protocol.cards import FOOL, TAROT, Card, trumps22
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Bid_, Dealt, Hand_, Played, Took, Turn

from ..chance import RandomBelow
from ..game import QuickBots
from .policy import one_more
from .rules import Whist22Rules

HIGH = 17
"""The lowest trump for which `easy` bids a trick."""


class Easy:
    """Bids a trick for every high card, and plays any card."""

    def __init__(self, rules: Whist22Rules, seat: int, pick: RandomBelow) -> None:
        self._pick = pick

    def see(self, happened: Event) -> None:
        """Does nothing: this bot has no memory."""

    def choose(self, turn: Turn) -> str:
        """A bid near the number of high cards; a random play."""
        legal = turn.legal or ()
        if turn.act == "bid":
            high = sum(card == FOOL or int(card) >= HIGH for card in turn.hand or ())
            return min(legal, key=lambda bid: abs(int(bid) - high))
        return legal[self._pick(len(legal))]


class Steady:
    """Rates cards by the chance that nobody has a higher one; minimises the expected loss."""

    def __init__(self, rules: Whist22Rules, seat: int, pick: RandomBelow) -> None:
        self._rules = rules
        self._seat = seat
        self._table = CardCount(seat, True)
        self._by_fool = [int(counts) // 22 for counts in rules.fool_values]

    def see(self, happened: Event) -> None:
        """Updates the card count with an event."""
        if isinstance(happened, Hand_):
            self._table = CardCount(self._seat, self._rules.has_fool(happened.size))
        self._table.see(happened)

    def choose(self, turn: Turn) -> str:
        """The move with the lowest expected cost; the first of equal ones."""
        cost = self._bids(turn) if turn.act == "bid" else self._plays(turn)
        return min(turn.legal or (), key=cost)

    # --------------------------------------------------------------------------- a bid

    def _bids(self, turn: Turn) -> Callable[[str], float]:
        """The expected cost of each bid."""
        if turn.hand:
            expected, fool = self._tricks(turn.hand)
            return lambda bid: self._cost(int(bid), expected, fool)
        chance = 1 - self._table.below(max(map(value, self._table.shown)))
        return lambda bid: int(bid) * (1 - chance) + abs(1 - int(bid)) * chance

    # -------------------------------------------------------------------------- a play

    def _plays(self, turn: Turn) -> Callable[[str], float]:
        """The expected cost of each play."""
        need, hand = self._table.need[self._seat], turn.hand
        if not hand:  # unseen card: 22 if it should win, else 0
            return lambda token: abs(need - int(token) // 22)

        def cost(token: str) -> float:
            held = FOOL if token[0] == FOOL else token
            wins = self._wins(value(token))
            expected, fool = self._tricks(card for card in hand if card != held)
            won, lost = self._cost(need - 1, expected, fool), self._cost(need, expected, fool)
            return wins * won + (1 - wins) * lost

        return cost

    def _wins(self, played: int) -> float:
        """The chance that a card takes this trick."""
        if any(value(card) > played for card in self._table.trick.values()):
            return 0.0
        chance = 1.0
        for seat in self._table.to_come:
            chance *= 1 - self._beaten(played, seat)
        return chance

    def _beaten(self, played: int, seat: int) -> float:
        """The chance that a seat beats the card: if it can and wants to, or if it has to."""
        below, cards = self._table.below(played), self._table.held[seat]
        wish = min(1.0, max(0.0, self._table.need[seat] / cards))
        return wish * (1 - below**cards) + (1 - wish) * (1 - below) ** cards

    # ------------------------------------------------------------------- what is to come

    def _tricks(self, cards: Iterable[Card]) -> tuple[list[float], bool]:
        """The chances that cards take 0, 1, 2... tricks; and True if the Fool is one of them."""
        chances, fool = [1.0], False
        for card in cards:
            if card == FOOL:
                fool = True
            else:
                chances = one_more(chances, self._takes(card))
        return chances, fool

    def _cost(self, need: int, expected: Sequence[float], fool: bool) -> float:
        """The average number of tricks too many or too few that these cards will take."""
        missed = [chance * self._miss(need - won, fool) for won, chance in enumerate(expected)]
        return sum(missed)

    def _takes(self, card: Card) -> float:
        """The chance that a card takes a trick in which all others play random cards."""
        others = len(self._table.held) - 1
        return float(self._table.below(value(card)) ** others)

    def _miss(self, need: int, fool: bool) -> int:
        """The distance from the bid, using the Fool's choice if possible."""
        return min([abs(need - won) for won in self._by_fool]) if fool else abs(need)


class CardCount:
    """The knowledge of a seat about a hand: the unseen cards, the bids, the tricks."""

    def __init__(self, seat: int, has_fool: bool) -> None:
        self._seat = seat
        self.unseen = {card for card in trumps22() if has_fool or card != FOOL}
        self.shown: list[Card] = []
        self.held: dict[int, int] = {}
        self.need: dict[int, int] = {}
        self.trick: dict[int, Card] = {}

    def see(self, happened: Event) -> None:
        """Updates the counts with an event of the hand."""
        match happened:
            case Dealt():
                self.held[happened.seat] = happened.n
                self.shown += happened.seen or ()
                self.unseen -= {*(happened.cards or ()), *(happened.seen or ())}
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
    def to_come(self) -> list[int]:
        """The other seats still to play to the trick."""
        return [seat for seat in self.held if seat != self._seat and seat not in self.trick]

    def below(self, level: int) -> float:
        """The fraction of the unseen cards below that value; the Fool may always be above."""
        order = TAROT.order  # the Fool has its highest value in this order
        lower = len([card for card in self.unseen if order[card] < level])
        return lower / len(self.unseen) if self.unseen else 1.0


def value(card: Card) -> int:
    """The value of a card; an undeclared Fool has its highest value."""
    return TAROT.order[card]


BOTS: QuickBots[Whist22Rules] = QuickBots({"easy": Easy, "steady": Steady})
"""The bots, the weakest first."""
