"""What a table asks the host to do, as values, in the order in which to do it.

The host carries them out only after the order that caused them has been stored. A table has no
timers: it asks to be woken (`Wake`), and later gets the order that the wake carries.
"""

from __future__ import annotations

from twentytwo_protocol.frozen import frozen
from twentytwo_protocol.record import RecordedMove
from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.seating import Rematch


@frozen
class Tell:
    """Append this event to the table's stream."""

    event: Event


@frozen
class TurnOver:
    """The time for a turn is up."""

    turn: int


@frozen
class GraceOver:
    """The grace period is up for somebody who is away."""

    name: str


@frozen
class WordsDue:
    """The time to open sealed words is up; `asked` is when they were asked for."""

    asked: int


@frozen
class Abandoned:
    """The time is up for a game at which nobody is connected."""


@frozen
class GoOn:
    """Another game begins with the first `steps` of `game`, which is over."""

    game: str
    steps: int


@frozen
class Away:
    """Somebody's connection is lost."""

    name: str


@frozen
class Back:
    """Somebody is connected again."""

    name: str


@frozen
class Renamed:
    """Somebody goes by another name from now on: a guest has logged in."""

    old: str
    new: str


@frozen
class Fault:
    """The table broke; `ref` is what the players are told to quote."""

    ref: str


@frozen
class ClosedByOperator:
    """The operator closes the table; a game that runs ends without a result."""


@frozen
class Restarted:
    """The server has restarted: nobody is connected; the time it was down does not count.

    `backup`: it was restored from a backup, so the seeds in it may have been told since.
    """

    backup: bool = False


@frozen
class StartTogether:
    """Both tables of a pair begin, with these words: the first table's by seat, then the other's.

    `-` is written for a seat without one.
    """

    words: tuple[str, ...]


@frozen
class Settle:
    """Neither table of a pair plays any more: the deck is opened, and both are compared.

    `names` are those who had the same cards at the other table, `points` what each seat is better
    than they; both are empty where there is nothing to compare. `widowed`: the other table is gone,
    and no other game is promised. `reveal`: the deck may be known.
    """

    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    widowed: bool = False
    reveal: bool = True


@frozen
class Disband:
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


@frozen
class Wake:
    """Give the table the order `why` after so many milliseconds.

    Wakes are never cancelled: one that does not fit any more changes nothing.
    """

    after: int
    why: TurnOver | GraceOver | WordsDue | Abandoned


@frozen
class Then:
    """Give the table this order at once: it is kept and told together with the one that asks.

    Nothing comes in between. A command is given by whoever has given that one, `GoOn` by the
    server.
    """

    order: GoOn | Rematch


@frozen
class Think:
    """Let the bot at this seat answer this turn."""

    seat: int
    turn: int


@frozen
class Close:
    """Close the table and forget it."""


Effect = RecordedMove | Tell | Wake | Then | Think | Close
"""What there is to do; a move is to be added to the record of the game."""
