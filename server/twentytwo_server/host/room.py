"""A table in the world: its stream, its audience, its bots, its timers.

One order at a time: decide, keep, and only when that is safe swap the table in, answer, and
tell everybody. An error inside one table ends its game and touches no other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Command, Event, Refused
from twentytwo_protocol.words.cardplay import Game_, Move, Turn
from twentytwo_protocol.words.seating import Left

from ..games.bots import players
from ..games.game import Bot, Pick
from ..play.decision import Now, Who
from ..play.effects import Close, Effect, Fault, Inner, Keep, Tell, Think, Wake
from ..play.orders import decide
from ..play.streams import Entry, Stream
from ..play.table import Phase, Seat, Table
from ..ports import Clock, Job, Row, Store, Timer
from .people import Person

KEPT_KIBITZ = 200
"""How many lines of watchers' talk are kept."""


@dataclass(slots=True)
class Answer:
    """How an order ended: refused, or done, with the number of the first event it became."""

    seq: int = 0
    wrong: Refused | None = None


Answered = Callable[[Answer], None]
"""Told how an order ended, before anybody is told what it caused."""

SERVER = Who("")


class World(Protocol):
    """What a room needs of the host."""

    clock: Clock
    store: Store

    def now(self, seed: int | None) -> Now:
        """What tables are told of the world."""

    def used(self, game: str) -> None:
        """The number of a game has been given out."""

    def show(self, name: str, entry: Entry, seat: int | None) -> None:
        """Shows an entry to somebody, if they are connected."""

    def pick(self, seed: int | None) -> Pick:
        """A source of chance for a bot."""

    def pause(self, table: Table) -> int:
        """How long a bot takes, in milliseconds."""

    def changed(self, room: Room, before: Table) -> None:
        """The table is another than before."""

    def forget(self, room: Room) -> None:
        """The room is closed."""

    def fault(self, where: str) -> str:
        """Notes an error; what to quote for it."""

    def think(self, job: Job, done: Callable[[str | None], None]) -> None:
        """Has a bot think that takes its time."""

    @property
    def patience(self) -> int:
        """Milliseconds to wait for such a bot."""


class Room:
    """A table, and all that happens around it."""

    def __init__(self, host: World, table: Table) -> None:
        self.host = host
        self.table = table
        self.stream = Stream(table.id)
        self.kibitz = Stream("k" + table.id[1:], keep=KEPT_KIBITZ)
        self.closed = False
        self._orders: deque[tuple[Who, Command | Inner, Answered]] = deque()
        self._busy = False
        self._bots: dict[int, Bot] = {}
        self._timers: set[Timer] = set()

    @property
    def id(self) -> str:
        """The table's number, `t7`."""
        return self.table.id

    # ------------------------------------------------------------------------- orders

    def order(self, who: Who, command: Command | Inner, answered: Answered | None = None) -> None:
        """Gives the table an order; `answered` learns how it ended."""
        self._orders.append((who, command, answered or _nobody_asked))
        self._next()

    def _next(self) -> None:
        while self._orders and not self._busy and not self.closed:
            who, command, answered = self._orders.popleft()
            try:
                after, effects = decide(self.table, who, command, self.now())
            except Refused as wrong:
                answered(Answer(wrong=wrong))
            except Exception:
                self._broken(command, answered)
            else:
                self.commit(after, effects, answered)

    def now(self) -> Now:
        """What the table is to know of the world at this moment."""
        return self.host.now(self.table.settings.seed)

    def commit(self, after: Table, effects: Iterable[Effect], answered: Answered) -> None:
        """Keeps what is to be kept; then the table is the new one, and everybody is told."""
        effects = tuple(effects)
        self._busy = True
        if after.match is not None:
            self.host.used(after.match.id)
        rows = [Row(kept.who, kept.line) for kept in effects if isinstance(kept, Keep)]
        if rows:
            self.host.store.append(self.id, rows, lambda: self._kept(after, effects, answered))
        else:
            self._kept(after, effects, answered)

    def _kept(self, after: Table, effects: tuple[Effect, ...], answered: Answered) -> None:
        # Leavers still hear the last of it; they are gone from the table that comes after.
        before = self.table
        audience = self.audience(before)
        self.table = after
        staying = self.audience(after)
        audience |= staying
        answered(Answer(self.stream.last + 1))
        names = after.names
        for effect in effects:
            if isinstance(effect, Tell):
                self._tell(effect.event, audience, names)
                if isinstance(effect.event, Left) and effect.event.name not in staying:
                    audience.pop(effect.event.name, None)
            else:
                self._do(effect)
        self._busy = False
        self.host.changed(self, before)
        self._next()

    def _broken(self, command: Command | Inner, answered: Answered) -> None:
        ref = self.host.fault(f"{self.id}: {type(command).__name__}")
        answered(Answer(wrong=Refused("INTERNAL", f"The server stumbled; quote {ref}.", ref=ref)))
        if isinstance(command, Fault):
            self.close()
        else:
            self._orders.appendleft((SERVER, Fault(ref), _nobody_asked))

    # ------------------------------------------------------------------------ effects

    def _do(self, effect: Effect) -> None:
        match effect:
            case Wake(after, why):
                self._later(after, lambda: self.order(SERVER, why))
            case Think(seat, turn):
                self._later(self.host.pause(self.table), lambda: self._think(seat, turn))
            case Close():
                self.close()

    def _tell(self, event: Event, audience: dict[str, int | None], names: dict[int, str]) -> None:
        game = self.table.game.key
        entry = self.stream.append(event, at=self.host.clock.wall(), names=names, game=game)
        if isinstance(event, Game_):
            self._bots.clear()
        for seat in list(self._bots):
            self._see(seat, entry)
        for name, viewer in audience.items():
            self.host.show(name, entry, viewer)

    def _see(self, seat: int, entry: Entry) -> None:
        try:
            self._bots[seat].see(entry.seen_by(seat))
        except Exception:
            self.host.fault(f"{self.id}: the bot in seat {seat}")
            del self._bots[seat]

    def audience(self, table: Table) -> dict[str, int | None]:
        """Who sees what happens at the table: their names, each with the seat they see from."""
        found: dict[str, int | None] = dict.fromkeys(table.watchers)
        found.update((seat.name, seat.number) for seat in table.people)
        return found

    def talk(self, event: Event) -> None:
        """A watcher speaks: the watchers hear it at once, players once no game is running."""
        entry = self.kibitz.append(event, at=self.host.clock.wall())
        playing = self.table.phase is Phase.PLAYING
        for name, seat in self.audience(self.table).items():
            if seat is None or not playing:
                self.host.show(name, entry, seat)

    def say(self, event: Event) -> int:
        """Somebody at the table speaks; the number of the event."""
        self._tell(event, self.audience(self.table), self.table.names)
        return self.stream.last

    def _later(self, ms: int, call: Callable[[], None]) -> None:
        def due() -> None:
            self._timers.discard(timer)
            if not self.closed:
                call()

        timer = self.host.clock.later(ms, due)
        self._timers.add(timer)

    def close(self) -> None:
        """The table is gone: no timer of it will come."""
        self.closed = True
        for timer in self._timers:
            if timer.active():
                timer.cancel()
        self._timers.clear()
        self.host.forget(self)
        gone = Refused("NO_SUCH_TABLE", f"{self.id} is closed.", arg="table")
        while self._orders:
            self._orders.popleft()[2](Answer(wrong=gone))

    # --------------------------------------------------------------------------- bots

    def _think(self, number: int, turn: int) -> None:
        seat, match = self.table.at(number), self.table.match
        if seat is None or not seat.played_by_bot or match is None or match.turn != turn:
            return
        asked = match.question
        if asked is None or self.table.paused or self.table.deserted:
            return
        who = Who(seat.name, standin=seat.standin)
        level = self._level(seat)
        if players.slow(level):
            self._think_elsewhere(who, number, level, asked)
        else:
            self._play_for(who, number, asked, self._bot_choice(number, asked))

    def _play_for(self, who: Who, number: int, asked: Turn, token: str) -> None:
        """Gives a bot's answer to the table; the default instead where it is no legal move."""
        match = self.table.match
        if match is not None and match.question is asked:
            try:
                match.judge(number, match.read(token), asked.turn)
            except Exception:
                self.host.fault(f"{self.id}: the move of the bot in seat {number}")
                token = asked.default or token
        self.order(who, Move(token, asked.turn))

    def _level(self, seat: Seat) -> str:
        return seat.level or self.table.settings.level or players.usual(self.table.game)

    def _think_elsewhere(self, who: Who, number: int, level: str, asked: Turn) -> None:
        """The bot's answer is played when it comes, or a quick bot's when that takes too long."""
        waiting = True

        def answered(token: str | None) -> None:
            nonlocal waiting
            if waiting and not self.closed:
                waiting = False
                self._play_for(who, number, asked, token or self._bot_choice(number, asked))

        self._later(self.host.patience, lambda: answered(None))
        self.host.think(self.job(number, level, asked), answered)

    def job(self, number: int, level: str, asked: Turn) -> Job:
        """A turn to think about, with what its seat has seen and nothing else."""
        table = self.table
        seen = tuple(entry.seen_by(number) for entry in self.since_game())
        seed = table.settings.seed
        return Job(table.game.key, level, table.rules, number, seen, asked, seed)

    def _bot_choice(self, number: int, asked: Turn) -> str:
        """The bot's move; the default where a bot fails, which is noted."""
        assert asked.default is not None
        try:
            bot = self._bots.get(number) or self._seat_bot(number)
            return bot.choose(asked)
        except Exception:
            self.host.fault(f"{self.id}: the bot in seat {number}")
            return asked.default

    def _seat_bot(self, number: int) -> Bot:
        """A bot that has seen what its seat was shown since the game began, and nothing else."""
        seat = self.table.at(number)
        assert seat is not None
        game = self.table.game
        # Where a bot that takes its time is not to be had, the best of the quick ones plays.
        level = players.usual(game) if players.slow(self._level(seat)) else self._level(seat)
        bot = game.bot(level, self.table.rules, number, self.host.pick(self.table.settings.seed))
        for entry in self.since_game():
            bot.see(entry.seen_by(number))
        self._bots[number] = bot
        return bot

    def since_game(self) -> list[Entry]:
        """The entries of the game that is running, or was last."""
        found: list[Entry] = []
        for entry in self.stream.after(0):
            if isinstance(entry.event, Game_):
                found.clear()
            found.append(entry)
        return found

    # ----------------------------------------------------------------------- questions

    def model(self, seat: int | None) -> TableModel:
        """All that a viewer knows of the table: the fold of what they were shown."""
        model = TableModel(self.id, seat)
        for entry in self.stream.after(0):
            model.see(entry.seen_by(seat), entry.seq)
        return model

    def seat_number(self, person: Person | None) -> int | None:
        """The seat that a person has here, or None."""
        seat = self.table.seat_of(person.name) if person else None
        return seat.number if seat else None

    def time_left(self) -> int | None:
        """Milliseconds left for the open turn, or None where there is no clock."""
        match = self.table.match
        if match is None or match.question is None or match.clock is None:
            return None
        return max(0, match.clock.move - match.used(self.host.clock.now()))


def _nobody_asked(_: Answer) -> None:
    """An order of the server's own has nobody to answer to."""
