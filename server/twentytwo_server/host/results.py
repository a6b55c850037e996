"""Tells people their new ratings and the results of their daily deals, each once.

The store knows who has not been told. The server that keeps a person stores the line for the inbox
together with the fact that it is told. So nothing is lost or told twice, whichever server dies and
wherever the person goes. Who is nowhere is told when they come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words import accounts as words
from twentytwo_protocol.words.daily import Finished

from ..accounts import ratings
from ..answers import ask, run
from ..facts import DailyEnded, DailyTold, Fact, RatingTold, UntoldRating
from ..ports import Clock, Store
from .daily_results import MOST_DAYS, MOST_RESULTS, rank, streak
from .people.inboxes import Inboxes
from .people.people import People

SOON = 200
"""Milliseconds until the first look for a result that another server is to store."""
LATE = 120_000
"""Milliseconds after which a result is expected no more; it is told when the person comes back."""


class Results:
    """Tells results to the people of this server. `fault` logs the current exception."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        people: People,
        inboxes: Inboxes,
        fault: Callable[[str], str],
    ) -> None:
        self._store = store
        self._clock = clock
        self._people = people
        self._inboxes = inboxes
        self._fault = fault
        self._telling: set[str] = set()
        self._again: set[str] = set()

    def expect(self, names: Iterable[str], pause: int = SOON) -> None:
        """Tells these people the results that other servers store soon."""
        here = [name for name in names if self._people.exact(name)]
        if here and pause < LATE:
            self._clock.later(pause, partial(self._look, here, pause))

    def arrived(self, names: Iterable[str]) -> None:
        """Tells people whom this server keeps from now on what they have not been told.

        A game of theirs may just have ended, and is not rated yet.
        """
        self.tell(names)
        self.expect(names)

    def _look(self, names: list[str], pause: int) -> None:
        self.tell(names)
        self.expect(names, 2 * pause)

    def tell(self, names: Iterable[str]) -> None:
        """Tells these people what they have not been told, unless other servers keep them."""
        run(self.told(names), lambda _: self._fault("the results of games"))

    async def told(self, names: Iterable[str]) -> None:
        """As `tell`; returns when that is done, or is left to a call that is not done yet."""
        due = {name.lower() for name in names if self._people.exact(name)}
        # Nobody is looked for twice at once: the second look could come before the first result is
        # stored as told.
        self._again |= due & self._telling
        due -= self._telling
        while due:
            self._telling |= due
            try:
                await self._tell(due)
            finally:
                self._telling -= due
            again = due & self._again
            self._again -= again
            due = again

    async def _tell(self, names: Iterable[str]) -> None:
        before = {name: self._people.exact(name) for name in names}
        untold = await ask(self._store.untold, sorted(before))
        results: list[tuple[str, Event, Fact]] = []
        for each in untold.ratings:
            results.append((each.rated.name, rated(each), _told(each)))
        for ended in untold.dailies:
            results.append((ended.name, await self._finished(ended), DailyTold(ended.game)))
        here = [
            (person, event, fact)
            for name, event, fact in results
            # A person who has been at another server meanwhile may have been told there.
            if (person := self._people.exact(name)) and person is before[name.lower()]
        ]
        if here:
            mail = [(person, event) for person, event, _ in here]
            facts = [fact for *_, fact in here]
            self._inboxes.deliver(await self._inboxes.post(mail, lambda _: facts))

    async def _finished(self, ended: DailyEnded) -> Finished:
        """The result of a daily deal, among all results so far."""
        results = await ask(self._store.daily_results, ended.day, ended.key, MOST_RESULTS)
        played = await ask(self._store.dailies_of, ended.name, MOST_DAYS)
        listed = not ended.name.startswith("~")
        return Finished(
            ended.key,
            ended.day,
            ended.game,
            ended.place,
            ended.points,
            len(results),
            rank(ended, results) if listed else None,
            (streak(ended.day, ended.key, played) or None) if listed else None,
        )


def rated(untold: UntoldRating) -> words.Rated:
    """A new rating, with the one before."""
    after, mean = untold.rated, ratings.MEAN if untold.before is None else untold.before
    old, new = ratings.shown(mean), ratings.shown(after.mu)
    return words.Rated(after.key, after.rules, after.untold, old, new, after.games)


def _told(untold: UntoldRating) -> RatingTold:
    return RatingTold(untold.rated.name, untold.rated.untold)
