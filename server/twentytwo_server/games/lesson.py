"""The lesson of a game: deals that are played by a script, and what is said at each of one's turns.

A lesson is data, and stands in the folder of its game. It is played at a practice table of the real
engine, by deals that anybody can repeat: the bots play what is written down, and so does the
learner, who is told why another move is not as good. How far somebody is follows from the number of
the turn, so that nothing about it has to be kept. A test plays all lessons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import field

from twentytwo_protocol.value import Value

LEARNER = 1
"""The seat of the learner at every table of a lesson."""


class LessonStep(Value):
    """A turn of the learner: what is said, and which moves go on.

    `moves` are tokens. If there are several, what follows in the deal fits each of them. `rule` is
    a section of the game's rules (`4`). `wrong` says of other moves, by token,
    why they are not as good; under `else` of all that are not named. `answer` makes it an exercise:
    the moves are told to who asks for a hint, with this sentence, or has made a mistake.
    """

    say: str
    moves: tuple[str, ...]
    rule: str
    wrong: Mapping[str, str] = field(default_factory=dict)
    answer: str = ""


class Deal(Value):
    """A deal of a lesson. `turns` are all its turns in order: a step, or the move of a bot.

    `about` is said as it is opened, `over` after its last turn. The first `begun` turns are played
    before the learner sits down.
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
        """How many turns are the learner's, without those that are played before."""
        return len([*self.places()])

    def places(self) -> Iterator[int]:
        """The numbers of the learner's turns, from 1, without those that are played before."""
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
        """How many steps it has in all."""
        return sum(deal.steps for deal in self.deals)

    def before(self, deal: int) -> int:
        """How many steps come before a deal; the first deal is 1."""
        return sum(each.steps for each in self.deals[: deal - 1])

    def find(self, step: int) -> tuple[int, int]:
        """The number of the deal of a step, from 1, and of its turn. Raises `KeyError`."""
        for number, deal in enumerate(self.deals, 1):
            left = step - self.before(number)
            if 0 < left <= deal.steps:
                return number, [*deal.places()][left - 1]
        raise KeyError(step)
