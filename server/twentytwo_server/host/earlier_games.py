"""Games that have no summary: counted after the start, for `stats`.

The summary of a game is stored with its end; a damaged page of the data may have cost it.

They are played again from their records in the process that makes reviews, one after the other,
the latest first. Each summary is stored when it is there, so a server that is killed goes on where
it was. Where none is missing it costs one question to the store.
"""

from __future__ import annotations

from collections.abc import Callable

from ..answers import ask, keep, run
from ..facts import GameSummed
from ..ports import Store
from ..review.jobs import CountJob
from .reviews import ReviewWorkers

AT_ONCE = 10
"""How many records are read at a time."""
TURN = "earlier games"
"""They take turns with the reviews that people wait for."""


class EarlierGames:
    """Counts what statistics need of the games that have no summary.

    `fault` logs the current exception.
    """

    def __init__(self, store: Store, workers: ReviewWorkers, fault: Callable[[str], str]) -> None:
        self._store = store
        self._workers = workers
        self._fault = fault

    def count(self) -> None:
        """Begins. A game that cannot be played again is tried again at the next start."""
        run(self._count(), lambda _: self._fault("counting earlier games"))

    async def _count(self) -> None:
        before = ""
        while games := await ask(self._store.unsummed, AT_ONCE, before):
            for game, record in games:
                summary = await self._workers.do(CountJob(TURN, record))
                if summary is not None:
                    await keep(self._store, [GameSummed(game, summary)])
                before = game
