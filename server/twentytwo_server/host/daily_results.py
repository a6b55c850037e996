"""The results of the daily deals: the facts to store, ranks and streaks."""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.statistics import lead

from ..facts import DailyEnded, GameEnded
from ..table.table import Settings
from .dailies import day_before

MOST_RESULTS = 1000
"""Maximum number of listed results of a day."""
MOST_DAYS = 1500
"""Maximum number of finished deals that count for a streak."""


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
