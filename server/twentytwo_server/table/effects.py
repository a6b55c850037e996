"""What a table asks the host to do, as values, in the order in which to do it.

The host carries them out only after the order that caused them has been stored. A table has no
timers: it asks to be woken (`Wake`), and later gets the order that the wake carries.
"""

from __future__ import annotations

from twentytwo_protocol.record import RecordedMove
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.seating import Rematch


class Tell(Value):
    """Append this event to the table's stream."""

    event: Event


class TurnOver(Value):
    """The time for a turn is up."""

    turn: int


class GraceOver(Value):
    """The grace period is up for somebody who is away."""

    name: str


class WordsDue(Value):
    """The time to open sealed words is up; `asked` is when they were asked for."""

    asked: int


class Abandoned(Value):
    """The time is up for a game at which nobody is connected."""


class GoOn(Value):
    """Another game begins with the first `steps` of `game`, which is over."""

    game: str
    steps: int


class Away(Value):
    """Somebody's connection is lost."""

    name: str


class Back(Value):
    """Somebody is connected again."""

    name: str


class Renamed(Value):
    """Somebody goes by another name from now on: a guest has logged in."""

    old: str
    new: str


class Fault(Value):
    """The table broke; `ref` is what the players are told to quote."""

    ref: str


class ClosedByOperator(Value):
    """The operator closes the table; a game that runs ends without a result."""


class Restarted(Value):
    """The server has restarted: nobody is connected; the time it was down does not count.

    `backup`: it was restored from a backup, so the seeds in it may have been told since.
    """

    backup: bool = False


class StartTogether(Value):
    """Both tables of a pair begin, with these words: the first table's by seat, then the other's.

    `-` is written for a seat without one.
    """

    words: tuple[str, ...]


class Settle(Value):
    """Neither table of a pair plays any more: the deck is opened, and both are compared.

    `names` are those who had the same cards at the other table, `points` what each seat is better
    than they; both are empty where there is nothing to compare. `widowed`: the other table is gone,
    and no other game is promised. `reveal`: the deck may be known.
    """

    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    widowed: bool = False
    reveal: bool = True


class Disband(Value):
    """A table of a pair closes because the other does, or because nobody is at either."""


Inner = (
    TurnOver
    | GraceOver
    | WordsDue
    | Abandoned
    | GoOn
    | Away
    | Back
    | Renamed
    | Fault
    | ClosedByOperator
    | Restarted
    | StartTogether
    | Settle
    | Disband
)
"""The orders that the host itself gives to a table."""


class Wake(Value):
    """Give the table the order `why` after so many milliseconds.

    Wakes are never cancelled: one that does not fit any more changes nothing.
    """

    after: int
    why: TurnOver | GraceOver | WordsDue | Abandoned


class Then(Value):
    """Give the table this order at once: it is kept and told together with the one that asks.

    Nothing comes in between. A command is given by whoever has given that one, `GoOn` by the
    server.
    """

    order: GoOn | Rematch


class Think(Value):
    """Let the bot at this seat answer this turn."""

    seat: int
    turn: int


class Close(Value):
    """Close the table and forget it."""


Effect = RecordedMove | Tell | Wake | Then | Think | Close
"""What there is to do; a move is to be added to the record of the game."""
