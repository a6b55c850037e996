"""Statistics of a player's games: places, last cards, bids, best and worst game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .summary import SeatSummary
from .value import Value

__all__ = [
    "BidOutcome",
    "GameStatistics",
    "LastCard",
    "PlayedGame",
    "bid_outcomes",
    "counted",
    "last_cards",
    "lead",
]


class PlayedGame(Value):
    """A finished game, from the view of one seat (from 1).

    `places` and `totals` are those of all players, by seat. Without a result all places are 0.
    """

    id: str
    game: str
    seat: int
    places: Sequence[int]
    totals: Sequence[int]
    summary: SeatSummary

    @property
    def place(self) -> int:
        """The place of the seat; 0 without a result."""
        return self.places[self.seat - 1]

    @property
    def lead(self) -> int:
        """The seat's lead in points; see `lead`."""
        return lead(self.seat, self.places, self.totals)


@dataclass(slots=True)
class GameStatistics:
    """The counts of a player's games of one kind.

    Games without a result are not counted, because an undone game continues in another. `finishes`
    counts each place. `best` and `worst` are the games with the largest and smallest lead; None
    without games.
    """

    game: str
    played: int = 0
    finishes: Counter[int] = field(default_factory=Counter)
    best: PlayedGame | None = None
    worst: PlayedGame | None = None
    summary: SeatSummary = field(default_factory=SeatSummary)

    @property
    def won(self) -> int:
        """The number of games won."""
        return self.finishes[1]

    @property
    def by_place(self) -> tuple[int, ...]:
        """The count of each place, from the first to the lowest that occurred."""
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
    """The number of last cards of a rank, and how many of them lost the hand."""

    rank: str
    times: int
    losses: int


class BidOutcome(Value):
    """The number of bids of a value, and how many of them were met exactly, exceeded, or missed."""

    bid: int
    times: int
    exact: int
    more: int
    less: int


def counted(games: Iterable[PlayedGame]) -> dict[str, GameStatistics]:
    """The statistics by game, the most frequent game first."""
    found: dict[str, GameStatistics] = {}
    for game in (each for each in games if each.place):
        found.setdefault(game.game, GameStatistics(game.game)).add(game)
    return dict(sorted(found.items(), key=lambda each: (-each[1].played, each[0])))


def last_cards(summary: SeatSummary, order: Sequence[str]) -> list[LastCard]:
    """The last cards of each rank, in the given order of ranks. Other ranks come first."""
    ranks = sorted({rank for rank, _ in summary.last}, key=lambda r: (_rank_index(r, order), r))
    return [
        LastCard(
            rank, summary.last[rank, False] + summary.last[rank, True], summary.last[rank, True]
        )
        for rank in ranks
    ]


def _rank_index(rank: str, order: Sequence[str]) -> int:
    return order.index(rank) if rank in order else -1


def bid_outcomes(summary: SeatSummary) -> list[BidOutcome]:
    """The outcomes of each bid, lowest first."""
    found = []
    for bid in sorted({bid for bid, _ in summary.bids}):
        won = {won: times for (said, won), times in summary.bids.items() if said == bid}
        more = sum(times for took, times in won.items() if took > bid)
        less = sum(times for took, times in won.items() if took < bid)
        found.append(BidOutcome(bid, sum(won.values()), won.get(bid, 0), more, less))
    return found


def lead(seat: int, places: Sequence[int], totals: Sequence[int]) -> int:
    """The seat's points ahead of all players with a worse place, minus its points behind those with
    a better one.

    The measure is the same whether points are good or bad in a game.
    """
    place, total = places[seat - 1], totals[seat - 1]
    pairs = list(zip(places, totals, strict=True))
    worse = sum(abs(points - total) for other, points in pairs if other > place)
    return worse - sum(abs(points - total) for other, points in pairs if other < place)
