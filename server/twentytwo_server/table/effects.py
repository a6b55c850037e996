"""Effects: requests of a table to the host, as values, in order of execution.

The host executes them only after the order that caused them is stored. A table has no timers: it
requests a wake (`Wake`), and later gets the order in it. The events of its stream and the moves of
the game are no effects: `decision.Decision` has them apart.
"""

from __future__ import annotations

from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.seating import Rematch


class Talk(Value):
    """Append this event to the watchers' talk."""

    event: Event


class TurnOver(Value):
    """The time for a turn is up."""

    turn: int


class GraceOver(Value):
    """The grace period of an absent person is over."""

    name: str


class WordsDue(Value):
    """The time to open sealed words is over; `asked` is the time of the request to open them."""

    asked: int


class Abandoned(Value):
    """The time limit of a game with nobody connected is over."""


class GoOn(Value):
    """Begin another game with the first `steps` moves of `game`, which is over."""

    game: str
    steps: int


class Away(Value):
    """A person's connection is lost."""

    name: str


class Back(Value):
    """A person is connected again."""

    name: str


class Renamed(Value):
    """A person has a new name: a guest has logged in.

    `since` is the time in ms at which the guest arrived: earlier games are of another guest of that
    name.
    """

    old: str
    new: str
    since: int = 0


class Fault(Value):
    """An error of the server at this table; `ref` is the number that players are asked to quote."""

    ref: str


class ClosedByOperator(Value):
    """The operator closes the table; a running game ends without a result."""


class Restarted(Value):
    """The server has restarted: nobody is connected; the time it was down does not count.

    `backup`: it was restored from a backup, so its seeds may have been revealed since. `shared`:
    there are other servers, at which people may watch.
    """

    backup: bool = False
    shared: bool = False


class Inherited(Value):
    """Another server has taken the table over: what the former one waited for is waited for anew.

    The time in between does not count.
    """


class StartTogether(Value):
    """Begin at both tables of a pair with these words: those of the first table by seat, then the
    other's.

    `-` stands for a seat without a word.
    """

    words: tuple[str, ...]


class Settle(Value):
    """Both tables of a pair have stopped playing: the deck is revealed, and the tables are
    compared.

    `names` are the players with the same cards at the other table. `points` are the differences of
    each seat to them. Both are empty if there is nothing to compare. `widowed`: the other table is
    gone, and no other game is promised. `reveal`: the deck may be revealed.
    """

    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    widowed: bool = False
    reveal: bool = True


class Disband(Value):
    """Close a table of a pair, because the other table closes or both are empty."""


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
    | Inherited
    | StartTogether
    | Settle
    | Disband
)
"""The orders given by the host itself."""


class Wake(Value):
    """Give the table the order `why` after `after` milliseconds.

    Wakes are never cancelled; an outdated wake changes nothing.
    """

    after: int
    why: TurnOver | GraceOver | WordsDue | Abandoned


class Then(Value):
    """Give the table this order immediately; it is stored and sent together with its cause.

    Nothing comes in between. A command is given by the actor of the causing order, `GoOn` by the
    server.
    """

    order: GoOn | Rematch


class Think(Value):
    """Let the bot in this seat answer this turn."""

    seat: int
    turn: int


class Close(Value):
    """Close the table and forget it."""


Effect = Talk | Wake | Then | Think | Close
