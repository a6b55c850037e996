"""Folds the events of a table into a viewer's knowledge, and keeps the events that a snapshot
repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .knowledge import Knowledge
from .schema import Event

__all__ = ["SCOPES", "STANDING", "Fold"]

SCOPES = ("table", "game", "hand", "trick", "turn")
"""The scopes from widest to narrowest. The end of a scope ends all narrower ones."""
STANDING = ("hand", "trick", "turn")
"""The scopes whose events a snapshot repeats. The rows of a snapshot replace the events of wider
scopes.
"""


@dataclass(slots=True)
class Fold(Knowledge):
    """The knowledge of a viewer, and the events of scopes that have not ended.

    `standing` are the events of the current hand, trick and turn: the bids, the plays of the trick,
    the open question. `so_far` returns all events of the hand, if they are available. Both hold
    events as the viewer saw them. `so_far` is not part of a snapshot.
    """

    standing: list[Event] = field(default_factory=list)
    so_far: Callable[[], Sequence[Event]] = field(default=tuple, compare=False, repr=False)

    def see(self, happened: Event, seq: int) -> None:
        """Folds the next event, already redacted for the viewer."""
        self.seq = seq
        kind = type(happened)
        if kind.ends:
            self._end(kind.ends)
        happened.fold(self)
        if kind.scope in STANDING:
            self.standing.append(happened)

    def close_question(self, seat: int) -> None:
        """Closes the open question to a seat."""
        self.standing = [
            each
            for each in self.standing
            if type(each).scope != "turn" or getattr(each, "seat", None) != seat
        ]

    def _end(self, scope: str) -> None:
        over = SCOPES[SCOPES.index(scope) :]
        self.standing = [e for e in self.standing if type(e).scope not in over]
