"""What a table asks of whoever runs it, as values, in the order in which to do it.

Keep, then tell: what is to be remembered comes first, and nothing is told before it is safe.
Time enters a table only as a `Wake` that comes back as the command it carries.
"""

from __future__ import annotations

from dataclasses import dataclass

from twentytwo_protocol.schema import Event


@dataclass(frozen=True, slots=True)
class Keep:
    """Remember this input: who gave it (a name, or "" for the house), and its line."""

    who: str
    line: str


@dataclass(frozen=True, slots=True)
class Tell:
    """Append this event to the table's stream."""

    event: Event


@dataclass(frozen=True, slots=True)
class TurnOver:
    """The time for a turn is up."""

    turn: int


@dataclass(frozen=True, slots=True)
class GraceOver:
    """Somebody has been away for the time of grace."""

    name: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Nobody has been at the table for very long."""


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody's connection is lost."""

    name: str


@dataclass(frozen=True, slots=True)
class Back:
    """Somebody is connected again."""

    name: str


@dataclass(frozen=True, slots=True)
class Fault:
    """The table broke; `ref` is what the players are told to quote."""

    ref: str


Inner = TurnOver | GraceOver | Abandoned | Away | Back | Fault
"""What a table is told by its surroundings, not by a person."""


@dataclass(frozen=True, slots=True)
class Wake:
    """Come back with `why` after so many milliseconds; a wake that no longer fits does nothing."""

    after: int
    why: TurnOver | GraceOver | Abandoned


@dataclass(frozen=True, slots=True)
class Think:
    """Let the bot at this seat answer this turn."""

    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class Close:
    """The table is done with: forget it."""


Effect = Keep | Tell | Wake | Think | Close
