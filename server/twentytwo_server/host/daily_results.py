"""The results of the daily deals: storing them, and telling people."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twentytwo_protocol.statistics import lead
from twentytwo_protocol.words.daily import Finished

from ..answers import ask, run
from ..facts import DailyEnded, GameEnded
from ..ports import Store
from ..table.table import Settings
from .dailies import day_before
from .people.inboxes import Inboxes
from .people.people import People

MOST_RESULTS = 1000
"""Maximum number of listed results of a day."""
MOST_DAYS = 1500
"""Maximum number of finished deals that count for a streak."""


class DailyResults:
    """Tells people their results. `fault` logs the current exception."""

    def __init__(
        self, store: Store, people: People, inboxes: Inboxes, fault: Callable[[str], str]
    ) -> None:
        self._store = store
        self._people = people
        self._inboxes = inboxes
        self._fault = fault

    def finished(self, ended: DailyEnded) -> None:
        """Tells a person the result. Call it when the result is stored."""
        if ended.place:
            run(self._tell(ended), lambda _: self._fault("the result of a daily deal"))

    async def _tell(self, ended: DailyEnded) -> None:
        results = await ask(self._store.daily_results, ended.day, ended.key, MOST_RESULTS)
        played = await ask(self._store.dailies_of, ended.name, MOST_DAYS)
        person = self._people.exact(ended.name)
        if person is None:
            return
        listed = not ended.name.startswith("~")
        told = Finished(
            ended.key,
            ended.day,
            ended.game,
            ended.place,
            ended.points,
            len(results),
            rank(ended, results) if listed else None,
            (streak(ended.day, ended.key, played) or None) if listed else None,
        )
        self._inboxes.deliver(await self._inboxes.post([(person, told)]))


def result(settings: Settings, over: GameEnded) -> list[DailyEnded]:
    """The fact to store with the end of a game if it was a daily deal; else an empty list."""
    if not settings.kind.once:
        return []
    mine = over.seats[0]
    places, totals = [s.place for s in over.seats], [s.total for s in over.seats]
    points = lead(1, places, totals) if mine.place else 0
    return [
        DailyEnded(settings.day, over.key, mine.name, over.game, mine.place, points, over.ended)
    ]


def rank(mine: DailyEnded, results: Sequence[DailyEnded]) -> int:
    """The rank of a result: by the place in the player's own game, then by the points."""
    return 1 + sum((each.place, -each.points) < (mine.place, -mine.points) for each in results)


def streak(day: str, key: str, played: Sequence[DailyEnded]) -> int:
    """The number of consecutive days, up to `day` or the day before, in `played`.

    `played` has the finished deals of a person. The streak holds until the end of `day`.
    """
    days = {each.day for each in played if each.key == key}
    at = day if day in days else day_before(day)
    count = 0
    while at in days:
        at, count = day_before(at), count + 1
    return count
