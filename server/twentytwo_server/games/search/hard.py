"""The hard bot: tries moves in sampled worlds, which are possible deals of the cards it cannot see.

It works for every game that offers a `Search`: worlds that fit the events shown to a seat,
candidate moves, and the end of a hand that a quick policy plays to its end. In each world every
move is tried, so that the luck of the deal is the same for all. Clearly worse moves are dropped on
the way. The search can be stopped after any world, and always has an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from twentytwo_protocol.schema import Deed, Event
from twentytwo_protocol.words.cardplay import Game_, Turn

from ..chance import RandomBelow
from ..game import Game
from ..searchable import Search
from ..sums import added
from .samples import clearly_less, difference

VERSION = 1
"""The version of the search; each game's `Search` has a version too."""

CHECK_EVERY = 8
"""Number of worlds between two searches for clearly worse moves."""
TOLD = 3
"""Maximum number of moves in a hint."""
WORLDS_FOR_FIGURES = 200
"""Number of worlds that a move is tried in before a hint gives figures for it."""

S = TypeVar("S")
R = TypeVar("R")

Budget = Callable[[int], bool]
"""A function from the number of worlds tried to True if there is time for another."""


def worlds(most: int) -> Budget:
    """A budget of a number of worlds, so that the answer is the same on any machine."""
    return lambda done: done < most


def until(deadline: float, clock: Callable[[], float], most: int = 100_000) -> Budget:
    """A budget that ends at a time of the clock, in the clock's seconds."""
    return lambda done: done < most and clock() < deadline


@dataclass(slots=True)
class Line:
    """A candidate move: its value in each world, and the number of losses of the stake.

    `again`: the move was retried in worlds other than those of the other moves.
    """

    deed: Deed
    values: list[float]
    losses: list[float]
    again: bool = False

    @property
    def mean(self) -> float:
        """The mean value so far, from 0 to 1."""
        return added(self.values) / len(self.values) if self.values else 0.0

    @property
    def loss(self) -> float:
        """The fraction of worlds so far in which the stake was lost, from 0 to 1."""
        return added(self.losses) / len(self.losses) if self.losses else 0.0


class Hard(Generic[S, R]):
    """The hard bot. `budget` is called for a new budget at every move."""

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
        """Stores an event; forgets the earlier game when a new one begins."""
        if isinstance(happened, Game_):
            self._seen.clear()
        self._seen.append(happened)

    def choose(self, turn: Turn) -> str:
        """The token of the best move found."""
        # A dropped move has been tried in fewer worlds.
        return max(self.examine(turn), key=lambda line: (len(line.values), line.mean)).deed.token

    def examine(self, turn: Turn, *, alone: bool = False, figures: bool = False) -> list[Line]:
        """Tries the candidate moves; returns them with their values, in the game's order.

        A single candidate is tried only if `alone`, because it is played whatever its value.
        `figures`: a person will read the values.
        """
        enough = self._budget()
        known = self._known(figures)
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
        """The best moves for a hint, best first: at most `TOLD`, each tried in `WORLDS_FOR_FIGURES`
        worlds.

        `enough` is the budget for this; when it is used up, some moves have been tried in fewer
        worlds.
        """
        found = sorted(
            self.examine(turn, alone=True, figures=True),
            key=lambda line: (-len(line.values), -line.mean),
        )[:TOLD]
        self._make_sure(
            turn, [line for line in found if len(line.values) < WORLDS_FOR_FIGURES], enough
        )
        found.sort(key=lambda line: (-min(len(line.values), WORLDS_FOR_FIGURES), -line.mean))
        if self._search.risks_alike(turn):
            # Among moves that may be equally good, name the move that loses the stake least often.
            equal = [line for line in found if line is found[0] or close(found[0], line)]
            first = min(equal, key=lambda line: line.loss)
            found = [first, *(line for line in found if line is not first)]
        return found

    def reason(self, turn: Turn, token: str) -> str:
        """A reason why a move may be good, as a clause; empty if there is none."""
        return self._search.reason(self._known(figures=False), turn, token)

    def _make_sure(self, turn: Turn, lines: Sequence[Line], enough: Budget) -> None:
        """Retries moves whose values rest on few, possibly lucky, worlds."""
        known = self._known(figures=True)
        for line in lines:
            line.values.clear()
            line.losses.clear()
            line.again = True
        done = 0
        while lines and done < WORLDS_FOR_FIGURES and (done == 0 or enough(done)):
            self._try(self._search.imagine(known, turn, self._pick), lines)
            done += 1

    def _known(self, figures: bool) -> Any:
        return self._search.known(self._rules, self._seat, self._seen, figures=figures)

    def _try(self, world: S, lines: Sequence[Line]) -> None:
        """Plays the world out after each of the moves."""
        for line in lines:
            after, happened = self._game.play(world, line.deed)
            ends = self._search.playout(after, happened, self._pick)
            line.values.append(ends.worth[self._seat - 1])
            line.losses.append(ends.lost[self._seat - 1])


def close(one: Line, other: Line) -> bool:
    """True if the values of two moves differ by no more than two standard errors."""
    by, error = difference(one.values, other.values)
    if one.again != other.again:  # tried in different worlds, so compare means instead of pairs
        by = one.mean - other.mean
    return abs(by) <= 2 * error


def _without_the_clearly_worse(lines: Sequence[Line]) -> list[Line]:
    best = max(lines, key=lambda line: line.mean)
    return [line for line in lines if line is best or not clearly_less(line.values, best.values)]
