"""Rates the players of finished games. New ratings are stored before anybody is told.

`RatingDue` is stored in one transaction with the end of the game, and `RatingDone` in one with the
new ratings. So a server that is killed in between rates the game at the next start, and only once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence

from twentytwo_protocol.words import accounts as words

from ..accounts import ratings
from ..answers import ask, run
from ..consequences import Consequence, of_no_command
from ..facts import Fact, GameEnded, Pool, Rated, RatingDone, RatingDue, Unrated
from ..ports import Store
from .people.inboxes import Inboxes
from .people.people import People


class Ratings:
    """Rates games one after the other, since each needs the ratings after the one before.

    `fault` logs the current exception.
    """

    def __init__(
        self,
        store: Store,
        people: People,
        inboxes: Inboxes,
        fault: Callable[[str], str],
    ) -> None:
        self._store = store
        self._people = people
        self._inboxes = inboxes
        self._fault = fault
        self._waiting: deque[tuple[Unrated, Consequence]] = deque()

    def rate(self, game: Unrated) -> None:
        """Queues a game for rating. Call it only once its end is stored."""
        self._waiting.append((game, Consequence()))
        if len(self._waiting) == 1:
            # No command waits for the rating of later games.
            of_no_command(run, self._rate_all(), lambda _: self._fault("the ratings"))

    async def _rate_all(self) -> None:
        while self._waiting:
            game, rating = self._waiting[0]
            try:
                await self._rate(game.ended, game.pool)
            except Exception:
                # The game stays due in the store: the next start tries again. Others go on.
                self._fault(f"the ratings after {game.ended.game}")
            self._waiting.popleft()
            rating.end()

    async def _rate(self, ended: GameEnded, pool: Pool) -> None:
        """Reads the ratings, stores the new ones, and tells the players who are known here."""
        before: dict[str, Rated] = {}
        for name in map(ratings.rated_name, ended.seats):
            for each in await ask(self._store.rating, name):
                if (each.pool, each.key, each.rules) == (pool, ended.key, ended.rules):
                    before[name] = each
        after = ratings.rated(ended, pool, before)
        mail = []
        for rated in after:
            person = self._people.exact(rated.name)
            if person is not None:
                known = before.get(rated.name)
                old = ratings.shown(known.mu if known else ratings.MEAN)
                told = words.Rated(
                    rated.key,
                    rated.rules,
                    ended.game,
                    old,
                    ratings.shown(rated.mu),
                    rated.games,
                )
                mail.append((person, told))
        self._inboxes.deliver(
            await self._inboxes.post(mail, lambda _: [*after, RatingDone(ended.game)])
        )


def due(ended: GameEnded, programs: Collection[int]) -> list[RatingDue]:
    """The fact to store with the end of a game if it is to be rated; else an empty list.

    `programs` are the seats of people that were played by their programs when the game began.
    """
    pool = ratings.pool_of(ended, programs)
    return [] if pool is None else [RatingDue(ended.game, pool)]


def unrated(facts: Sequence[Fact]) -> list[Unrated]:
    """The games among these facts that have ended and are to be rated."""
    games = {fact.game: fact for fact in facts if isinstance(fact, GameEnded)}
    return [Unrated(games[fact.game], fact.pool) for fact in facts if isinstance(fact, RatingDue)]
