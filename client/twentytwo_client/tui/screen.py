"""The table that fills the terminal, as the client uses it: text goes there, lines come from it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping

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

    `size` is that of a screen that nobody sees, for tests and pictures. `app` is there while it is
    `shown`.
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
    async def shown(self, console: Console) -> AsyncIterator[None]:
        """Fills the screen while it lasts; the last words are printed after it."""
        folder = state_dir(self._env)
        memory = typed_history(folder / "history")
        history = LineHistory([*memory.load_history_strings()][::-1], memory)
        self._console = console
        self.app = TableApp(
            console,
            self._lines.put_nowait,
            lambda: self._lines.put_nowait(Interrupted),
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
        # However it ends, nothing will be typed any more.
        running.add_done_callback(lambda _: self._lines.put_nowait(None))
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
        """Shows whole lines."""
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
        """The next line, or None when the person leaves. Raises `Interrupted`."""
        line = await self._lines.get()
        if line is Interrupted:
            raise Interrupted
        assert not isinstance(line, type)
        # Not before: while the line before it is not answered, it may be a password.
        if line is not None and not hidden and self.app is not None:
            self.app.taken(line)
        return line

    def refresh(self) -> None:
        """What it shows of the console may have changed."""
        if self.app is not None:
            self.app.changed()

    def close(self) -> None:
        """It closes by itself."""
