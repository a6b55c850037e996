"""For writers of bots, in Python: connect, sit down, answer turns. Nothing but asyncio is needed.

    import asyncio
    from twentytwo_client import sdk

    async def main():
        async with sdk.connect("localhost:2222", name="botty") as player:
            table = await player.practice(bots=3, seed=42)
            async for turn in table.turns():
                await turn.play(turn.default)
            print(table.places)

    asyncio.run(main())

Or with a function that chooses: `sdk.run(lambda turn: turn.legal[0], name="botty")`.

A lost connection is made again by itself, the seat is taken back, and a move whose answer was lost
is sent once more; `turns` just goes on. What is said on the wire can be seen with
`logging.getLogger("twentytwo.sdk").setLevel("DEBUG")`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from twentytwo_protocol.cards import Card
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Message
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words.replies import Err, Ok

from . import address
from .streams import question
from .talk import Talk, delay
from .values import Farewell, Happened, Replied, State, Unanswered, Value

log = logging.getLogger("twentytwo.sdk")

OVER_CODES = ("STALE_TURN", "NOT_YOUR_TURN", "NO_GAME")
"""Codes with which a move is refused that comes too late."""
CONNECTS_WITHIN, LEAVES_WITHIN = 30.0, 3.0
"""Seconds for a connection to be made, and for a goodbye to be answered."""


class Refused(Exception):
    """The server did not carry out a command. `code` never changes its meaning."""

    def __init__(self, err: Err) -> None:
        super().__init__(f"{err.code}: {err.text or ''}")
        self.code = err.code
        self.err = err


class Dismissed(Exception):
    """The server will not have us any more; the text is what it said."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: the final OK with its fields, and the rows before it."""

    ok: Ok
    rows: tuple[Message, ...]


def connect(server: str = "localhost", *, name: str, bot: bool = True) -> Player:
    """A player on a server (`HOST`, `HOST:PORT`, `unix:PATH`), to be used with `async with`."""
    return Player(address.parse(server), name, bot=bot)


class Player:
    """Somebody on a server. Enter it to connect, leave it to say goodbye."""

    def __init__(self, server: address.Address, name: str, *, bot: bool = True) -> None:
        self._server = server
        self._talk = Talk(name=name, client="twentytwo-sdk/1", bot=bot)
        self._writer: asyncio.StreamWriter | None = None
        self._replies: dict[str, asyncio.Future[Reply | None]] = {}
        self._listeners: list[asyncio.Queue[Event | None]] = []
        self._changed = asyncio.Condition()
        self._farewell = ""
        self._ended: BaseException | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The name as the server gave it: `~botty`."""
        return self._talk.name

    @property
    def tables(self) -> Mapping[str, TableModel]:
        """All that is known of each table: the fold of what was shown."""
        return self._talk.streams.tables

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        await self._until(lambda: self._talk.state is State.HERE)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._ended is None and self._talk.state is State.HERE:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self.command("quit"), LEAVES_WITHIN)
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    # ------------------------------------------------------------------------ speaking

    async def command(self, line: str) -> Reply:
        """Says any command of the protocol, as a line without an id. Raises `Refused`."""
        await self._until(lambda: self._talk.state is State.HERE)
        reply = await self._reply(self._talk.say(line).id)
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

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens from now on, at every table and elsewhere."""
        listener: asyncio.Queue[Event | None] = asyncio.Queue()
        self._listeners.append(listener)
        try:
            while (event := await listener.get()) is not None:
                yield event
        finally:
            self._listeners.remove(listener)
        self._check()

    async def _sit(self, verb: str, what: str, options: Mapping[str, object]) -> Table:
        words = [verb, what, *(f"{key.rstrip('_')}={value}" for key, value in options.items())]
        reply = await self.command(" ".join(word for word in words if word))
        return Table(self, reply.ok.on or "")

    async def _reply(self, id: str) -> Reply | None:
        """The reply to a command; None if the connection was lost and it is not said again."""
        future = asyncio.get_running_loop().create_future()
        self._replies[id] = future
        self._flush()
        try:
            found: Reply | None = await future
            return found
        finally:
            self._replies.pop(id, None)

    async def _until(self, true: Callable[[], Any]) -> None:
        """Waits for something to be true. Raises what ended the player, if that comes first."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._ended is not None or true())
        self._check()

    def _check(self) -> None:
        if self._ended is not None:
            raise self._ended

    # ------------------------------------------------------------------------- the wire

    async def _run(self) -> None:
        try:
            await self._keep_connected()
            self._ended = Dismissed(self._farewell or "the server has hung up")
        except Exception as error:
            self._ended = error
        except asyncio.CancelledError:
            self._ended = Dismissed("we have left")
        for future in self._replies.values():
            if not future.done():
                future.set_exception(self._ended)
        for listener in self._listeners:
            listener.put_nowait(None)
        async with self._changed:
            self._changed.notify_all()

    async def _keep_connected(self) -> None:
        failures = 0
        was_here = False
        while True:
            try:
                here = await self._once()
            except OSError:
                if not was_here:
                    raise
                here = False
            if self._talk.state is State.OVER:
                return
            was_here = was_here or here
            if not was_here:
                raise ConnectionError(f"{self._server} hung up before it answered")
            failures = 0 if here else failures + 1
            log.info("connection lost; trying again in %d s", delay(failures))
            await asyncio.sleep(delay(failures))

    async def _once(self) -> bool:
        """One connection from beginning to end; whether we were somebody on it."""
        connecting = (
            asyncio.open_unix_connection(self._server.path)
            if self._server.path
            else asyncio.open_connection(self._server.host, self._server.port)
        )
        reader, self._writer = await asyncio.wait_for(connecting, CONNECTS_WITHIN)
        here = False
        try:
            self._talk.connected()
            self._flush()
            while data := await _some(reader):
                self._talk.receive(data)
                await self._hear()
                here = here or self._talk.state is State.HERE
        finally:
            self._writer.close()
            self._writer = None
            self._talk.lost()
            await self._hear()
        return here

    async def _hear(self) -> None:
        for value in self._talk.values():
            self._heard(value)
        self._flush()
        async with self._changed:
            self._changed.notify_all()

    def _heard(self, value: Value) -> None:
        match value:
            case Happened(event):
                log.debug("%s", event)
                for listener in self._listeners:
                    listener.put_nowait(event)
            case Replied(ask, final) if ask is not None:
                future = self._replies.get(ask.id)
                if future is None or future.done():
                    self._unexpected(final)
                elif isinstance(final, Err):
                    future.set_exception(Refused(final))
                else:
                    future.set_result(Reply(final, tuple(ask.rows)))
            case Unanswered(ask):
                future = self._replies.get(ask.id)
                if future is not None and not future.done():
                    future.set_result(None)
            case Farewell(bye):
                self._farewell = bye.text or bye.code

    def _unexpected(self, final: Ok | Err) -> None:
        if isinstance(final, Err) and self._talk.state in (State.NAMELESS, State.OVER):
            # Nobody waits for the reply to what the conversation says by itself.
            raise Refused(final)

    def _flush(self) -> None:
        data = self._talk.outgoing()
        if data and self._writer is not None:
            self._writer.write(data)


async def _some(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read(65536)
    except ConnectionError:
        return b""


@dataclass(frozen=True, slots=True)
class Table:
    """A table at which the player sits."""

    player: Player
    on: str

    @property
    def model(self) -> TableModel:
        """All that is known of the table."""
        return self.player.tables[self.on]

    @property
    def places(self) -> dict[str, int]:
        """The places after a game, by name; 1 is the winner's."""
        return {seat.name: seat.place for seat in self.model.seats.values() if seat.place}

    async def turns(self) -> AsyncIterator[Turn]:
        """Your turns, one after the other, until the game is over.

        A game that is over already does not count: it is the next that is waited for.
        """
        seen: tuple[str, int] | None = None
        over = self._game() if self._phase() == "over" else ""
        while True:
            await self.player._until(lambda: self._new(seen) or self._is_over(over))
            turn = self._new(seen)
            if turn is None:
                return
            seen = (self._game(), turn.turn)
            yield Turn(self, turn)

    def _phase(self) -> str:
        table = self.player.tables.get(self.on)
        return table.phase if table else "gone"

    def _game(self) -> str:
        table = self.player.tables.get(self.on)
        return table.game.id if table and table.game else ""

    def _new(self, seen: tuple[str, int] | None) -> cardplay.Turn | None:
        table = self.player.tables.get(self.on)
        turn = question(table) if table else None
        return turn if turn and (self._game(), turn.turn) != seen else None

    def _is_over(self, before: str) -> bool:
        return self._phase() == "gone" or (self._phase() == "over" and self._game() != before)


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
        """The tokens of which one may be played; empty where any cards of `hand` may be chosen."""
        return self.event.legal or ()

    @property
    def default(self) -> str:
        """A token that is always legal: what is played when the time is up."""
        return self.event.default or ""

    @property
    def hand(self) -> tuple[Card, ...]:
        """Your cards."""
        return self.event.hand or self.event.from_ or self.table.model.holding

    async def play(self, token: str) -> bool:
        """Plays; False if the turn was over before: the clock was faster. Raises `Refused`."""
        player = self.table.player
        await player._until(lambda: player._talk.state is State.HERE)
        ask = player._talk.move(self.table.model, self.event, token)
        try:
            return await player._reply(ask.id) is not None
        except Refused as refused:
            if refused.code in OVER_CODES:
                return False
            raise


def run(
    choose: Callable[[Turn], str],
    server: str = "localhost",
    *,
    name: str,
    table: str = "",
    **options: object,
) -> dict[str, int]:
    """Plays one game with a function that chooses the token for a turn; the places in the end.

    At a table that others opened, or else at one of one's own against bots.
    """

    async def play() -> dict[str, int]:
        async with connect(server, name=name) as player:
            seat = await (player.join(table) if table else player.practice(**options))
            if table:
                await player.command(f"ready {seat.on}")
            async for turn in seat.turns():
                await turn.play(choose(turn))
            return seat.places

    return asyncio.run(play())
