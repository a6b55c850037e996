"""A table for programs, and its questions."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Self

from twentytwo_protocol.cards import Card
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import ErrorClass, Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.cardplay import Aborted, Gameover, Turn
from twentytwo_protocol.words.looking import MovesRow

from ..core.shuffle_check import Verdict
from ..core.streams import question
from .errors import Refused
from .feed import Feed, Reconnected
from .session import ClientSession

__all__ = ["Asked", "Question", "Table"]


class Asked(Value):
    """A question to you: the common part of the asyncio and the blocking SDK.

    `event` has all its fields, `game` is the id of the game, `holding` are your cards.
    """

    event: Turn
    game: str
    holding: tuple[Card, ...]

    @property
    def act(self) -> str:
        """The kind of question: exchange, play, bid and others."""
        return self.event.act

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal tokens; empty if any choice of cards from `hand` is legal.

        If `event.truncated`, there are more tokens: `Table.moves` returns all.
        """
        return self.event.legal or ()

    @property
    def default(self) -> str:
        """A legal token: the move that is made for you when the time is up."""
        return self.event.default or ""

    @property
    def hand(self) -> tuple[Card, ...]:
        """Your cards."""
        return self.event.hand or self.event.cards or self.holding

    def same(self, other: Asked | None) -> bool:
        """True if both are the same question."""
        mine = (self.game, self.event.turn)
        return other is not None and mine == (other.game, other.event.turn)


class Question(Asked):
    """A question to you."""

    table: Table

    async def play(self, *cards: str) -> bool:
        """Answers this question only, with a token of `legal` or with cards.

        Returns True if the server accepted the move, even if the connection was lost before its
        reply. Returns False if the question was already closed, by the clock or by another
        connection of yours. Waits while the game is paused. Raises `Refused` if the rules forbid
        the move, or the question asks for something else.
        """
        return await self.table.answer(self, "+".join(cards))


class Table:
    """A table where you play or watch.

    `async for event in table` yields its events. Use one loop at a time; the next loop continues
    after the last one. `on` is the table's name, `t7`. `state` is your current knowledge of the
    table, which may be ahead of the event that a loop yields. After you have left, `state` does not
    change. `fair` is the verdict on the shuffle of the last game, None before there is one; `str`
    turns it into a sentence.
    """

    def __init__(self, session: ClientSession, state: TableModel, *, gone: bool = False) -> None:
        self.on = state.on
        self.state = state
        self.fair: Verdict | None = None
        self.feed = Feed(closed=gone)
        self._session = session

    @property
    def gone(self) -> bool:
        """True once you neither play at the table nor watch it."""
        return self.feed.closed

    @property
    def places(self) -> dict[str, int]:
        """The finishing places after a game, by name: 1 for the winner."""
        return {seat.name: seat.place for seat in self.state.seats.values() if seat.place}

    @property
    def question(self) -> Question | None:
        """The open question to you; None if there is none, or the game is paused."""
        turn = None if self.gone or self.state.paused else question(self.state)
        if turn is None:
            return None
        game = self.state.game
        return Question(turn, game.id if game else "", self.state.holding, self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event | Reconnected:
        """The next event. Raises `Dismissed` when the session has ended.

        The iteration stops when you leave the table or the server by yourself.
        """
        return await self._session.next_of(self.feed)

    async def questions(self) -> AsyncGenerator[Question, None]:
        """Yields the questions to you, until the game is over or you are `gone`.

        After a game it waits for the questions of the next one. Unread events are dropped.
        """
        self.feed.clear()
        before = self._over()
        last: Question | None = None
        while True:
            now = self.question
            if now is not None and not now.same(last):
                last = now
                yield now
                continue
            if self._over() not in ("", before):
                return
            try:
                event = await anext(self)
            except StopAsyncIteration:
                return
            if isinstance(event, Gameover | Aborted):
                return

    async def play(self, *cards: str) -> bool:
        """Answers the open question; False if there is none. See `Question.play`."""
        now = self.question
        return now is not None and await now.play(*cards)

    async def answer(self, asked: Asked, token: str) -> bool:
        """Answers a question; see `Question.play`."""
        talk = self._session.conversation
        while True:
            await self._session.caught_up(self.on)
            await self._session.until(lambda: self.gone or not self.state.paused)
            now = self.question
            if now is None or not now.same(asked):
                return False
            turn = now.event
            try:
                reply = await self._session.reply(lambda: talk.move(self.state, turn, token))  # noqa: B023  # called before the next round
            except Refused as refused:
                if self.gone or _too_late(refused):
                    return False
                if refused.code != "PAUSED" or not self.state.paused:
                    raise
            else:
                if reply is not None:
                    return True

    async def moves(self) -> tuple[str, ...]:
        """All legal moves. Raises `Refused` if it is not your turn."""
        rows = await self._session.listing(MovesRow, f"moves {self.on}")
        return tuple(move for row in rows for move in row.moves)

    async def ready(self) -> None:
        """Reports that you are ready to start."""
        await self._session.command(f"ready {self.on}")

    async def start(self) -> None:
        """Starts the game (host). Raises `Refused`, with `NOT_READY` if a player is not ready."""
        await self._session.command(f"start {self.on}")

    async def say(self, text: str) -> None:
        """Sends a message to the table."""
        await self._session.command(f"say table={self.on} :{text}")

    async def leave(self) -> None:
        """Leaves the table. In a running game a bot takes your seat."""
        await self._session.command(f"leave {self.on}")

    def _over(self) -> str:
        """The id of the finished game; empty if there is none."""
        game = self.state.game
        return game.id if game and self.state.phase == "over" else ""


def _too_late(refused: Refused) -> bool:
    """True if a move came after its turn. Unknown codes of that class count as well.

    WRONG_ACT has that class too, but its question is still open and asks for something else.
    """
    late = refused.kind is ErrorClass.TURN and refused.code != "WRONG_ACT"
    return late or refused.code == "NO_GAME"
