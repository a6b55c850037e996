"""The person's progress in the lessons, in a small file."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from twentytwo_protocol.words.lessons import Lesson

from .core.updates import EventReceived, Update
from .saved_sessions import private_file


class LessonFile:
    """The next step of each lesson that was begun, by game, the latest last."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "lessons.json"

    def next_line(self, game: str = "", step: int | None = None) -> str:
        """The command that continues a game's lesson; without a game, the latest lesson."""
        begun = self.read()
        game = game or [*begun, ""][len(begun) - 1 if begun else 0]
        found = step or begun.get(game.lower()) or ""
        return f"tutorial {game} {found if game else ''}".rstrip()

    def hear(self, update: Update) -> None:
        """Notes the progress that a lesson's text reports."""
        match update:
            case EventReceived(event=Lesson(typed=None) as said):
                self.keep(said.game, 0)
            case EventReceived(event=Lesson() as said):
                self.keep(said.game, said.step + 1 if said.done else said.step)

    def keep(self, game: str, step: int) -> None:
        """Saves the next step; 0 for a finished lesson. Does nothing if the disk refuses."""
        begun = {key: each for key, each in self.read().items() if key != game}
        if step:
            begun[game] = step
        # A full disk is no reason to stop learning.
        with contextlib.suppress(OSError):
            new = self._path.with_suffix(".new")
            private_file(new).write_text(json.dumps(begun), "utf-8")
            os.replace(new, self._path)

    def read(self) -> Mapping[str, int]:
        """The steps by game; empty if the file is missing or unreadable."""
        try:
            found = json.loads(self._path.read_text("utf-8-sig"))
        except (OSError, ValueError):
            return {}
        steps = found.items() if isinstance(found, dict) else ()
        return {key: step for key, step in steps if isinstance(step, int)}
