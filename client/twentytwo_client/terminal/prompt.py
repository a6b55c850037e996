"""The two inputs for lines: a prompt that stays below the output, and bare lines.

In neither does output disturb a half-typed line. The prompt needs a terminal with cursor control;
bare lines need nothing.
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

from ..core.conversation import LONGEST_LINE
from ..saved_sessions import private_file
from . import faults

MENU = 3
"""The rows of the completion menu."""
_UNCOLOURED = re.compile("\x1b\\[[0-9;]*m")


class Interrupted(Exception):
    """Ctrl-C was pressed. KeyboardInterrupt would escape through the event loop."""


class PromptContent(Protocol):
    """The content of a prompt; the console provides it."""

    @property
    def prompt(self) -> str:
        """The text before the cursor."""

    def status(self, columns: int, rows: int) -> list[str]:
        """The lines under the prompt."""

    @property
    def faded(self) -> bool:
        """True if the status is out of date, because there is no connection."""

    def completions(self, text: str) -> Iterator[tuple[str, str]]:
        """The completions of a text: the end to replace, and its replacement."""

    def left_out(self, text: str) -> int:
        """The number of legal moves that extend the text, beyond the completions."""

    @property
    def kind(self) -> str:
        """The kind of line that is typed now; empty outside tables."""


class LineInput(Protocol):
    """A source of typed lines."""

    async def read(self, *, hidden: bool = False) -> str | None:
        """The next line; None at the end of the input. A `hidden` line is not shown.

        Lines that were pasted together are returned one by one. Raises `Interrupted`.
        """

    def remember(self, line: str) -> None:
        """Adds a line to the history that did not come from `read`."""

    def refresh(self) -> None:
        """Call when the content may have changed."""

    def close(self) -> None:
        """Stops reading."""


# -------------------------------------------------------------------------- with a prompt


@contextlib.contextmanager
def above_the_prompt(rich: bool) -> Iterator[None]:
    """Shows output above the prompt within the block."""
    if rich:
        with patch_stdout(raw=True):
            yield
    else:
        yield


def typed_ahead(handle: int = 0) -> Iterator[str]:
    """The lines that were typed into a terminal before anything was read."""
    while os.isatty(handle) and select.select([handle], [], [], 0)[0]:
        line = os.read(handle, LONGEST_LINE)  # a terminal returns one line at a time
        if not line.endswith(b"\n"):
            return
        yield line.decode("utf-8", "replace").rstrip("\r\n")


class PromptOutput(Vt100_Output):
    """The terminal under a prompt. `silent`: it does not report its cursor position."""

    silent = False

    @classmethod
    def here(cls) -> PromptOutput:
        """The output for standard output."""
        found = cls.from_pty(sys.__stdout__ or sys.stdout, term=os.environ.get("TERM"))
        assert isinstance(found, cls)
        return found

    def get_rows_below_cursor_position(self) -> int:
        """Prompt Toolkit: the rows for the prompt and the status, unless the terminal reports
        them.
        """
        if not self.silent:
            raise NotImplementedError  # Prompt Toolkit then asks the terminal
        return 1  # the terminal scrolls to make room for more

    def fall_silent(self) -> None:
        """Prompt Toolkit: the terminal has not reported its cursor position."""
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
        """The input for one kind of line, with its own history."""
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
            reserve_space_for_menu=MENU + 2,  # the input line and an empty line below it
            completer=completer,
            is_password=is_password,
        )
        if self._output is not None:
            # Otherwise a warning would be shown amid the text, and no status.
            session.app.renderer.cpr_not_supported_callback = self._output.fall_silent
        return session

    async def read(self, *, hidden: bool = False) -> str | None:
        """The next line. A `hidden` line is not added to the history."""
        self._open = self._secret if hidden else self._session(self._console.kind)
        self._pasted = []
        try:
            line = await self._open.prompt_async(self._console_prompt, handle_sigint=False)
        except EOFError:
            return None
        return line if hidden else "\n".join([line, *self._pasted])

    def _paste(self, event: KeyPressEvent) -> None:
        """Handles a pasted text: its lines are entered one by one."""
        typed = event.current_buffer
        first, *more = event.data.splitlines() or [""]
        typed.insert_text(first)
        if more or event.data.endswith(("\r", "\n")):
            self._pasted = more
            typed.validate_and_handle()

    def remember(self, line: str) -> None:
        """Adds a line to the history, as if it had been typed here."""
        self._session(self._console.kind).history.append_string(line)

    def refresh(self) -> None:
        """Redraws the prompt and the status, and closes an outdated completion menu."""
        offer = self._open.default_buffer.complete_state
        if offer is not None:
            begun = offer.original_document.text_before_cursor
            now = (instead for _, instead in self._console.completions(begun))
            shown = (each.text for each in offer.completions if each.text)
            if any(old != new for old, new in zip(shown, now, strict=False)):
                self._open.default_buffer.complete_state = None
        self._open.app.invalidate()

    def close(self) -> None:
        """Does nothing: no resources are held between two lines."""

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
            # The status is grey where there are colours; it also says that the connection is lost.
            grey, usual = ("\x1b[90m", "\x1b[39m") if self._colour else ("", "")
            rest = [f"{grey}{_UNCOLOURED.sub('', line)}{usual}" for line in rest]
        # The first line is a bar across the window, for looks only.
        bar = f"\x1b[7m{first}{' ' * (size.columns - width(first))}\x1b[0m"
        return ANSI("\n".join([bar, *rest]))


class _Tab(Completer):
    def __init__(self, console: PromptContent, columns: Callable[[], int]) -> None:
        self._console = console
        self._columns = columns

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """The completions of the text before the cursor, as many as fit into the menu."""
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
    """The text after the completions, with the number of others."""
    return f"and {count} more"


def menu_room(offered: Sequence[str], unlisted: int, columns: int) -> int:
    """The number of completions to show, so that the count of the others fits too."""
    widest = max(map(width, offered), default=0)
    if not unlisted and len(offered) <= MENU * _beside(widest, columns):
        return len(offered)
    more = width(and_more(len(offered) + unlisted))
    return min(len(offered), MENU * _beside(max(widest, more), columns) - 1)


def _beside(widest: int, columns: int) -> int:
    # Each menu column has one space, and the menu has room for an arrow at both ends.
    return max(1, (columns - 3) // (widest + 1))


class _Discreet(History):
    """A history without lines that contain a password or a token."""

    def append_string(self, string: str) -> None:
        """Adds a line."""
        if without_secrets(string) == string:
            super().append_string(string)


class _InFile(_Discreet, FileHistory):
    """A history in a file."""


class _InMemory(_Discreet, InMemoryHistory):
    """A history in memory."""


def typed_history(path: Path) -> History:
    """The history in the file, or in memory if the file cannot be written."""
    try:
        return _InFile(str(private_file(path)))
    except OSError:
        return _InMemory()


# ------------------------------------------------------------------------- without prompt


class BareLines:
    """Bare lines, for pipes, screen readers, and terminals without cursor control."""

    def __init__(self, loop: asyncio.AbstractEventLoop, handle: int = 0) -> None:
        self._loop = loop
        self._handle = handle
        self._buffer = LineBuffer(LONGEST_LINE)
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._watched = os.isatty(handle)
        if self._watched:
            loop.add_reader(handle, self._ready)
        else:
            # A file cannot be polled, and a pipe need not be: no other program reads from it later.
            threading.Thread(target=self._pump, daemon=True).start()

    async def read(self, *, hidden: bool = False) -> str | None:
        """The next line."""
        with _unseen(self._handle) if hidden and self._watched else contextlib.nullcontext():
            return await self._lines.get()

    def remember(self, line: str) -> None:
        """Bare lines keep no history."""

    def refresh(self) -> None:
        """Does nothing: bare lines show no content."""

    def close(self) -> None:
        """Stops reading: later input belongs to another program."""
        if self._watched:
            self._loop.remove_reader(self._handle)

    def _ready(self) -> None:
        data = self._some()
        self._came(data)
        if not data and not os.isatty(self._handle):  # a terminal can continue after Ctrl-D
            self.close()

    def _pump(self) -> None:
        data = b"-"
        while data:
            data = self._some()
            with contextlib.suppress(RuntimeError):  # the event loop is closed
                self._loop.call_soon_threadsafe(self._came, data)

    def _some(self) -> bytes:
        try:
            return os.read(self._handle, 4096)
        except OSError:  # the terminal is gone
            return b""

    def _came(self, data: bytes) -> None:
        # The last line may lack a line end.
        last = b"\n" if not data and self._buffer.unfinished else b""
        for line in self._buffer.feed(data or last):
            self._lines.put_nowait("" if isinstance(line, Flaw) else line)
        if not data:
            self._lines.put_nowait(None)


@contextlib.contextmanager
def _unseen(handle: int) -> Iterator[None]:
    """Turns the terminal's echo off within the block, except for line ends."""
    before = termios.tcgetattr(handle)
    after = [*before]
    after[3] = after[3] & ~termios.ECHO | termios.ECHONL
    termios.tcsetattr(handle, termios.TCSADRAIN, after)
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(handle, termios.TCSADRAIN, before)
