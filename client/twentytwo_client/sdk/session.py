"""A conversation with a server over asyncio: commands that wait for their answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from twentytwo_protocol.schema import Event, Message, Row
from twentytwo_protocol.wire import split_command
from twentytwo_protocol.words.replies import Err, Ok

from ..address import Address
from ..core.conversation import Conversation
from ..core.link import Link
from ..core.reconnecting import Timing
from ..core.requests import Request
from ..core.states import State
from ..core.updates import Farewell, Reconnecting, Replied, SessionLost, Unanswered, Update
from .errors import Dismissed, NoAnswer, Refused
from .feed import Feed, Reconnected
from .link import AsyncioLink

log = logging.getLogger("twentytwo.sdk")

AGAIN = frozenset(
    (
        *("describe", "export", "fair", "follow", "game", "games", "hand", "help", "hint"),
        *("history", "info", "last", "lock", "motd", "moves", "ping", "profile", "ranks"),
        *("rating", "ready", "rules", "score", "seeks", "state", "sync", "table", "tables"),
        *("time", "unfollow", "unlock", "unready", "watch", "watchers", "who", "whoami", "why"),
    )
)
"""Verbs that only ask, or that do nothing the second time: sent again after a cut."""
NO_ENTRY = (State.NAMELESS, State.OVER)
"""States in which a refusal that nobody waited for is the end."""
PATIENCE = 5
"""How often a command is said again that the server has asked to wait with."""
LEAVES_WITHIN = 3.0
"""Seconds for a goodbye to be answered."""

R = TypeVar("R", bound=Row)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: the final OK with its fields, and the rows before it."""

    ok: Ok
    rows: tuple[Message, ...]


class Session:
    """Somebody on a server, over any number of connections. `hear` is told every update."""

    def __init__(
        self,
        server: Address,
        conversation: Conversation,
        timing: Timing,
        hear: Callable[[Update], None],
    ) -> None:
        self.conversation = conversation
        self._hear = hear
        self._link = AsyncioLink(server, Link(conversation, self._heard, timing))
        self._replies: dict[str, asyncio.Future[Reply | None]] = {}
        self._waiting: set[asyncio.Future[None]] = set()
        self._bye = Dismissed("the server has hung up")
        self._ended: Exception | None = None
        self._leaving = False
        self._running: asyncio.Task[None] | None = None

    @property
    def here(self) -> bool:
        """Whether anything can be said now."""
        return self.conversation.state is State.HERE

    # ------------------------------------------------------------------ coming and going

    async def enter(self) -> None:
        """Connects, and says who we are. Raises `OSError`, `Refused` or `Dismissed`."""
        self._running = asyncio.create_task(self._run())
        try:
            await self._until_here()
        except BaseException:
            await self._stop()
            raise

    async def leave(self) -> None:
        """Says goodbye, if anybody is there to hear it."""
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
            await self._link.run()
            self._end(self._bye)
        except asyncio.CancelledError:
            self._end(Dismissed("you have left", "QUIT"))
        except Exception as error:  # whatever it is, those who wait must hear of it
            self._end(error)

    def _end(self, why: Exception) -> None:
        self._ended = self._ended or why
        for future in self._replies.values():
            if not future.done():
                future.set_exception(self._ended)
        self._wake()

    # ------------------------------------------------------------------------ commands

    async def command(self, line: str) -> Reply:
        """Says a command; see `Server.command`."""
        while True:
            reply = await self.reply(lambda: self.conversation.say(line))
            if reply is not None:
                return reply
            if split_command(line).verb not in AGAIN:
                raise NoAnswer(line)

    async def listing(self, row: type[R], line: str) -> list[R]:
        """The rows of one kind of an answer."""
        return [each for each in (await self.command(line)).rows if isinstance(each, row)]

    async def reply(self, say: Callable[[], Request]) -> Reply | None:
        """The answer to what is said as soon as it can be; None if it was lost. Raises `Refused`.

        Where the server asks to wait, it is said again, a few times.
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

    async def _answer(self, ask: Request) -> Reply | None:
        future: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._replies[ask.id] = future
        self._link.flush()
        try:
            return await future
        finally:
            del self._replies[ask.id]

    # -------------------------------------------------------------------------- waiting

    async def until(self, true: Callable[[], object]) -> None:
        """Waits for something to be true. Raises what ended the conversation, if it ends first."""
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
        """Waits until all is known of a stream that can be."""
        await self.until(lambda: self.here and on not in self.conversation.streams.behind)

    async def next_of(self, feed: Feed) -> Event | Reconnected:
        """The next of the events. Raises `StopAsyncIteration` after the last one."""
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

    # -------------------------------------------------------------------------- hearing

    def _heard(self, update: Update) -> None:
        log.debug("%s", update)
        match update:
            case Replied(ask, final):
                self._replied(ask, final)
            case Unanswered(ask):
                self._settle(ask, None)
            case SessionLost(seated=True):
                self._end(Dismissed("the seat was not kept for us"))
            case Reconnecting(seconds):
                log.info("connection lost; trying again in %g s", seconds)
            case Farewell(bye):
                self._bye = Dismissed(bye.text or bye.code, bye.code)
        self._hear(update)
        self._wake()

    def _replied(self, ask: Request | None, final: Ok | Err) -> None:
        if isinstance(final, Ok):
            self._settle(ask, Reply(final, tuple(ask.rows) if ask else ()))
        elif not self._settle(ask, Refused(final)) and self.conversation.state in NO_ENTRY:
            # Nobody waits for the answer to what is said first: then it ends everything.
            self._end(Refused(final))

    def _settle(self, ask: Request | None, how: Reply | Refused | None) -> bool:
        """Ends the waiting for a reply; whether somebody waited."""
        future = self._replies.get(ask.id) if ask else None
        if future is None or future.done():
            return False
        if isinstance(how, Refused):
            future.set_exception(how)
        else:
            future.set_result(how)
        return True
