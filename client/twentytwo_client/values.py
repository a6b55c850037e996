"""What a conversation can be, and what comes out of it: the values of `talk`.

`TRANSITIONS` is all that can happen to a connection; `python -m twentytwo_client.values`
prints it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.replies import Err, Ok

from .asks import Ask
from .checking import Verdict

# --------------------------------------------------------------------------------- states


class State(Enum):
    """Where a conversation stands."""

    AWAY = "no connection"
    GREETING = "connected, hello said"
    NAMELESS = "greeted, but nobody yet"
    HERE = "greeted and named: anything may be said"
    LEAVING = "dismissed for now: the connection is about to close"
    OVER = "dismissed for good: do not come back"


class Sign(Enum):
    """What moves a conversation from one state to another."""

    CONNECTED = "there is a connection"
    LOST = "the connection is gone"
    GREETED = "hello was answered OK"
    REFUSED = "hello was answered ERR, or by something else"
    NAMED = "guest or resume was answered OK"
    UNNAMED = "logout was answered OK"
    RETURN = "BYE resume=1, or the server is too busy to let us in"
    FAREWELL = "BYE resume=0"


TRANSITIONS: Mapping[tuple[State, Sign], State] = {
    (State.AWAY, Sign.CONNECTED): State.GREETING,
    (State.GREETING, Sign.GREETED): State.NAMELESS,
    (State.GREETING, Sign.REFUSED): State.OVER,
    (State.NAMELESS, Sign.NAMED): State.HERE,
    (State.HERE, Sign.NAMED): State.HERE,
    (State.HERE, Sign.UNNAMED): State.NAMELESS,
    (State.GREETING, Sign.LOST): State.AWAY,
    (State.NAMELESS, Sign.LOST): State.AWAY,
    (State.HERE, Sign.LOST): State.AWAY,
    (State.LEAVING, Sign.LOST): State.AWAY,
    (State.OVER, Sign.LOST): State.OVER,
    (State.GREETING, Sign.RETURN): State.LEAVING,
    (State.NAMELESS, Sign.RETURN): State.LEAVING,
    (State.HERE, Sign.RETURN): State.LEAVING,
    (State.GREETING, Sign.FAREWELL): State.OVER,
    (State.NAMELESS, Sign.FAREWELL): State.OVER,
    (State.HERE, Sign.FAREWELL): State.OVER,
}
"""The state after a sign. A pair that is not here cannot happen."""


def diagram() -> str:
    """The transitions as lines of text."""
    return "\n".join(
        f"{before.name:9} {sign.name:10} -> {after.name:9} {sign.value}"
        for (before, sign), after in TRANSITIONS.items()
    )


# --------------------------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Greeted:
    """The server has answered `hello`. `reply.boot` changes with every start of the server."""

    reply: Ok


@dataclass(frozen=True, slots=True)
class Named:
    """You are somebody now; `resumed` if your place was taken back.

    `token` takes it back next time: keep it.
    """

    name: str
    token: str
    resumed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The token opened nothing any more. We come in anew, if there is a name to do it with.

    `seated` is whether there were tables to come back to.
    """

    name: str
    why: Err
    seated: bool


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, next in its stream, already folded into `table` where it is a table's.

    `missed` if it happened while there was no connection.
    """

    event: Event
    on: str
    seq: int
    table: TableModel | None = None
    missed: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """An event that this version does not know; its text may still be read."""

    record: ParsedLine
    table: TableModel | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is known of a table was replaced by what the server says is so."""

    table: TableModel


@dataclass(frozen=True, slots=True)
class Checked:
    """A game is over, and how it was dealt has been checked; or something is wrong before."""

    verdict: Verdict
    table: TableModel


@dataclass(frozen=True, slots=True)
class Replied:
    """The end of a reply; `ask` is None where the server answered what nobody asked."""

    ask: Ask | None
    final: Ok | Err


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The connection was lost before the answer, and the command will not be sent again.

    A move that ends so names a turn that is over: it was made, or the clock made another.
    """

    ask: Ask


@dataclass(frozen=True, slots=True)
class Comment:
    """A line for whoever likes to read it."""

    text: str


@dataclass(frozen=True, slots=True)
class Garbled:
    """A line that could not be read."""

    line: str
    why: str


@dataclass(frozen=True, slots=True)
class Farewell:
    """The last line before the server hangs up."""

    bye: Bye


Value = (
    Greeted
    | Named
    | Forgotten
    | Happened
    | Unknown
    | Snapshot
    | Checked
    | Replied
    | Unanswered
    | Comment
    | Garbled
    | Farewell
)
"""All that comes out of a conversation."""

if __name__ == "__main__":
    print(diagram())
