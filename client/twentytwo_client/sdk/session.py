"""A session with a server over asyncio: sends commands and waits for replies."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import TypeVar

from twentytwo_protocol.schema import COMMANDS, Event, Message, Row
from twentytwo_protocol.value import Value
from twentytwo_protocol.wire import split_command
from twentytwo_protocol.words.replies import Err, Ok

from ..address import Address
from ..chance import fraction
from ..connection import ClientConnection
from ..core.conversation import Conversation
from ..core.reconnecting import Ending, Timing
from ..core.reconnecting_conversation import ReconnectingConversation
from ..core.requests import SentCommand
from ..core.states import State
from ..core.updates import Farewell, Reconnecting, Replied, SessionLost, Unanswered, Update
from .errors import Dismissed, NoAnswer, Refused
from .feed import Feed, Reconnected

__all__ = ["LEAVES_WITHIN", "NO_ENTRY", "PATIENCE", "ClientSession", "Reply", "log"]

log = logging.getLogger("twentytwo.sdk")

NO_ENTRY = (State.NAMELESS, State.OVER)
"""The states in which a refused login ends the session."""
PATIENCE = 5
"""The number of times that a command is repeated after the server has asked to wait."""
LEAVES_WITHIN = 3.0
"""The seconds to wait for the reply to `quit`."""

R = TypeVar("R", bound=Row)


class Reply(Value):
    """A reply: the final OK with its fields, and the rows before it."""

    ok: Ok
    rows: tuple[Message, ...]


class ClientSession:
    """One person's session, over any number of connections. `hear` is called with each update."""

    def __init__(
        self,
        server: Address,
        conversation: Conversation,
        timing: Timing,
        hear: Callable[[Update], None],
    ) -> None:
        self.conversation = conversation
        self._hear = hear
        self._server = server
        self._connection = ClientConnection(
            server,
            ReconnectingConversation(conversation, self._heard, timing, chance=fraction),
        )
        self._replies: dict[str, asyncio.Future[Reply | None]] = {}
        self._waiting: set[asyncio.Future[None]] = set()
        self._bye = Dismissed("the server has hung up")
        self._put_off: Refused | None = None
        self._ended: Exception | None = None
        self._leaving = False
        self._running: asyncio.Task[None] | None = None

    @property
    def here(self) -> bool:
        """True if there is a connection and we are logged in, so that commands can be sent."""
        return self.conversation.state is State.HERE

    # ------------------------------------------------------------------ coming and going

    async def enter(self) -> None:
        """Connects and logs in. Raises `OSError`, `Refused` or `Dismissed`."""
        self._running = asyncio.create_task(self._run())
        try:
            await self._until_here()
        except BaseException:
            await self._stop()
            raise

    async def leave(self) -> None:
        """Sends `quit` if there is a connection, and closes it. Never raises."""
        self._leaving = True
        if self._ended is None and self.here:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self.command("quit"), LEAVES_WITHIN)
        await self._stop()

    async def _stop(self) -> None:
        assert self._running is not None, "entered before"
        self._running.cancel()
        await asyncio.wait({self._running})

    async def _run(self) -> None:
        try:
            if await self._connection.run() is Ending.UNREACHABLE:
                early = ConnectionError(f"{self._server} hung up before it answered")
                self._end(self._put_off or self._connection.trouble or early)
            else:
                self._end(self._bye)
        except asyncio.CancelledError:
            self._end(Dismissed("you have left", "QUIT"))
        except Exception as error:  # waiting callers must get any error
            self._end(error)

    def _end(self, why: Exception) -> None:
        self._ended = self._ended or why
        for future in self._replies.values():
            if not future.done():
                future.set_exception(self._ended)
        self._wake()

    # ------------------------------------------------------------------------ commands

    async def command(self, line: str) -> Reply:
        """Sends a command; see `Server.command`."""
        while True:
            reply = await self.reply(lambda: self.conversation.say(line))
            if reply is not None:
                return reply
            kind = COMMANDS.get(split_command(line).verb)
            if kind is None or not kind.again:
                raise NoAnswer(line)

    async def listing(self, row: type[R], line: str) -> list[R]:
        """Sends a query; see `Server.listing`. Raises as `command` does."""
        found: list[R] = []
        one_page = any(word.startswith(("n=", "after=")) for word in line.split())
        after = ""
        while True:
            reply = await self.command(line + after)
            found += [each for each in reply.rows if isinstance(each, row)]
            if one_page or reply.ok.next is None:
                return found
            after = f" after={reply.ok.next}"

    async def reply(self, say: Callable[[], SentCommand]) -> Reply | None:
        """Calls `say` once a command can be sent, and waits for the reply. Raises `Refused`.

        Returns None if the connection was lost before the reply. If the server asks to wait, it
        waits and calls `say` again, up to `PATIENCE` times.
        """
        attempts = 0
        while True:
            await self._until_here()
            try:
                return await self._answer(say())
            except Refused as refused:
                wait = refused.fields.get("wait")
                attempts += 1
                if not isinstance(wait, int) or attempts > PATIENCE:
                    raise
                await asyncio.sleep(wait / 1000)

    async def _answer(self, ask: SentCommand) -> Reply | None:
        future: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._replies[ask.id] = future
        self._connection.flush()
        try:
            return await future
        finally:
            del self._replies[ask.id]

    # -------------------------------------------------------------------------- waiting

    async def until(self, true: Callable[[], object]) -> None:
        """Waits until a condition is true; see `Server.until`."""
        while not true():
            if self._ended is not None:
                raise self._ended
            future = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            try:
                await future
            finally:
                self._waiting.discard(future)

    async def caught_up(self, on: str) -> None:
        """Waits until there is a connection and the stream has no gap."""
        await self.until(lambda: self.here and on not in self.conversation.streams.behind)

    async def next_of(self, feed: Feed) -> Event | Reconnected:
        """Waits for the next event. Raises `StopAsyncIteration` after the last one."""
        await self.until(lambda: feed or self._leaving)
        event = feed.take()
        if event is None:
            raise StopAsyncIteration
        return event

    async def _until_here(self) -> None:
        await self.until(lambda: self._ended is None and self.here)

    def _wake(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    # -------------------------------------------------------------------------- receiving

    def _heard(self, update: Update) -> None:
        log.debug("%s", update)
        match update:
            case Replied(ask, final):
                self._replied(ask, final)
            case Unanswered(ask):
                self._settle(ask, None)
            case SessionLost(seated=True):
                self._end(Dismissed("the seat was not kept for us"))
            case Reconnecting(seconds, failures):
                what = "no answer" if failures else "connection lost"
                log.info("%s; trying again in %.1f s", what, seconds)
            case Farewell(bye):
                self._bye = Dismissed(bye.text or bye.code, bye.code)
        self._hear(update)
        self._wake()

    def _replied(self, ask: SentCommand | None, final: Ok | Err) -> None:
        if isinstance(final, Ok):
            self._settle(ask, Reply(final, tuple(ask.rows) if ask else ()))
        elif not self._settle(ask, Refused(final)):
            # No caller awaits the reply to the login. Its refusal ends or delays the session. If
            # the
            # server did not say for how long, the refusal is the reason for having no connection.
            self._put_off = Refused(final)
            if self.conversation.state in NO_ENTRY:
                self._end(self._put_off)

    def _settle(self, ask: SentCommand | None, how: Reply | Refused | None) -> bool:
        """Passes a reply to the waiting caller; False if there is none."""
        future = self._replies.get(ask.id) if ask else None
        if future is None or future.done():
            return False
        if isinstance(how, Refused):
            future.set_exception(how)
        else:
            future.set_result(how)
        return True
