"""Rates the players of finished games. New ratings are stored before anybody is told.

`RatingDue` is stored in one transaction with the end of the game, and its row is deleted in one
with the new ratings. So a game whose server is killed in between is rated by the next server that
starts, or takes the tables of that one, and only once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence

from msgspec.structs import replace

from ..accounts import ratings
from ..answers import ask, run
from ..consequences import Consequence, of_no_command
from ..facts import Fact, GameEnded, Pool, Rated, RatingDone, RatingDue, Unrated, UntoldRating
from ..ports import Store
from .config import LiveConfig
from .people.inboxes import Inboxes
from .people.people import People
from .results import Results, rated


class Ratings:
    """Rates games one after the other, since each needs the ratings after the one before.

    `fault` logs the current exception.
    """

    def __init__(
        self,
        store: Store,
        config: LiveConfig,
        people: People,
        inboxes: Inboxes,
        results: Results,
        fault: Callable[[str], str],
    ) -> None:
        self._store = store
        self._config = config
        self._people = people
        self._inboxes = inboxes
        self._results = results
        self._fault = fault
        self._waiting: deque[tuple[Unrated, Consequence]] = deque()

    def rate(self, game: Unrated) -> None:
        """Queues a game for rating. Call it only once its end is stored."""
        self._waiting.append((game, Consequence()))
        if len(self._waiting) == 1:
            # No command waits for the rating of later games.
            of_no_command(run, self._rate_all(), lambda _: self._fault("the ratings"))

    def rate_due(self) -> None:
        """Rates all games that no server has rated yet."""

        def found(due: Sequence[Unrated]) -> None:
            for game in due:
                self.rate(game)

        self._store.unrated(found)

    async def _rate_all(self) -> None:
        while self._waiting:
            game, rating = self._waiting[0]
            try:
                if self._config.now.clustered:
                    await self._rate_among_others(game.ended, game.pool)
                else:
                    await self._rate(game.ended, game.pool)
            except Exception:
                # The game stays due in the store: the next start tries again. Others go on.
                self._fault(f"the ratings after {game.ended.game}")
            self._waiting.popleft()
            rating.end()

    async def _rate(self, ended: GameEnded, pool: Pool) -> None:
        """Stores the new ratings together with the lines for the players who are known here."""
        before = await self._before(ended, pool)
        after = ratings.rated(ended, pool, before)
        mail = [
            (person, rated(UntoldRating(replace(each, untold=ended.game), _mean(before, each))))
            for each in after
            if (person := self._people.exact(each.name)) is not None
        ]
        self._inboxes.deliver(
            await self._inboxes.post(mail, lambda _: [*after, RatingDone(ended.game)])
        )

    async def _rate_among_others(self, ended: GameEnded, pool: Pool) -> None:
        """Stores the new ratings as other servers may do at the same moment, then tells them."""
        before: dict[str, Rated] | None = None
        stored = False
        while not stored:
            last, before = before, await self._before(ended, pool)
            if before == last:
                raise ValueError("the ratings do not fit those that are stored")
            after = ratings.rated(ended, pool, before)
            untold = [each if _is_bot(each) else replace(each, untold=ended.game) for each in after]
            stored = await ask(self._store.rate, ended.game, untold)
        await self._results.told(each.name for each in after)

    async def _before(self, ended: GameEnded, pool: Pool) -> dict[str, Rated]:
        """The ratings before a game, by name."""
        before: dict[str, Rated] = {}
        for name in map(ratings.rated_name, ended.seats):
            for each in await ask(self._store.rating, name):
                if (each.pool, each.key, each.rules) == (pool, ended.key, ended.rules):
                    before[name] = each
        return before


def _is_bot(rated: Rated) -> bool:
    return rated.name.startswith("bot:")


def _mean(before: dict[str, Rated], after: Rated) -> float | None:
    known = before.get(after.name)
    return None if known is None else known.mu


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
