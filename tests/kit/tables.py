"""A table without a host: executes orders, collects events, and keeps wakes for the test."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.cards import Card
from twentytwo_protocol.fair import FAIR_ALG, TAKEN_ALG, FairShuffle, commitment
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.record import RecordedMove
from twentytwo_protocol.schema import Command, Event, Refused
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Move, Turn
from twentytwo_protocol.words.seating import Shut
from twentytwo_server.games.game import AnyGame
from twentytwo_server.games.registry import games
from twentytwo_server.session.streams import Form, Stream
from twentytwo_server.table.clocks import TurnClock
from twentytwo_server.table.deals import Pack, Promised
from twentytwo_server.table.decision import Actor, Decision, Moment
from twentytwo_server.table.effects import Close, Effect, Inner, Talk, Then, Think, Wake
from twentytwo_server.table.match import House, Words
from twentytwo_server.table.opening import Opening, bare_table, open_table
from twentytwo_server.table.orders import decide
from twentytwo_server.table.table import Phase, Settings, Table

TWENTYTWO: AnyGame = games()["twentytwo"]
NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")
SERVER = Actor("")


def seeded(seed: int) -> Callable[[str], House]:
    """The house of repeatable deals."""
    return lambda game: FairShuffle.of_seed(seed).house


def stacked(seed: int, packs: Mapping[int, Sequence[Card]]) -> Callable[[str], House]:
    """Repeatable deals, with given packs for some shuffles, by number."""

    def house(game: str) -> House:
        fair = FairShuffle.of_seed(seed).house
        return lambda n, pack: tuple(packs[n]) if n in packs else fair(n, pack)

    return house


@dataclass
class Dealer:
    """Deals chosen by a test, with a seed that depends on the game's number.

    `games` is the number of the next game, after the decision that promises it.
    """

    shuffles: Callable[[str], House]
    alg: str = FAIR_ALG
    games: int = 1
    frozen: dict[str, Words] = field(default_factory=dict)

    def promise(self, *, taken: bool = False) -> Promised:
        game = f"g{self.games}"
        return Promised(
            game, self.games, TAKEN_ALG if taken else self.alg, commitment(self.seed(game))
        )

    def freeze(self, game: str, words: Words) -> None:
        self.frozen[game] = words

    def house(self, game: str, words: Words | None, taken: Sequence[Pack] = ()) -> House:
        made = self.shuffles(game)
        return lambda n, pack: taken[n - 1] if n <= len(taken) else made(n, pack)

    def seed(self, game: str) -> str:
        return f"{int(game[1:]):0128x}"


@dataclass
class Run:
    """A table and its history. `at` is the time; `effects` are those of the last order."""

    table: Table
    deals: Dealer
    at: int = 1000
    stream: Stream = field(default_factory=lambda: Stream("t1"))
    effects: Sequence[Effect] = ()
    kept: list[RecordedMove] = field(default_factory=list)
    wakes: list[tuple[int, Inner]] = field(default_factory=list)
    closed: bool = False
    games: int = 1

    # ------------------------------------------------------------------------- orders

    def order(self, who: str | Actor, command: Command | Inner) -> list[Event]:
        """Executes an order; returns its events. Raises `Refused`, and then nothing has changed."""
        who = Actor(who) if isinstance(who, str) else who
        before = self.table
        try:
            decision = decide(before, who, command, self.now())
        except Refused:
            assert self.table == before
            raise
        told = self.take(decision)
        for each in decision.effects:
            if isinstance(each, Then):
                told += self.order(who if isinstance(each.order, Command) else SERVER, each.order)
        return told

    def now(self) -> Moment:
        return Moment(self.at, self.deals)

    def take(self, decision: Decision) -> list[Event]:
        """Applies a decision, as a room does; returns its events, those of the talk last."""
        self.table, self.effects = decision.table, decision.effects
        after, told = decision.table, [*decision.told]
        self.kept += decision.moves
        assert after.promised is not None
        self.deals.games = after.promised.no + 1
        for effect in decision.effects:
            match effect:
                case Talk(event):
                    told.append(event)
                case Wake(later, why):
                    self.wakes.append((self.at + later, why))
                case Close():
                    self.closed = True
                    assert told[-1] == Shut()
                case Think() | Then():
                    pass
        for event in told:
            self.stream.append(event, names=after.names, game=after.game.key)
        assert (Shut() in told) == (told[-1:] == [Shut()] and self.closed)
        return told

    def refused(self, who: str | Actor, command: Command | Inner) -> Refused:
        """The refusal of an order; checks that the table is unchanged."""
        before, events = self.table, self.stream.last
        try:
            self.order(who, command)
        except Refused as wrong:
            assert (self.table, self.stream.last) == (before, events)
            return wrong
        raise AssertionError(f"{command} was carried out")

    def wait(self, ms: int) -> list[Event]:
        """Lets `ms` milliseconds pass, and executes due wakes; returns their events."""
        end, told = self.at + ms, list[Event]()
        while True:
            due = sorted(enumerate(self.wakes), key=lambda wake: (wake[1][0], wake[0]))
            if not due or due[0][1][0] > end:
                break
            index, (self.at, why) = due[0]
            del self.wakes[index]
            told += self.order(SERVER, why)
        self.at = end
        return told

    # ------------------------------------------------------------------------ questions

    @property
    def asked(self) -> Turn:
        """The open question."""
        assert self.table.match is not None and self.table.match.question is not None
        return self.table.match.question

    @property
    def mover(self) -> str:
        """The name of the player on turn."""
        return self.table.names[self.asked.seat]

    @property
    def playing(self) -> bool:
        return self.table.phase is Phase.PLAYING

    @property
    def thinking(self) -> list[Think]:
        """The bots asked by the last order."""
        return [effect for effect in self.effects if isinstance(effect, Think)]

    def model(self, viewer: int | None, upto: int | None = None) -> TableModel:
        """The model of a viewer from the events shown to them, up to an event."""
        model = TableModel(self.table.id, viewer)
        for entry in self.stream.after(0):
            if upto is None or entry.seq <= upto:
                model.see(entry.seen_by(viewer), entry.seq)
        return model

    def lines(self, viewer: int | None, form: Form | None = None, after: int = 0) -> list[str]:
        """The lines for a program at that seat."""
        return [entry.line(viewer, form or Form()) for entry in self.stream.after(after)]

    def words(self) -> list[str]:
        """The words of all events so far."""
        return [entry.event.word.word for entry in self.stream.after(0)]

    # ---------------------------------------------------------------------------- moves

    def default(self) -> list[Event]:
        """Plays the default move."""
        assert self.asked.default is not None
        return self.order(self.mover, Move(self.asked.default, self.asked.turn))

    def any_move(self, chance: random.Random) -> list[Event]:
        """Plays a random legal move."""
        assert self.table.match is not None
        deed = self.table.match.moves().any(chance.randrange)
        return self.order(self.mover, Move(deed.token, self.asked.turn))

    def play(self, chance: random.Random, moves: int = 100_000) -> None:
        """Plays random moves, up to `moves` of them or to the end of the game."""
        for _ in range(moves):
            if not self.playing:
                return
            self.any_move(chance)


def opened(
    seats: int = 4,
    *,
    bots: int = 0,
    seed: int = 1,
    clock: TurnClock | None = None,
    game: AnyGame = TWENTYTWO,
    house: Callable[[str], House] | None = None,
    options: Mapping[str, str] | None = None,
    most_hands: int = 0,
    **settings: Any,
) -> Run:
    """A table opened by ann, with `bots` bots."""
    agreed = replace(Settings(seats, next(iter(game.presets)), clock=clock), **settings)
    rules = game.rules(agreed.preset, options or {})
    recorded = {o.name: o.value for o in game.options(rules)}
    opening = Opening(agreed, recorded, bots, most_hands=most_hands)
    run = Run(bare_table("t1", game, opening, Actor("ann")), Dealer(house or seeded(seed)))
    run.take(open_table(run.table, opening, Actor("ann"), run.now()))
    return run


def with_settings(table: Table, **changed: Any) -> Table:
    """The table as if it had been opened with other settings."""
    settings = replace(table.settings, **changed)
    return replace(table, settings=settings, kind=settings.kind)


def seated(people: int = 2, *, bots: int = 0, **how: Any) -> Run:
    """A table of ready people and bots, before the start."""
    run = opened(how.pop("seats", people + bots), bots=bots, **how)
    for name in NAMES[1:people]:
        run.order(name, words.Join("t1"))
    for name in NAMES[:people]:
        run.order(name, words.Ready())
    return run


def started(people: int = 2, **how: Any) -> Run:
    """A table with a running game."""
    run = seated(people, **how)
    run.order("ann", words.Start())
    return run


def over(people: int = 2, **how: Any) -> Run:
    """A table with a finished game."""
    run = started(people, **how)
    run.play(random.Random(how.get("seed", 1)))
    return run
