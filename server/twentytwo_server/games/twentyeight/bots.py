"""Players of Twenty-Eight.

`easy` bids on its jacks, and plays high if that takes the trick, else low. `steady` bids the
average worth of its cards, and remembers every card and every void. It plays the card with the
highest expected gain for its side, less the card's value for later tricks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from twentytwo_protocol.cards import Card, pack32
from twentytwo_protocol.games.twentyeight import Trump_, partner
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Dealt, Hand_, Played, Trick, Turn

from ..chance import RandomBelow
from ..game import QuickBots
from ..sums import added
from .policy import COMING, FADE, HEIGHT, MARGIN, MASTER, SECOND_HIGHEST, TRUMP, expected
from .ranking import best, points_of, power
from .rules import TwentyEightRules


class Easy:
    """Bids on jacks and length; plays high if that takes the trick, else low; always calls."""

    def __init__(self, rules: TwentyEightRules, seat: int, pick: RandomBelow) -> None:
        self._order = rules.order
        self._pick = pick

    def see(self, happened: Event) -> None:
        """Does nothing: this bot has no memory."""

    def choose(self, turn: Turn) -> str:
        """The token of a legal move."""
        legal = turn.legal or (turn.default or "",)
        match turn.act:
            case "bid":
                return self._bid(turn, legal)
            case "trump":
                return legal[0]  # the lowest card of the longest suit
            case "declare":
                return "call"
        return self._play(turn, legal)

    def _bid(self, turn: Turn, legal: Sequence[str]) -> str:
        lowest = next(token for token in legal if token.isdigit())
        limit = 13 + 2 * sum(card[0] == "J" for card in turn.hand or ())
        return lowest if legal[0] != "pass" or int(lowest) <= limit else "pass"

    def _play(self, turn: Turn, legal: Sequence[str]) -> str:
        if not turn.beat:
            return legal[self._pick(len(legal))]
        (beat,) = turn.beat
        higher = [
            card
            for card in legal
            if card[1] == beat[1] and power(card, self._order) > power(beat, self._order)
        ]
        return higher[-1] if higher else legal[0]


class Steady:
    """Maximises its side's expected points; see the module's docstring."""

    def __init__(self, rules: TwentyEightRules, seat: int, pick: RandomBelow) -> None:
        self._rules = rules
        self._table = CardCount(seat)

    def see(self, happened: Event) -> None:
        """Updates the card count with an event of the hand."""
        if isinstance(happened, Hand_):
            self._table = CardCount(self._table.seat)
        self._table.see(happened)

    def choose(self, turn: Turn) -> str:
        """The token of a legal move."""
        legal = turn.legal or (turn.default or "",)
        match turn.act:
            case "bid":
                return self._bid(turn, legal)
            case "trump":
                return self._trump(turn)
            case "declare":
                return self._call(turn)
        if len(legal) == 1:
            return legal[0]
        return max(legal, key=lambda card: self._worth(card, turn))

    # ------------------------------------------------------------------------ the auction

    def _bid(self, turn: Turn, legal: Sequence[str]) -> str:
        """The lowest bid, if the cards are worth it; else a pass."""
        if "redeal" in legal:
            return "redeal"
        lowest = next(token for token in legal if token.isdigit())
        if legal[0] != "pass":
            return lowest
        hand = turn.hand or ()
        return lowest if expected(hand, self._suit(hand)) - MARGIN >= int(lowest) else "pass"

    def _suit(self, hand: tuple[Card, ...]) -> str:
        """The best trump suit for this hand."""
        return max(sorted({card[1] for card in hand}), key=lambda suit: expected(hand, suit))

    def _trump(self, turn: Turn) -> str:
        """The lowest card of the trump suit: it is out of play until a call."""
        hand = turn.hand or ()
        suit = [card for card in hand if card[1] == self._suit(hand)]
        return min(suit, key=lambda card: power(card, self._rules.order))

    # ---------------------------------------------------------------------------- the call

    def _call(self, turn: Turn) -> str:
        """Calls if the trick has points that the partner is not already winning."""
        table = self._table
        ours = turn.holder == partner(turn.seat) and self._holds(table.plays, turn) > 0.6
        return "no" if ours or points_of(table.plays) < 1 else "call"

    # --------------------------------------------------------------------------- the cards

    def _worth(self, card: Card, turn: Turn) -> float:
        """The expected gain of a card, less its value for later tricks."""
        plays = (*self._table.plays, card)
        to_come = 4 - len(plays)
        points = points_of(plays) + to_come * COMING
        chance = self._holds(plays, turn)
        return (2 * chance - 1) * points - self._keep(card, turn)

    def _holds(self, plays: Sequence[Card], turn: Turn) -> float:
        """The chance that the side takes the trick with the cards played so far."""
        table, rules = self._table, self._rules
        trump = turn.trump or ""
        shown = table.shown_after if trump else None
        index = best(tuple(plays), trump, shown, rules.order, rules.early_trump == "yes")
        seats = [(table.leader + number - 1) % 4 + 1 for number in range(4)]
        ours = {turn.seat, partner(turn.seat)}
        top, led = plays[index], plays[0][1]
        void = {seat: self._void(seat, led) for seat in seats[len(plays) :]}
        if top[1] != led:
            over = {seat: void[seat] * (trump not in table.void[seat]) for seat in void}
            return self._stays(top, seats[index] in ours, over, ours)
        follow = {seat: 1 - void[seat] for seat in void}
        chance = self._stays(top, seats[index] in ours, follow, ours)
        for seat in void:
            ruff = void[seat] * self._ruffs(seat, led, trump)
            chance = chance + (1 - chance) * ruff if seat in ours else chance * (1 - ruff)
        return chance

    def _stays(self, top: Card, is_ours: bool, able: Mapping[int, float], ours: Set[int]) -> float:
        """The chance that the side keeps the trick against the later players."""
        whole = added(able.values())
        if not whole:
            return float(is_ours)
        none = (1 - min(1.0, whole / 3)) ** self._higher(top)
        by_ours = added(chance for seat, chance in able.items() if seat in ours) / whole
        return none * is_ours + (1 - none) * by_ours

    def _higher(self, card: Card) -> int:
        """Number of higher cards of its suit that the others hold."""
        order = self._rules.order
        height, suit = power(card, order), card[1]
        return len([c for c in self._table.others if c[1] == suit and power(c, order) > height])

    def _void(self, seat: int, suit: str) -> float:
        """The chance that a seat has no card of a suit."""
        if suit in self._table.void[seat]:
            return 1.0
        return float(ELSEWHERE ** self._table.left(suit))

    def _ruffs(self, seat: int, led: str, trump: str) -> float:
        """The chance that a seat trumps because it cannot follow."""
        if not trump:
            return RUFF
        if trump == led or trump in self._table.void[seat]:
            return 0.0
        return 1 - ELSEWHERE ** self._table.left(trump)

    def _keep(self, card: Card, turn: Turn) -> float:
        """The value of keeping a card for later tricks."""
        order = self._rules.order
        higher = self._higher(card)
        trump = turn.trump or self._table.trump
        value = MASTER if not higher else SECOND_HIGHEST if higher == 1 else 0.0
        value += TRUMP if card[1] == trump else 0.0
        left = len(turn.hand or ()) - 1
        return value * min(1.0, left * FADE) + power(card, order) * HEIGHT


ELSEWHERE = 0.54
"""The chance that a card is not in one particular hand."""
RUFF = 0.24
"""The chance that a player who cannot follow holds a card of the hidden trump."""


class CardCount:
    """The cards shown to a seat in a hand."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.others = {*pack32()}
        """The cards in the other hands."""
        self.void: dict[int, set[str]] = {number: set() for number in range(1, 5)}
        self.plays: tuple[Card, ...] = ()
        self.leader = 0
        self.trump = ""
        self.shown_after = 0

    def see(self, happened: Event) -> None:
        """Updates the counts with an event of the hand."""
        match happened:
            case Trick():
                self.plays, self.leader, self.shown_after = (), happened.seat, 0
            case Trump_():
                self.trump = happened.suit or ""
                self.shown_after = len(self.plays)
            case Dealt():
                self.others.difference_update(happened.cards or ())
            case Played():
                (card,) = happened.cards
                self.others.discard(card)
                if self.plays and card[1] != self.plays[0][1]:
                    self.void[happened.seat].add(self.plays[0][1])
                self.plays = (*self.plays, card)

    def left(self, suit: str) -> int:
        """The number of cards of a suit in the other hands."""
        return len([card for card in self.others if card[1] == suit])


BOTS: QuickBots[TwentyEightRules] = QuickBots({"easy": Easy, "steady": Steady})
"""The bots, the weakest first."""
