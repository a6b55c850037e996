"""Folds the events of a table into what a viewer knows, and which events still hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .knowledge import Knowledge
from .schema import Event

SCOPES = ("table", "game", "hand", "trick", "turn")
"""The scopes from widest to narrowest; when one ends, so do all after it."""
STANDING = ("hand", "trick", "turn")
"""The scopes whose events stand in a snapshot as they are; wider ones are in its other rows."""


@dataclass(slots=True)
class Fold(Knowledge):
    """All that a viewer knows of a table, and the events that still hold.

    `standing` are the events of the current hand, trick and turn that still hold, as seen by
    the viewer: the bids, the plays of the trick, the open question. `so_far` returns all events of
    the hand, as the viewer saw them, where they are at hand: it is no part of what is known.
    """

    standing: list[Event] = field(default_factory=list)
    so_far: Callable[[], Sequence[Event]] = field(default=tuple, compare=False, repr=False)

    def see(self, happened: Event, seq: int) -> None:
        """Takes in the next event, as shown to the viewer."""
        self.seq = seq
        kind = type(happened)
        if kind.ends:
            self._end(kind.ends)
        happened.fold(self)
        if kind.scope in STANDING:
            self.standing.append(happened)

    def close_question(self, seat: int) -> None:
        """The question to a seat is open no longer."""
        self.standing = [
            each
            for each in self.standing
            if type(each).scope != "turn" or getattr(each, "seat", None) != seat
        ]

    def _end(self, scope: str) -> None:
        over = SCOPES[SCOPES.index(scope) :]
        self.standing = [e for e in self.standing if type(e).scope not in over]
