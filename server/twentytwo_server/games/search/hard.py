"""The hard bot: it imagines worlds that fit what its seat has seen, and plays them out.

One searcher for every game that offers a `Search`: worlds that a seat may be in, the moves worth
a look, and how a world goes on when everybody plays by a quick policy. In each world every
move is tried from the same start, so that luck of the deal cancels out between them; moves that
are clearly worse are dropped on the way. It may be stopped after any world, and has an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Generic, TypeVar

from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Game_, Turn

from ..chance import RandomBelow
from ..game import Game
from ..searchable import Search

VERSION = 1
"""The version of the searcher; a game's own part of it has one too."""

CHECK_EVERY = 8
"""Worlds between two looks at which moves are clearly worse."""
CLEARLY = 2.5
"""Standard errors of the difference that make a move clearly worse than the best."""
TOLD = 3
"""Moves that a hint tells of."""
SURE = 200
"""Worlds that a move is tried in before a figure of it is told for a fact."""

S = TypeVar("S")
R = TypeVar("R")

Budget = Callable[[int], bool]
"""Whether there is time for one more world, after so many."""


def worlds(most: int) -> Budget:
    """So many worlds and no more: the same answer on any machine."""
    return lambda done: done < most


def until(deadline: float, clock: Callable[[], float], most: int = 100_000) -> Budget:
    """Worlds until a moment of the clock, in its seconds."""
    return lambda done: done < most and clock() < deadline


@dataclass(slots=True)
class Line:
    """A move under examination: its values, world by world, and how often it lost the stake."""

    deed: Deed
    values: list[float]
    losses: list[float]

    @property
    def mean(self) -> float:
        """Its mean value so far, 0 to 1."""
        return sum(self.values) / len(self.values) if self.values else 0.0

    @property
    def loss(self) -> float:
        """The chance so far that the stake is lost after it, 0 to 1."""
        return sum(self.losses) / len(self.losses) if self.losses else 0.0


class Hard(Generic[S, R]):
    """A player that searches. `budget` is asked anew for every move."""

    def __init__(
        self,
        game: Game[S, R],
        search: Search[Any, S, R],
        rules: R,
        seat: int,
        pick: RandomBelow,
        budget: Callable[[], Budget],
    ) -> None:
        self._game = game
        self._search = search
        self._rules = rules
        self._seat = seat
        self._pick = pick
        self._budget = budget
        self._seen: list[Event] = []

    def see(self, happened: Event) -> None:
        """Remembers it; a new game begins afresh."""
        if isinstance(happened, Game_):
            self._seen.clear()
        self._seen.append(happened)

    def choose(self, turn: Turn) -> str:
        """The token of the best move found."""
        # A move that was dropped on the way has been tried in fewer worlds.
        return max(self.examine(turn), key=lambda line: (len(line.values), line.mean)).deed.token

    def examine(self, turn: Turn, *, alone: bool = False) -> list[Line]:
        """The moves worth a look with their values, in the game's order of them.

        Where there is but one it is examined only if `alone` says so: it is played anyway.
        """
        enough = self._budget()
        known = self._search.known(self._rules, self._seat, self._seen)
        world = self._search.imagine(known, turn, self._pick)
        lines = [Line(deed, [], []) for deed in self._search.candidates(world)]
        alive = lines
        least = 1 if alone and len(lines) == 1 else 2
        done = 0
        while len(alive) >= least and (done == 0 or enough(done)):
            self._try(world, alive)
            done += 1
            if done % CHECK_EVERY == 0:
                alive = _without_the_clearly_worse(alive)
            world = self._search.imagine(known, turn, self._pick)
        return [line for line in lines if line.values] or lines[:1]

    def weigh(self, turn: Turn, enough: Budget) -> list[Line]:
        """The best moves for a hint, the best first: `TOLD` at most, each tried in `SURE` worlds.

        `enough` is the budget for those worlds; when it is used up, some have been tried in fewer.
        """
        found = sorted(
            self.examine(turn, alone=True), key=lambda line: (-len(line.values), -line.mean)
        )[:TOLD]
        self._make_sure(turn, [line for line in found if len(line.values) < SURE], enough)
        return sorted(found, key=lambda line: (-min(len(line.values), SURE), -line.mean))

    def _make_sure(self, turn: Turn, lines: Sequence[Line], enough: Budget) -> None:
        """Tries moves anew that few worlds decided: those worlds spoke for one, or against it."""
        known = self._search.known(self._rules, self._seat, self._seen)
        for line in lines:
            line.values.clear()
            line.losses.clear()
        done = 0
        while lines and done < SURE and (done == 0 or enough(done)):
            self._try(self._search.imagine(known, turn, self._pick), lines)
            done += 1

    def _try(self, world: S, lines: Sequence[Line]) -> None:
        """Plays the world out after each of the moves."""
        for line in lines:
            after, happened = self._game.play(world, line.deed)
            values, losses = self._search.playout(after, happened, self._pick)
            line.values.append(values[self._seat - 1])
            line.losses.append(losses[self._seat - 1])


def _without_the_clearly_worse(lines: Sequence[Line]) -> list[Line]:
    best = max(lines, key=lambda line: line.mean)
    return [line for line in lines if line is best or not _clearly_worse(line, best)]


def _clearly_worse(line: Line, best: Line) -> bool:
    """Whether a move fell behind in the worlds that both were tried in, beyond chance."""
    behind = [b - v for b, v in zip(best.values, line.values, strict=True)]
    n = len(behind)
    mean = sum(behind) / n
    variance = sum((d - mean) ** 2 for d in behind) / (n - 1)
    return mean > CLEARLY * sqrt(variance / n) + 1e-9
