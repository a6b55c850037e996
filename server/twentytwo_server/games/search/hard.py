"""The hard bot: it imagines worlds that fit what its seat has seen, and plays them out.

One searcher for every game. A game offers a `Search`: worlds that a seat may be in, the moves
worth a look, and how a world goes on when everybody plays by a quick policy. In each world every
move is tried from the same start, so that luck of the deal cancels out between them; moves that
are clearly worse are dropped on the way. It may be stopped after any world, and has an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Protocol, TypeVar

from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Game_, Turn

from ..game import Game, Pick

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

K = TypeVar("K")
S = TypeVar("S")


class Search(Protocol[K, S]):
    """What a game offers to be searched. K is what a seat knows, S a state of the game."""

    version: int

    def known(self, rules: Any, seat: int, seen: Sequence[Event]) -> K:
        """All that matters of what the seat has been shown since the game began."""

    def imagine(self, known: K, turn: Turn, pick: Pick) -> S:
        """A state that fits what is known, the seat on turn.

        Hidden cards are dealt at random among the places where they may be.
        """

    def candidates(self, state: S) -> Sequence[Deed]:
        """The moves worth a look for the seat on turn, at least one; cheap ones first."""

    def playout(self, state: S, pick: Pick) -> Sequence[float]:
        """How a hand ends for each seat when it is played on by a quick policy: 0 to 1."""


class Stakes(Protocol):
    """What a search may offer besides, so that `hint` can say why: what the hand is about."""

    stake: str
    """What a seat may lose, as it is said to it: `you lose the hand`."""

    def ends(
        self, state: Any, happened: Sequence[Event], pick: Pick
    ) -> tuple[Sequence[float], Sequence[float]]:
        """`playout`, and with it for each seat the chance, 0 to 1, that it loses the stake.

        `happened` is what the move led to that is examined: it may have ended the hand.
        """

    def fact(self, turn: Turn) -> str:
        """What is said of a turn in place of figures, where they would mislead; else empty."""


def stake(search: Any) -> str:
    """What a seat may lose in a hand, as it is said to it; empty where the search has no `ends`."""
    return str(search.stake) if hasattr(search, "ends") else ""


def fact(search: Any, turn: Turn) -> str:
    """What is said of a turn in place of figures, as the search has it; empty where figures do."""
    return str(search.fact(turn)) if hasattr(search, "fact") else ""


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
    def loss(self) -> float | None:
        """The chance that the stake is lost after it; None where that was not examined."""
        return sum(self.losses) / len(self.losses) if self.losses else None


class Hard:
    """A player that searches. `budget` is asked anew for every move."""

    def __init__(
        self,
        game: Game[Any, Any],
        search: Search[Any, Any],
        rules: Any,
        seat: int,
        pick: Pick,
        budget: Callable[[], Budget],
    ) -> None:
        self._game = game
        self._search = search
        self._ends = getattr(search, "ends", None)
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

    def _try(self, world: Any, lines: Sequence[Line]) -> None:
        """Plays the world out after each of the moves."""
        for line in lines:
            after, happened = self._game.play(world, line.deed)
            if self._ends is None:
                values = self._search.playout(after, self._pick)
            else:
                values, losses = self._ends(after, happened, self._pick)
                line.losses.append(losses[self._seat - 1])
            line.values.append(values[self._seat - 1])


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
