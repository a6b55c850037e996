"""The daily deals: a secret for each day and game, sealed the day before and opened the day after.

A day is a date in UTC by the wall clock. The secrets of today and tomorrow are stored before
anybody sees their hashes. All shuffles at a table of a daily deal follow from the day's secret
alone, not from the table or from words of players. So everybody gets the same cards.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta

from twentytwo_protocol.fair import commitment

from ..facts import DailyBegun, DailySealed, Remembered
from ..ports import Clock, Store, Timer

DAY_MS = 86_400_000
"""Milliseconds of a day."""
LOOK = 600_000
"""Interval for checking the date, in ms: wall clocks are set, and machines sleep."""


def date(day: int) -> str:
    """A date as text. `day` is its number, counted in days from 1970."""
    return datetime.fromtimestamp(day * 86_400, UTC).date().isoformat()


def day_before(day: str) -> str:
    """The date of the day before."""
    return (datetime.fromisoformat(day) - timedelta(days=1)).date().isoformat()


class Dailies:
    """The secrets of the daily deals, and the people who have begun them.

    `clock` is the wall clock, which goes on while tables stand still. `games` are the keys of the
    games that have a daily deal, `secret` makes a secret.
    """

    def __init__(
        self, clock: Clock, store: Store, games: Collection[str], secret: Callable[[], str]
    ) -> None:
        self._clock = clock
        self._store = store
        self._games = games
        self._secret = secret
        self._made: dict[tuple[str, str], DailySealed] = {}
        self._stored: dict[tuple[str, str], DailySealed] = {}
        self._begun: set[tuple[str, str, str]] = set()
        self._timer: Timer | None = None

    def restore(self, remembered: Remembered) -> None:
        """Restores the sealed deals of an earlier run, and the people who have begun them."""
        for seal in remembered.daily_seals:
            self._made[seal.day, seal.key] = self._stored[seal.day, seal.key] = seal
        self.restore_begun(remembered.daily_begun)

    def restore_begun(self, begun: Sequence[DailyBegun]) -> None:
        """Notes who has begun which deal before."""
        self._begun |= {(each.day, each.key, each.name.lower()) for each in begun}

    # ---------------------------------------------------------------------- the calendar

    @property
    def today(self) -> str:
        """Today's date in UTC.

        If the clock is set back over midnight, a day whose seed was published does not come back: a
        day is over when the deals of the day after the next are sealed.
        """
        day = self._clock.wall() // DAY_MS
        next_begun = any(date(day + 2) == sealed for sealed, _ in self._made)
        return date(day + 1 if next_begun else day)

    @property
    def days(self) -> tuple[str, str]:
        """The dates of today and tomorrow, from one reading of the clock."""
        today = self.today
        return today, (datetime.fromisoformat(today) + timedelta(days=1)).date().isoformat()

    @property
    def tomorrow(self) -> str:
        """The date of the day after `today`."""
        return self.days[1]

    @property
    def left(self) -> int:
        """Milliseconds until the next day begins."""
        begins = datetime.fromisoformat(self.tomorrow).replace(tzinfo=UTC)
        return max(0, int(begins.timestamp() * 1000) - self._clock.wall())

    def keep_time(self) -> None:
        """Seals the deals that are due now, and then at the beginning of every day."""
        self.prepare(lambda _: None)
        self._timer = self._clock.later(min(self.left + 1, LOOK), self.keep_time)

    def stop(self) -> None:
        """Stops sealing, because the server stops."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()

    # ----------------------------------------------------------------------- the secrets

    def prepare(self, done: Callable[[tuple[str, str]], None]) -> None:
        """Seals the deals of today and tomorrow; calls `done` with both dates when they are stored.

        Another day may have begun by then.
        """
        wall, days = self._clock.wall(), self.days
        wanted = [(day, key) for day in days for key in self._games]
        fresh = []
        for day, key in wanted:
            if (day, key) not in self._made:
                seed = self._secret()
                self._made[day, key] = DailySealed(day, key, seed, commitment(seed), wall)
                fresh.append(self._made[day, key])

        self._store.keep(fresh, lambda: self._read_back(fresh, lambda: done(days)))
        self._forget(day_before(days[0]))

    def _read_back(self, fresh: Sequence[DailySealed], done: Callable[[], None]) -> None:
        """Takes the seals that are stored: another server may have sealed the same deals before."""
        unread = {(seal.day, seal.key): seal for seal in fresh}
        if not unread:
            done()
        for each in fresh:

            def found(stored: DailySealed | None, mine: DailySealed = each) -> None:
                at = mine.day, mine.key
                self._made[at] = self._stored[at] = stored or mine
                del unread[at]
                if not unread:
                    done()

            self._store.daily_seal(each.day, each.key, found)

    def _forget(self, oldest: str) -> None:
        """Forgets earlier days; the store still has them."""
        for seals in (self._made, self._stored):
            for each in [each for each in seals if each[0] < oldest]:
                del seals[each]
        self._begun = {each for each in self._begun if each[0] >= oldest}

    def seal(self, day: str, key: str) -> DailySealed:
        """The seal of a day's deal. Only after `prepare`, for its days."""
        return self._stored[day, key]

    def secret(self, day: str, key: str) -> str:
        """The secret of a day's deal; empty if it is unknown."""
        seal = self._stored.get((day, key))
        return seal.seed if seal is not None else ""

    def is_secret(self, digest: str) -> bool:
        """True if this is the hash of a seed that is still secret."""
        today = self.today
        return any(seal.digest == digest and seal.day >= today for seal in self._made.values())

    # ----------------------------------------------------------------------- who plays it

    def has_begun(self, day: str, key: str, name: str) -> bool:
        """True if a person has already begun a day's deal."""
        return (day, key, name.lower()) in self._begun

    def begin(self, day: str, key: str, name: str) -> DailyBegun:
        """Notes that a person begins a day's deal; returns the fact to store with that."""
        self._begun.add((day, key, name.lower()))
        return DailyBegun(day, key, name, self._clock.wall())

    def take_back(self, begun: DailyBegun) -> None:
        """Undoes `begin`, because nothing was dealt."""
        self._begun.discard((begun.day, begun.key, begun.name.lower()))

    def rename(self, old: str, new: str) -> None:
        """Transfers the deals that a guest has begun to an account."""
        mine = {each for each in self._begun if each[2] == old.lower()}
        self._begun -= mine
        self._begun |= {(day, key, new.lower()) for day, key, _ in mine}

    def gone(self, name: str) -> None:
        """Forgets a guest, whose name is free again."""
        self._begun = {each for each in self._begun if each[2] != name.lower()}
