"""Judges a move: what it cost in chance to lose the hand, from what its seat knew.

The legal moves worth a look are tried in worlds that fit what the seat had been shown, as the hard
bot tries them, and the move that was made among them. Where another may be better, those two are
tried again in fresh worlds: the figures that are told are not those by which it was chosen.
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
"""Worlds in which two moves are compared, after each of which it may be enough."""
CHECK_EVERY = 20
"""Worlds after which moves that are clearly worse are dropped."""
ENOUGH = 60
"""Worlds after which a move that can hardly be better than the one that was made is dropped."""
GLANCE = 20
"""Worlds for the curve, where a move is not judged."""
BEYOND = 2.0
"""Standard errors that a cost must exceed to be marked."""
HARDLY = 1.0
"""Standard errors that a cost must be below the least mark, to be left unmarked without more."""


class Effort(Value):
    """In how many worlds moves are tried.

    All in `first`; those that may be better than the one that was made in `chosen`; that one and
    the best are then compared in `most` at most.
    """

    first: int = 100
    chosen: int = 200
    most: int = 1_000


USUAL = Effort()


class Mark(Enum):
    """How bad a move was. The value is what it costs at least, as a chance to lose the stake."""

    NONE = 0.0
    INACCURACY = 0.05
    MISTAKE = 0.10
    BLUNDER = 0.20

    @property
    def word(self) -> str:
        """What it is called; empty for none."""
        return "" if self is Mark.NONE else self.name.lower()


def mark_of(cost: float, error: float) -> Mark:
    """The mark of a move that cost so much: beyond a threshold, and beyond chance."""
    if cost <= BEYOND * error:
        return Mark.NONE
    return max((mark for mark in Mark if cost >= mark.value), key=lambda mark: mark.value)


def settled(cost: float, error: float) -> bool:
    """True if more worlds would hardly change the mark, or the cost is precise enough."""
    if cost + HARDLY * error < Mark.INACCURACY.value:
        return True
    within = BEYOND * error  # where this is less than the least mark, any would be beyond it
    marks = [mark.value for mark in Mark if mark is not Mark.NONE]
    return within < min(marks) or all(abs(cost - each) >= within for each in marks)


class Judged(Value):
    """A decision as it was judged. Chances are from 0 to 1.

    `played` is the move that was made, in cards or, where suits do not matter, in ranks.
    `cost` is by how much likelier the stake was lost with what was played than with the `best`, and
    `error` its standard error; `risk` is that chance with what was played. `chance` is that
    to win the game with what was played, `win` the same less that with the best. Figures are means
    of `worlds`. Where the moves do not stake the same, such as bids (not `alike`), the stake is the
    game. `reason` is a clause that says why the best may be good.
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
        """How bad it was."""
        return mark_of(self.cost, self.error)


@dataclass(slots=True)
class Tried:
    """A move and how it went, world by world: its worth, the stake lost, the game won."""

    deed: Deed
    worths: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)

    @property
    def worth(self) -> float:
        """Its mean worth."""
        return fmean(self.worths)

    @property
    def loss(self) -> float:
        """How often the stake was lost."""
        return fmean(self.losses)

    def clear(self) -> None:
        """Forgets the worlds."""
        self.worths.clear()
        self.losses.clear()
        self.wins.clear()


class Viewpoint:
    """What a seat knew when it was asked, and the worlds that it may have been in."""

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
        """Why a move may be good, as a clause; empty where nothing can be said."""
        return self.search.reason(self._known, self._turn, token)

    def attempt(self, worlds: int, tried: Sequence[Tried]) -> None:
        """Plays so many worlds out after each of these moves."""
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
    """The move that was made."""
    return played.game.deeds[decision.turn.act].of(decision.played)


def judged(
    played: PlayedAgain, decision: Choice, pick: RandomBelow, effort: Effort = USUAL
) -> Judged | None:
    """A decision judged.

    None where there was nothing to decide, or the clock did, or where figures would mislead.
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
    """What a seat could take for its chance to win the game, after the move that it made."""
    mine = Tried(deed_made(played, decision))
    Viewpoint(played, decision, pick).attempt(GLANCE, (mine,))
    return fmean(mine.wins)


def _same(candidate: str, played: str) -> bool:
    """True if a candidate, of cards or only of their ranks, is what was played."""
    if candidate == played:
        return True
    return sorted(candidate.split("+")) == sorted(map(rank_of, played.split("+")))


def _best(seat: Viewpoint, every: Sequence[Tried], mine: Tried, effort: Effort) -> Tried:
    """The move that loses the stake least often, of those that are not clearly worth less."""
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
    """True if it is not clear yet that a move would not have saved enough to be named."""
    saved, error = difference(mine.losses, each.losses)
    return each is not mine and saved + BEYOND * error >= Mark.INACCURACY.value


def _compare(seat: Viewpoint, mine: Tried, best: Tried, most: int) -> None:
    """Tries two moves in fresh worlds until it is clear how bad the one is, or precise enough."""
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
    """True if a move loses the stake more often, and that does not win the game more often."""
    return mine.loss > best.loss and not clearly_less(best.worths, mine.worths)
