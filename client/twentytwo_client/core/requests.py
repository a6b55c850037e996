"""Commands on their way: each has a number, and exactly one reply comes back with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from twentytwo_protocol.framing import MAX_CLIENT_LINE
from twentytwo_protocol.schema import Malformed, Message
from twentytwo_protocol.wire import ParsedLine, decode, read_command, split_command
from twentytwo_protocol.words.cardplay import Move
from twentytwo_protocol.words.replies import Err, Ok


class TooLong(ValueError):
    """A line longer than the server takes; `limit` bytes, its end included."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"a line has at most {limit} bytes")
        self.limit = limit


@dataclass(slots=True)
class Request:
    """A command: its id, its line, its verb; `rows` are those of the reply that came so far.

    `own` marks what the conversation asks by itself. `turn` is the turn that a move names.
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
    """All commands of a conversation. `limit` is what the server takes, in bytes a line."""

    def __init__(self) -> None:
        self.limit = MAX_CLIENT_LINE
        self._count = 0
        self._waiting: dict[str, Request] = {}
        self._again: list[Request] = []

    def __bool__(self) -> bool:
        """Whether there is one without an answer."""
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
        """It goes out, and its reply is waited for."""
        if ask.verb != "pong":  # the only verb without a reply
            self._waiting[ask.id] = ask

    def reply(self, record: ParsedLine) -> tuple[Request | None, Ok | Err] | None:
        """The command that is answered, and how; None if this is only a row of the answer.

        Raises `Malformed` for a row that cannot be read; an end that cannot be read is an end
        all the same, and as good as an error.
        """
        ask = self._waiting.get(record.id or "")
        try:
            message = decode(record)
        except Malformed:
            if record.word not in ("OK", "ERR"):
                raise
            message = Err("INTERNAL", text=record.text)
        if isinstance(message, Ok | Err):
            if ask is not None:
                del self._waiting[ask.id]
            return ask, message
        if ask is not None and message is not None:
            ask.rows.append(message)
        return None

    def lost(self) -> list[Request]:
        """The connection is gone: those that will not be answered. Moves are kept for `again`."""
        asks, self._waiting = list(self._waiting.values()), {}
        self._again += [ask for ask in asks if ask.turn is not None]
        return [ask for ask in asks if ask.turn is None and not ask.own]

    def again(self) -> list[Request]:
        """The moves that were not answered before the connection was lost."""
        again, self._again = self._again, []
        return again


def _turn_of(verb: str, rest: str) -> int | None:
    """The turn that a move names; only such a move may be sent twice."""
    if verb != "move":
        return None
    command = read_command(Move, rest)
    return command.turn if isinstance(command, Move) else None
