"""The SDK for programs without asyncio: every call blocks until it is done.

The connection runs in its own thread, which answers the server while the program computes. The
value of a property is a snapshot, which does not change later.
"""

from __future__ import annotations

import asyncio
import copy
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Self, TypeVar

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Row

from ..core.shuffle_check import Verdict
from . import server, table
from .feed import Reconnected
from .session import Reply

__all__ = ["BlockingQuestion", "BlockingServer", "BlockingTable", "Loop"]

R = TypeVar("R", bound=Row)
T = TypeVar("T")


class Loop:
    """An asyncio event loop in its own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, doing: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the thread and returns its result. An interrupt cancels it."""
        future = asyncio.run_coroutine_threadsafe(doing, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def ask(self, what: Callable[[], T]) -> T:
        """Calls a function in the thread and returns its result."""

        async def call() -> T:
            return what()

        return self.run(call())

    def close(self) -> None:
        """Stops the loop and waits for the thread to end."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class BlockingServer:
    """Your place on a server; see `Server`."""

    def __init__(self, behind: server.Server, loop: Loop) -> None:
        self._server, self._loop = behind, loop

    def enter(self) -> None:
        """Connects and logs in. Raises `OSError`, `Refused` or `Dismissed`."""
        try:
            self._loop.run(self._server.enter())
        except BaseException:
            self._loop.close()
            raise

    def leave(self) -> None:
        """Sends `quit` if there is a connection, and closes it. Never raises."""
        try:
            self._loop.run(self._server.leave())
        finally:
            self._loop.close()

    @property
    def name(self) -> str:
        """The name that the server gave: `~robin`."""
        return self._loop.ask(lambda: self._server.name)

    @property
    def token(self) -> str:
        """The secret that resumes your session: `connect(..., token=...)`. Each reconnect changes
        it.
        """
        return self._loop.ask(lambda: self._server.token)

    @property
    def tables(self) -> dict[str, BlockingTable]:
        """The tables where you sit or watch, by name: `tables["t7"]`."""
        found = self._loop.ask(lambda: dict(self._server.tables))
        return {on: BlockingTable(each, self._loop) for on, each in found.items()}

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event | Reconnected:
        """The next event outside your tables. Raises `Dismissed`."""
        return _next(self._loop, self._server)

    def command(self, line: str) -> Reply:
        """Sends any command of the protocol and returns the reply. Raises `Refused` or
        `NoAnswer`.
        """
        return self._loop.run(self._server.command(line))

    def listing(self, row: type[R], line: str) -> list[R]:
        """The rows of one class in the reply to a query: all, or with `n=` a page. See
        `Server.listing`.
        """
        return self._loop.run(self._server.listing(row, line))

    def practice(self, game: str = "", **options: object) -> BlockingTable:
        """Opens a table of your own against bots: `practice(bots=3, level="steady", seed=42)`."""
        return self._at(self._server.practice(game, **options))

    def open(self, game: str = "", **options: object) -> BlockingTable:
        """Opens a table with you as its host: `open(private="kiwi-fox")`."""
        return self._at(self._server.open(game, **options))

    def join(self, table: str) -> BlockingTable:
        """Sits down at a table, by its name or the word of a private one."""
        return self._at(self._server.join(table))

    def watch(self, table: str) -> BlockingTable:
        """Watches a table. You see what every spectator sees."""
        return self._at(self._server.watch(table))

    def seek(self, game: str = "", **options: object) -> BlockingTable:
        """Seeks other players, and waits until there are enough: `seek(players=3)`."""
        return self._at(self._server.seek(game, **options))

    def tell(self, name: str, text: str) -> None:
        """Sends a message to one person."""
        self._loop.run(self._server.tell(name, text))

    def shout(self, text: str) -> None:
        """Sends a message to everybody who follows the lobby."""
        self._loop.run(self._server.shout(text))

    def export(self, game: str) -> list[Event]:
        """All events of a finished game such as `g51`, with every card. Raises `Refused`."""
        return self._loop.run(self._server.export(game))

    def _at(self, sitting: Coroutine[Any, Any, table.Table]) -> BlockingTable:
        return BlockingTable(self._loop.run(sitting), self._loop)


class BlockingQuestion(table.Asked):
    """A question to you."""

    table: BlockingTable

    def play(self, *cards: str) -> bool:
        """Answers this question, and never another; see `Question.play`."""
        return self.table.answer(self, "+".join(cards))


class BlockingTable:
    """A table where you play or watch; see `Table`. `for event in table` yields its events."""

    def __init__(self, behind: table.Table, loop: Loop) -> None:
        self.on = behind.on
        self._table, self._loop = behind, loop

    @property
    def state(self) -> TableModel:
        """A copy of your current knowledge of the table."""
        return self._loop.ask(lambda: copy.deepcopy(self._table.state))

    @property
    def fair(self) -> Verdict | None:
        """The verdict on the shuffle of the last game; None before there is one."""
        return self._loop.ask(lambda: self._table.fair)

    @property
    def gone(self) -> bool:
        """True once you neither play at the table nor watch it."""
        return self._loop.ask(lambda: self._table.gone)

    @property
    def places(self) -> dict[str, int]:
        """The finishing places after a game, by name: 1 for the winner."""
        return self._loop.ask(lambda: self._table.places)

    @property
    def question(self) -> BlockingQuestion | None:
        """The open question to you; None if there is none, or the game is paused."""
        return self._blocking(self._loop.ask(lambda: self._table.question))

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Event | Reconnected:
        """The next event. Raises `Dismissed` when the conversation is over."""
        return _next(self._loop, self._table)

    def questions(self) -> Iterator[BlockingQuestion]:
        """Yields the questions to you, until the game is over or you are `gone`."""
        questions = self._table.questions()
        while (now := self._blocking(self._loop.run(anext(questions, None)))) is not None:
            yield now

    def play(self, *cards: str) -> bool:
        """Answers the open question; False if there is none. See `Question.play`."""
        return self._loop.run(self._table.play(*cards))

    def answer(self, call: table.Asked, token: str) -> bool:
        """Answers a question; see `Question.play`."""
        return self._loop.run(self._table.answer(call, token))

    def moves(self) -> tuple[str, ...]:
        """All legal moves. Raises `Refused` if it is not your turn."""
        return self._loop.run(self._table.moves())

    def ready(self) -> None:
        """Reports that you are ready to start."""
        self._loop.run(self._table.ready())

    def start(self) -> None:
        """Starts the game (host). Raises `Refused`, with `NOT_READY` if a player is not ready."""
        self._loop.run(self._table.start())

    def say(self, text: str) -> None:
        """Sends a message to the table."""
        self._loop.run(self._table.say(text))

    def leave(self) -> None:
        """Leaves the table. In a running game a bot takes your seat."""
        self._loop.run(self._table.leave())

    def _blocking(self, now: table.Question | None) -> BlockingQuestion | None:
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
