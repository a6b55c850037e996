"""Makes missing summaries of finished games after the start, for `stats`.

The summary of a game is stored with its end; a damaged page of the data may have cost it.

The games are replayed from their records in the process for reviews, one after the other, the
latest first. Each summary is stored at once, so that a killed server continues where it was.
If none is missing, this costs one query. Of several servers that share a store, each makes those of
the games that it has owned; the first one also those of servers that are gone.
"""

from __future__ import annotations

from collections.abc import Callable

from ..answers import ask, keep, run
from ..facts import GameSummed
from ..ports import Store
from ..review.jobs import CountJob
from .reviews import ReviewWorkers

AT_ONCE = 10
"""Number of records read at a time."""
QUEUE = "earlier games"
"""The queue key of these jobs; the reviews of people have the keys of their networks."""


class EarlierGames:
    """Makes the summaries of games that have none.

    `fault` logs the current exception.
    """

    def __init__(self, store: Store, workers: ReviewWorkers, fault: Callable[[str], str]) -> None:
        self._store = store
        self._workers = workers
        self._fault = fault

    def count(self) -> None:
        """Starts the work. If a record cannot be replayed, the next start tries it again."""
        run(self._count(), lambda _: self._fault("counting earlier games"))

    async def _count(self) -> None:
        before = ""
        while games := await ask(self._store.unsummed, AT_ONCE, before):
            for game, record in games:
                summary = await self._workers.do(CountJob(QUEUE, record))
                if summary is not None:
                    await keep(self._store, [GameSummed(game, summary)])
                before = game
