"""The two ways to read a person's lines: a prompt that stays below the text, and bare lines.

With both, text that is shown never disturbs a half-typed line. The prompt needs a terminal that can
move its cursor; bare lines need nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import select
import sys
import termios
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from prompt_toolkit import ANSI, PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import DummyHistory, FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style
from wcwidth import width

from twentytwo_protocol.framing import Flaw, LineBuffer
from twentytwo_protocol.verbs import without_secrets

from ..core.conversation import LONGEST
from ..saved_sessions import private_file
from . import faults

MENU = 3
"""Rows for what Tab offers."""
_UNCOLOURED = re.compile("\x1b\\[[0-9;]*m")


class Interrupted(Exception):
    """Ctrl-C. Not KeyboardInterrupt: that would escape through the reactor."""


class PromptContent(Protocol):
    """What a prompt shows; the console provides it."""

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""

    def status(self, columns: int, rows: int) -> list[str]:
        """The lines under the prompt."""

    @property
    def faded(self) -> bool:
        """Whether these lines are how things were: there is no connection."""

    def completions(self, text: str) -> Iterator[tuple[str, str]]:
        """What Tab offers: the end of the text, and what takes its place."""

    def left_out(self, text: str) -> int:
        """How many more there are than Tab offers."""

    @property
    def kind(self) -> str:
        """What kind of line is typed now: names, at a table; empty elsewhere."""


class LineInput(Protocol):
    """A source of typed lines."""

    async def read(self, *, hidden: bool = False) -> str | None:
        """The next line, or None when there are no more; one that is `hidden` is not shown.

        Lines that were pasted at once come at once. Raises `Interrupted`.
        """

    def remember(self, line: str) -> None:
        """A line that came with others, or before it was asked for, is acted on now."""

    def refresh(self) -> None:
        """What it shows of the console may have changed."""

    def close(self) -> None:
        """No more lines are wanted."""


# -------------------------------------------------------------------------- with a prompt


@contextlib.contextmanager
def above_the_prompt(rich: bool) -> Iterator[None]:
    """While it lasts, whatever is printed appears above the prompt."""
    if rich:
        with patch_stdout(raw=True):
            yield
    else:
        yield


def typed_ahead(handle: int = 0) -> Iterator[str]:
    """The lines that somebody has typed into a terminal from which nothing was read yet."""
    while os.isatty(handle) and select.select([handle], [], [], 0)[0]:
        line = os.read(handle, LONGEST)  # a terminal gives a line at a time
        if not line.endswith(b"\n"):
            return
        yield line.decode("utf-8", "replace").rstrip("\r\n")


class PromptOutput(Vt100_Output):
    """The terminal under a prompt. `silent`: it does not say where its cursor is."""

    silent = False

    @classmethod
    def here(cls) -> PromptOutput:
        """The terminal that is the standard output."""
        found = cls.from_pty(sys.__stdout__ or sys.stdout, term=os.environ.get("TERM"))
        assert isinstance(found, cls)
        return found

    def get_rows_below_cursor_position(self) -> int:
        """Prompt Toolkit: the rows for the prompt and the status, if nothing else tells them."""
        if not self.silent:
            raise NotImplementedError  # Prompt Toolkit then asks the terminal
        return 1  # for as many as are needed there is room: the terminal scrolls

    def fall_silent(self) -> None:
        """Prompt Toolkit: the terminal has not answered where its cursor is."""
        self.silent = True


class Prompt:
    """A line with editing, history and completion, and the status under it."""

    def __init__(
        self,
        console: PromptContent,
        history: Path,
        *,
        colour: bool,
        output: PromptOutput | None = None,
    ) -> None:
        self._console = console
        self._output = output
        self._colour = colour
        self._depth = None if colour else ColorDepth.DEPTH_1_BIT
        self._history = history
        self._sessions: dict[str, PromptSession[str]] = {}
        self._pasted: list[str] = []
        self._keys = KeyBindings()
        self._keys.add(Keys.BracketedPaste)(self._paste)
        self._secret = self._line(DummyHistory(), self._depth, is_password=True)
        self._open = self._secret

    def _session(self, kind: str) -> PromptSession[str]:
        """The line for what is typed of a kind, with its own history."""
        if kind not in self._sessions:
            file = self._history.with_name(
                f"{self._history.name}-{kind}" if kind else self._history.name
            )
            history = typed_history(file)
            completer = _Tab(self._console, lambda: self._open.app.output.get_size().columns)
            self._sessions[kind] = self._line(history, self._depth, completer=completer)
        return self._sessions[kind]

    def _line(
        self,
        history: History,
        depth: ColorDepth | None,
        completer: Completer | None = None,
        *,
        is_password: bool = False,
    ) -> PromptSession[str]:
        session: PromptSession[str] = PromptSession(
            output=self._output,
            key_bindings=self._keys,
            history=history,
            complete_while_typing=False,
            bottom_toolbar=self._toolbar,
            style=Style.from_dict({"bottom-toolbar": "noreverse"}),
            color_depth=depth,
            refresh_interval=1,  # for the clock
            enable_suspend=True,
            interrupt_exception=Interrupted,
            complete_style=CompleteStyle.MULTI_COLUMN,
            reserve_space_for_menu=MENU + 2,  # the line itself, and an empty one below
            completer=completer,
            is_password=is_password,
        )
        if self._output is not None:
            # By default a warning would be shown amid the text, and no status.
            session.app.renderer.cpr_not_supported_callback = self._output.fall_silent
        return session

    async def read(self, *, hidden: bool = False) -> str | None:
        """The next line; one that is `hidden` is not remembered either."""
        self._open = self._secret if hidden else self._session(self._console.kind)
        self._pasted = []
        try:
            line = await self._open.prompt_async(self._console_prompt, handle_sigint=False)
        except EOFError:
            return None
        return line if hidden else "\n".join([line, *self._pasted])

    def _paste(self, event: KeyPressEvent) -> None:
        """A text is pasted: of several lines each is one of its own, and the first is entered."""
        typed = event.current_buffer
        first, *more = event.data.splitlines() or [""]
        typed.insert_text(first)
        if more or event.data.endswith(("\r", "\n")):
            self._pasted = more
            typed.validate_and_handle()

    def remember(self, line: str) -> None:
        """Keeps a line as if it had been typed here."""
        self._session(self._console.kind).history.append_string(line)

    def refresh(self) -> None:
        """Draws the prompt and the status again, without an offer that is out of date."""
        offer = self._open.default_buffer.complete_state
        if offer is not None:
            begun = offer.original_document.text_before_cursor
            now = (instead for _, instead in self._console.completions(begun))
            shown = (each.text for each in offer.completions if each.text)
            if any(old != new for old, new in zip(shown, now, strict=False)):
                self._open.default_buffer.complete_state = None
        self._open.app.invalidate()

    def close(self) -> None:
        """Nothing is open between two lines."""

    def _console_prompt(self) -> str:
        return self._console.prompt

    def _toolbar(self) -> ANSI:
        bar = ANSI("")
        with faults.noted(self._history.parent):
            bar = self._bar()
        return bar

    def _bar(self) -> ANSI:
        size = self._open.app.output.get_size()
        first, *rest = self._console.status(size.columns, size.rows) or [""]
        if self._console.faded:
            # Grey where there are colours; that there is no connection stands there in words.
            grey, usual = ("\x1b[90m", "\x1b[39m") if self._colour else ("", "")
            rest = [f"{grey}{_UNCOLOURED.sub('', line)}{usual}" for line in rest]
        # The first line is a bar across the window; nothing is told by that alone.
        bar = f"\x1b[7m{first}{' ' * (size.columns - width(first))}\x1b[0m"
        return ANSI("\n".join([bar, *rest]))


class _Tab(Completer):
    def __init__(self, console: PromptContent, columns: Callable[[], int]) -> None:
        self._console = console
        self._columns = columns

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """What Tab offers for the text before the cursor: as many as can be seen at once."""
        text = document.text_before_cursor
        found = list(self._console.completions(text))
        unlisted = self._console.left_out(text)
        room = menu_room([instead for _, instead in found], unlisted, self._columns())
        for end, instead in found[:room]:
            yield Completion(instead, start_position=-len(end))
        more = len(found) - room + unlisted
        if more > 0:
            yield Completion("", display=and_more(more))


def and_more(count: int) -> str:
    """What stands behind those that are offered."""
    return f"and {count} more"


def menu_room(offered: Sequence[str], unlisted: int, columns: int) -> int:
    """How many can be shown at once, with how many more there are where that is not all."""
    widest = max(map(width, offered), default=0)
    if not unlisted and len(offered) <= MENU * _beside(widest, columns):
        return len(offered)
    more = width(and_more(len(offered) + unlisted))
    return min(len(offered), MENU * _beside(max(widest, more), columns) - 1)


def _beside(widest: int, columns: int) -> int:
    # A column of the menu has a space; at both ends there is room for an arrow.
    return max(1, (columns - 3) // (widest + 1))


class _Discreet(History):
    """The history of typed lines, without those that hold a password or a token."""

    def append_string(self, string: str) -> None:
        """Remembers a line."""
        if without_secrets(string) == string:
            super().append_string(string)


class _InFile(_Discreet, FileHistory):
    """The same in a file, so that it lasts."""


class _InMemory(_Discreet, InMemoryHistory):
    """The same in memory, until the client ends."""


def typed_history(path: Path) -> History:
    """The history of typed lines; in memory only if the file cannot be written."""
    try:
        return _InFile(str(private_file(path)))
    except OSError:
        return _InMemory()


# ------------------------------------------------------------------------- without prompt


class BareLines:
    """Bare lines: piped commands, a screen reader, a terminal that cannot move its cursor."""

    def __init__(self, loop: asyncio.AbstractEventLoop, handle: int = 0) -> None:
        self._loop = loop
        self._handle = handle
        self._buffer = LineBuffer(LONGEST)
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._watched = os.isatty(handle)
        if self._watched:
            loop.add_reader(handle, self._ready)
        else:
            # A file cannot be watched, and a pipe need not be: nobody takes it back from us.
            threading.Thread(target=self._pump, daemon=True).start()

    async def read(self, *, hidden: bool = False) -> str | None:
        """The next line."""
        with _unseen(self._handle) if hidden and self._watched else contextlib.nullcontext():
            return await self._lines.get()

    def remember(self, line: str) -> None:
        """Bare lines keep no history."""

    def refresh(self) -> None:
        """Bare lines show nothing of the console."""

    def close(self) -> None:
        """Stops reading: what is typed from now on goes to another program."""
        if self._watched:
            self._loop.remove_reader(self._handle)

    def _ready(self) -> None:
        data = self._some()
        self._came(data)
        if not data and not os.isatty(self._handle):  # with Ctrl-D a terminal goes on
            self.close()

    def _pump(self) -> None:
        data = b"-"
        while data:
            data = self._some()
            with contextlib.suppress(RuntimeError):  # the loop is closed: we are going
                self._loop.call_soon_threadsafe(self._came, data)

    def _some(self) -> bytes:
        try:
            return os.read(self._handle, 4096)
        except OSError:  # the terminal is gone
            return b""

    def _came(self, data: bytes) -> None:
        # A last line without an end is a line too.
        last = b"\n" if not data and self._buffer.unfinished else b""
        for line in self._buffer.feed(data or last):
            self._lines.put_nowait("" if isinstance(line, Flaw) else line)
        if not data:
            self._lines.put_nowait(None)


@contextlib.contextmanager
def _unseen(handle: int) -> Iterator[None]:
    """While it lasts the terminal does not show what is typed, but for the end of the line."""
    before = termios.tcgetattr(handle)
    after = [*before]
    after[3] = after[3] & ~termios.ECHO | termios.ECHONL
    termios.tcsetattr(handle, termios.TCSADRAIN, after)
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(handle, termios.TCSADRAIN, before)
