"""A player on a server, for programs: sending commands, waiting for replies and turns."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from twentytwo_protocol.cards import Card
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Message
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words.replies import Err, Ok

from .. import address
from ..chance import new_word
from ..core.conversation import Conversation
from ..core.link import Link
from ..core.reconnecting import Timing
from ..core.requests import Request
from ..core.shuffle_check import Verdict
from ..core.states import State
from ..core.streams import question
from ..core.updates import (
    EventReceived,
    Farewell,
    Reconnecting,
    Replied,
    SessionLost,
    ShuffleChecked,
    Unanswered,
    Update,
)
from .errors import Dismissed, Refused
from .link import AsyncioLink

log = logging.getLogger("twentytwo.sdk")

TOO_LATE = ("STALE_TURN", "NOT_YOUR_TURN", "NO_GAME")
"""Codes of refusals of moves that come after their turn is over."""
NO_ENTRY = (State.NAMELESS, State.OVER)
"""States in which a refused login ends the conversation."""
PATIENCE = 5
"""How often a command is sent again after the server has asked to wait."""
LEAVES_WITHIN = 3.0
"""Seconds for a goodbye to be answered."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: the final OK with its fields, and the rows before it."""

    ok: Ok
    rows: tuple[Message, ...]


def connect(
    server: str = "localhost",
    *,
    name: str,
    bot: bool = True,
    token: str = "",
    password: str = "",
    login_token: str = "",
    timing: Timing = Timing(),  # noqa: B008  # it is frozen
) -> Player:
    """A player on a server (`HOST`, `HOST:PORT`, `unix:PATH`), to be used with `async with`.

    `bot` says that nobody types; people at a table are shown it. A `token` takes a place back. With
    a `password`, which is proved and not sent, or a `login_token` the name is your account.
    `timing` is how soon a connection counts as lost, and is made again.
    """
    return Player(
        address.parse(server),
        name,
        bot=bot,
        token=token,
        password=password,
        login_token=login_token,
        timing=timing,
    )


class Player:
    """A player on a server. Use it with `async with`, which connects and says goodbye."""

    def __init__(
        self,
        server: address.Address,
        name: str,
        *,
        bot: bool = True,
        token: str = "",
        password: str = "",
        login_token: str = "",
        timing: Timing = Timing(),  # noqa: B008  # it is frozen
    ) -> None:
        self._conversation = Conversation(
            name=name,
            token=token,
            client="twentytwo-sdk/1",
            bot=bot,
            secret=new_word,
            password=password,
            login_token=login_token,
        )
        self._link = AsyncioLink(server, Link(self._conversation, self._heard, timing))
        self._replies: dict[str, asyncio.Future[Reply | None]] = {}
        self._listeners: list[asyncio.Queue[Event | None]] = []
        self._exports: dict[str, list[Event]] = {}
        self._waiting: set[asyncio.Future[None]] = set()
        self._verdicts: dict[str, Verdict] = {}
        self._last_words = "the server has hung up"
        self._ended: BaseException | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The name as the server gave it: `~botty`."""
        return self._conversation.name

    @property
    def tables(self) -> Mapping[str, TableModel]:
        """The model of each table by name: all that is known of it from its events."""
        return self._conversation.streams.tables

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        await self.until(self._is_here)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._running is not None
        if self._ended is None and self._is_here():
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self.command("quit"), LEAVES_WITHIN)
        self._running.cancel()
        await asyncio.wait({self._running})

    def fair(self, table: str) -> Verdict | None:
        """The verdict on the shuffle of the last game at a table; `str` makes it a sentence."""
        return self._verdicts.get(table)

    # ------------------------------------------------------------------------ commands

    async def command(self, line: str) -> Reply:
        """Sends any command of the protocol, a line without an id; the reply. Raises `Refused`.

        If the server asks to wait, it waits and sends it again, up to `PATIENCE` times.
        """
        attempts = 0
        while True:
            await self.until(self._is_here)
            try:
                reply = await self._reply(self._conversation.say(line))
            except Refused as refused:
                attempts += 1
                if not refused.err.wait or attempts > PATIENCE:
                    raise
                await asyncio.sleep(refused.err.wait / 1000)
            else:
                break
        if reply is None:
            raise ConnectionError(f"the connection was lost before the answer to {line!r}")
        return reply

    async def practice(self, game: str = "", **options: object) -> Table:
        """A table of one's own against bots: `practice(bots=3, level="steady", seed=42)`."""
        return await self._sit("practice", game, options)

    async def open(self, game: str = "", **options: object) -> Table:
        """A table for several, of which we are the host."""
        return await self._sit("open", game, options)

    async def join(self, table: str) -> Table:
        """Sits down at a table, by its number or its word."""
        return await self._sit("join", table, {})

    async def export(self, game: str) -> list[Event]:
        """All events of a game that is over, every card open: `g51`. Raises `Refused`."""
        game = game.lower()
        self._exports[game] = []
        try:
            await self.command(f"export {game}")
            return self._exports[game]
        finally:
            del self._exports[game]

    async def move(self, table: Table, turn: cardplay.Turn, token: str) -> None:
        """Answers a question; see `Turn.play`."""
        await self.until(self._is_here)
        try:
            await self._reply(self._conversation.move(table.model, turn, token))
        except Refused as refused:
            if refused.code not in TOO_LATE:
                raise

    async def _sit(self, verb: str, what: str, options: Mapping[str, object]) -> Table:
        named = [f"{key.rstrip('_')}={value}" for key, value in options.items()]
        reply = await self.command(" ".join(word for word in (verb, what, *named) if word))
        return Table(self, reply.ok.on or "")

    async def _reply(self, ask: Request) -> Reply | None:
        """The reply to a command; None if the connection was lost and it is not sent again."""
        future: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._replies[ask.id] = future
        self._link.flush()
        try:
            return await future
        finally:
            del self._replies[ask.id]

    # -------------------------------------------------------------------------- waiting

    async def events(self) -> AsyncGenerator[Event, None]:
        """Everything that happens from now on, at every table and elsewhere."""
        listener: asyncio.Queue[Event | None] = asyncio.Queue()
        self._listeners.append(listener)
        try:
            while (event := await listener.get()) is not None:
                yield event
        finally:
            self._listeners.remove(listener)
        self._check()

    async def until(self, true: Callable[[], object]) -> None:
        """Waits until a condition is true; it is looked at after every update.

        Raises what ended the conversation, if that comes first.
        """
        self._check()
        while not true():
            future = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                await future
            finally:
                self._waiting.discard(future)
            self._check()

    def _check(self) -> None:
        if self._ended is not None:
            raise self._ended

    def _is_here(self) -> bool:
        return self._conversation.state is State.HERE

    # -------------------------------------------------------------------------- hearing

    async def _run(self) -> None:
        try:
            await self._link.run()
            self._end(Dismissed(self._last_words))
        except asyncio.CancelledError:
            self._end(Dismissed("we have left"))
        except Exception as error:  # whatever it is, those who wait must hear of it
            self._end(error)

    def _end(self, why: Exception) -> None:
        self._ended = self._ended or why
        for future in self._replies.values():
            if not future.done():
                future.set_exception(self._ended)
        for listener in self._listeners:
            listener.put_nowait(None)
        self._wake()

    def _wake(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    def _heard(self, update: Update) -> None:
        log.debug("%s", update)
        match update:
            case EventReceived(event, on):
                if on in self._exports:
                    self._exports[on].append(event)
                for listener in self._listeners:
                    listener.put_nowait(event)
            case ShuffleChecked(verdict, table):
                self._verdicts[table.on] = verdict
            case Replied(ask, final):
                self._replied(ask, final)
            case Unanswered(ask):
                self._settle(ask, None)
            case SessionLost(seated=True):
                self._end(Dismissed("the seat was not kept for us"))
            case Reconnecting(seconds):
                log.info("connection lost; trying again in %g s", seconds)
            case Farewell(bye):
                self._last_words = bye.text or bye.code
        self._wake()

    def _replied(self, ask: Request | None, final: Ok | Err) -> None:
        if isinstance(final, Ok):
            self._settle(ask, Reply(final, tuple(ask.rows) if ask else ()))
        elif not self._settle(ask, Refused(final)) and self._conversation.state in NO_ENTRY:
            # Nobody awaits the reply to the login, so its refusal ends the conversation.
            self._end(Refused(final))

    def _settle(self, ask: Request | None, how: Reply | Refused | None) -> bool:
        """Hands a reply to the one who awaits it; False if nobody does."""
        future = self._replies.get(ask.id) if ask else None
        if future is None or future.done():
            return False
        if isinstance(how, Refused):
            future.set_exception(how)
        else:
            future.set_result(how)
        return True


@dataclass(frozen=True, slots=True)
class Table:
    """A table at which the player sits; `on` is its stream, `t7`."""

    player: Player
    on: str

    @property
    def model(self) -> TableModel:
        """All that is known of the table."""
        return self.player.tables.get(self.on) or TableModel(self.on, phase="gone")

    @property
    def places(self) -> dict[str, int]:
        """The places after a game, by name; 1 is the winner's."""
        return {seat.name: seat.place for seat in self.model.seats.values() if seat.place}

    @property
    def fair(self) -> Verdict | None:
        """The verdict on the shuffle of the last game here: `fair: OK`, or what is wrong."""
        return self.player.fair(self.on)

    async def turns(self) -> AsyncGenerator[Turn, None]:
        """Yields your turns, until the game is over or you have no seat any more.

        If a game is over already when this is called, the turns are those of the next one.
        """
        last = LastTurn(self)
        while True:
            await self.player.until(last.moved)
            turn = question(self.model)
            if turn is None:
                return
            last.note(turn)
            yield Turn(self, turn)


class LastTurn:
    """The last turn that `turns` has yielded, to tell which is new."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._over = self._game() if table.model.phase == "over" else ""
        self._seen = ("", 0)

    def moved(self) -> bool:
        """True if there is a new turn, or none will come any more."""
        table = self._table.model
        turn = question(table)
        if turn is not None:
            return (self._game(), turn.turn) != self._seen
        return table.phase == "gone" or (table.phase == "over" and self._game() != self._over)

    def note(self, turn: cardplay.Turn) -> None:
        """Marks a turn as seen."""
        self._seen = (self._game(), turn.turn)

    def _game(self) -> str:
        game = self._table.model.game
        return game.id if game else ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question to you; `event` has everything that the server said about it."""

    table: Table
    event: cardplay.Turn

    @property
    def act(self) -> str:
        """What is asked: exchange, play, bid..."""
        return self.event.act

    @property
    def legal(self) -> tuple[str, ...]:
        """The tokens that may be played; empty if the answer is any choice of cards of `hand`."""
        return self.event.legal or ()

    @property
    def default(self) -> str:
        """A token that is always legal: what is played when the time is up."""
        return self.event.default or ""

    @property
    def hand(self) -> tuple[Card, ...]:
        """Your cards."""
        return self.event.hand or self.event.cards or self.table.model.holding

    async def play(self, token: str) -> None:
        """Plays a token. Raises `Refused` if the rules forbid it.

        If the turn is over already, because the clock was faster, it does nothing.
        """
        await self.table.player.move(self.table, self.event, token)
