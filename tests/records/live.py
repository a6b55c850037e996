"""Random games at real tables, with clocks that run out, stand-ins, resignations and aborts."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle

from twentytwo_protocol.fair import FAIR_ALG, REPEATABLE_ALG, FairShuffle, commitment, entropy
from twentytwo_protocol.record import RecordedMove
from twentytwo_protocol.schema import Command, Event, redact
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words import seating as words
from twentytwo_protocol.words.cardplay import Aborted, Game_, Gameover, Move
from twentytwo_protocol.words.fairness import Seed
from twentytwo_server.facts import GameEnded
from twentytwo_server.games import players
from twentytwo_server.games.game import Bot
from twentytwo_server.games.registry import games
from twentytwo_server.records import recording, telling
from twentytwo_server.records.recording import Beginning
from twentytwo_server.session.streams import Entry
from twentytwo_server.table.clocks import TurnClock
from twentytwo_server.table.deals import Pack, Promised
from twentytwo_server.table.decision import Actor, Decision, Moment
from twentytwo_server.table.effects import Inner, TurnOver
from twentytwo_server.table.match import House, Words
from twentytwo_server.table.opening import Opening, bare_table, open_table
from twentytwo_server.table.orders import decide
from twentytwo_server.table.table import Phase, Settings, Table

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gil", "hal", "ida", "jon", "kay", "leo")
SERVER = Actor("")
LONG = 400
"""Moves after which a game is broken off: where scores may fall, chance may never end it."""


@dataclass
class FakeDeals:
    """Deals whose secrets follow from a number; fair ones, or such as can be repeated."""

    number: int
    fair: bool

    def promise(self, *, taken: bool = False) -> Promised:
        alg = FAIR_ALG if self.fair else "seed"
        return Promised(self._game, self.number, alg, commitment(self.seed(self._game)))

    @property
    def _game(self) -> str:
        return f"g{self.number}"

    def freeze(self, game: str, words: Words) -> None:
        pass

    def house(self, game: str, words: Words | None, taken: Sequence[Pack] = ()) -> House:
        if words is None:
            return FairShuffle(self.seed(game), REPEATABLE_ALG).house
        return FairShuffle(self.seed(game), game, entropy(words)).house

    def seed(self, game: str) -> str:
        return f"{self.number:0128x}"


@dataclass
class Live:
    """A table as it goes on, and what it is all about: one game at it."""

    table: Table
    now: Moment
    chance: random.Random
    made: list[RecordedMove] = field(default_factory=list)
    told: list[Event] = field(default_factory=list)
    last: list[Event] = field(default_factory=list)
    began: Beginning = field(default_factory=Beginning)
    clever: dict[int, Bot] = field(default_factory=dict)
    at: int = 1000

    def order(self, who: str | Actor, command: Command | Inner) -> None:
        """Carries an order out."""
        who = Actor(who) if isinstance(who, str) else who
        self.take(decide(self.table, who, command, Moment(self.at, self.now.deals)))

    def take(self, decision: Decision) -> None:
        """Notes what came of an order."""
        self.table = after = decision.table
        self.last = decision.told
        self.told += self.last
        self.made += decision.moves
        if any(isinstance(event, Game_) for event in self.last):
            self.began = Beginning(after.seats, wall=1_700_000_000_000, seq=1)
        for seat, bot in self.clever.items():
            for event in self.last:
                bot.see(redact(event, seat))

    def step(self) -> None:
        """Whoever is asked moves, or is too late, or gives up."""
        match, seat = self.table.match, self.table.on_turn
        assert match is not None and seat is not None and match.question is not None
        lot = self.chance.random()
        bot = self.clever.get(seat.number)
        if bot is not None and not seat.played_by_bot:
            self.order(seat.name, Move(bot.choose(match.question), match.turn))
            return
        if seat.played_by_bot:
            who = Actor(seat.name, standin=seat.standin)
            self.order(who, Move(match.question.default or "", match.turn))
        elif match.terms.clock is not None and lot < 0.1:
            self.at += 3_600_000
            self.order(SERVER, TurnOver(match.turn))
        elif lot > 0.999 and len(self.table.seats) == 2:
            self.order(seat.name, cardplay.Resign())
        else:
            deed = match.moves().any(lambda n: int(self.chance.random() * n))
            self.order(seat.name, Move(deed.token, match.turn))

    def abort(self) -> None:
        """Everybody would rather stop."""
        for seat in self.table.people:
            if self.table.phase is Phase.PLAYING:
                self.order(seat.name, cardplay.Abort())

    @property
    def game(self) -> list[Event]:
        """The events of the game, from GAME to its end, as they are to be told again."""
        start = next(i for i, event in enumerate(self.told) if isinstance(event, Game_))
        end = next(i for i, e in enumerate(self.told) if isinstance(e, Gameover | Aborted)) + 1
        found = (event for event in self.told[start:end] if telling.of_the_game(event))
        return [telling.timeless(event) for event in found]

    @property
    def ended(self) -> GameEnded:
        """What the server keeps of it."""
        return recording.ended(self.table, self.began, self.made, self.entries)

    @property
    def entries(self) -> list[Entry]:
        """What the last order told, on the stream of its table."""
        first, wall = len(self.told) - len(self.last) + 1, self.began.wall + self.at
        return [Entry("t1", seq, event, "", {}, wall) for seq, event in enumerate(self.last, first)]


def played(
    key: str,
    preset: str,
    number: int,
    *,
    seats: int = 0,
    bots: int = 0,
    most: int = LONG,
    clever: bool = False,
    options: Mapping[str, str] | None = None,
    most_hands: int = 0,
) -> Live:
    """A game to its end, all of it following from the number."""
    chance = random.Random(f"{key}/{preset}#{number}")
    game = games()[key]
    allowed = game.players(game.presets[preset])
    size = seats or min(chance.choices(allowed, k=3))
    clock = TurnClock(20_000, 60_000) if chance.random() < 0.5 else None
    settings = Settings(size, preset, clock=clock, level=players.usual(game))
    rules = game.rules(preset, options or {})
    shown = {option.name: option.value for option in game.options(rules)}
    now = Moment(1000, FakeDeals(number, fair=chance.random() < 0.7))
    opening = Opening(settings, shown, bots=bots, most_hands=most_hands)
    live = Live(bare_table("t1", game, opening, Actor(NAMES[0])), now, chance)
    if clever:
        levels = dict(zip(range(1, size + 1), cycle(game.bots.levels), strict=False))
        live.clever = {
            seat: game.bots.new(level, rules, seat, chance.randrange)
            for seat, level in levels.items()
        }
    live.take(open_table(live.table, opening, Actor(NAMES[0]), now))
    people = NAMES[: size - bots]
    for name in people[1:]:
        live.order(name, words.Join("t1"))
    if isinstance(now.deals, FakeDeals) and now.deals.fair:
        live.order(people[0], Seed("kitten"))
    for name in people:
        live.order(name, words.Ready())
    live.order(people[0], words.Start())
    while live.table.phase is Phase.PLAYING and len(live.made) < most:
        live.step()
    live.abort()
    return live
