"""Matches of bots against bots: the same deals from every seat, so that luck cancels out.

Everything follows from the seed: the packs, the bots' chance and so the records, byte for byte,
on any machine. A searching bot is given worlds instead of time here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from twentytwo_protocol.fair import FairShuffle, picker
from twentytwo_protocol.record import Record, RecordedMove
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.words.cardplay import Gameover, Result, Shuffle

from ..games import players
from ..games.game import AnyGame, Bot
from ..games.options import digest
from ..games.registry import games
from ..games.search.hard import worlds
from ..table import match as matches
from ..table.match import Match


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """A match: the game and its rules, who sits at the table, and from which seed it is dealt."""

    game: str
    preset: str
    options: Mapping[str, str]
    levels: tuple[str, ...]
    seed: int
    worlds: int = 100


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played: by entrant (not by seat), the win share, the place, the total."""

    deal: int
    turn: int
    won: tuple[float, ...]
    places: tuple[int, ...]
    totals: tuple[int, ...]
    record: Record


def seatings(plan: MatchPlan) -> int:
    """How often a deal is played: once for every seating that differs.

    With every entrant in every seat once; where the levels repeat after fewer turns, as those of
    `hard,steady,hard,steady` do after two, the others would only say the same again.
    """
    levels = plan.levels
    return next(
        turns
        for turns in range(1, len(levels) + 1)
        if len(levels) % turns == 0 and levels[turns:] + levels[:turns] == levels
    )


def play_deal(plan: MatchPlan, deal: int) -> list[PlayedGame]:
    """A deal played from every seat that differs."""
    return [play_game(plan, deal, turn) for turn in range(seatings(plan))]


def play_game(plan: MatchPlan, deal: int, turn: int) -> PlayedGame:
    """A game: entrant e sits in seat (e + turn) mod n + 1."""
    table = _Table(plan, deal, turn)
    table.play()
    return table.played()


class _Table:
    """A table without people: a match, its bots, what is kept for the record."""

    def __init__(self, plan: MatchPlan, deal: int, turn: int) -> None:
        self.plan, self.deal, self.turn = plan, deal, turn
        self.game: AnyGame = games()[plan.game]
        self.rules = self.game.rules(plan.preset, plan.options)
        count = len(plan.levels)
        self.entrant = [(seat - turn) % count for seat in range(count)]
        self.bots = [self._bot(seat) for seat in range(1, count + 1)]
        self.house = FairShuffle(_secret(f"deal {plan.seed} {deal}"), "match")
        self.made: list[RecordedMove] = []
        self.last: list[Event] = []

    def _bot(self, seat: int) -> Bot:
        level = self.plan.levels[self.entrant[seat - 1]]
        chance = picker(_secret(f"bot {self.plan.seed} {self.deal} {self.turn} {seat}"))
        budget = worlds(self.plan.worlds)
        return players.player(self.game, level, self.rules, seat, chance, lambda: budget)

    def play(self) -> None:
        """From the first shuffle to the end."""
        count = len(self.bots)
        house, most = self.house.house, matches.MOST_HANDS
        match, events = matches.begin(
            self.game, self.rules, "g1", count, None, 0, house, most_hands=most
        )
        ruleshash = digest(self.game.key, self.game.version, self.game.options(self.rules))
        begun = matches.announced(match, ruleshash)
        self._happened(match, [begun, *events])
        while (asked := match.question) is not None:
            token = self.bots[asked.seat - 1].choose(redact(asked, asked.seat))
            deed = match.judge(asked.seat, match.read(token))
            self.made.append(RecordedMove(asked.seat, deed.act, deed.token))
            match, events = match.play(deed, 0, self.house.house)
            self._happened(match, events)

    def _happened(self, match: Match, events: list[Event]) -> None:
        self.made += [_shuffled(shuffle) for shuffle in match.house]
        self.last = events
        for happened in events:
            for seat, bot in enumerate(self.bots, 1):
                bot.see(redact(happened, seat))

    def played(self) -> PlayedGame:
        """What came of it."""
        over = self._over
        result = {event.seat: event for event in self.last if isinstance(event, Result)}
        seats = sorted(range(1, len(self.bots) + 1), key=lambda seat: self.entrant[seat - 1])
        return PlayedGame(
            self.deal,
            self.turn,
            tuple((seat in over.winners) / len(over.winners) for seat in seats),
            tuple(result[seat].place for seat in seats),
            tuple(result[seat].total for seat in seats),
            self._record(),
        )

    @property
    def _over(self) -> Gameover:
        return next(event for event in self.last if isinstance(event, Gameover))

    def _record(self) -> Record:
        levels = {seat: self.plan.levels[entrant] for seat, entrant in enumerate(self.entrant, 1)}
        versions = players.versions(self.game)
        return Record(
            self.game.key,
            self.game.version,
            self.plan.preset,
            len(self.bots),
            {option.name: option.value for option in self.game.options(self.rules)},
            {seat: f"bot:{level}" for seat, level in levels.items()},
            (f"deal seed {self.plan.seed} number {self.deal}",),
            tuple(self.made),
            bots={seat: f"{level}/{versions[level]}" for seat, level in levels.items()},
            end=self._over.why,
        )


def _shuffled(shuffle: Shuffle) -> RecordedMove:
    return RecordedMove(0, shuffle.act, shuffle.token)


def _secret(text: str) -> str:
    return hashlib.sha512(text.encode()).hexdigest()


# --------------------------------------------------------------------------- the figures


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean with half the width of its 95 % interval."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} +- {self.half:.3f}"


@dataclass(frozen=True, slots=True)
class LevelResult:
    """How a level did: the share of games won, the mean place, the mean total, for one of it."""

    level: str
    entrants: int
    won: Figure
    place: Figure
    total: Figure


def results(plan: MatchPlan, played: Iterable[PlayedGame]) -> list[LevelResult]:
    """How each level did, the most successful first. Deals are what is counted, not games."""
    deals: dict[int, list[PlayedGame]] = {}
    for game in played:
        deals.setdefault(game.deal, []).append(game)
    found = []
    for level in dict.fromkeys(plan.levels):
        who = [entrant for entrant, other in enumerate(plan.levels) if other == level]
        found.append(
            LevelResult(
                level,
                len(who),
                _figure(_each(deals, who, "won")),
                _figure(_each(deals, who, "places")),
                _figure(_each(deals, who, "totals")),
            )
        )
    return sorted(found, key=lambda result: -result.won.mean)


def _each(deals: Mapping[int, list[PlayedGame]], who: Sequence[int], what: str) -> Iterator[float]:
    for games_ in deals.values():
        yield fmean(getattr(game, what)[entrant] for game in games_ for entrant in who)


def _figure(values: Iterable[float]) -> Figure:
    found = list(values)
    half = 1.96 * stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0
    return Figure(fmean(found), half)
