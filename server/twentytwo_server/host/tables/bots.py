"""The bots of a room: each sees what its seat is shown, and answers its turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from weakref import proxy

from twisted.internet.defer import CancelledError, Deferred, succeed
from twisted.python.failure import Failure

from twentytwo_protocol.schema import redact
from twentytwo_protocol.words.cardplay import Game_, Move, Turn

from ...games import players
from ...games.chance import RandomBelow
from ...games.game import Bot
from ...ports import BotWorkers, Clock, Evaluation, Job
from ...session.streams import Entry
from ...table.decision import Actor
from ...table.table import Table

T = TypeVar("T")


class BotContext(Protocol):
    """What bots need of the host."""

    @property
    def clock(self) -> Clock:
        """The time that tables live by."""

    @property
    def bot_workers(self) -> BotWorkers:
        """Where bots think that take their time."""

    @property
    def think_time(self) -> int:
        """Milliseconds that such a bot takes for a move."""

    @property
    def think_timeout(self) -> int:
        """Milliseconds to wait for such a bot."""

    def random_source(self, seed: int | None) -> RandomBelow:
        """A source of chance for a bot."""

    def bot_delay(self, table: Table) -> int:
        """How long a bot takes, in milliseconds."""

    def fault(self, where: str) -> str:
        """Notes an error; what to quote for it."""


class BotTable(Protocol):
    """What bots need of the room where they play."""

    @property
    def id(self) -> str:
        """The table's number."""

    @property
    def host(self) -> BotContext:
        """What is around it."""

    @property
    def table(self) -> Table:
        """The table as it is now."""

    @property
    def closed(self) -> bool:
        """Whether the table is gone, or the server stops."""

    def game_entries(self) -> Sequence[Entry]:
        """The entries of the game that is running, or was last."""

    def play(self, who: Actor, move: Move, wanted: Callable[[], bool]) -> None:
        """Gives the table a move, which is dropped if it is no longer wanted in its turn."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A turn that a bot has to answer, and its game: turns are numbered from 1 in each game."""

    game: str
    turn: Turn


class Bots:
    """The bots that play at one table: those with a seat of their own, and stand-ins for people.

    A table has one open question at a time, so at most one bot is about to answer.
    """

    def __init__(self, room: BotTable) -> None:
        # A weak proxy: a closed room is freed at once, without a cycle for the garbage collector.
        self.room: BotTable = proxy(room)
        self._playing: dict[int, Bot] = {}
        self._answering: OpenQuestion | None = None
        self._waiting: Deferred[Any] | None = None
        self._hints: dict[Deferred[Evaluation | None], Turn] = {}

    def observe(self, entry: Entry) -> None:
        """Shows an entry to every bot that plays, as its seat may know it."""
        if isinstance(entry.event, Game_):
            self._playing.clear()
        for seat in list(self._playing):
            try:
                self._playing[seat].see(entry.seen_by(seat))
            except Exception:
                self.room.host.fault(f"{self.room.id}: the bot in seat {seat}")
                del self._playing[seat]

    def think(self) -> None:
        """Has the bot on turn answer, unless it is about to."""
        asked = self._open_question()
        if asked is None or asked == self._answering or self.room.closed:
            return
        self._cancel_answer()
        self._answering = asked
        Deferred.fromCoroutine(self._think(asked))

    def changed(self) -> None:
        """Cancels what is no longer asked. Call it after every order."""
        if self._answering is not None and self._answering != self._open_question():
            self._cancel_answer()
        match = self.room.table.match
        for hint, asked in list(self._hints.items()):
            if match is None or match.question is not asked:
                hint.cancel()

    def stop(self) -> None:
        """Cancels everything: the table is closed, or the server stops."""
        self._cancel_answer()
        for hint in list(self._hints):
            hint.cancel()

    def evaluate(self, asked: Turn) -> Deferred[Evaluation | None]:
        """The moves of the open question, for a hint; None if nobody can tell, or too late."""
        weighed = self.room.host.bot_workers.evaluate(self.job(players.HARD, asked))

        def over(found: Evaluation | None) -> Evaluation | None:
            self._hints.pop(weighed, None)
            return found

        if not weighed.called:
            self._hints[weighed] = asked
        return weighed.addErrback(_cancelled).addCallback(over)

    def _open_question(self) -> OpenQuestion | None:
        """The turn that a bot has to answer; None if a person has to, or the game stands still."""
        table = self.room.table
        seat, match = table.on_turn, table.match
        if seat is None or not seat.played_by_bot or table.paused or table.deserted:
            return None
        assert match is not None and match.question is not None
        return OpenQuestion(match.id, match.question)

    def _cancel_answer(self) -> None:
        waiting, self._waiting, self._answering = self._waiting, None, None
        if waiting is not None:
            waiting.cancel()

    async def _think(self, asked: OpenQuestion) -> None:
        """Answers after the usual delay, if the question is still open then."""
        await self._sleep(self.room.host.bot_delay(self.room.table))
        token = None
        if self._answering is asked and players.slow(self._level(asked.turn.seat)):
            token = await self._search(asked)
        if self._answering is asked:
            self._play(asked.turn, token or self._choice(asked.turn))

    async def _search(self, asked: OpenQuestion) -> str | None:
        """The move that a worker finds; None if that takes too long.

        It always takes the whole thinking time: how soon a move comes must not depend on the cards.
        """
        clock = self.room.host.clock
        at = clock.now() + self.room.host.think_time
        thought = self._thought(asked.turn)
        patience = clock.later(self.room.host.think_timeout, thought.cancel)
        token = await self._wait_for(thought)
        if patience.active():
            patience.cancel()
        if self._answering is asked:
            await self._sleep(max(0, at - clock.now()))
        return token

    def _thought(self, asked: Turn) -> Deferred[str | None]:
        try:
            return self.room.host.bot_workers.think(self.job(self._level(asked.seat), asked))
        except Exception:
            self.room.host.fault(f"{self.room.id}: a job for the workers")
            return succeed(None)

    def _sleep(self, ms: int) -> Deferred[None]:
        slept: Deferred[None] = Deferred(lambda _: timer.cancel())
        timer = self.room.host.clock.later(ms, lambda: slept.callback(None))
        return self._wait_for(slept)

    def _wait_for(self, waiting: Deferred[T]) -> Deferred[T | None]:
        """What is waited for; None at once when that is cancelled.

        No exception is raised for that: its traceback would hold the room that has been closed.
        """
        self._waiting = waiting
        return waiting.addErrback(_cancelled)

    def _play(self, asked: Turn, token: str) -> None:
        """Gives a bot's move to the table; if it is not legal, logs that and gives the default."""
        room, number, answering = self.room, asked.seat, self._answering
        seat, match = room.table.at(number), room.table.match
        assert seat is not None and match is not None
        try:
            match.judge(number, match.read(token), asked.turn)
        except Exception:
            room.host.fault(f"{room.id}: the move of the bot in seat {number}")
            token = asked.default or token
        # An order before it may end the game, or bring the owner of the seat back.
        who = Actor(seat.name, standin=seat.standin)
        room.play(who, Move(token, asked.turn), lambda: self._open_question() == answering)

    def _level(self, number: int) -> str:
        """The level of the bot in a seat; for a stand-in, the level of the table."""
        table = self.room.table
        seat = table.at(number)
        assert seat is not None
        return seat.level or table.settings.level or players.usual(table.game)

    def job(self, level: str, asked: Turn) -> Job:
        """The job of a turn for the workers: what its seat was shown, and nothing else."""
        table, seat = self.room.table, asked.seat
        seen = tuple(entry.seen_by(seat) for entry in self.room.game_entries())
        return Job(
            table.id,
            table.game.key,
            level,
            table.rules,
            seat,
            seen,
            redact(asked, seat),
            table.settings.seed,
        )

    def _choice(self, asked: Turn) -> str:
        """A quick bot's move. If the bot fails that is logged, and the default is returned."""
        assert asked.default is not None
        try:
            bot = self._playing.get(asked.seat) or self._seat(asked.seat)
            return bot.choose(redact(asked, asked.seat))
        except Exception:
            self.room.host.fault(f"{self.room.id}: the bot in seat {asked.seat}")
            return asked.default

    def _seat(self, number: int) -> Bot:
        """A new quick bot for a seat, shown what the seat was shown since the game began."""
        table = self.room.table
        # Where a bot that takes its time is not to be had, the best of the quick ones plays.
        level = self._level(number)
        level = players.usual(table.game) if players.slow(level) else level
        pick = self.room.host.random_source(table.settings.seed)
        bot = table.game.bots.new(level, table.rules, number, pick)
        for entry in self.room.game_entries():
            bot.see(entry.seen_by(number))
        self._playing[number] = bot
        return bot


def _cancelled(why: Failure) -> None:
    """Nobody asks any more."""
    why.trap(CancelledError)
