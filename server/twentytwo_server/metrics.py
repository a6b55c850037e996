"""The counters of a running server: plain numbers that are cheap to increment."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence

LATENCIES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Bounds in seconds: from unnoticeable to unacceptable delays."""


class Histogram:
    """Counts values by upper bounds. `sum` is the sum of all values."""

    __slots__ = ("_bounds", "_counts", "sum")

    def __init__(self, bounds: Sequence[float] = LATENCIES) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Counts a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.sum += value

    @property
    def count(self) -> int:
        """The number of counted values."""
        return sum(self._counts)

    def buckets(self) -> list[tuple[float, int]]:
        """Each bound, infinity last, with the number of values not exceeding it."""
        found, below = [], 0
        for bound, count in zip((*self._bounds, float("inf")), self._counts, strict=True):
            below += count
            found.append((bound, below))
        return found


class Metrics:
    """The counters of a server, all since its start. `now` gives seconds of a monotonic clock;
    without one all latencies are 0.

    - `opened` connections and answered `lines`; `turned_away` by reason; `cut_off` by the code of
      BYE.
    - `moves` and finished `games` by game; `refusals` by code; `limited`: refusals by the name of
      the limit.
    - `takeover`: seconds from the last sign of the server before until this one served.
    - Among several active servers: `order_answered`: seconds from sending an order to the owner of
      its table until it is answered; `orders_given_up` without an answer. `follow_lag`: seconds
      from hearing of new inputs until they are shown. `tables_given` to other servers and
      `tables_taken` from them.
    - `move_answered`: seconds from reading a move until it is stored and answered; `move_told`:
      until all its events are written to the last socket. `untold`: the reading times of moves that
      are answered but not yet sent to all; None unless `written` will be called.
    """

    def __init__(self, now: Callable[[], float] = float) -> None:
        self.now = now
        self.opened = 0
        self.lines = 0
        self.turned_away: Counter[str] = Counter()
        self.cut_off: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.games: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.limited: Counter[str] = Counter()
        self.move_answered = Histogram()
        self.move_told = Histogram()
        self.takeover = Histogram()
        self.order_answered = Histogram()
        self.orders_given_up = 0
        self.follow_lag = Histogram()
        self.tables_given = 0
        self.tables_taken = 0
        self.untold: list[float] | None = None

    def answered(self, since: float) -> None:
        """Records the answer to a move read at `since`; `written` follows."""
        self.move_answered.observe(self.now() - since)
        if self.untold is not None:
            self.untold.append(since)

    def written(self) -> None:
        """Records that all waiting output is written."""
        if self.untold:
            now = self.now()
            for since in self.untold:
                self.move_told.observe(now - since)
            self.untold.clear()
