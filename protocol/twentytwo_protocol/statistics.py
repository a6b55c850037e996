"""Statistics of somebody's games: places, last cards, bids, the best game and the worst."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .summary import SeatSummary
from .value import Value


class PlayedGame(Value):
    """A game that is over, as one seat (from 1) played it.

    `places` and `totals` are everybody's, by seat; the places are 0 if it has no result.
    """

    id: str
    game: str
    seat: int
    places: Sequence[int]
    totals: Sequence[int]
    summary: SeatSummary

    @property
    def place(self) -> int:
        """The place of the seat, 0 without a result."""
        return self.places[self.seat - 1]

    @property
    def lead(self) -> int:
        """By how many points the seat is ahead (`lead`)."""
        return lead(self.seat, self.places, self.totals)


@dataclass(slots=True)
class GameStatistics:
    """What is counted of somebody's games of one kind.

    A game without a result is not counted: what was undone is played again in the next. `finishes`
    counts how often each place was reached. `best` and `worst` are games, by how far ahead one
    was; None before there is one.
    """

    game: str
    played: int = 0
    finishes: Counter[int] = field(default_factory=Counter)
    best: PlayedGame | None = None
    worst: PlayedGame | None = None
    summary: SeatSummary = field(default_factory=SeatSummary)

    @property
    def won(self) -> int:
        """How many were won."""
        return self.finishes[1]

    @property
    def by_place(self) -> tuple[int, ...]:
        """How often each place was reached, from the first to the last that ever was."""
        return tuple(self.finishes[place] for place in range(1, max(self.finishes, default=0) + 1))

    def add(self, game: PlayedGame) -> None:
        """Counts one more game, if it has a result."""
        if not game.place:
            return
        self.played += 1
        self.summary.add(game.summary)
        self.finishes[game.place] += 1
        if self.best is None or game.lead > self.best.lead:
            self.best = game
        if self.worst is None or game.lead < self.worst.lead:
            self.worst = game


class LastCard(Value):
    """How often a last card was of this rank, and how often it lost the hand."""

    rank: str
    times: int
    losses: int


class BidOutcome(Value):
    """How often so much was bid, and how often just so much, more, or less was won."""

    bid: int
    times: int
    exact: int
    more: int
    less: int


def counted(games: Iterable[PlayedGame]) -> dict[str, GameStatistics]:
    """The statistics of these games, by the kind of game, those played most often first."""
    found: dict[str, GameStatistics] = {}
    for game in (each for each in games if each.place):
        found.setdefault(game.game, GameStatistics(game.game)).add(game)
    return dict(sorted(found.items(), key=lambda each: (-each[1].played, each[0])))


def last_cards(summary: SeatSummary, order: Sequence[str]) -> list[LastCard]:
    """The last cards of each rank, in this order of ranks; others come first."""
    ranks = sorted({rank for rank, _ in summary.last}, key=lambda r: (_place(r, order), r))
    return [
        LastCard(
            rank, summary.last[rank, False] + summary.last[rank, True], summary.last[rank, True]
        )
        for rank in ranks
    ]


def _place(rank: str, order: Sequence[str]) -> int:
    return order.index(rank) if rank in order else -1


def bid_outcomes(summary: SeatSummary) -> list[BidOutcome]:
    """What became of each bid, lowest first."""
    found = []
    for bid in sorted({bid for bid, _ in summary.bids}):
        won = {won: times for (said, won), times in summary.bids.items() if said == bid}
        more = sum(times for took, times in won.items() if took > bid)
        less = sum(times for took, times in won.items() if took < bid)
        found.append(BidOutcome(bid, sum(won.values()), won.get(bid, 0), more, less))
    return found


def lead(seat: int, places: Sequence[int], totals: Sequence[int]) -> int:
    """By how many points a seat is ahead of those placed worse, less those placed better.

    It is the same measure for games in which points are good and in which they are bad.
    """
    place, total = places[seat - 1], totals[seat - 1]
    pairs = list(zip(places, totals, strict=True))
    worse = sum(abs(points - total) for other, points in pairs if other > place)
    return worse - sum(abs(points - total) for other, points in pairs if other < place)
