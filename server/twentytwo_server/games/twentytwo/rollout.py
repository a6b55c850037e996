"""Playing a hand on by a quick policy, without events: what the searching bot looks ahead with.

Only ranks matter here. The policy is that of the steady bot, on rank bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from .following import covers, follows, lowest, reading
from .hands import JOKERS, Cards, Ranks, ranks
from .leading import leads
from .rules import TwentyTwoRules
from .seating import circle, in_order
from .states import Exchanging, Playing
from .tricks import may_win

WORTH = (6, 5.5, 5, 4, 3, 2, 1, 0, -0.8, -0.2, 2.7, 3.1, 5.7, -2)
"""What a card of each rank is worth in the hand, as the steady bot sees it."""
PER_RANK, TAKING, SHEDDING, LEADING = 1.78, 0.33, 0.83, 0.1
MOST = 16
"""The most plays that the policy weighs."""

MIDDLING = range(3, 10)
"""The ranks that are exchanged: from the five to the jack."""


@dataclass(slots=True)
class Rollout:
    """A hand as it is played on: ranks by seat (index 0 is unused), ascending."""

    rules: TwentyTwoRules
    hands: list[Ranks]
    next_seat: tuple[int, ...]
    leader: int

    def last_cards(self) -> list[Ranks]:
        """Plays until everybody has one card; who leads then is `leader`."""
        while len(self.hands[self.leader]) > 1:
            self.trick(self.leader, b"", b"", 0)
        return self.hands

    def trick(self, seat: int, bar: Ranks, best: Ranks, winner: int) -> None:
        """Plays a trick to its end from the seat on turn."""
        rules, must = self.rules, self.rules.heading == "mandatory"
        while True:
            held = self.hands[seat]
            play = choose(held, bar, must) if bar else choose_lead(held, rules)
            bar, best, winner = self._put(seat, play, bar, best, winner)
            seat = self.next_seat[seat]
            if seat == self.leader:
                self.leader = winner
                return

    def _put(
        self, seat: int, play: Ranks, bar: Ranks, best: Ranks, winner: int
    ) -> tuple[Ranks, Ranks, int]:
        self.hands[seat] = _less(self.hands[seat], play)
        counts_as = reading(play)
        if not bar:
            return counts_as, counts_as, seat
        if covers(counts_as, best) and may_win(counts_as, self.rules):
            best, winner = counts_as, seat
        if self.rules.bar == "best" and covers(counts_as, bar):
            bar = counts_as
        return bar, best, winner


def of_playing(state: Playing) -> Rollout:
    """The hand of a state, its trick played to the end."""
    hands = [b"", *map(ranks, state.hands)]
    rollout = Rollout(state.standing.rules, hands, state.next_seat, state.leader)
    rollout.trick(state.seat, state.bar, state.best, state.winner)
    return rollout


def of_exchanging(state: Exchanging) -> Rollout:
    """The hand of a state, everybody having exchanged."""
    hands, stock = [b"", *map(ranks, state.hands)], ranks(state.stock)
    for seat in state.waiting:
        gone = thrown(hands[seat], len(stock))
        hands[seat] = bytes(sorted(_less(hands[seat], gone) + stock[: len(gone)]))
        stock = stock[len(gone) :]
    standing = state.standing
    next_seat = circle(standing.playing, standing.seats)
    return Rollout(standing.rules, hands, next_seat, state.leader)


def showdown_order(rollout: Rollout, playing: Sequence[int]) -> tuple[int, ...]:
    """The seats in the order in which they show their last cards."""
    return in_order(rollout.leader, tuple(playing))


def _less(held: Ranks, play: Ranks) -> Ranks:
    if len(play) == 1:
        return held.replace(play, b"", 1)
    left = bytearray(held)
    for rank in play:
        left.remove(rank)
    return bytes(left)


# ------------------------------------------------------------------------------ the policy


@lru_cache(maxsize=1 << 14)
def thrown(held: Ranks, stock: int) -> Ranks:
    """What the policy exchanges: the middling cards, from the middle outwards."""
    middle = (MIDDLING.start + MIDDLING.stop - 1) / 2
    found = sorted((r for r in held if r in MIDDLING), key=lambda rank: abs(rank - middle))
    return bytes(found[:stock])


@lru_cache(maxsize=1 << 17)
def choose(held: Ranks, bar: Ranks, must: bool) -> Ranks:
    """What the policy plays to a trick: the best of the first plays that are legal."""
    if len(held) == 2:
        # One card stays: the low one, if the other will do.
        high = held[1:]
        fits = covers(high, bar) and (high[0] != JOKERS or held[0] == JOKERS)
        return high if fits else next(follows(held, bar, must))
    plays = list(islice(follows(held, bar, must), MOST))
    return max(plays, key=lambda play: worth_following(held, bar, play))


def worth_following(held: Ranks, bar: Ranks, play: Ranks) -> float:
    """What a hand is worth after a play to a trick."""
    return left_over(_less(held, play)) + (TAKING if covers(reading(play), bar) else 0)


@lru_cache(maxsize=1 << 16)
def _choose_lead(held: Ranks, rules: TwentyTwoRules) -> Ranks:
    # Straights of one suit need suits, which ranks do not have: the policy leads none.
    cards: Cards = bytes(rank << 2 for rank in held)
    plays = [play for play in leads(cards, rules) if len(play) < 2 or play[-1] == play[0]]
    return max(plays or [lowest(held, 1)], key=lambda play: worth_leading(held, play))


def choose_lead(held: Ranks, rules: TwentyTwoRules) -> Ranks:
    """What the policy leads."""
    return held[1:] if len(held) == 2 and held[1] != JOKERS else _choose_lead(held, rules)


def worth_leading(held: Ranks, play: Ranks) -> float:
    """What a hand is worth after a lead."""
    led = play[play.count(JOKERS) :][:1] or play[:1]
    return left_over(_less(held, play)) + SHEDDING * (len(play) - 1) + LEADING * led[0]


@lru_cache(maxsize=1 << 17)
def left_over(left: Ranks) -> float:
    """What the cards left are worth."""
    if len(left) == 1:
        return -left[0]
    return sum(WORTH[rank] for rank in left) / len(left) - PER_RANK * left[0]
