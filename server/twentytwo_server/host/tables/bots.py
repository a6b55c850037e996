"""The bots of a room: each sees its seat's redacted events, and answers its seat's turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar
from weakref import proxy

from twisted.internet.defer import CancelledError, Deferred, succeed
from twisted.python.failure import Failure

from twentytwo_protocol.schema import redact
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Game_, Move, Turn

from ...games import players
from ...games.chance import RandomBelow
from ...games.game import Bot
from ...ports import BotWorkers, Clock, Evaluation, Job
from ...scheduler import Scheduler
from ...session.streams import Burst, Entry
from ...table import teaching
from ...table.decision import Actor
from ...table.table import Table
from ..faults import Faults

T = TypeVar("T")


class BotContext(Protocol):
    """What bots need from the host."""

    @property
    def clock(self) -> Clock:
        """The clock of all tables; it can be paused."""

    @property
    def bot_workers(self) -> BotWorkers:
        """Runs the searches of slow bots."""

    @property
    def scheduler(self) -> Scheduler:
        """Shares the time of the event loop."""

    @property
    def think_time(self) -> int:
        """Milliseconds that a searching bot takes for a move."""

    @property
    def think_timeout(self) -> int:
        """Milliseconds to wait for a searching bot before a quick bot plays the move."""

    def random_source(self, seed: int | None) -> RandomBelow:
        """Random numbers for a bot; the same again for the same seed, unpredictable for None."""

    def bot_delay(self, table: Table) -> int:
        """Milliseconds before a bot answers a turn at this table."""

    @property
    def faults(self) -> Faults:
        """The log of the server's own errors."""


class BotTable(Protocol):
    """What bots need from the room where they play."""

    @property
    def id(self) -> str:
        """The id of the table, `t7`."""

    @property
    def host(self) -> BotContext:
        """The host of the room."""

    @property
    def network(self) -> str:
        """The key for the table's share of time: the address of its opener (`Link.network`)."""

    @property
    def table(self) -> Table:
        """The current table."""

    @property
    def closed(self) -> bool:
        """True if the table is closed or the server is stopping."""

    @property
    def hurried(self) -> bool:
        """True if the bots are to play the running game to its end without a pause."""

    def game_entries(self) -> Sequence[Entry]:
        """The stream entries of the running game, or of the last one."""

    def play(self, who: Actor, move: Move, wanted: Callable[[], bool]) -> None:
        """Queues a move; it is dropped if `wanted()` is false when it reaches the front."""


class OpenQuestion(Value):
    """A turn that a bot has to answer.

    The game is part of it, because turns are numbered from 1 in each game.
    """

    game: str
    turn: Turn


class Bots:
    """The bots that play at one table: those with a seat of their own, and stand-ins for people.

    A table has one open question at a time, so at most one bot is about to answer. `_game` are the
    entries of the running game, from the first search for a move in it on.
    """

    def __init__(self, room: BotTable) -> None:
        # A weak proxy: a closed room is freed at once, without a cycle for the garbage collector.
        self.room: BotTable = proxy(room)
        self._playing: dict[int, Bot] = {}
        self._answering: OpenQuestion | None = None
        self._waiting: Deferred[Any] | None = None
        self._hints: dict[Deferred[Evaluation | None], Turn] = {}
        self._weighed: tuple[Turn, Evaluation] | None = None
        self._game: list[Entry] = []

    def observe(self, burst: Burst) -> None:
        """Shows the events of an order to every playing bot, redacted for its seat."""
        if Game_ in burst.kinds:
            self._game = []
        elif self._game:
            self._game += burst.entries
        if self._playing:
            for entry in burst.entries:
                self._observe(entry)

    def _observe(self, entry: Entry) -> None:
        if isinstance(entry.event, Game_):
            self._playing.clear()
        for seat in list(self._playing):
            try:
                self._playing[seat].see(entry.seen_by(seat))
            except Exception:
                self.room.host.faults.log(f"{self.room.id}: the bot in seat {seat}")
                del self._playing[seat]

    def think(self) -> None:
        """Starts the answer of the bot whose turn it is, unless that is under way already."""
        asked = self._open_question()
        if asked is None or asked == self._answering or self.room.closed:
            return
        self._cancel_answer()
        self._answering = asked
        Deferred.fromCoroutine(self._think(asked))

    def changed(self) -> None:
        """Cancels answers and hints for closed questions. Call it after every order."""
        if self._answering is not None and self._answering != self._open_question():
            self._cancel_answer()
        match = self.room.table.match
        for hint, asked in list(self._hints.items()):
            if match is None or match.question is not asked:
                hint.cancel()

    def hurry(self) -> None:
        """Answers the open question without the rest of the usual delay."""
        self._cancel_answer()
        self.think()

    def stop(self) -> None:
        """Cancels everything: the table is closed, or the server stops."""
        self._cancel_answer()
        for hint in list(self._hints):
            hint.cancel()

    def evaluate(self, asked: Turn) -> Deferred[Evaluation | None]:
        """The moves of the open question with their values, for a hint: the same when asked again.

        Fires with None if the search failed, or if the question was answered before it was done.
        """
        if self._weighed is not None and self._weighed[0] is asked:
            return succeed(self._weighed[1])
        weighed = self.room.host.bot_workers.evaluate(self.job(players.HARD, asked))

        def over(found: Evaluation | None) -> Evaluation | None:
            self._hints.pop(weighed, None)
            self._weighed = (asked, found) if found else None
            return found

        if not weighed.called:
            self._hints[weighed] = asked
        return weighed.addErrback(cancelled).addCallback(over)

    def _open_question(self) -> OpenQuestion | None:
        """The turn that a bot has to answer; None also if the game is paused or deserted."""
        table = self.room.table
        seat, match = table.on_turn, table.match
        if seat is None or not seat.played_by_bot or table.paused or table.deserted:
            return None
        if teaching.lesson_of(table) is not None and teaching.scripted(table) is None:
            return None
        assert match is not None and match.question is not None
        return OpenQuestion(match.terms.id, match.question)

    def _cancel_answer(self) -> None:
        waiting, self._waiting, self._answering = self._waiting, None, None
        if waiting is not None:
            waiting.cancel()

    async def _think(self, asked: OpenQuestion) -> None:
        """Answers a question after the usual delay, if it is still open then."""
        await self._sleep(0 if self.room.hurried else self.room.host.bot_delay(self.room.table))
        token = None
        await self._wait_for_time()
        if self._answering is asked and players.slow(self._level(asked.turn.seat)):
            token = await self._search(asked)
        if token is not None:
            await self._wait_for_time()
        if self._answering is asked:
            self.room.host.scheduler.run(
                self.room.network,
                lambda: self._play(asked.turn, token or self._choice(asked.turn)),
            )

    async def _wait_for_time(self) -> None:
        scheduler, network = self.room.host.scheduler, self.room.network
        if not scheduler.may_run(network):
            await self._wait_for(scheduler.turn(network))

    async def _search(self, asked: OpenQuestion) -> str | None:
        """The move that a worker finds; None if that fails or takes longer than `think_timeout`.

        It always takes the whole `think_time`: how soon a move comes must not depend on the cards.
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
            self.room.host.faults.log(f"{self.room.id}: a job for the workers")
            return succeed(None)

    def _sleep(self, ms: int) -> Deferred[None]:
        slept: Deferred[None] = Deferred(lambda _: timer.cancel())
        timer = self.room.host.clock.later(ms, lambda: slept.callback(None))
        return self._wait_for(slept)

    def _wait_for(self, waiting: Deferred[T]) -> Deferred[T | None]:
        """The result of `waiting`, or None as soon as it is cancelled.

        `CancelledError` is not raised: its traceback would keep a closed room alive.
        """
        self._waiting = waiting
        return waiting.addErrback(cancelled)

    def _play(self, asked: Turn, token: str) -> None:
        """Queues a bot's move; if it is not legal, logs that and queues the default move."""
        room, number, answering = self.room, asked.seat, self._answering
        seat, match = room.table.at(number), room.table.match
        assert seat is not None and match is not None
        try:
            match.judge(number, match.read(token), asked.turn)
        except Exception:
            room.host.faults.log(f"{room.id}: the move of the bot in seat {number}")
            token = asked.default or token
        # An order that is queued before it may end the game, or bring the owner of the seat back.
        who = Actor(seat.name, standin=seat.standin)
        room.play(who, Move(token, asked.turn), lambda: self._open_question() == answering)

    def _level(self, number: int) -> str:
        """The level of the bot in a seat; for a stand-in, the level set for the table."""
        table = self.room.table
        seat = table.at(number)
        assert seat is not None
        return seat.level or table.settings.level or players.usual(table.game)

    def job(self, level: str, asked: Turn) -> Job:
        """The job of a turn for the workers, with only the events shown to the seat."""
        if not self._game:
            self._game = list(self.room.game_entries())
        return job(self.room.table, self._game, level, asked)

    def _choice(self, asked: Turn) -> str:
        """A quick bot's move. If the bot raises, that is logged, and it is the default move."""
        assert asked.default is not None
        scripted = teaching.scripted(self.room.table)
        if scripted is not None:
            return scripted
        try:
            bot = self._playing.get(asked.seat) or self._seat(asked.seat)
            return bot.choose(redact(asked, asked.seat))
        except Exception:
            self.room.host.faults.log(f"{self.room.id}: the bot in seat {asked.seat}")
            return asked.default

    def _seat(self, number: int) -> Bot:
        """A new quick bot for a seat, after reading the seat's events of the game so far."""
        table = self.room.table
        # A slow bot needs a worker. Without one the usual level plays, which is quick.
        level = self._level(number)
        level = players.usual(table.game) if players.slow(level) else level
        pick = self.room.host.random_source(table.settings.seed)
        bot = table.game.bots.new(level, table.rules, number, pick)
        for entry in self.room.game_entries():
            bot.see(entry.seen_by(number))
        self._playing[number] = bot
        return bot


def job(table: Table, game: Iterable[Entry], level: str, asked: Turn) -> Job:
    """The job of a turn for the workers. It has only the seat's view of the `game`."""
    seat = asked.seat
    return Job(
        table.id,
        table.game.key,
        level,
        table.rules,
        seat,
        tuple(entry.seen_by(seat) for entry in game),
        redact(asked, seat),
        table.settings.seed,
    )


def cancelled(why: Failure) -> None:
    """Turns a cancellation into None."""
    why.trap(CancelledError)
