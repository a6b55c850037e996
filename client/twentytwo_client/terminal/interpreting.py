"""Interprets typed lines: as a command for the server, or as one for the client itself.

During a game cards come first: `k`, `q` and `a` are a king, a queen and an ace, never a shortened
verb. The module is independent of the rules: the open question lists the legal tokens.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from twentytwo_protocol.awaiting import awaited
from twentytwo_protocol.cards import Card
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import (
    COMMANDS,
    OPTIONS,
    Command,
    Deed,
    Malformed,
    Refused,
    move_fields,
)
from twentytwo_protocol.spoken import plain
from twentytwo_protocol.typed_cards import (
    has_joker,
    lowest,
    of_suit,
    read,
    says_lowest,
    which_cards,
    would_do,
)
from twentytwo_protocol.value import Value
from twentytwo_protocol.verbs import (
    NAMING,
    QUESTIONS,
    as_written,
    game_alone,
    is_chat,
    late_cards,
    no_answer,
    not_now,
    takes_cards,
    unasked,
    where_help_is,
)
from twentytwo_protocol.verbs import meant as verb_meant
from twentytwo_protocol.wire import lacking, read_typed, write_command
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.session import Hello

from ..core.streams import asked, question
from ..display.typed_cards import deck
from .passwords import TAKERS

LOCAL: Mapping[str, str] = {
    "quit": "leave; a seat in a running game is kept for a while",
    "plain": "sentences only, as for a screen reader; again to go back",
    "suits": "letters or signs",
    "color": "on or off",
    "bell": "on or off: a bell at your turn",
    "help": "these commands; help alone is the server's",
}
"""The client's own commands, typed with a slash."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9-]*")


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
    if line.startswith("?"):
        line = f"help {line[1:]}"
    if line.startswith("'"):
        line = f"say {line[1:]}"
    playing = table is not None and table.phase == "playing"
    turn = question(table) if table is not None else None
    line = plain(line, deck(table) if playing else None, turn)
    if is_chat(line) and not has_joker(turn):
        return Send(f"say :{line}")
    others = awaited(table) if table is not None else ""
    refused = unasked(line, playing, turn, others)
    text = refused.text if refused is not None else game_alone(line) if table is None else None
    if text is not None:
        return Hint(text)
    found = _cards_alone(line, table) if table is not None and playing else None
    late = late_cards(line, deck(table) if playing else None)
    if found is None and late is not None:
        return Hint(late)
    return found or _command(line, table)


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


# ------------------------------------------------------------------------------ commands


def _command(line: str, table: TableModel | None) -> Meaning:
    word, _, rest = line.partition(" ")
    if not _WORD.fullmatch(word):
        return _bare(line, table)
    if word.lower() in QUESTIONS:
        return Hint(where_help_is(table is not None and question(table) is not None))
    try:
        verb = verb_meant(word.lower())
    except Refused as several:
        return Hint(several.text)
    if verb is None and word.lower() in NAMING:
        return Send(f"guest {rest}".rstrip())
    if verb is None:
        # It may be a word of a newer server. Otherwise the server has the error text.
        return Send(line)
    if verb == "quit":
        return LocalCommand("quit")
    cls = COMMANDS[verb]
    if cls is Hello:
        return Hint("hello has been said already, by the client.")
    if issubclass(cls, Deed):
        return _deed(cls, verb, rest, table)
    if not rest.strip() and verb not in TAKERS:  # passwords are asked for without echo
        try:
            read_typed(cls, "")
        except Malformed as wrong:
            return Hint(lacking(cls, wrong))
    return Send(_written(cls, verb, rest))


def _written(cls: type[Command], verb: str, rest: str) -> str:
    """A typed command in the form for programs; unchanged if the server will report an error."""
    rest = as_written(cls, rest)
    as_it_is = cls.word.text is None and not cls.alone
    if as_it_is and not any(f.kind is OPTIONS for f in cls.word.fields):
        return f"{verb} {rest}".rstrip()
    try:
        return write_command(read_typed(cls, rest))
    except Malformed:
        return f"{verb} {rest}".rstrip()


def _bare(line: str, table: TableModel | None) -> Meaning:
    """The meaning of a line without a verb: on your turn it is an answer."""
    turn = question(table) if table else None
    if table is None or turn is None:
        return Hint("I do not understand that. help explains what to type.")
    bid = line.isdigit() and any(legal.isdigit() for legal in turn.legal or ())
    # A number is sent as a bid even if it is illegal: the server's error text says more.
    if bid or line == "-" or turn.truncated:
        return Answer(table, turn, "+".join(line.upper().split()))
    return Hint(no_answer(line, turn).text)


def _legal(line: str, turn: Turn) -> str | None:
    """The legal move with this text: `pass`, `18`."""
    return next((legal for legal in turn.legal or () if line.lower() == legal.lower()), None)


def _deed(cls: type[Deed], verb: str, rest: str, table: TableModel | None) -> Meaning:
    """A move in its readable form. The server refuses one that does not answer the question."""
    turn = question(table) if table else None
    if table is not None and turn is not None and turn.act == cls.act:
        if not rest.strip() and move_fields(cls):
            return Hint(which_cards(turn).text if takes_cards(cls) else would_do(turn))
        token = _token(cls, rest, table, turn)
        if token is not None:
            return Answer(table, turn, token)
    elif not rest.strip() and any(not field.optional for field in move_fields(cls)):
        return Hint(not_now(table is not None and table.phase == "playing", turn).text)
    return Send(f"{verb} {rest}".rstrip())


def _token(cls: type[Deed], rest: str, table: TableModel, turn: Turn) -> str | None:
    """The token of a move in its readable form; None if the server's error text will say more."""
    of_cards = takes_cards(cls)
    cards = read(rest, deck(table)) if of_cards else ()
    if of_cards and not cards:
        return None
    try:
        deed = read_typed(cls, " ".join(cards) if of_cards else rest)
    except Malformed:
        return None
    if not isinstance(deed, Deed):
        return None
    if of_cards:
        return _spelled(deed.token, turn)
    return _legal(deed.token, turn) if move_fields(cls) else deed.token


# -------------------------------------------------------------------------------- answers


def _cards_alone(line: str, table: TableModel) -> Meaning | None:
    """The meaning of a line as an answer; None if it is not one."""
    cards = read(line, deck(table))
    turn = question(table)
    if turn is None:
        return Hint(_not_yet(table)) if cards else None
    try:
        low = lowest(line, turn)
    except Refused as wrong:
        return Hint(wrong.text)
    suit = of_suit(line, turn)
    if suit and suit not in (turn.legal or ()):
        return Send(f"{turn.act} {suit}")  # the server tells the cards of this suit
    legal = "+".join(low) if low else suit or _legal(line, turn)
    if legal is not None:
        return Answer(table, turn, legal)
    if cards and turn.act == "exchange":
        return _exchange(line.lower(), cards, table, turn)
    # The server refuses cards if the question asks for something else; but a number is a bid.
    if cards and (turn.act == "play" or not line.isdigit()):
        return Answer(table, turn, _spelled("+".join(cards), turn))
    return None


def _not_yet(table: TableModel) -> str:
    turn = asked(table)
    seat = table.seats.get(turn.seat) if turn else None
    return (
        f"It is not your turn: waiting for {seat.name} to {turn.act}."
        if seat and turn
        else ("It is not your turn.")
    )


def _exchange(line: str, cards: tuple[Card, ...], table: TableModel, turn: Turn) -> Meaning | None:
    held = {card[0] for card in turn.cards or ()}
    if line == "k":
        if "K" in held:
            return Hint('Did you mean "keep", or "exchange k"? Type one of them.')
        return Answer(table, turn, "-")
    if line.split()[0] == "x":
        # Unless a joker is playable, this is the short form of the verb.
        if line == "x":
            return Hint(which_cards(turn).text)
        if "X" in held:
            return Hint('Type "exchange" in full: x is also your joker.')
        return None
    return Answer(table, turn, "+".join(cards))


def _spelled(token: str, turn: Turn) -> str:
    """The token as the question lists it, if a joker was written in a short form."""
    if turn.choose != "one" or "X" not in token.split("+"):
        return token
    same = [legal for legal in turn.legal or () if _loose(legal) == _loose(token)]
    return same[0] if len(same) == 1 else token


def _loose(token: str) -> list[str]:
    return sorted("X" if part[0] == "X" else part[0] for part in token.split("+") if part)
