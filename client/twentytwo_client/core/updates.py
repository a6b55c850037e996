"""The updates that a conversation yields: each is one thing that the server has told us."""

from __future__ import annotations

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.replies import Err, Ok

from .requests import Request
from .shuffle_check import Verdict


class Greeted(Value):
    """The server has answered `hello`. `reply.boot` changes with every start of the server."""

    reply: Ok


class SignedIn(Value):
    """The login succeeded; `resumed` if an earlier place was taken back.

    Save `token`: it takes this place back next time.
    """

    name: str
    token: str
    resumed: bool
    text: str


class SessionLost(Value):
    """The token is no longer valid. The conversation comes in anew if it has a name to do so.

    `seated`: there were tables to come back to.
    """

    name: str
    why: Err
    seated: bool


class EventReceived(Value):
    """The next event of a stream; if it is a table's, the model `table` has it already.

    `missed`: it happened while there was no connection.
    """

    event: Event
    on: str
    seq: int
    table: TableModel | None = None
    missed: bool = False


class Recorded(Value):
    """The record of a game that is over has come, as it was asked for."""

    game: str
    record: str


class UnknownEvent(Value):
    """An event that this version does not know; its text may still be read."""

    record: ParsedLine
    table: TableModel | None = None


class Snapshot(Value):
    """The model of a table was replaced by a snapshot from the server."""

    table: TableModel


class ShuffleChecked(Value):
    """The deal of a game that is over has been checked; or something is wrong even before."""

    verdict: Verdict
    table: TableModel


class Replied(Value):
    """The end of a reply; `ask` is None if it answers no command of ours."""

    ask: Request | None
    final: Ok | Err


class Unanswered(Value):
    """The connection was lost before the answer to a command, which is not sent again.

    If the command was a move, its turn is over: it was played, or the clock played another.
    """

    ask: Request


class Comment(Value):
    """A comment line, for people who watch the traffic."""

    text: str


class Unreadable(Value):
    """A line that could not be read."""

    line: str
    why: str


class Farewell(Value):
    """The last line before the server hangs up."""

    bye: Bye


class Reconnecting(Value):
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
