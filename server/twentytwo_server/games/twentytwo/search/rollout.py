"""Plays a hand to its end by a quick policy, without events, for the search.

Only ranks matter here.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..following import covers, reading
from ..hands import JOKERS, Ranks, ranks, without
from ..policy import choose, choose_lead, thrown
from ..rules import TwentyTwoRules
from ..seating import circle
from ..states import Exchanging, Playing
from ..tricks import may_win


@dataclass(slots=True)
class Rollout:
    """A hand in a playout: ranks by seat (index 0 is unused), ascending."""

    rules: TwentyTwoRules
    hands: list[Ranks]
    next_seat: tuple[int, ...]
    leader: int

    def last_cards(self) -> list[Ranks]:
        """Plays until every player has one card; then `leader` is the next to lead."""
        while len(self.hands[self.leader]) > 1:
            self.trick(self.leader, b"", b"", 0)
        return self.hands

    def trick(self, seat: int, bar: Ranks, best: Ranks, winner: int) -> None:
        """Plays a trick to its end from the seat on turn."""
        rules, hands, next_seat, first = self.rules, self.hands, self.next_seat, self.leader
        must, rising = rules.heading == "mandatory", rules.bar == "best"
        any_wins = rules.winner == "bar"
        while True:
            held, after = hands[seat], next_seat[seat]
            play = choose(held, bar, must, after == first) if bar else choose_lead(held)
            hands[seat] = without(held, play)
            counts_as = reading(play) if play[0] == JOKERS else play
            if not bar:
                bar, best, winner = counts_as, counts_as, seat
            else:
                if covers(counts_as, best) and (any_wins or may_win(counts_as, rules)):
                    best, winner = counts_as, seat
                if rising and covers(counts_as, bar):
                    bar = counts_as
            seat = after
            if seat == first:
                self.leader = winner
                return


def of_playing(state: Playing) -> Rollout:
    """The hand of a state, after its trick is played to the end."""
    hands = [b"", *map(ranks, state.hands)]
    rollout = Rollout(state.standing.rules, hands, state.next_seat, state.leader)
    rollout.trick(state.seat, state.bar, state.best, state.winner)
    return rollout


def of_exchanging(state: Exchanging) -> Rollout:
    """The hand of a state, after every seat has exchanged."""
    hands, stock = [b"", *map(ranks, state.hands)], ranks(state.stock)
    for seat in state.waiting:
        gone = thrown(hands[seat], len(stock))
        hands[seat] = bytes(sorted(without(hands[seat], gone) + stock[: len(gone)]))
        stock = stock[len(gone) :]
    standing = state.standing
    next_seat = circle(standing.playing, standing.seats)
    return Rollout(standing.rules, hands, next_seat, state.leader)
