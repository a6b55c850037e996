"""The lesson of a game: scripted deals, with a text for each of the learner's turns.

A lesson is data in the folder of its game. It is played at a practice table by the real engine,
with repeatable deals. The bots make the moves of the script, and so does the learner; after another
move the learner reads why that move is worse. The progress follows from the number of the turn, so
it need not be stored. A test plays all lessons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import field

from twentytwo_protocol.value import Value

LEARNER = 1
"""The seat of the learner at every table of a lesson."""


class LessonStep(Value):
    """A turn of the learner: the text, and the moves that continue the lesson.

    `moves` are tokens; the rest of the deal fits each of them. `rule` is a section of the game's
    rules (`4`). `wrong` explains by token why other moves are worse; `else` is for all moves not
    named. `answer` makes the step an exercise: a hint shows the moves with this sentence, and so
    does a mistake.
    """

    say: str
    moves: tuple[str, ...]
    rule: str
    wrong: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""


class Deal(Value):
    """A deal of a lesson. `turns` are all its turns in order: a step, or the move of a bot.

    `about` is the text at the start, `over` the text after the last turn. The first `begun` turns
    are played before the learner sits down.
    """

    about: str
    seed: int
    turns: tuple[LessonStep | str, ...]
    over: str
    bots: int = 3
    options: Mapping[str, str] = field(default_factory=dict)
    begun: int = 0

    @property
    def steps(self) -> int:
        """Number of the learner's turns after the first `begun` turns."""
        return len([*self.learner_turns()])

    def learner_turns(self) -> Iterator[int]:
        """The numbers of the learner's turns, from 1, after the first `begun` turns."""
        for turn, each in enumerate(self.turns, 1):
            if isinstance(each, LessonStep) and turn > self.begun:
                yield turn

    def played(self, turn: int) -> tuple[str, ...]:
        """The moves of all turns before this one."""
        return tuple(
            each if isinstance(each, str) else each.moves[0] for each in self.turns[: turn - 1]
        )


class Lesson(Value):
    """The deals of a game's lesson, in order."""

    deals: tuple[Deal, ...]

    @property
    def steps(self) -> int:
        """Total number of steps."""
        return sum(deal.steps for deal in self.deals)

    def before(self, deal: int) -> int:
        """Number of steps before a deal; the first deal is 1."""
        return sum(each.steps for each in self.deals[: deal - 1])

    def find(self, step: int) -> tuple[int, int]:
        """The number of a step's deal, from 1, and of its turn. Raises `KeyError`."""
        for number, deal in enumerate(self.deals, 1):
            left = step - self.before(number)
            if 0 < left <= deal.steps:
                return number, [*deal.learner_turns()][left - 1]
        raise KeyError(step)
