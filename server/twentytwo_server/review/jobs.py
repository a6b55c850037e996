"""Reviews in steps, for a process of their own: a hand at a time, then all of it summed up.

What goes there and comes back are values. A review of some seconds can be given up between two
steps, and told about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from twentytwo_protocol.summary import KINDS, NOTHING, GameSummary
from twentytwo_protocol.value import Value

from .judging import Judged, Mark
from .luck import Luck
from .played_again import NotReviewable, PlayedAgain, people
from .report import report
from .review import HandReview, Point, hand_review, hands_of, put_together
from .sentences import why

AT_ONCE = 8
"""How many games may be under review, a hand of each by turns: so many are kept at hand."""


Again = Callable[[str], PlayedAgain]
"""Plays the game in a record once more. Raises `NotReviewable`."""

T_co = TypeVar("T_co", covariant=True)


class ReviewJob(Protocol[T_co]):
    """A step: `table` is whose turn it is among those who wait."""

    @property
    def table(self) -> str:
        """Whose turn it is."""

    def do(self, again: Again) -> T_co:
        """Does the step, and returns what is asked for."""


class HandJob(Value):
    """A step: the hand of that index, from 0, of the game in a record.

    `table` is whose turn it is among those who wait. No `seats`: those of people, or all.
    """

    table: str
    record: str
    index: int
    seats: tuple[int, ...]

    def do(self, again: Again) -> HandDone:
        """The hand, reviewed."""
        try:
            played = again(self.record)
        except NotReviewable as wrong:
            return HandDone(None, 0, wrong=str(wrong))
        numbers, seats = hands_of(played), self.seats or people(played)
        if self.index >= len(numbers):
            return HandDone(None, len(numbers), seats)
        return HandDone(hand_review(played, numbers[self.index], seats), len(numbers), seats)


class HandDone(Value):
    """A hand that was reviewed, for these `seats`, and `of` how many; or what is `wrong`."""

    hand: HandReview | None
    of: int
    seats: tuple[int, ...] = ()
    wrong: str = ""


class SumJob(Value):
    """The last step: the review from its hands, for a reader who had the seat `you`, if any."""

    table: str
    record: str
    hands: tuple[HandReview, ...]
    seats: tuple[int, ...]
    you: int | None

    def do(self, again: Again) -> Summary:
        """The review of the game."""
        found = put_together(again(self.record), self.hands, self.seats)
        search = found.played.game.search
        assert search is not None
        stake = search.stake.lose
        return Summary(
            tuple(report(found, self.you)),
            len(found.moves),
            tuple((each, why(each, stake)) for each in found.moves if each.mark is not Mark.NONE),
            tuple(found.hand_ends()),
            found.luck,
        )


class Summary(Value):
    """A review as it is told: as lines for people, and its parts for programs.

    `marked` are the marked moves, each with why; `curve` is the start and the end of every hand.
    """

    lines: tuple[str, ...]
    judged: int
    marked: tuple[tuple[Judged, str], ...]
    curve: tuple[Point, ...]
    luck: tuple[Luck, ...]


class CountJob(Value):
    """What statistics need of the game in a record. `table` as for a hand."""

    table: str
    record: str

    def do(self, again: Again) -> str | None:
        """The game's summary (`protocol.summary`); None if it cannot be played again."""
        try:
            played = again(self.record)
        except NotReviewable:
            return None
        counted = GameSummary()
        counted.see_all(event for event in played.events if type(event) in KINDS)
        return counted.written() or NOTHING
