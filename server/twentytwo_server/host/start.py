"""Putting a host together: the world, the handlers, and what is restored."""

from collections.abc import Callable, Mapping

from twisted.internet.defer import Deferred, succeed

from twentytwo_protocol.schema import Refused

from ..facts import Remembered
from ..games.game import AnyGame
from ..metrics import Metrics
from ..ports import BotWorkers, Clock, Evaluation, Hasher, Hashes, Job, Store, Verdict
from .commands.dispatch import Dispatcher
from .commands.handlers import HANDLERS
from .config import Config, Randomness
from .host import Host
from .recovery.restoring import restore
from .reviews import ReviewWorkers


def open_host(
    clock: Clock,
    store: Store,
    games: Mapping[str, AnyGame],
    chance: Randomness,
    config: Config | None = None,
    bot_workers: BotWorkers | None = None,
    remembered: Remembered | None = None,
    hasher: Hasher | None = None,
    at_once: bool = True,
    restored: Callable[[], None] = lambda: None,
    metrics: Metrics | None = None,
    review_workers: ReviewWorkers | None = None,
) -> Dispatcher:
    """Builds a host, restores what is `remembered`, and returns its dispatcher.

    If `at_once`, tables are rebuilt before this returns, else while the host already works;
    `restored` is called when all are rebuilt. Without `bot_workers`, hard bots play like quick
    ones; without `review_workers` no game is reviewed; without a hasher, commands about accounts
    are refused.
    """
    workers, hashes = bot_workers or NoBotWorkers(), hasher or NoHasher()
    wanted = config or Config()
    host = Host(clock, store, games, chance, workers, wanted, hashes, metrics, review_workers)
    restoring = restore(host, remembered or Remembered(), at_once, restored)
    return Dispatcher(host, HANDLERS, restoring)


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

    def verify(self, password: str, hashed: str, done: Callable[[Verdict], None]) -> None:
        """Refuses."""
        raise Refused("UNSUPPORTED", "There are no accounts on this server.")

    def stop(self) -> None:
        """There is nothing to stop."""
