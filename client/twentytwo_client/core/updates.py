"""What comes out of a conversation: each update is one thing that the server let us know."""

from __future__ import annotations

from dataclasses import dataclass

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.replies import Err, Ok

from .requests import Request
from .shuffle_check import Verdict


@dataclass(frozen=True, slots=True)
class Greeted:
    """The server has answered `hello`. `reply.boot` changes with every start of the server."""

    reply: Ok


@dataclass(frozen=True, slots=True)
class SignedIn:
    """You are somebody now; `resumed` if your place was taken back.

    `token` takes it back next time: keep it.
    """

    name: str
    token: str
    resumed: bool
    text: str


@dataclass(frozen=True, slots=True)
class SessionLost:
    """The token opened nothing any more. We come in anew, if there is a name to do it with.

    `seated` is whether there were tables to come back to.
    """

    name: str
    why: Err
    seated: bool


@dataclass(frozen=True, slots=True)
class EventReceived:
    """An event, next in its stream, already folded into `table` where it is a table's.

    `missed` if it happened while there was no connection.
    """

    event: Event
    on: str
    seq: int
    table: TableModel | None = None
    missed: bool = False


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event that this version does not know; its text may still be read."""

    record: ParsedLine
    table: TableModel | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is known of a table was replaced by what the server says is so."""

    table: TableModel


@dataclass(frozen=True, slots=True)
class ShuffleChecked:
    """A game is over, and how it was dealt has been checked; or something is wrong before."""

    verdict: Verdict
    table: TableModel


@dataclass(frozen=True, slots=True)
class Replied:
    """The end of a reply; `ask` is None where the server answered what nobody asked."""

    ask: Request | None
    final: Ok | Err


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The connection was lost before the answer, and the command will not be sent again.

    A move that ends so names a turn that is over: it was made, or the clock made another.
    """

    ask: Request


@dataclass(frozen=True, slots=True)
class Comment:
    """A line for whoever likes to read it."""

    text: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that could not be read."""

    line: str
    why: str


@dataclass(frozen=True, slots=True)
class Farewell:
    """The last line before the server hangs up."""

    bye: Bye


@dataclass(frozen=True, slots=True)
class Reconnecting:
    """The connection is lost, or could not be made again; the next attempt comes in `seconds`.

    `failures` is how many attempts in a row have failed.
    """

    seconds: float
    failures: int


Update = (
    Greeted
    | SignedIn
    | SessionLost
    | EventReceived
    | UnknownEvent
    | Snapshot
    | ShuffleChecked
    | Replied
    | Unanswered
    | Comment
    | Unreadable
    | Farewell
    | Reconnecting
)
"""All that comes out of a conversation."""
