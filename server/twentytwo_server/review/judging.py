"""Judges moves: by how much a move raised the chance of losing the hand, given the knowledge of its
seat.

The plausible legal moves, including the played one, are tried in worlds that fit the events shown
to the seat, as the hard bot does. If another move looks better, the two are compared again in fresh
worlds, so that the reported figures are independent of the selection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from statistics import fmean
from typing import Any

from twentytwo_protocol.cards import rank_of
from twentytwo_protocol.schema import Deed
from twentytwo_protocol.value import Value

from ..games.chance import RandomBelow
from ..games.search.samples import clearly_less, difference
from .played_again import Choice, PlayedAgain

BATCH = 100
"""Number of worlds between two checks whether the comparison of two moves is precise enough."""
CHECK_EVERY = 20
"""Number of worlds between two checks for clearly worse moves, which are dropped."""
ENOUGH = 60
"""Number of worlds after which a move is dropped if it is hardly better than the played one."""
GLANCE = 20
"""Number of worlds for a point of the curve whose move is not judged."""
BEYOND = 2.0
"""Number of standard errors that a cost must exceed to be marked."""
HARDLY = 1.0
"""A move stays unmarked if its cost is this number of standard errors below the lowest mark."""


class Effort(Value):
    """The numbers of worlds in which moves are tried.

    All moves are tried in `first` worlds, and those that may be better than the played one in
    `chosen`. The best of them is then compared with the played move in at most `most` worlds.
    """

    first: int = 100
    chosen: int = 200
    most: int = 1_000


USUAL_EFFORT = Effort()


class Mark(Enum):
    """The mark of a bad move. Its value is the lowest cost, from 0 to 1."""

    NONE = 0.0
    INACCURACY = 0.05
    MISTAKE = 0.10
    BLUNDER = 0.20

    @property
    def word(self) -> str:
        """The name of the mark; empty for `NONE`."""
        return "" if self is Mark.NONE else self.name.lower()


def mark_of(cost: float, error: float) -> Mark:
    """The mark of a move whose cost exceeds the mark's threshold and the sampling error."""
    if cost <= BEYOND * error:
        return Mark.NONE
    return max((mark for mark in Mark if cost >= mark.value), key=lambda mark: mark.value)


def settled(cost: float, error: float) -> bool:
    """True if more worlds would hardly change the mark, or if the cost is precise enough."""
    if cost + HARDLY * error < Mark.INACCURACY.value:
        return True
    within = BEYOND * error  # below the lowest mark, any cost would exceed it
    marks = [mark.value for mark in Mark if mark is not Mark.NONE]
    return within < min(marks) or all(abs(cost - each) >= within for each in marks)


class Judged(Value):
    """A judged decision. Chances are from 0 to 1.

    `played` is the played move, in cards, or in ranks if suits do not matter. `risk` is the
    probability of losing the stake with it; `cost` is `risk` minus the same for the `best` move,
    and `error` its standard error. `chance` is the probability of winning the game with the played
    move, `win` is `chance` minus the same for the best move. The figures are means over `worlds`
    worlds. Moves with different stakes, such as bids, are not `alike`: then the stake is the game.
    `reason` is a clause that explains the best move.
    """

    decision: Choice
    played: str
    best: str
    cost: float
    error: float
    risk: float
    win: float
    chance: float
    worlds: int
    alike: bool = True
    reason: str = ""

    @property
    def mark(self) -> Mark:
        """The mark of the move."""
        return mark_of(self.cost, self.error)


@dataclass(slots=True)
class Tried:
    """A tried move with its outcomes by world: worth, loss of the stake, win of the game."""

    deed: Deed
    worths: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)

    @property
    def worth(self) -> float:
        """The mean worth."""
        return fmean(self.worths)

    @property
    def loss(self) -> float:
        """The fraction of worlds in which the stake was lost."""
        return fmean(self.losses)

    def clear(self) -> None:
        """Discards all outcomes."""
        self.worths.clear()
        self.losses.clear()
        self.wins.clear()


class Viewpoint:
    """A seat's knowledge at a question, and possible worlds that fit it."""

    def __init__(self, played: PlayedAgain, decision: Choice, pick: RandomBelow) -> None:
        search = played.game.search
        assert search is not None
        self.search = search
        self._game = played.game
        self._turn = decision.turn
        self._pick = pick
        self._mine = decision.seat - 1
        self.alike = search.risks_alike(decision.turn)
        seen = played.seen(decision)
        self._known = search.known(played.rules, decision.seat, seen, figures=True)

    def world(self) -> Any:
        """The next world."""
        return self.search.imagine(self._known, self._turn, self._pick)

    def reason(self, token: str) -> str:
        """A reason for a move, as a clause; empty if there is none."""
        return self.search.reason(self._known, self._turn, token)

    def attempt(self, worlds: int, tried: Sequence[Tried]) -> None:
        """Plays out a number of worlds after each of these moves."""
        for _ in range(worlds):
            world = self.world()
            for each in tried:
                state, happened = self._game.play(world, each.deed)
                ends = self.search.playout(state, happened, self._pick)
                win = ends.win[self._mine]
                each.worths.append(ends.worth[self._mine])
                each.losses.append(ends.lost[self._mine] if self.alike else 1 - win)
                each.wins.append(win)


def deed_made(played: PlayedAgain, decision: Choice) -> Deed:
    """The played move of a decision."""
    return played.game.deeds[decision.turn.act].of(decision.played)


def judged(
    played: PlayedAgain, decision: Choice, pick: RandomBelow, effort: Effort = USUAL_EFFORT
) -> Judged | None:
    """Judges a decision.

    Returns None if there was no choice, if the clock decided, or if the figures would mislead.
    """
    if decision.auto or decision.forced:
        return None
    seat = Viewpoint(played, decision, pick)
    if seat.search.fact(decision.turn):
        return None
    every = [Tried(deed) for deed in seat.search.candidates(seat.world())]
    mine = next((each for each in every if _same(each.deed.token, decision.played)), None)
    if mine is None:
        mine = Tried(deed_made(played, decision))
        every.append(mine)
    if len(every) < 2:
        return None
    best = _best(seat, every, mine, effort)
    if best is not mine:
        _compare(seat, mine, best, effort.most)
    return _weighed(decision, seat, mine, best)


def glanced(played: PlayedAgain, decision: Choice, pick: RandomBelow) -> float:
    """The chance to win the game after the played move, given the knowledge of its seat."""
    mine = Tried(deed_made(played, decision))
    Viewpoint(played, decision, pick).attempt(GLANCE, (mine,))
    return fmean(mine.wins)


def _same(candidate: str, played: str) -> bool:
    """True if a candidate, of cards or only of ranks, is the played move."""
    if candidate == played:
        return True
    return sorted(candidate.split("+")) == sorted(map(rank_of, played.split("+")))


def _best(seat: Viewpoint, every: Sequence[Tried], mine: Tried, effort: Effort) -> Tried:
    """The move that loses the stake least often, among those that are not clearly worth less."""
    alive = list(every)
    while len(mine.worths) < (effort.first if len(alive) == 1 else effort.chosen):
        seat.attempt(min(CHECK_EVERY, effort.first), alive)
        top = max(alive, key=lambda each: each.worth)
        alive = [each for each in alive if not clearly_less(each.worths, top.worths)]
        if len(mine.worths) >= min(ENOUGH, effort.first):
            alive = [each for each in alive if _may_be_better(each, mine)]
        alive = [mine, *(each for each in alive if each is not mine)]
    return min(alive, key=lambda each: each.loss)


def _may_be_better(each: Tried, mine: Tried) -> bool:
    """True if this move may still turn out better by enough to mark the played one."""
    saved, error = difference(mine.losses, each.losses)
    return each is not mine and saved + BEYOND * error >= Mark.INACCURACY.value


def _compare(seat: Viewpoint, mine: Tried, best: Tried, most: int) -> None:
    """Tries two moves in fresh worlds until the mark is clear or the cost precise enough."""
    mine.clear()
    best.clear()
    while len(mine.losses) < most:
        seat.attempt(min(BATCH, most), (mine, best))
        cost, error = difference(mine.losses, best.losses)
        if settled(cost, error):
            return


def _weighed(decision: Choice, seat: Viewpoint, mine: Tried, best: Tried) -> Judged:
    cost, error = difference(mine.losses, best.losses)
    win = fmean(mine.wins) - fmean(best.wins)
    if not faulty(mine, best):
        best, cost, error, win = mine, 0.0, 0.0, 0.0
    return Judged(
        decision,
        mine.deed.token,
        best.deed.token,
        cost,
        error,
        mine.loss,
        win,
        fmean(mine.wins),
        len(mine.losses),
        seat.alike,
        seat.reason(best.deed.token) if best is not mine else "",
    )


def faulty(mine: Tried, best: Tried) -> bool:
    """True if a move loses the stake more often without winning the game more often."""
    return mine.loss > best.loss and not clearly_less(best.worths, mine.worths)
