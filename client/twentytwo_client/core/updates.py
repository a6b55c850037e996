"""The updates of a conversation. Each reports one thing that the server has said or done."""

from __future__ import annotations

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event
from twentytwo_protocol.value import Value
from twentytwo_protocol.wire import ParsedLine
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.replies import Err, Ok

from .requests import SentCommand
from .shuffle_check import Verdict


class Greeted(Value):
    """The server has answered `hello`. `reply.boot` changes with every start of the server."""

    reply: Ok


class SignedIn(Value):
    """The login succeeded. `resumed`: an earlier place was taken back.

    Save `token`: it takes this place back next time.
    """

    name: str
    token: str
    resumed: bool
    text: str


class SessionLost(Value):
    """The token is no longer valid. The conversation logs in again if it has a name.

    `seated`: there were tables to return to.
    """

    name: str
    why: Err
    seated: bool


class EventReceived(Value):
    """The next event of a stream. If the stream is a table's, its model `table` has taken it
    already.

    `missed`: the event happened while there was no connection.
    """

    event: Event
    on: str
    seq: int
    table: TableModel | None = None
    missed: bool = False


class Recorded(Value):
    """The requested record of a finished game."""

    game: str
    record: str


class UnknownEvent(Value):
    """An event that this version does not know. Its text may be readable."""

    record: ParsedLine
    table: TableModel | None = None


class Snapshot(Value):
    """The model of a table was replaced by a snapshot from the server."""

    table: TableModel


class ShuffleChecked(Value):
    """The verdict on the deal of a finished game, or an error that was found earlier."""

    verdict: Verdict
    table: TableModel


class Replied(Value):
    """The end of a reply. `ask` is None if no command of ours matches."""

    ask: SentCommand | None
    final: Ok | Err


class Unanswered(Value):
    """A command that was not answered before the connection was lost, and is not repeated.

    If the command was a move, its turn is over: the move was accepted, or the clock made another.
    """

    ask: SentCommand


class Comment(Value):
    """A comment line, of interest only to people who watch the traffic."""

    text: str


class UnreadableLine(Value):
    """An unreadable line."""

    line: str
    why: str


class Farewell(Value):
    """The last line before the server hangs up."""

    bye: Bye


class Reconnecting(Value):
    """The connection is lost or could not be made. The next attempt starts after `seconds`.

    `failures` is the number of failed attempts in a row.
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
    | UnreadableLine
    | Farewell
    | Reconnecting
)
"""Every kind of update."""
