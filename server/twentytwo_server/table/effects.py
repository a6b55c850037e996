"""What a table asks of whoever runs it, as values, in the order in which to do it.

Nothing of it is carried out before the order that caused it has been kept.
Time enters a table only as a `Wake` that comes back as the command it carries.
"""

from __future__ import annotations

from dataclasses import dataclass

from twentytwo_protocol.schema import Event


@dataclass(frozen=True, slots=True)
class Keep:
    """Write this move into the record of the game: the seat (0 is the house), act and token.

    `auto`: the clock or a bot in somebody's stead made it.
    """

    seat: int
    act: str
    token: str
    auto: bool = False


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
class WordsDue:
    """Sealed words were to be opened by now; `asked` is when that was asked for."""

    asked: int


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
class Renamed:
    """Somebody goes by another name from now on: a guest has logged in."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Fault:
    """The table broke; `ref` is what the players are told to quote."""

    ref: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The server has started anew: nobody is connected, and downtime does not count.

    `backup`: it goes on from a backup, and what was secret then may be known by now.
    """

    backup: bool = False


Inner = TurnOver | GraceOver | WordsDue | Abandoned | Away | Back | Renamed | Fault | Restarted
"""What a table is told by its surroundings, not by a person."""


@dataclass(frozen=True, slots=True)
class Wake:
    """Come back with `why` after so many milliseconds; a wake that no longer fits does nothing."""

    after: int
    why: TurnOver | GraceOver | WordsDue | Abandoned


@dataclass(frozen=True, slots=True)
class Think:
    """Let the bot at this seat answer this turn."""

    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class Close:
    """The table is done with: forget it."""


Effect = Keep | Tell | Wake | Think | Close
