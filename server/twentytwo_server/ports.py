"""What the server needs from its surroundings, as small interfaces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Turn


class Timer(Protocol):
    """A call that is still to come."""

    def active(self) -> bool:
        """Whether it is still to come."""

    def cancel(self) -> None:
        """It will not come."""


class Clock(Protocol):
    """Time: `now` in milliseconds that never go back, and calls later."""

    def now(self) -> int:
        """Milliseconds since some moment; never goes back."""

    def later(self, ms: int, call: Callable[[], None]) -> Timer:
        """Calls after so long."""

    def wall(self) -> int:
        """The wall clock: milliseconds since 1970 in UTC. Only for showing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One input of a table: who gave it ("" for the house) and its line."""

    who: str
    line: str


class Store(Protocol):
    """What is remembered of tables: their inputs, in order."""

    def append(self, table: str, rows: Sequence[Row], done: Callable[[], None]) -> None:
        """Writes the rows down, then calls `done`; nothing is told before."""

    def forget(self, table: str) -> None:
        """The table is closed."""


@dataclass(frozen=True, slots=True)
class Job:
    """A turn to think about: the game's key, the bot, and all that its seat was shown."""

    game: str
    level: str
    rules: Any
    seat: int
    seen: tuple[Event, ...]
    turn: Turn
    seed: int | None


Weighed = Sequence[tuple[str, float]]
"""Moves with their values, 0 to 1, the best first."""


class Thinker(Protocol):
    """Where bots think that take their time."""

    def think(self, job: Job, done: Callable[[str | None], None]) -> None:
        """Answers the turn, now or later: `done` gets the token, or None where it was lost."""

    def weigh(self, job: Job, done: Callable[[Weighed | None], None]) -> None:
        """Weighs the moves of a turn, now or later; None where it was lost."""

    def stop(self) -> None:
        """No answer is wanted any more."""


class Link(Protocol):
    """A connection as the host sees it."""

    def hang_up(self) -> None:
        """Closes it, after what was written."""

    def toll(self, chat: bool) -> int:
        """0 if one more command may be given now, else the wait in milliseconds."""
