"""The ports of a host to the outside, and stand-ins for missing ones."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import field
from twisted.internet.defer import Deferred, succeed

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value

from ..metrics import Metrics
from ..ports import BotWorkers, Clock, Evaluation, Hasher, Hashes, Job, PasswordCheck, Store
from .config import Randomness
from .reviews import NoReviewWorkers, ReviewWorkers


class NoBotWorkers:
    """`BotWorkers` without processes: every search fails at once."""

    def think(self, job: Job) -> Deferred[str | None]:
        """No answer, at once."""
        return succeed(None)

    def evaluate(self, job: Job) -> Deferred[Evaluation | None]:
        """No answer, at once."""
        return succeed(None)

    def stop(self) -> None:
        """There is nothing to stop."""


class NoHasher:
    """A `Hasher` for a server without accounts: it refuses everything."""

    dummy_hash = ""

    def hash(self, password: str, done: Callable[[Hashes], None]) -> None:
        """Refuses."""
        raise Refused("UNSUPPORTED", "There are no accounts on this server.")

    def verify(self, password: str, hashed: str, done: Callable[[PasswordCheck], None]) -> None:
        """Refuses."""
        raise Refused("UNSUPPORTED", "There are no accounts on this server.")

    def stop(self) -> None:
        """There is nothing to stop."""


class Surroundings(Value):
    """The ports of a host to the outside, and its `metrics`.

    Without `bot_workers`, hard bots play like quick ones; without `review_workers` no game is
    reviewed; without a `hasher`, commands about accounts are refused.
    """

    clock: Clock
    store: Store
    chance: Randomness
    hasher: Hasher = field(default_factory=NoHasher)
    bot_workers: BotWorkers = field(default_factory=NoBotWorkers)
    review_workers: ReviewWorkers = field(default_factory=NoReviewWorkers)
    metrics: Metrics = field(default_factory=Metrics)
