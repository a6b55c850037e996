"""The full screen as an output and an input of the client."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping

from ..core.states import State
from ..display.output import StandardOutput
from ..saved_sessions import state_dir
from ..terminal.console import Console
from ..terminal.prompt import Interrupted, typed_history
from .app import TableApp
from .history import LineHistory
from .themes import ThemeFile


class TableScreen:
    """A full screen for one run of the client, in the environment `env`.

    `size` is the size of an invisible screen, for tests and pictures. `app` exists within `shown`.
    """

    def __init__(self, env: Mapping[str, str], size: tuple[int, int] | None = None) -> None:
        self._env, self._size = env, size
        self._lines: asyncio.Queue[str | type[Interrupted] | None] = asyncio.Queue()
        self._early: list[str] = []
        self._last = ""
        self._farewell: list[str] = []
        self._after = StandardOutput()
        self._console: Console | None = None
        self.app: TableApp | None = None

    @contextlib.asynccontextmanager
    async def shown(self, console: Console, touched: Callable[[], None]) -> AsyncIterator[None]:
        """Shows the full screen within the block. The last output is printed after it.

        `touched` is called after each input.
        """

        def typed(line: str | type[Interrupted] | None) -> None:
            self._lines.put_nowait(line)
            touched()

        folder = state_dir(self._env)
        memory = typed_history(folder / "history")
        history = LineHistory([*memory.load_history_strings()][::-1], memory)
        self._console = console
        self.app = TableApp(
            console,
            typed,
            lambda: typed(Interrupted),
            history=history,
            themes=ThemeFile(folder),
            env=self._env,
        )
        for text in self._early:
            self.app.add(text)
        loop = asyncio.get_running_loop()
        factory = loop.get_task_factory()
        running = loop.create_task(
            self.app.run_async(headless=self._size is not None, size=self._size)
        )
        # No input is possible after any kind of end.
        running.add_done_callback(lambda _: typed(None))
        try:
            yield
        finally:
            if not running.done():
                self.app.exit()
            await running
            loop.set_task_factory(factory)  # Textual changes it
            for text in self._farewell or ([self._last] if console.refused else []):
                self._after.write(text)

    # ------------------------------------------------------------------- as an output

    def write(self, text: str) -> None:
        """Shows complete lines."""
        self._last = text
        console = self._console
        if console and (console.leaving or console.conversation.state is State.OVER):
            self._farewell.append(text)
        if self.app is None:
            self._early.append(text)
        else:
            self.app.add(text)

    def ring(self) -> None:
        """Rings the bell."""
        if self.app is not None:
            self.app.bell()

    # ------------------------------------------------------------------- as a keyboard

    async def read(self, *, hidden: bool = False) -> str | None:
        """The next line; None when the person leaves. Raises `Interrupted`."""
        line = await self._lines.get()
        if line is Interrupted:
            raise Interrupted
        assert not isinstance(line, type)
        # Not earlier: until the line before is answered, this line may be a password.
        if line is not None and not hidden and self.app is not None:
            self.app.taken(line.partition("\n")[0])
        return line

    def typed_ahead(self) -> Iterator[str]:
        """The typed lines that have not been read."""
        while not self._lines.empty():
            line = self._lines.get_nowait()
            if not isinstance(line, str):
                self._lines.put_nowait(line)
                return
            yield from line.split("\n")

    @property
    def waits(self) -> bool:
        """True if there is unread input."""
        return not self._lines.empty()

    def remember(self, line: str) -> None:
        """Shows a line as if it had been typed, and adds it to the history."""
        if self.app is not None:
            self.app.taken(line)

    def refresh(self) -> None:
        """Call when the content may have changed."""
        if self.app is not None:
            self.app.changed()

    def close(self) -> None:
        """Does nothing: `shown` closes the screen."""
