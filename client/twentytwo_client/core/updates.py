"""The updates that a conversation yields: each is one thing that the server has told us."""

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
    """The login succeeded; `resumed` if an earlier place was taken back.

    Save `token`: it takes this place back next time.
    """

    name: str
    token: str
    resumed: bool
    text: str


@dataclass(frozen=True, slots=True)
class SessionLost:
    """The token is no longer valid. The conversation comes in anew if it has a name to do so.

    `seated`: there were tables to come back to.
    """

    name: str
    why: Err
    seated: bool


@dataclass(frozen=True, slots=True)
class EventReceived:
    """The next event of a stream; if it is a table's, the model `table` has it already.

    `missed`: it happened while there was no connection.
    """

    event: Event
    on: str
    seq: int
    table: TableModel | None = None
    missed: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """The record of a game that is over has come, as it was asked for."""

    game: str
    record: str


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event that this version does not know; its text may still be read."""

    record: ParsedLine
    table: TableModel | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The model of a table was replaced by a snapshot from the server."""

    table: TableModel


@dataclass(frozen=True, slots=True)
class ShuffleChecked:
    """The deal of a game that is over has been checked; or something is wrong even before."""

    verdict: Verdict
    table: TableModel


@dataclass(frozen=True, slots=True)
class Replied:
    """The end of a reply; `ask` is None if it answers no command of ours."""

    ask: Request | None
    final: Ok | Err


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The connection was lost before the answer to a command, which is not sent again.

    If the command was a move, its turn is over: it was played, or the clock played another.
    """

    ask: Request


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment line, for people who watch the traffic."""

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
    """The connection is lost or could not be made; the next attempt comes in `seconds`.

    `failures` is how many attempts in a row have failed.
    """

    seconds: float
    failures: int


Update = (
    Greeted
    | SignedIn
    | SessionLost
    | EventReceived
    | Recorded
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
"""Every kind of update."""
