"""A table at which a program sits or looks on, and what it is asked there."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Self

from twentytwo_protocol.cards import Card
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Aborted, Gameover, Turn
from twentytwo_protocol.words.looking import MovesRow

from ..core.shuffle_check import Verdict
from ..core.streams import question
from .errors import Refused
from .feed import Feed, Reconnected
from .session import Session

TOO_LATE = ("STALE_TURN", "NOT_YOUR_TURN", "NO_GAME")
"""Codes with which a move is refused whose turn is over."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to you: what of it is common to both kinds of programs.

    `event` has everything that the server said about it, `game` is the number of the game.
    """

    event: Turn
    game: str
    holding: tuple[Card, ...]

    @property
    def act(self) -> str:
        """What is asked: exchange, play, bid..."""
        return self.event.act

    @property
    def legal(self) -> tuple[str, ...]:
        """The tokens of which one may be played.

        Empty where any cards of `hand` may be chosen; where `event.truncated`, `Table.moves` has
        the rest.
        """
        return self.event.legal or ()

    @property
    def default(self) -> str:
        """A token that is always legal: what is played when the time is up."""
        return self.event.default or ""

    @property
    def hand(self) -> tuple[Card, ...]:
        """Your cards."""
        return self.event.hand or self.event.from_ or self.holding

    def same(self, other: Asked | None) -> bool:
        """Whether another one is this question, seen once more."""
        mine = (self.game, self.event.turn)
        return other is not None and mine == (other.game, other.event.turn)


@dataclass(frozen=True, slots=True)
class Question(Asked):
    """A question to you, and the way to answer it."""

    table: Table

    async def play(self, *cards: str) -> bool:
        """Answers this question, and never another: a token of `legal`, or cards, one by one.

        Whether the server has taken it. It has not where the question is over: the clock was
        faster, or the answer arrived just before the connection was lost; the events tell. Raises
        `Refused` if the rules forbid it.
        """
        return await self.table.answer(self, "+".join(cards))


class Table:
    """A table. What happens there comes of `async for event in table`, from the first event on.

    One loop at a time; a later one goes on where an earlier one has stopped, so nothing is skipped.
    `on` is its stream, `t7`. `state` is all that is known of it now (the events may be a little
    behind), and stays as it was in the end once you are `gone`. `fair` is what came of checking the
    shuffles of the last game, None before; `str` of it is a line for people.
    """

    def __init__(self, session: Session, state: TableModel, *, gone: bool = False) -> None:
        self.on = state.on
        self.state = state
        self.fair: Verdict | None = None
        self.feed = Feed(closed=gone)
        self._session = session

    @property
    def gone(self) -> bool:
        """Whether you are there no more."""
        return self.feed.closed

    @property
    def places(self) -> dict[str, int]:
        """The places after a game, by name; 1 is the winner's."""
        return {seat.name: seat.place for seat in self.state.seats.values() if seat.place}

    @property
    def question(self) -> Question | None:
        """What you are asked now; None if it is not your turn, or the game is paused."""
        turn = None if self.gone or self.state.paused else question(self.state)
        if turn is None:
            return None
        game = self.state.game
        return Question(turn, game.id if game else "", self.state.holding, self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event | Reconnected:
        """The next event. Raises what ended the conversation.

        The iteration ends when you are there no more.
        """
        return await self._session.next_of(self.feed)

    async def questions(self) -> AsyncGenerator[Question, None]:
        """Your questions, one after the other, until the game is over or you are gone.

        A game that is over already does not count: it is the next that is waited for. Events are
        passed over.
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
        """Answers the question that is open now, if there is one; see `Question.play`."""
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
                reply = await self._session.reply(lambda: talk.move(self.state, turn, token))  # noqa: B023
            except Refused as refused:
                if refused.code in TOO_LATE or self.gone:
                    return False
                if refused.code != "PAUSED" or not self.state.paused:
                    raise
            else:
                if reply is not None:
                    return True

    async def moves(self) -> tuple[str, ...]:
        """All the moves that are legal now, of however many."""
        found: list[str] = []
        while True:
            rows = await self._session.listing(MovesRow, f"moves {self.on} from={len(found)}")
            more = [move for row in rows for move in row.moves]
            found += more
            if not more:
                return tuple(found)

    async def ready(self) -> None:
        """You are ready to start."""
        await self._session.command(f"ready {self.on}")

    async def start(self) -> None:
        """Starts the game (host). Raises `Refused`, `NOT_READY` where somebody is not."""
        await self._session.command(f"start {self.on}")

    async def say(self, text: str) -> None:
        """Says something to the table."""
        await self._session.command(f"say {text}")

    async def leave(self) -> None:
        """Gets up, or stops looking on. In a running game a bot takes the seat for good."""
        await self._session.command(f"leave {self.on}")

    def _over(self) -> str:
        """The game that is over, if one is."""
        game = self.state.game
        return game.id if game and self.state.phase == "over" else ""
