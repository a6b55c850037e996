"""Playing a hand on by a quick policy, without events: what the searching bot looks ahead with.

Only ranks matter here. The policy is that of the steady bot, on rank bytes.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from ..following import covers, follows, reading
from ..hands import JOKERS, ONE, Ranks, X, ranks
from ..rules import TwentyTwoRules
from ..seating import circle
from ..states import Exchanging, Playing
from ..tricks import may_win

WORTH = (6, 5.5, 5, 4, 3, 2, 1, 0, -0.8, -0.2, 2.7, 3.1, 5.7, -2)
"""What a card of each rank is worth in the hand, as the steady bot sees it."""
PER_RANK, TAKING, SHEDDING, LEADING = 1.78, 0.33, 0.83, 0.1
MOST = 16
"""The most plays that the policy weighs."""

LAST = 6.0
"""What the last card is worth if it is a two, on the scale of several cards."""

MIDDLING = range(3, 10)
"""The ranks that are exchanged: from the five to the jack."""
MIDDLING_OF_FEW = {
    1: range(6, JOKERS + 1),
    2: range(6, 12),
    3: range(5, 12),
    4: range(4, 11),
    5: range(4, 11),
}
"""The same for hands of few cards: there a low card is soon forced out, a picture no use."""


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
        rules, hands, next_seat, first = self.rules, self.hands, self.next_seat, self.leader
        must, rising = rules.heading == "mandatory", rules.bar == "best"
        any_wins = rules.winner == "bar"
        while True:
            held = hands[seat]
            play = choose(held, bar, must) if bar else choose_lead(held)
            hands[seat] = _less(held, play)
            counts_as = reading(play) if play[0] == JOKERS else play
            if not bar:
                bar, best, winner = counts_as, counts_as, seat
            else:
                if covers(counts_as, best) and (any_wins or may_win(counts_as, rules)):
                    best, winner = counts_as, seat
                if rising and covers(counts_as, bar):
                    bar = counts_as
            seat = next_seat[seat]
            if seat == first:
                self.leader = winner
                return


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


def _less(held: Ranks, play: Ranks) -> Ranks:
    if len(play) == 1:
        return held.replace(play, b"", 1)
    left = bytearray(held)
    for rank in play:
        left.remove(rank)
    return bytes(left)


# ------------------------------------------------------------------------------ the policy


def middling(cards: int) -> range:
    """The ranks that the policy exchanges from a hand of so many cards."""
    return MIDDLING_OF_FEW.get(cards, MIDDLING)


@lru_cache(maxsize=1 << 14)
def thrown(held: Ranks, stock: int) -> Ranks:
    """What the policy exchanges: the middling cards, from the middle outwards."""
    among = middling(len(held))
    twice = among.start + among.stop - 1
    found = sorted((r for r in held if r in among), key=lambda rank: abs(2 * rank - twice))
    return bytes(found[:stock])


@lru_cache(maxsize=1 << 17)
def choose(held: Ranks, bar: Ranks, must: bool) -> Ranks:
    """What the policy plays to a trick: the best of the first plays that are legal."""
    if len(bar) == 1 and held[-1] != JOKERS:
        return _choose_one(held, bar[0], must)
    if len(held) == 2:
        # One card stays: the low one, if the other will do.
        high = held[1:]
        fits = covers(high, bar) and (high[0] != JOKERS or held[0] == JOKERS)
        return high if fits else next(follows(held, bar, must))
    plays = list(islice(follows(held, bar, must), MOST))
    return max(plays, key=lambda play: worth_following(held, bar, play))


def _choose_one(held: Ranks, bar: int, must: bool) -> Ranks:
    """The same for a single card and no jokers: to cover with the card that is worth least."""
    low, high = held[:1], held[-1]
    if high < bar:
        return low
    if len(held) == 2:
        return held[1:]
    cover = held[bisect_left(held, max(bar, held[1])) :].translate(_BY_WORTH)
    least = _RANK_BY_WORTH[min(cover)]
    if must and held[0] < bar:
        return ONE[least]
    throws, keeps = worth_following(held, bytes([bar]), low), held[0]
    count = len(held) - 1
    covering = (_whole(held) - WORTH[least]) / count - PER_RANK * keeps + TAKING
    return low if throws >= covering else ONE[least]


def worth_following(held: Ranks, bar: Ranks, play: Ranks) -> float:
    """What a hand is worth after a play to a trick."""
    if len(play) == 1 and len(held) > 2:
        (rank,) = play
        lowest_left = held[1] if rank == held[0] else held[0]
        mean = (_whole(held) - WORTH[rank]) / (len(held) - 1)
        return mean - PER_RANK * lowest_left + (TAKING if rank >= bar[0] else 0)
    return left_over(_less(held, play)) + (TAKING if covers(reading(play), bar) else 0)


@lru_cache(maxsize=1 << 16)
def choose_lead(held: Ranks) -> Ranks:
    """What the policy leads: equal cards."""
    if len(held) == 2 and held[1] != JOKERS:
        return held[1:]
    return max(set_leads(held), key=lambda play: worth_leading(held, play))


def set_leads(held: Ranks) -> list[Ranks]:
    """The leads that the policy weighs: one card of a rank, or as many as there are."""
    jokers, most = held.count(JOKERS), len(held) - 1
    if jokers == len(held):
        return [X * most]
    plays = []
    for rank in sorted(set(held[: len(held) - jokers])):
        equal = held.count(rank)
        plays += [ONE[rank] * n for n in range(1, min(equal, most) + 1)]
        plays += [
            X * used + ONE[rank] * n
            for used in range(1, jokers + 1)
            for n in range(1, min(equal, most - used) + 1)
        ]
    return plays


def worth_leading(held: Ranks, play: Ranks) -> float:
    """What a hand is worth after a lead."""
    led, count = play[-1], len(play)
    if count == 1:
        left = len(held) - 1
        lowest_left = held[1] if led == held[0] else held[0]
        if left == 1:
            return LAST - PER_RANK * lowest_left + LEADING * led
        return (_whole(held) - WORTH[led]) / left - PER_RANK * lowest_left + LEADING * led
    return left_over(_less(held, play)) + SHEDDING * (count - 1) + LEADING * led


@lru_cache(maxsize=1 << 17)
def left_over(left: Ranks) -> float:
    """What the cards left are worth."""
    if len(left) == 1:
        return LAST - PER_RANK * left[0]
    return _whole(left) / len(left) - PER_RANK * left[0]


@lru_cache(maxsize=1 << 16)
def _whole(held: Ranks) -> float:
    return sum(map(WORTH.__getitem__, held))


_RANK_BY_WORTH = sorted(range(JOKERS + 1), key=WORTH.__getitem__)
"""Ranks, those worth least first."""
_BY_WORTH = bytes(map(_RANK_BY_WORTH.index, range(JOKERS + 1))) + bytes(256 - JOKERS - 1)
"""The table that translates ranks into their places there."""
