"""Divides a review into jobs for a worker process: one for each hand, and one for the sum.

Arguments and results are picklable values. A review takes seconds; between two jobs it can be
cancelled and can report progress.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from twentytwo_protocol.summary import COUNTED_EVENTS, NOTHING, GameSummary
from twentytwo_protocol.value import Value

from .judging import Judged, Mark
from .luck import Luck
from .played_again import NotReviewable, PlayedAgain, people
from .report import report
from .review import HandReview, Point, hand_review, hands_of, put_together
from .sentences import why

CACHED_GAMES = 8
"""Number of games whose replays a worker caches, for taking hands of several reviews in turn."""


Again = Callable[[str], PlayedAgain]
"""A function that replays the game in a record. Raises `NotReviewable`."""

T_co = TypeVar("T_co", covariant=True)


class ReviewJob(Protocol[T_co]):
    """A job of a review, or of the statistics of a game."""

    @property
    def key(self) -> str:
        """The jobs of different keys are served in turn."""

    def do(self, again: Again) -> T_co:
        """Runs the job and returns its result."""


class HandJob(Value):
    """The review of the hand with this index, from 0, of the game in a record.

    The jobs of different keys are served in turn. Empty `seats` stand for the seats
    of people, or for all if there are none.
    """

    key: str
    record: str
    index: int
    seats: tuple[int, ...]

    def do(self, again: Again) -> HandDone:
        """Reviews the hand."""
        try:
            played = again(self.record)
        except NotReviewable as wrong:
            return HandDone(None, 0, wrong=str(wrong))
        numbers, seats = hands_of(played), self.seats or people(played)
        if self.index >= len(numbers):
            return HandDone(None, len(numbers), seats)
        return HandDone(hand_review(played, numbers[self.index], seats), len(numbers), seats)


class HandDone(Value):
    """The review of one hand for `seats`, out of `of` hands; or the error in `wrong`."""

    hand: HandReview | None
    of: int
    seats: tuple[int, ...] = ()
    wrong: str = ""


class SumJob(Value):
    """The last job: combines the reviews of the hands. `you` is the reader's seat, if any."""

    key: str
    record: str
    hands: tuple[HandReview, ...]
    seats: tuple[int, ...]
    you: int | None

    def do(self, again: Again) -> Summary:
        """Makes the review of the game."""
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
    """A review as its reader gets it: lines for people, and its parts for programs.

    `marked` are the marked moves, each with a reason; `curve` has the start and the end of every
    hand.
    """

    lines: tuple[str, ...]
    judged: int
    marked: tuple[tuple[Judged, str], ...]
    curve: tuple[Point, ...]
    luck: tuple[Luck, ...]


class CountJob(Value):
    """Computes the statistics of the game in a record. `key` is as in `HandJob`."""

    key: str
    record: str

    def do(self, again: Again) -> str | None:
        """The game's summary (`protocol.summary`); None if the game cannot be replayed."""
        try:
            played = again(self.record)
        except NotReviewable:
            return None
        counted = GameSummary()
        counted.see_all(event for event in played.events if type(event) in COUNTED_EVENTS)
        return counted.written() or NOTHING
