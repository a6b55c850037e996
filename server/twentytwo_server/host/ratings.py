"""What follows from a game that counts: everybody's rating, kept before they are told.

That a rating is due is kept together with the end of the game, and that it is done together with
the ratings: a server that was killed in between reckons it when it starts again, and only once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence

from twentytwo_protocol.words import accounts as words

from ..accounts import ratings
from ..facts import Fact, GameEnded, Rated, RatingDone, RatingDue, Unrated
from ..ports import Store
from .people.inboxes import Inboxes
from .people.people import People


class Ratings:
    """Reckons games that count, one after the other: each begins where the one before ended.

    `fault` notes an error, in an except block.
    """

    def __init__(
        self, store: Store, people: People, inboxes: Inboxes, fault: Callable[[str], str]
    ) -> None:
        self._store = store
        self._people = people
        self._inboxes = inboxes
        self._fault = fault
        self._waiting: deque[Unrated] = deque()
        self._busy = False

    def rate(self, game: Unrated) -> None:
        """Reckons what follows from a game, once its end has been kept."""
        self._waiting.append(game)
        if not self._busy:
            self._next()

    def _next(self) -> None:
        """The game before is done."""
        self._busy = bool(self._waiting)
        if self._waiting:
            self._read(self._waiting.popleft())

    def _read(self, game: Unrated) -> None:
        """Reads everybody's rating so far, one after the other, and goes on with them."""
        ended, pool = game.ended, game.pool
        before: dict[str, Rated] = {}
        names = deque(ratings.rated_name(seat) for seat in ended.seats)

        def read(found: Sequence[Rated]) -> None:
            name = names.popleft()
            for each in found:
                if (each.pool, each.key, each.rules) == (pool, ended.key, ended.rules):
                    before[name] = each
            ask()

        def ask() -> None:
            try:
                if names:
                    self._store.rating(names[0], read)
                else:
                    self._keep(ended, before, ratings.rated(ended, pool, before))
            except Exception:
                # The game stays due, for the next start; others need not wait for it.
                self._fault(f"the ratings after {ended.game}")
                self._next()

        ask()

    def _keep(self, ended: GameEnded, before: dict[str, Rated], after: Sequence[Rated]) -> None:
        mail = []
        for rated in after:
            person = self._people.exact(rated.name)
            if person is not None:
                known = before.get(rated.name)
                old = ratings.shown(known.mu if known else ratings.MEAN)
                told = words.Rated(
                    rated.key, rated.rules, ended.game, old, ratings.shown(rated.mu), rated.games
                )
                mail.append((person, told))
        self._inboxes.post(mail, lambda _: self._next(), [*after, RatingDone(ended.game)])


def due(ended: GameEnded, programs: Collection[int]) -> list[RatingDue]:
    """What is to be kept with the end of a game: that it counts, if it does.

    `programs` are the seats where somebody's program began it.
    """
    pool = ratings.pool_of(ended, programs)
    return [] if pool is None else [RatingDue(ended.game, pool)]


def unrated(facts: Sequence[Fact]) -> list[Unrated]:
    """The game that ended with these facts, if it counts."""
    games = {fact.game: fact for fact in facts if isinstance(fact, GameEnded)}
    return [Unrated(games[fact.game], fact.pool) for fact in facts if isinstance(fact, RatingDue)]
