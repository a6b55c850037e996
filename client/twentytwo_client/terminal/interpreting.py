"""Interprets typed lines: as a command for the server, or as one for the client itself.

`twentytwo_protocol.typed` reads a line as the server reads those of people. Only a refusal of
unknown words is left to the server, because it may be newer than this client.
"""

from __future__ import annotations

from collections.abc import Mapping

from twentytwo_protocol.awaiting import awaited
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import COMMANDS, Command, Deed, Refused
from twentytwo_protocol.typed import NotKnown, read_person
from twentytwo_protocol.typed_cards import read, says_lowest
from twentytwo_protocol.value import Value
from twentytwo_protocol.verbs import meant as verb_meant
from twentytwo_protocol.verbs import takes_cards
from twentytwo_protocol.wire import write_command
from twentytwo_protocol.words.cardplay import Move, Turn
from twentytwo_protocol.words.session import Hello, Quit

from ..core.streams import asked, question
from ..display.typed_cards import deck

LOCAL: Mapping[str, str] = {
    "quit": "leave; a seat in a running game is kept for a while",
    "plain": "sentences only, as for a screen reader; again to go back",
    "suits": "letters or signs",
    "color": "on or off",
    "bell": "on or off: a bell at your turn",
    "help": "these commands; help alone is the server's",
}
"""The client's own commands, typed with a slash."""


class Send(Value):
    """A command for the server."""

    line: str


class Answer(Value):
    """A move: the token that answers the open question of a table."""

    table: TableModel
    turn: Turn
    token: str


class LocalCommand(Value):
    """A command that the client executes itself."""

    name: str
    rest: str = ""


class Hint(Value):
    """A message to the person. Nothing is sent."""

    text: str


Meaning = Send | Answer | LocalCommand | Hint


def meant(line: str, table: TableModel | None = None) -> Meaning | None:
    """The meaning of a line typed at `table`; None for a blank line."""
    line = line.strip()
    if not line:
        return None
    if line.startswith("/"):
        return _local(line[1:])
    if line == "?":
        return LocalCommand("now")
    playing = table is not None and table.phase == "playing"
    try:
        command = read_person(
            line,
            named=True,
            deck=deck(table) if playing else None,
            asked=question(table) if table is not None else None,
            at_table=table is not None,
            awaited=awaited(table) if table is not None else "",
        )
    except NotKnown as refused:
        return Send(refused.line)
    except Refused as refused:
        return Hint(refused.text)
    match command:
        case Quit():
            return LocalCommand("quit")
        case Hello():
            return Hint("hello has been said already, by the client.")
    return (_answer(command, table) if table is not None else None) or Send(write_command(command))


def is_move(line: str, table: TableModel) -> bool:
    """True if a line can only be a move: only cards, the lowest cards, or the verb of a move."""
    try:
        verb = verb_meant(line.partition(" ")[0].lower())
    except Refused:
        verb = None
    alone = verb is not None and issubclass(COMMANDS[verb], Deed)
    return alone or says_lowest(line) or bool(read(line, deck(table)))


def _local(line: str) -> Meaning:
    name, _, rest = line.partition(" ")
    if name not in LOCAL:
        return Hint(f"There is no /{name}. There are: {', '.join(f'/{each}' for each in LOCAL)}.")
    return LocalCommand(name, rest.strip())


def _answer(command: Command, table: TableModel) -> Meaning | None:
    """The meaning of a move in answer to the open question; None for other commands.

    A move out of turn is not sent. The server refuses one that does not answer the question.
    """
    turn = question(table)
    match command:
        case Deed(table=None) if turn is None and table.phase == "playing":
            return Hint(_not_yet(table))
        case Move(token, None, None) if turn is not None:
            return Answer(table, turn, "+".join(token.upper().split()))
        case Deed(table=None) if turn is not None and turn.act == command.act:
            token = command.token
            if takes_cards(type(command)):
                cards = read(token.replace("+", " "), deck(table))
                token = _spelled("+".join(cards), turn)
            return Answer(table, turn, token) if token else None
    return None


def _not_yet(table: TableModel) -> str:
    turn = asked(table)
    seat = table.seats.get(turn.seat) if turn else None
    if seat is None or turn is None:
        return "It is not your turn."
    return f"It is not your turn: waiting for {seat.name} to {turn.act}."


def _spelled(token: str, turn: Turn) -> str:
    """The token as the question lists it, if a joker was written in a short form."""
    if turn.choose != "one" or "X" not in token.split("+"):
        return token
    same = [legal for legal in turn.legal or () if _loose(legal) == _loose(token)]
    return same[0] if len(same) == 1 else token


def _loose(token: str) -> list[str]:
    return sorted("X" if part[0] == "X" else part[0] for part in token.split("+") if part)
