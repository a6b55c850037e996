"""The terminal client: assembles its parts, runs them, and returns an exit status."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Protocol

from twentytwo_protocol.value import Value

from .. import hangup
from ..address import Address
from ..chance import fraction
from ..connection import ClientConnection
from ..core.conversation import Conversation
from ..core.reconnecting import Ending
from ..core.reconnecting_conversation import ReconnectingConversation
from ..core.states import State
from ..core.updates import Update
from ..display.look import LookOptions, look
from ..display.output import Screen, StandardOutput, columns
from ..display.rendering import Renderer
from ..exit_status import Exit
from ..saved_sessions import state_dir
from ..trouble import trouble
from .console import Console, Visit
from .invitation import picture
from .narrator import Narrator
from .prompt import (
    BareLines,
    Interrupted,
    LineInput,
    Prompt,
    PromptOutput,
    above_the_prompt,
    typed_ahead,
)

SLOW = 1.0
"""The seconds after which a person is told that connecting takes long."""
LEAVES_WITHIN = 3.0
"""The seconds to wait for the server's farewell."""
FEW, YES = 5, "yes"
"""The maximum number of pasted lines without a confirmation, and the word that confirms more."""
CLEAR = "\x1b[K"
"""The control sequence that clears the line with the message that the client starts."""
SPARE_NAME = "player"
"""The name for people whose login name is not allowed."""


class FullScreen(LineInput, Screen, Protocol):
    """The full screen: it shows everything instead of lines and a prompt, and reads typed lines."""

    def shown(
        self, console: Console, touched: Callable[[], None]
    ) -> contextlib.AbstractAsyncContextManager[None]:
        """Shows the full screen within the block. `touched` is called after each input."""

    def typed_ahead(self) -> Iterator[str]:
        """The typed lines that have not been read."""

    @property
    def waits(self) -> bool:
        """True if there is unread input."""


class Environment(Value):
    """The environment of the client. `wall` returns the seconds since 1970."""

    env: Mapping[str, str]
    wall: Callable[[], float]
    full_screen: FullScreen | None = None

    @property
    def typed(self) -> bool:
        """True if a person types the input."""
        return os.isatty(0)

    @property
    def seen(self) -> bool:
        """True if a person sees the output."""
        return os.isatty(1)

    @property
    def login(self) -> str:
        """The person's login name on this machine, turned into a valid name."""
        name = re.sub(r"[^A-Za-z0-9_-]", "", self.env.get("USER") or self.env.get("LOGNAME") or "")
        return name[:16] if re.match(r"[A-Za-z].", name) else SPARE_NAME


class App:
    """One run of the client: the console between the connection and the terminal."""

    def __init__(
        self,
        conversation: Conversation,
        around: Environment,
        how: LookOptions,
        visit: Visit,
        heard: Callable[[Update], None] = lambda _: None,
    ) -> None:
        self._around = around
        self._heard_too = heard
        self._where = visit.where
        self._refusal = visit.refusal
        self._attempts = visit.attempts
        self._conversation = conversation
        self._full_screen = around.full_screen
        self._output: Screen = self._full_screen or StandardOutput()
        self._changed = asyncio.Event()
        self._ahead: deque[str] = deque()
        self._pasted: list[str] = []
        self._stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._keyboard: LineInput | None = self._full_screen
        first = look(how, around.env, typed=around.typed, seen=around.seen)
        self._rich = first.rich
        narrator = Narrator(
            conversation,
            Renderer(first, self._columns),
            self._output,
            asyncio.get_running_loop().time,
        )
        self._console = Console(narrator, visit, types=around.typed)

    def _columns(self) -> int | None:
        """The columns for wrapped text; a full screen wraps text by itself."""
        return None if self._full_screen else columns()

    # --------------------------------------------------------------------------- the run

    def say(self, lines: Iterable[str]) -> None:
        """Shows lines before all other output."""
        for line in lines:
            self._console.narrator.write(self._console.narrator.renderer.text(line) or " ")

    def draw(self, text: str) -> None:
        """Shows a text as a QR code, if possible."""
        if code := self._drawn(text):
            self._output.write(code)

    def can_draw(self, text: str) -> bool:
        """True if a text can be shown as a QR code."""
        return bool(self._drawn(text))

    def _drawn(self, text: str) -> str:
        shown = self._console.narrator.renderer.look
        can = shown.unicode and shown.rich and self._full_screen is None
        return picture(text, columns()) if can else ""

    async def run(self, server: Address) -> int:
        """Runs until the person or the server ends the session, and returns the exit status."""
        link = ReconnectingConversation(
            self._conversation, self._heard, attempts=self._attempts, chance=fraction
        )
        self._connection = ClientConnection(server, link)
        self._watch_signals()
        self._ahead.extend(typed_ahead())
        if self._rich:
            print(end=CLEAR, flush=True)
        async with self._shown():
            linked = asyncio.ensure_future(self._connection.run())
            typing = asyncio.ensure_future(self._type())
            try:
                ends: set[asyncio.Future[Ending] | asyncio.Future[None] | asyncio.Future[int]] = {
                    linked,
                    typing,
                    self._stopped,
                }
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                if self._conversation.state is not State.AWAY and not self._stopped.done():
                    await asyncio.wait({linked}, timeout=LEAVES_WITHIN)
            finally:
                await _ended(typing)
            if not typing.cancelled():
                typing.result()  # raises a programming error, which must not go unnoticed
            end = linked.result() if linked.done() else None
            await _ended(linked)
        code = self._verdict(end)
        if self._full_screen and code == self._refusal:  # the reason was on the closed screen
            print(self._console.why, file=sys.stderr)
        return code

    @contextlib.asynccontextmanager
    async def _shown(self) -> AsyncIterator[None]:
        """Shows the full screen, or keeps output above the prompt, within the block."""
        if self._full_screen is not None:
            async with self._full_screen.shown(self._console, self._changed.set):
                yield
        else:
            with above_the_prompt(self._rich):
                yield

    def _heard(self, update: Update) -> None:
        self._console.hear(update)
        self._heard_too(update)
        self._changed.set()
        if self._keyboard is not None:
            self._keyboard.refresh()
        if self._console.refused:
            self._connection.hang_up()
        elif self._console.failed and self._console.invites:
            self._stop(self._refusal)  # without a table nobody could join

    async def _type(self) -> None:
        """Reads and handles lines until the input ends or the person leaves."""
        slow = asyncio.get_running_loop().call_later(
            SLOW, self._console.narrator.note, f"Connecting to {self._where}..."
        )
        try:
            await self._until(lambda: self._conversation.state in (State.NAMELESS, State.HERE))
        finally:
            slow.cancel()
        if self._around.typed or self._console.invites:
            await self._until(lambda: self._console.idle or self._touched)
            full = self._full_screen
            self._ahead.extend(full.typed_ahead() if full is not None else typed_ahead())
        while not self._console.leaving:
            await self._until(lambda: not self._console.undecided)
            try:
                line = await self._line()
            except Interrupted:
                self._interrupt()
                continue
            if not self._around.typed:
                await self._ready_for(line or "")
            if line is None and not (self._around.typed and self._console.keeps_others):
                self._console.quit()
            elif line is None:
                self._console.line("quit")
            else:
                self._console.line(line)
            self._connection.flush()

    async def _line(self) -> str | None:
        """The next line to act on: typed now, or typed too early.

        Lines are too early if they were typed before the client was ready, or pasted after another
        line. They are dropped if the person does something else in the meantime.
        """
        ahead, console = self._ahead, self._console
        while True:
            await self._until(lambda: not ahead or self._touched or self._is_time_for(ahead[0]))
            if self._touched:
                ahead.clear()
            hidden, keys = console.hidden, self._keys()
            if ahead:
                line = ahead.popleft()
                if not hidden:
                    keys.remember(line)
                    if isinstance(keys, Prompt):
                        console.narrator.write(console.narrator.renderer.text(f"> {line}"))
                return line
            text = await keys.read(hidden=hidden)
            pasted, self._pasted = self._pasted, []
            if text is None or hidden:
                return text and text.partition("\n")[0]
            if pasted and text.strip().lower() == YES:
                ahead.extend(pasted)
                continue
            lines = text.split("\n")
            if len(lines) > FEW:
                self._pasted = lines
                each = f"{YES} runs them, one by one; anything else drops them."
                console.narrator.note(f"These are {len(lines)} lines. {each}")
                continue
            ahead.extend(lines[1:])
            return lines[0]

    @property
    def _touched(self) -> bool:
        """True if there is unread input on a full screen."""
        return self._full_screen is not None and self._full_screen.waits

    def _is_time_for(self, line: str) -> bool:
        """True if the earlier line is answered, and, for a move, it is our turn."""
        console = self._console
        return console.idle and (console.hidden or not console.premature(line))

    def _keys(self) -> LineInput:
        """The input for the current look: a prompt, or bare lines."""
        if self._full_screen is not None:
            return self._full_screen
        rich = self._rich and not self._console.plain
        if isinstance(self._keyboard, Prompt if rich else BareLines):
            return self._keyboard
        if self._keyboard is not None:
            self._keyboard.close()
        self._keyboard = (
            Prompt(
                self._console,
                state_dir(self._around.env) / "history",
                colour=self._console.narrator.renderer.look.colour,
                output=PromptOutput.here(),
            )
            if rich
            else BareLines(asyncio.get_running_loop())
        )
        return self._keyboard

    async def _ready_for(self, line: str) -> None:
        """Waits until the earlier line is answered, and, for a move, until our turn.

        So a script of piped lines is played in order. A line that came too fast is repeated.
        """
        await self._until(lambda: self._console.idle)
        while hasty := self._console.hasty():
            again, seconds = hasty
            await asyncio.sleep(seconds)
            self._console.repeat(again)
            self._connection.flush()
            await self._until(lambda: self._console.idle)
        await self._until(lambda: self._is_time_for(line))

    async def _until(self, true: Callable[[], bool]) -> None:
        """Waits until a condition is true. It is checked after every update."""
        while not true():
            self._changed.clear()
            await self._changed.wait()

    # --------------------------------------------------------------------------- the end

    def _watch_signals(self) -> None:
        """Handles signals until the process ends: our own server is stopped after the run."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, partial(self._told_to_end, loop))

    def _told_to_end(self, loop: asyncio.AbstractEventLoop, number: int, _: object) -> None:
        """Starts a regular end. The event loop may be blocked; then the system ends the process."""
        hangup.end_soon()
        try:
            loop.call_soon_threadsafe(self._stop, 128 + number)
        except RuntimeError:  # the event loop is closed: only the menu is shown
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def _interrupt(self) -> None:
        self._ahead.clear()
        self._changed.set()
        if self._console.interrupted() or not self._around.typed:
            self._stop(Exit.INTERRUPTED)

    def _stop(self, code: int) -> None:
        self._console.leaving = True
        if not self._stopped.done():
            self._stopped.set_result(code)

    def _verdict(self, end: Ending | None) -> int:
        """The exit status. Prints the reason if the person has not seen it yet."""
        if self._stopped.done():
            return self._stopped.result()
        if self._console.leaving and not self._console.refused:
            # A person has read the reason and continued; a script needs the status.
            failed = self._console.failed and not self._around.typed
            return self._refusal if failed else Exit.OK
        if end is not Ending.DISMISSED and self._console.narrator.turned_away:
            return Exit.TRY_AGAIN
        if end is Ending.UNREACHABLE and not self._console.refused:
            print(unreachable(self._where, self._connection.trouble), file=sys.stderr)
            return Exit.UNREACHABLE
        if end is Ending.GIVEN_UP:
            print(f"{self._where} did not come back.", file=sys.stderr)
            return Exit.UNREACHABLE
        return self._refusal


def unreachable(where: str, error: OSError | None) -> str:
    """The error text for an unreachable server. `twentytwo host` starts the default one."""
    starts = " twentytwo host starts one." if where == str(Address()) else ""
    why = trouble(error) if error else "no answer"
    return f"Could not connect to {where}: {why}.{starts}"


async def _ended(task: asyncio.Future[Ending] | asyncio.Future[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
