"""Reviews of finished games, made in a separate process and cached.

A review takes seconds of processor time. So one process with low priority makes all reviews, which
take turns hand by hand. An address may have one review in progress, and the total is limited. If
the requester disconnects, the review stops after the current hand.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol, TypeVar

from twisted.internet.defer import Deferred, succeed

from twentytwo_protocol.schema import Refused

from ..facts import GameEnded
from ..review.jobs import CACHED_GAMES, HandJob, ReviewJob, SumJob, Summary
from ..review.review import HandReview
from .session_tasks import SessionTasks

T = TypeVar("T")

CACHED = 32
"""Number of cached reviews."""

_Key = tuple[str, tuple[int, ...]]
_Hands = tuple[tuple[HandReview, ...], tuple[int, ...]]

Progress = Callable[[int, int], object]
"""Called before each hand with its number from 1 and the number of hands (0: unknown)."""


class ReviewWorkers(Protocol):
    """Reviews games, in another process. Cancel a Deferred to give up its step."""

    def do(self, job: ReviewJob[T]) -> Deferred[T | None]:
        """Fires with the result of a step, or with None if it failed."""

    def stop(self) -> None:
        """Stops all work; pending steps get no answer."""


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
        self._cache: OrderedDict[_Key, _Hands] = OrderedDict()
        self._networks: set[str] = set()
        self.tasks = SessionTasks()

    def check(self, network: str) -> None:
        """Raises `Refused` unless an address may have one more review now."""
        if network in self._networks:
            raise Refused(
                "QUOTA", "A review for your address is being made; wait until it is over."
            )
        if len(self._networks) >= CACHED_GAMES:
            raise Refused("BUSY", "Many games are being reviewed; try again later.", wait=30_000)

    async def make(
        self, game: GameEnded, seats: tuple[int, ...], you: int | None, network: str, told: Progress
    ) -> Summary:
        """The review of some seats of a game (empty: the people's seats, else all).

        `network` is the requester's (`Link.network`), `you` the requester's seat in the game.
        Raises `Refused`.
        """
        self.check(network)
        self._networks.add(network)
        try:
            cached = self._cache.get((game.game, seats))
            if cached is None:
                cached = await self._hands(game, seats, network, told)
            self._cache_hands((game.game, seats), cached)
            hands, judged = cached
            summary = await self._workers.do(SumJob(network, game.record, hands, judged, you))
        finally:
            self._networks.discard(network)
        if summary is None:
            raise _failed()
        return summary

    async def _hands(
        self, game: GameEnded, seats: tuple[int, ...], network: str, told: Progress
    ) -> _Hands:
        hands: list[HandReview] = []
        of, judged = 0, seats
        while not hands or len(hands) < of:
            told(len(hands) + 1, of)
            done = await self._workers.do(HandJob(network, game.record, len(hands), seats))
            if done is None:
                raise _failed()
            if done.wrong:
                raise Refused("UNSUPPORTED", done.wrong)
            of, judged = done.of, done.seats
            if done.hand is None:
                break
            hands.append(done.hand)
        return tuple(hands), judged

    def _cache_hands(self, key: _Key, hands: _Hands) -> None:
        self._cache[key] = hands
        self._cache.move_to_end(key)
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)


def _failed() -> Refused:
    return Refused("BUSY", "No review just now; try again.", wait=5_000)
