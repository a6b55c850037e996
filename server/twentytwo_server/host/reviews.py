"""Reviews of games that are over: made in a process of their own, kept for whoever asks again.

A review takes seconds of a processor. So all are made in one process, which is nice to everything
else, and take turns there, a hand at a time; an address may have one that is being made, and there
are few in all. When whoever has asked is gone, it is given up after the hand that is in work.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol, TypeVar

from twisted.internet.defer import Deferred, succeed

from twentytwo_protocol.schema import Refused

from ..facts import GameEnded
from ..review.jobs import AT_ONCE, HandJob, ReviewJob, SumJob, Summary
from ..review.review import HandReview
from .session_tasks import SessionTasks

T = TypeVar("T")

KEPT = 32
"""How many reviews are remembered."""

_Key = tuple[str, tuple[int, ...]]
_Hands = tuple[tuple[HandReview, ...], tuple[int, ...]]

Progress = Callable[[int, int], object]
"""Told before each hand: which it is, from 1, and of how many; 0 before that is known."""


class ReviewWorkers(Protocol):
    """Reviews games, in another process. Cancel a Deferred to give up its step."""

    def do(self, job: ReviewJob[T]) -> Deferred[T | None]:
        """Fires with what becomes of a step, or with None if that failed."""

    def stop(self) -> None:
        """Gives up all work; nothing is answered any more."""


class NoReviewWorkers:
    """`ReviewWorkers` without a process: every step fails at once."""

    def do(self, job: ReviewJob[T]) -> Deferred[T | None]:
        """No answer, at once."""
        return succeed(None)

    def stop(self) -> None:
        """There is nothing to stop."""


class Reviews:
    """The reviews of a server. `tasks` are the connections that wait for one."""

    def __init__(self, workers: ReviewWorkers) -> None:
        self._workers = workers
        self._kept: OrderedDict[_Key, _Hands] = OrderedDict()
        self._places: set[str] = set()
        self.tasks = SessionTasks()

    def check(self, place: str) -> None:
        """Raises `Refused` unless a review may be made now for somebody of that address."""
        if place in self._places:
            raise Refused(
                "QUOTA", "A review for your address is being made; wait until it is over."
            )
        if len(self._places) >= AT_ONCE:
            raise Refused("BUSY", "Many games are being reviewed; try again later.", wait=30_000)

    async def make(
        self, game: GameEnded, seats: tuple[int, ...], you: int | None, place: str, told: Progress
    ) -> Summary:
        """The review of a game, of the moves of some seats (none: those of people, or else all).

        `place` is the address of whoever asks (`Link.place`), `you` their seat in the game. Raises
        `Refused`.
        """
        self.check(place)
        self._places.add(place)
        try:
            kept = self._kept.get((game.game, seats))
            if kept is None:
                kept = await self._hands(game, seats, place, told)
            self._keep((game.game, seats), kept)
            hands, judged = kept
            summary = await self._workers.do(SumJob(place, game.record, hands, judged, you))
        finally:
            self._places.discard(place)
        if summary is None:
            raise _failed()
        return summary

    async def _hands(
        self, game: GameEnded, seats: tuple[int, ...], place: str, told: Progress
    ) -> _Hands:
        hands: list[HandReview] = []
        of, judged = 0, seats
        while not hands or len(hands) < of:
            told(len(hands) + 1, of)
            done = await self._workers.do(HandJob(place, game.record, len(hands), seats))
            if done is None:
                raise _failed()
            if done.wrong:
                raise Refused("UNSUPPORTED", done.wrong)
            of, judged = done.of, done.seats
            if done.hand is None:
                break
            hands.append(done.hand)
        return tuple(hands), judged

    def _keep(self, key: _Key, hands: _Hands) -> None:
        self._kept[key] = hands
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


def _failed() -> Refused:
    return Refused("BUSY", "No review just now; try again.", wait=5_000)
