"""Commands that wait for their replies. Each command has an id, which its one reply repeats."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field

from twentytwo_protocol.framing import MAX_CLIENT_LINE
from twentytwo_protocol.schema import COMMANDS, Command, Malformed, Message
from twentytwo_protocol.wire import (
    ParsedCommand,
    ParsedLine,
    decode,
    read_command,
    split_command,
    take_once,
    with_once,
)
from twentytwo_protocol.words.cardplay import Move
from twentytwo_protocol.words.replies import Err, Ok

_LINE_ENDS = re.compile("[\r\n]+")


class TooLong(ValueError):
    """A line that is longer than the server's `limit` in bytes, with its line end."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"a line has at most {limit} bytes")
        self.limit = limit


@dataclass(slots=True)
class SentCommand:
    """A command: its id, line and verb. `rows` are the rows of its reply so far.

    `command` is None if the verb is unknown. `own`: the conversation itself sent the command.
    `once` is the key under which the server executes it only once; empty if it has none.
    """

    id: str
    line: str
    verb: str
    command: Command | None
    own: bool = False
    once: str = ""
    rows: list[Message] = field(default_factory=list)

    @property
    def written(self) -> str:
        """The line as it is sent."""
        return f"@{self.id} {with_once(self.line, self.once) if self.once else self.line}"

    @property
    def turn(self) -> int | None:
        """The turn number of a move."""
        return self.command.turn if isinstance(self.command, Move) else None


class PendingRequests:
    """The pending commands of a conversation. `limit` is the server's maximum length of a line in
    bytes.

    `keys` is the prefix of the command keys, different for each conversation of a person; empty if
    commands have no keys.
    """

    def __init__(self) -> None:
        self.limit = MAX_CLIENT_LINE
        self.keys = ""
        self._count = 0
        self._waiting: dict[str, SentCommand] = {}
        self._again: list[SentCommand] = []

    def __bool__(self) -> bool:
        """True if a command is unanswered."""
        return bool(self._waiting or self._again)

    def make(self, line: str, *, own: bool) -> SentCommand:
        """A new command. A line end in it becomes a space. Raises `TooLong` or `Malformed`."""
        line = _LINE_ENDS.sub(" ", line)  # a text must not become a second command
        said = split_command(line)
        if said.id is not None:
            raise Malformed("the id of a command is not yours to choose")
        id, command = str(self._count + 1), _read(said)
        ask = SentCommand(id, line, said.verb, command, own, "" if own else self._key(id, said))
        if len(f"{ask.written}\r\n".encode()) > self.limit:
            raise TooLong(self.limit)
        self._count += 1
        self.sent(ask)
        return ask

    def _key(self, id: str, said: ParsedCommand) -> str:
        """A key for a command that must not be executed twice; empty for other commands."""
        kind = COMMANDS.get(said.verb)
        with contextlib.suppress(Malformed):
            if self.keys and kind is not None and kind.once and not take_once(said.rest)[1]:
                return f"{self.keys}.{id}"
        return ""

    def sent(self, ask: SentCommand) -> None:
        """Call when a command is sent: its reply is expected from now on."""
        if ask.verb != "pong":  # the only verb without a reply
            self._waiting[ask.id] = ask

    def reply(self, record: ParsedLine) -> tuple[SentCommand | None, Ok | Err] | None:
        """The command that this line answers, and its result; None for a row before the end.

        Raises `Malformed` for an unreadable row. An unreadable last line ends the reply with an
        error.
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

    def lost(self) -> list[SentCommand]:
        """Call when the connection is lost. Returns the commands that will never be answered.

        Repeatable commands are kept for `again` instead.
        """
        asks, self._waiting = list(self._waiting.values()), {}
        self._again += [ask for ask in asks if ask.turn is not None or ask.once]
        return [ask for ask in asks if ask.turn is None and not (ask.own or ask.once)]

    def again(self) -> list[SentCommand]:
        """The unanswered commands to be sent again."""
        again, self._again = self._again, []
        return again


def _read(said: ParsedCommand) -> Command | None:
    """The parsed command; None if it has an error that the server will report.

    Raises `Malformed` for a move, because a move without its turn could not be repeated.
    """
    kind = COMMANDS.get(said.verb)
    if kind is None:
        return None
    try:
        return read_command(kind, said.rest)
    except Malformed:
        if kind is Move:
            raise
        return None
