"""The same for programs that know no asyncio: every call returns when it is done.

The connection lives in a thread, so that it is looked after while the program thinks. What a
property returns was so at one moment, and does not change by itself.
"""

from __future__ import annotations

import asyncio
import copy
import threading
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Row

from ..core.shuffle_check import Verdict
from . import server, table
from .feed import Reconnected
from .session import Reply

R = TypeVar("R", bound=Row)
T = TypeVar("T")


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        """Does it there, and waits for it; if the waiting is interrupted, it is given up."""
        future = asyncio.run_coroutine_threadsafe(doing, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def ask(self, what: Callable[[], T]) -> T:
        """What a function returns there, between two events."""

        async def asked() -> T:
            return what()

        return self.run(asked())

    def close(self) -> None:
        """Ends the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class BlockingServer:
    """You on a server; see `server.Server`."""

    def __init__(self, behind: server.Server, loop: Loop) -> None:
        self._server, self._loop = behind, loop

    def enter(self) -> None:
        """Connects, and says who we are. Raises `OSError`, `Refused` or `Dismissed`."""
        try:
            self._loop.run(self._server.enter())
        except BaseException:
            self._loop.close()
            raise

    def leave(self) -> None:
        """Says goodbye, if anybody is there to hear it."""
        try:
            self._loop.run(self._server.leave())
        finally:
            self._loop.close()

    @property
    def name(self) -> str:
        """The name as the server gave it: `~robin`."""
        return self._loop.ask(lambda: self._server.name)

    @property
    def token(self) -> str:
        """A secret that takes your place: `connect(..., token=...)`. It changes with every use."""
        return self._loop.ask(lambda: self._server.token)

    @property
    def tables(self) -> dict[str, BlockingTable]:
        """The tables where you sit or watch: `tables["t7"]`."""
        found = self._loop.ask(lambda: dict(self._server.tables))
        return {on: BlockingTable(each, self._loop) for on, each in found.items()}

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event | Reconnected:
        """What is told to you or in the lobby. Raises `Dismissed`."""
        return _next(self._loop, self._server)

    def command(self, line: str) -> Reply:
        """Says any command of the protocol. Raises `Refused` or `NoAnswer`."""
        return self._loop.run(self._server.command(line))

    def listing(self, row: type[R], line: str) -> list[R]:
        """The rows of one kind of an answer: `listing(TableRow, "tables open=1")`."""
        return self._loop.run(self._server.listing(row, line))

    def practice(self, game: str = "", **options: object) -> BlockingTable:
        """A table of one's own against bots: `practice(bots=3, level="steady", seed=42)`."""
        return self._at(self._server.practice(game, **options))

    def open(self, game: str = "", **options: object) -> BlockingTable:
        """A table for several, of which you are the host."""
        return self._at(self._server.open(game, **options))

    def join(self, table: str) -> BlockingTable:
        """Sits down at a table, by its number or its word."""
        return self._at(self._server.join(table))

    def watch(self, table: str) -> BlockingTable:
        """Looks on at a table: what everybody there sees."""
        return self._at(self._server.watch(table))

    def seek(self, game: str = "", **options: object) -> BlockingTable:
        """Looks for others, and waits until there are enough: `seek(players=3)`."""
        return self._at(self._server.seek(game, **options))

    def tell(self, name: str, text: str) -> None:
        """Says something to somebody, wherever they are."""
        self._loop.run(self._server.tell(name, text))

    def shout(self, text: str) -> None:
        """Says something to everybody who follows the lobby."""
        self._loop.run(self._server.shout(text))

    def export(self, game: str) -> list[Event]:
        """All events of a game that is over, every card open: `g51`. Raises `Refused`."""
        return self._loop.run(self._server.export(game))

    def _at(self, sitting: Coroutine[Any, Any, table.Table]) -> BlockingTable:
        return BlockingTable(self._loop.run(sitting), self._loop)


@dataclass(frozen=True, slots=True)
class BlockingQuestion(table.Asked):
    """A question to you, and the way to answer it."""

    table: BlockingTable

    def play(self, *cards: str) -> bool:
        """Answers this question, and never another; see `table.Question.play`."""
        return self.table.answer(self, "+".join(cards))


class BlockingTable:
    """A table; see `table.Table`. What happens there comes of `for event in table`."""

    def __init__(self, behind: table.Table, loop: Loop) -> None:
        self.on = behind.on
        self._table, self._loop = behind, loop

    @property
    def state(self) -> TableModel:
        """All that is known of the table at this moment."""
        return self._loop.ask(lambda: copy.deepcopy(self._table.state))

    @property
    def fair(self) -> Verdict | None:
        """What came of checking the shuffles of the last game; None before."""
        return self._loop.ask(lambda: self._table.fair)

    @property
    def gone(self) -> bool:
        """Whether you are there no more."""
        return self._loop.ask(lambda: self._table.gone)

    @property
    def places(self) -> dict[str, int]:
        """The places after a game, by name; 1 is the winner's."""
        return self._loop.ask(lambda: self._table.places)

    @property
    def question(self) -> BlockingQuestion | None:
        """What you are asked now; None if it is not your turn, or the game is paused."""
        return self._asked(self._loop.ask(lambda: self._table.question))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event | Reconnected:
        """The next event. Raises `Dismissed` when the server wants you no more."""
        return _next(self._loop, self._table)

    def questions(self) -> Iterator[BlockingQuestion]:
        """Your questions, one after the other, until the game is over or you are gone."""
        questions = self._table.questions()
        while (now := self._asked(self._loop.run(anext(questions, None)))) is not None:
            yield now

    def play(self, *cards: str) -> bool:
        """Answers the question that is open now, if there is one; see `BlockingQuestion.play`."""
        return self._loop.run(self._table.play(*cards))

    def answer(self, asked: table.Asked, token: str) -> bool:
        """Answers a question; see `BlockingQuestion.play`."""
        return self._loop.run(self._table.answer(asked, token))

    def moves(self) -> tuple[str, ...]:
        """All the moves that are legal now, of however many."""
        return self._loop.run(self._table.moves())

    def ready(self) -> None:
        """You are ready to start."""
        self._loop.run(self._table.ready())

    def start(self) -> None:
        """Starts the game (host). Raises `Refused`, `NOT_READY` where somebody is not."""
        self._loop.run(self._table.start())

    def say(self, text: str) -> None:
        """Says something to the table."""
        self._loop.run(self._table.say(text))

    def leave(self) -> None:
        """Gets up, or stops looking on. In a running game a bot takes the seat for good."""
        self._loop.run(self._table.leave())

    def _asked(self, now: table.Question | None) -> BlockingQuestion | None:
        return BlockingQuestion(now.event, now.game, now.holding, self) if now else None


def _next(loop: Loop, of: server.Server | table.Table) -> Event | Reconnected:
    """The next event. Raises `StopIteration` after the last one."""

    async def following() -> Event | Reconnected | None:
        try:
            return await anext(of)
        except StopAsyncIteration:
            return None

    event = loop.run(following())
    if event is None:
        raise StopIteration
    return event
