"""Plays a hand to its end by a quick policy, without events, for the search.

The policy is that of the steady bot, but it sees all hands of the sampled world. Seats count from 0
here, and cards are bits (`bits`). The strength of a play is the card's bit, 32 places higher for a
trump; 0 cannot win.
"""

from __future__ import annotations

from ..plays import must_call
from ..policy import COMING, FADE, HEIGHT, MASTER, SECOND_HIGHEST, TRUMP
from ..states import Playing
from .bits import MASK_OF, POINTS_OF, SUIT_MASKS, SUIT_OF, hand_bits

FADING = tuple(min(1.0, FADE * left) for left in range(8))
"""The weight of a card's later value, by the number of cards left."""
HEIGHT_OF = {bit: HEIGHT * ((bit.bit_length() - 1) & 7) for bit in SUIT_OF}
"""The further value of a card's height; it breaks ties."""
HIGHER_OF = {bit: suit & -(bit << 1) for bit, suit in SUIT_OF.items()}
"""The cards of its suit above each card."""


class Rollout:
    """A hand in a playout. `hands` exclude the face-down card."""

    __slots__ = (
        "_always",
        "_early",
        "_optional",
        "best",
        "best_seat",
        "bidder",
        "caller",
        "declined",
        "down",
        "hands",
        "led",
        "plays",
        "points",
        "seat",
        "table",
        "trumps",
        "won",
    )

    def __init__(self, state: Playing) -> None:
        rules = state.standing.rules
        self._always = rules.must_trump == "always"
        self._optional = rules.call == "optional"
        self._early = rules.early_trump == "yes"
        order = rules.order
        self.points = POINTS_OF[order]
        self.hands = [hand_bits(hand, order) for hand in state.hands]
        self.bidder, self.trumps = state.bidder - 1, MASK_OF[state.trump]
        self.down = hand_bits((state.down,), order) if state.down else 0
        self.hands[self.bidder] &= ~self.down
        self.won = list(state.won)
        self.caller = state.caller - 1
        self.declined = not state.asked and must_call(state)
        self.seat = state.leader - 1
        self.led = self.best = self.best_seat = self.table = 0
        self.plays: list[tuple[int, int]] = []
        powerless = len(state.plays) if state.down else state.shown_after or 0
        for index, card in enumerate(state.plays):
            self._lay(hand_bits((card,), order), self._early or index >= powerless)

    def bidders_points(self) -> int:
        """Plays to the end of the hand; returns the card points of the bidders."""
        hands = self.hands
        if self.plays:
            self._trick()
        while hands[self.seat] or (self.down and self.seat == self.bidder):
            self._trick()
        return self.won[self.bidder & 1]

    # ----------------------------------------------------------------------------- a trick

    def _trick(self) -> None:
        """Plays the trick to its end; its winner leads next."""
        while (count := len(self.plays)) < 4:
            card = self._follow(3 - count) if count else self._lead()
            self.hands[self.seat] &= ~card
            self._lay(card, True)
        self.won[self.best_seat & 1] += self.table
        self.seat = self.best_seat
        self.plays = []
        self.table, self.caller = 0, -1

    def _lay(self, card: int, power: bool) -> None:
        """Plays a card. Without `power` it cannot win as a trump."""
        seat = self.seat
        if not self.plays:
            self.led, self.best, self.best_seat = SUIT_OF[card], card, seat
        else:
            strength = self._strength(card) if power else card & self.led
            if strength > self.best:
                self.best, self.best_seat = strength, seat
        self.plays.append((card, seat))
        self.table += self.points[card]
        self.seat = (seat + 1) & 3

    def _strength(self, card: int) -> int:
        if card & self.led:
            return card
        return card << 32 if card & self.trumps and not self.down else 0

    def _show(self) -> None:
        """Shows the trump; under some rules, cards played before become trumps."""
        self.hands[self.bidder] |= self.down
        self.down = 0
        if self._early:
            for card, seat in self.plays:
                if self._strength(card) > self.best:
                    self.best, self.best_seat = self._strength(card), seat

    def _reply(self, seat: int, led: int) -> int:
        """The strength of the best play of a seat, including a call for the trump."""
        hand = self.hands[seat]
        return hand & led or (hand & self.trumps) << 32

    # ----------------------------------------------------------------------------- the policy

    def _lead(self) -> int:
        """The policy's lead."""
        seat = self.seat
        hand = self.hands[seat]
        if self.down and seat == self.bidder:
            hand = hand & ~self.trumps or hand
            if not hand:
                self._show()
                return self.hands[seat]
        if not hand & (hand - 1):
            return hand
        held, fading = self._left()
        best, chosen = -99.0, 0
        for suit in SUIT_MASKS:
            mine = hand & suit
            if mine:
                worth, card = self._lead_of(suit, mine, held, fading)
                if worth > best:
                    best, chosen = worth, card
        return chosen

    def _lead_of(self, suit: int, mine: int, held: int, fading: float) -> tuple[float, int]:
        """The better of the highest and the lowest card of a suit, with its worth."""
        seat = self.seat
        theirs = max(self._reply((seat + 1) & 3, suit), self._reply((seat + 3) & 3, suit))
        ours = self._reply(seat ^ 2, suit)
        low = mine & -mine
        found = self._led(low, ours, theirs) - self._keep(low, held, fading), low
        if low == mine:
            return found
        high = 1 << (mine.bit_length() - 1)
        worth = self._led(high, ours, theirs) - self._keep(high, held, fading)
        return found if found[0] > worth else (worth, high)

    def _led(self, card: int, ours: int, theirs: int) -> float:
        gain = 3 * COMING + self.points[card]
        return gain if card > theirs or ours > theirs else -gain

    def _follow(self, to_come: int) -> int:
        """The policy's play to a trick, after a call if necessary."""
        legal = self._legal()
        if not legal & (legal - 1):
            return legal
        seat, led, best = self.seat, self.led, self.best
        ours, theirs = (0, best) if (self.best_seat ^ seat) & 1 else (best, 0)
        for step in range(1, to_come + 1):
            reply = self._reply((seat + step) & 3, led)
            if step & 1:
                theirs = max(theirs, reply)
            else:
                ours = max(ours, reply)
        held, fading = self._left()
        table, points = self.table + to_come * COMING, self.points
        taken, top, chosen = ours > theirs, -99.0, 0
        while legal:
            card = legal & -legal
            legal ^= card
            gain = table + points[card]
            worth = gain if taken or self._strength(card) > theirs else -gain
            worth -= self._keep(card, held, fading)
            if worth > top:
                top, chosen = worth, card
        return chosen

    def _legal(self) -> int:
        """The legal cards of the seat on turn."""
        seat, led = self.seat, self.led
        hand = self.hands[seat]
        follow = hand & led
        if follow:
            return follow
        if self.down:
            if not hand:
                self._show()  # E26: the bidder's last card
                return self.hands[seat]
            if self.declined or (self._optional and not self._calls()):
                self.declined = False
                return hand
            self.caller = seat
            self._show()
            hand = self.hands[seat]
            if hand & led:
                return hand & led
        trumps = hand & self.trumps
        return trumps if trumps and (self._always or self.caller == seat) else hand

    def _calls(self) -> bool:
        """True if a player with an optional call makes it: if there are points to win."""
        return self.table > 0 and bool((self.best_seat ^ self.seat) & 1)

    def _left(self) -> tuple[int, float]:
        """The cards still held, and the weight of keeping a card."""
        one, two, three, four = self.hands
        more = self.hands[self.seat].bit_count() - 1
        return one | two | three | four | self.down, FADING[more]

    def _keep(self, card: int, held: int, fading: float) -> float:
        """The value of keeping a card for later tricks."""
        higher = held & HIGHER_OF[card]
        worth = 0.0 if higher & (higher - 1) else SECOND_HIGHEST if higher else MASTER
        if card & self.trumps:
            worth += TRUMP
        return HEIGHT_OF[card] + worth * fading


def bidders_points(state: Playing) -> int:
    """The card points of the bidders if everybody plays on by the policy."""
    return Rollout(state).bidders_points()
