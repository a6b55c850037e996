"""Commands waiting for a reply: each has an id, and exactly one reply comes back with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from twentytwo_protocol.framing import MAX_CLIENT_LINE
from twentytwo_protocol.schema import Malformed, Message
from twentytwo_protocol.wire import ParsedLine, decode, read_command, split_command
from twentytwo_protocol.words.cardplay import Move
from twentytwo_protocol.words.replies import Err, Ok


class TooLong(ValueError):
    """A line is longer than the `limit` of the server: bytes, with its line end."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"a line has at most {limit} bytes")
        self.limit = limit


@dataclass(slots=True)
class Request:
    """A command: its id, line and verb; `rows` are the rows of its reply so far.

    `own`: the conversation sent it by itself. `turn` is the turn that a move names.
    """

    id: str
    line: str
    verb: str
    own: bool = False
    turn: int | None = None
    rows: list[Message] = field(default_factory=list)

    @property
    def written(self) -> str:
        """The line as it is sent."""
        return f"@{self.id} {self.line}"


class PendingRequests:
    """The commands of a conversation. `limit`: bytes of a line that the server takes at most."""

    def __init__(self) -> None:
        self.limit = MAX_CLIENT_LINE
        self._count = 0
        self._waiting: dict[str, Request] = {}
        self._again: list[Request] = []

    def __bool__(self) -> bool:
        """True if a command is unanswered."""
        return bool(self._waiting or self._again)

    def make(self, line: str, *, own: bool) -> Request:
        """A new command. Raises `TooLong` or `Malformed`."""
        said = split_command(line)
        if said.id is not None:
            raise Malformed("the id of a command is not yours to choose")
        ask = Request(str(self._count + 1), line, said.verb, own, _turn_of(said.verb, said.rest))
        if len(f"{ask.written}\r\n".encode()) > self.limit:
            raise TooLong(self.limit)
        self._count += 1
        self.sent(ask)
        return ask

    def sent(self, ask: Request) -> None:
        """Call when a command is sent; from now on its reply is expected."""
        if ask.verb != "pong":  # the only verb without a reply
            self._waiting[ask.id] = ask

    def reply(self, record: ParsedLine) -> tuple[Request | None, Ok | Err] | None:
        """The command that this line answers, and its result; None for a row before the end.

        Raises `Malformed` for a row that cannot be read. An unreadable end still ends the reply,
        as an error.
        """
        ask = self._waiting.get(record.id or "")
        try:
            message = decode(record)
        except Malformed:
            if record.word not in ("OK", "ERR"):
                raise
            message = Err("INTERNAL", "server", text=record.text)
        if isinstance(message, Ok | Err):
            if ask is not None:
                del self._waiting[ask.id]
            return ask, message
        if ask is not None and message is not None:
            ask.rows.append(message)
        return None

    def lost(self) -> list[Request]:
        """Call when the connection is lost; returns the commands that will never be answered.

        Unanswered moves are not among them: they are kept for `again`.
        """
        asks, self._waiting = list(self._waiting.values()), {}
        self._again += [ask for ask in asks if ask.turn is not None]
        return [ask for ask in asks if ask.turn is None and not ask.own]

    def again(self) -> list[Request]:
        """The moves that were not answered before the connection was lost."""
        again, self._again = self._again, []
        return again


def _turn_of(verb: str, rest: str) -> int | None:
    """The turn that a move names. Only such moves are safe to send twice."""
    if verb != "move":
        return None
    command = read_command(Move, rest)
    return command.turn if isinstance(command, Move) else None
