"""Matches between bots. Every deal is played from every seat, so that luck cancels out.

The seed determines the packs and the random choices of the bots, so the records are the same byte
for byte on any machine. Therefore searching bots get a number of worlds instead of a time limit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev

from twentytwo_protocol.fair import FairShuffle, picker
from twentytwo_protocol.record import Record, RecordedMove
from twentytwo_protocol.schema import Event, redact
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Gameover, Result, Shuffle

from ..games import players
from ..games.game import AnyGame, Bot
from ..games.options import digest
from ..games.registry import games
from ..games.search.hard import worlds
from ..table import match as matches
from ..table.match import Match


class MatchPlan(Value):
    """A match: the game and its rules, the bots' `levels` by entrant, and the seed.

    `worlds` is the number of worlds that a searching bot samples for each move.
    """

    game: str
    preset: str
    options: Mapping[str, str]
    levels: tuple[str, ...]
    seed: int
    worlds: int = 100


class MatchGame(Value):
    """A finished game. `won` (the share of the win, 0 to 1), `places` and `totals` are by entrant,
    not by seat.
    """

    deal: int
    turn: int
    won: tuple[float, ...]
    places: tuple[int, ...]
    totals: tuple[int, ...]
    record: Record


Guest = Callable[[MatchPlan, int, str], Bot]
"""A function that makes an external bot from the plan, the seat (from 1), and the secret for its
random choices.
"""
NOBODY: Mapping[str, Guest] = {}


def seatings(plan: MatchPlan) -> int:
    """The number of games for each deal: one for every different seating.

    This is the number of seats, or fewer if the levels repeat: `hard,steady,hard,steady` has two.
    """
    levels = plan.levels
    return next(
        turns
        for turns in range(1, len(levels) + 1)
        if len(levels) % turns == 0 and levels[turns:] + levels[:turns] == levels
    )


def play_deal(plan: MatchPlan, deal: int, guests: Mapping[str, Guest] = NOBODY) -> list[MatchGame]:
    """Plays a deal in every different seating. `guests` has the external bots, by level."""
    return [play_game(plan, deal, turn, guests) for turn in range(seatings(plan))]


def play_game(
    plan: MatchPlan, deal: int, turn: int, guests: Mapping[str, Guest] = NOBODY
) -> MatchGame:
    """Plays one game, with entrant e (from 0) in seat (e + turn) mod n + 1."""
    table = _Table(plan, deal, turn, guests)
    table.play()
    return table.played()


class _Table:
    """One game: the match, its bots, and the moves for the record."""

    def __init__(self, plan: MatchPlan, deal: int, turn: int, guests: Mapping[str, Guest]) -> None:
        self.plan, self.deal, self.turn, self.guests = plan, deal, turn, guests
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
        secret = _secret(f"bot {self.plan.seed} {self.deal} {self.turn} {seat}")
        if level in self.guests:
            return self.guests[level](self.plan, seat, secret)
        budget = worlds(self.plan.worlds)
        return players.player(self.game, level, self.rules, seat, picker(secret), lambda: budget)

    def play(self) -> None:
        """Plays from the first shuffle to the end of the game."""
        most = matches.MOST_HANDS
        terms = matches.Terms(self.game, self.rules, "g1", len(self.bots), most_hands=most)
        match, events = matches.begin(terms, 0, self.house.house)
        ruleshash = digest(self.game.key, self.game.version, self.game.options(self.rules))
        begun = matches.announced(match, ruleshash)
        self._happened(match, [begun, *events])
        while (asked := match.question) is not None:
            token = self.bots[asked.seat - 1].choose(redact(asked, asked.seat))
            deed = match.read(token)
            self.made.append(RecordedMove(asked.seat, deed.act, deed.token))
            match, events = match.play(deed, 0, self.house.house)
            self._happened(match, events)

    def _happened(self, match: Match, events: list[Event]) -> None:
        self.made += [_shuffled(shuffle) for shuffle in match.house]
        self.last = events
        for happened in events:
            for seat, bot in enumerate(self.bots, 1):
                bot.see(redact(happened, seat))

    def played(self) -> MatchGame:
        """The result; call it after `play`."""
        over = self._over
        result = {event.seat: event for event in self.last if isinstance(event, Result)}
        seats = sorted(range(1, len(self.bots) + 1), key=lambda seat: self.entrant[seat - 1])
        return MatchGame(
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
            bots={
                seat: f"{level}/{versions[level]}"
                for seat, level in levels.items()
                if level in versions
            },
            end=self._over.why,
        )


def _shuffled(shuffle: Shuffle) -> RecordedMove:
    return RecordedMove(0, shuffle.act, shuffle.token)


def _secret(text: str) -> str:
    return hashlib.sha512(text.encode()).hexdigest()


# --------------------------------------------------------------------------- the figures


class Figure(Value):
    """A mean, and half the width of its 95 % confidence interval."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} +- {self.half:.3f}"


class LevelResult(Value):
    """Means over a level's `entrants`: share of games won, place, total."""

    level: str
    entrants: int
    won: Figure
    place: Figure
    total: Figure


def results(plan: MatchPlan, played: Iterable[MatchGame]) -> list[LevelResult]:
    """The results of each level, the best first. Samples are deals, as their games correlate."""
    deals: dict[int, list[MatchGame]] = {}
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


def _each(deals: Mapping[int, list[MatchGame]], who: Sequence[int], what: str) -> Iterator[float]:
    for games_ in deals.values():
        yield fmean(getattr(game, what)[entrant] for game in games_ for entrant in who)


def _figure(values: Iterable[float]) -> Figure:
    found = list(values)
    half = 1.96 * stdev(found) / sqrt(len(found)) if len(found) > 1 else 0.0
    return Figure(fmean(found), half)
