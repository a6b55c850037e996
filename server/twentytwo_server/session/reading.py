"""Parses lines as commands: strictly for programs, leniently for people.

People may abbreviate verbs, and may type cards without a verb. While a game runs at their table,
cards take precedence: `k`, `q` and `a` are a king, a queen and an ace. At other times lone cards
are refused, not read as abbreviated verbs: a queen played a moment too late must not mean `quit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twentytwo_protocol import wire
from twentytwo_protocol.cards import Deck, NotACard
from twentytwo_protocol.objects import read_object
from twentytwo_protocol.schema import COMMANDS, Command, Deed, Malformed, Refused
from twentytwo_protocol.spoken import plain
from twentytwo_protocol.typed_cards import (
    has_joker,
    lowest,
    of_suit,
    spelled,
    which_cards,
    would_do,
)
from twentytwo_protocol.verbs import (
    GREETINGS,
    NAMING,
    QUESTIONS,
    as_written,
    game_alone,
    greeted,
    is_chat,
    late_cards,
    meant,
    no_answer,
    not_now,
    takes_cards,
    unasked,
    unknown,
    where_help_is,
    where_to_look,
    whole,
)
from twentytwo_protocol.wire import (
    ParsedCommand,
    lacking,
    read_command,
    read_typed,
    split_command,
    typed_example,
    usage,
)
from twentytwo_protocol.words.cardplay import Move, Play, Turn
from twentytwo_protocol.words.session import Guest
from twentytwo_protocol.words.talk import Say


def read_program(verb: str, rest: str) -> Command:
    """Parses a program's line. Raises `Refused` (UNKNOWN_VERB, BAD_ARG)."""
    cls = COMMANDS.get(verb)
    if cls is None:
        raise Refused("UNKNOWN_VERB", f"There is no verb {verb}; help lists them.")
    try:
        return read_command(cls, rest)
    except Malformed as wrong:
        raise _bad_argument(wrong, usage(cls), cls.example) from None


def take_once(rest: str) -> tuple[str, str]:
    """A program's arguments without `once=`, and the key from it, empty if there is none.

    Raises `Refused` (BAD_ARG) for an invalid key.
    """
    try:
        return wire.take_once(rest)
    except Malformed as wrong:
        raise Refused("BAD_ARG", f"{wrong}.", arg="once") from None


def _typed(cls: type[Command], rest: str) -> Command:
    try:
        return read_typed(cls, rest)
    except Malformed as wrong:
        if not rest.strip():
            raise Refused("BAD_ARG", lacking(cls, wrong), arg=wrong.field or None) from None
        raise _bad_argument(wrong, usage(cls, typed=True), typed_example(cls)) from None


def _bad_argument(wrong: Malformed, usage: str, example: str) -> Refused:
    shown = f"   e.g. {example}" if example != usage else ""
    text = f"{wrong}. Usage: {usage}{shown}".replace("....", "...")
    return Refused("BAD_ARG", text, arg=wrong.field or None)


def read_arguments(verb: str, arguments: Mapping[str, Any]) -> tuple[Command, str]:
    """The command in a program's JSON object, and the key of `once`, empty if there is none.

    Raises `Refused` (UNKNOWN_VERB, BAD_ARG).
    """
    arguments = dict(arguments)
    once = arguments.pop("once", "")
    if not isinstance(once, str) or " " in once:
        once = "?"  # an invalid key
    _, once = take_once(f"once={once}" if once else "")
    cls = COMMANDS.get(verb)
    if cls is None:
        raise Refused("UNKNOWN_VERB", f"There is no verb {verb}; help lists them.")
    try:
        return read_object(cls, arguments), once
    except Malformed as wrong:
        text = f"{wrong}. describe verbs {verb} tells what it takes."
        raise Refused("BAD_ARG", text, arg=wrong.field or None) from None


def read_person(
    line: str,
    *,
    named: bool,
    deck: Deck | None,
    asked: Turn | None,
    at_table: bool = False,
    awaited: str = "",
) -> Command:
    """Parses a person's line. Raises `Refused`.

    `named`: the person has a name. Before that only full verbs are read, and any other single word
    is taken as the name, also after `name`. `deck` is the deck of the game at their table, None if
    no game runs. `asked` is the open question if it is their turn, else None. `at_table`: somebody
    may hear their talk. `awaited` tells how to answer the last yes-or-no question to them or to the
    table.
    """
    line = line.strip()
    if line.startswith("'"):
        line = "say " + line[1:]
    if line.startswith("?"):
        line = "help " + line[1:]
    if not named:
        return _before_the_name(line)
    line = plain(line, deck, asked)
    if is_chat(line) and not has_joker(asked):
        return Say(line)
    _check_words(line, deck, asked, at_table, awaited)
    move = _move(line, deck, asked) if deck is not None else None
    if move is not None:
        return move
    late = late_cards(line, deck)
    if late is not None:
        raise Refused("UNKNOWN_VERB", late)
    said = _split(line)
    if said is None:
        return _other(line, asked, _no_answer(line, deck, asked))
    if said.verb.lower() in QUESTIONS:
        raise Refused("UNKNOWN_VERB", where_help_is(asked is not None))
    verb = meant(said.verb)
    if verb is not None:
        return _command(COMMANDS[verb], said.rest, deck, asked)
    if said.verb.lower() in NAMING:
        return Guest(said.rest.strip())  # its refusal explains how to give up a name
    text = unknown(said.verb, asked=asked is not None, line=line if at_table else "")
    return _other(line, asked, Refused("UNKNOWN_VERB", text))


def _before_the_name(line: str) -> Command:
    """Parses a line from a person without a name. Raises `Refused`."""
    if line.lower().rstrip(" !.") in GREETINGS:
        raise Refused("LOGIN_FIRST", greeted())
    said = _split(line)
    verb = whole(said.verb) if said is not None else None
    if verb is None and " " not in line:
        return Guest(line)
    if said is None:
        raise _no_answer(line, None, None)
    if said.verb.lower() in QUESTIONS:
        raise Refused("UNKNOWN_VERB", where_help_is(False))
    if verb is not None:
        return _command(COMMANDS[verb], said.rest, None, None)
    alone = said.rest.strip()
    if said.verb.lower() in NAMING and alone and " " not in alone:
        return Guest(alone)
    raise Refused("UNKNOWN_VERB", f"{unknown(said.verb)} A name is a single word.")


def _split(line: str) -> ParsedCommand | None:
    """The parts of a line; None if the line has no verb, or has an id, which only programs send."""
    try:
        said = split_command(line)
    except Malformed:
        return None
    return said if said.id is None else None


def _move(line: str, deck: Deck, asked: Turn | None) -> Command | None:
    """The move in a line of cards while a game runs; None if the line is not a move."""
    low = lowest(line, asked) if asked is not None else None
    if low is not None:
        return Play(low)
    line = (asked and of_suit(line, asked)) or line
    short = line.lower().split()[:1] == ["x"] and not has_joker(asked)
    return _cards_alone(spelled(line).split(), deck, asked, short=short)


def _command(kind: type[Command], rest: str, deck: Deck | None, asked: Turn | None) -> Command:
    """Parses the arguments of a command of this kind. Raises `Refused`."""
    if not rest.strip():
        _check_alone(kind, deck, asked)
    return _typed(kind, as_written(kind, rest))


def _check_alone(kind: type[Command], deck: Deck | None, asked: Turn | None) -> None:
    """Raises `Refused` for the verb of a move without arguments, if the move needs them."""
    if asked is not None and _may_take_none(kind, asked.act):
        # A program means "no cards" by that; a person has forgotten to type them.
        raise which_cards(asked)
    if not issubclass(kind, Deed) or not _asks_for_more(kind):
        return
    _check_time(kind, deck, asked)
    if asked is not None:
        raise which_cards(asked) if takes_cards(kind) else Refused("BAD_ARG", "", would_do(asked))


def _check_words(
    line: str, deck: Deck | None, asked: Turn | None, at_table: bool, awaited: str
) -> None:
    """Raises `Refused` for an unexpected yes or no, and for the name of a game alone."""
    playing = deck is not None
    refused = unasked(line, playing, asked, awaited)
    if refused is not None:
        raise refused
    text = None if playing or at_table else game_alone(line)
    if text is not None:
        raise Refused("UNKNOWN_VERB", text)


def _asks_for_more(kind: type[Deed]) -> bool:
    return any(not field.optional for field in kind.word.fields)


def _check_time(kind: type[Deed], deck: Deck | None, asked: Turn | None) -> None:
    """Raises `Refused` if a move without arguments does not answer the current question."""
    if asked is None or asked.act != kind.act:
        raise not_now(deck is not None, asked)


def _no_answer(line: str, deck: Deck | None, asked: Turn | None) -> Refused:
    """The refusal of a line that is neither a command nor an answer to what is asked."""
    if asked is None:
        where = where_to_look(False) if deck is None else " It is not your turn."
        return Refused("UNKNOWN_VERB", f"I do not understand that.{where}")
    return no_answer(line, asked)


def _other(line: str, asked: Turn | None, refused: Refused) -> Command:
    """A line without a verb, as an answer to the open question: a bid, or `-` for no card.

    Raises `refused` if it is no answer.
    """
    if asked is not None and line == "-":
        return Move(line)
    if asked is not None and asked.legal:
        numbers = line.isdigit() and any(token.isdigit() for token in asked.legal)
        # A number that may not be bid is still returned as a bid, because the refusal by the rules
        # explains more than "unknown verb".
        if numbers or line.lower() in map(str.lower, asked.legal):
            return Move(line)
    raise refused


def _cards_alone(
    words: list[str], deck: Deck, asked: Turn | None, *, short: bool
) -> Command | None:
    """A line of cards as a move; `short`: the line begins with x, for exchange."""
    act = asked.act if asked else "play"
    if short and asked is not None and act == "exchange" and len(words) == 1:
        raise which_cards(asked)
    if not words or short:
        return None
    try:
        cards = deck.read(words)
    except NotACard:
        return None
    if act == "exchange" and [word.lower() for word in words] == ["k"]:
        return _king_or_keep(asked)
    for kind in COMMANDS.values():
        if issubclass(kind, Deed) and kind.act == act and takes_cards(kind):
            return kind(cards)  # type: ignore[call-arg, arg-type]  # `takes_cards` has checked it
    # Numbers may be a bid instead. All other cards are a play, which is refused at a wrong time.
    return None if all(map(str.isdigit, words)) else Play(cards)


def _may_take_none(kind: type[Command], act: str) -> bool:
    """True if this command answers a question for `act` and may have no cards."""
    if not issubclass(kind, Deed) or kind.act != act:
        return False
    return any(field.attr == "cards" and field.optional for field in kind.word.fields)


def _king_or_keep(asked: Turn | None) -> Command | None:
    """Parses `k` at an exchange: refused if the person holds a king, else None (short for keep)."""
    if asked and any(card[0] == "K" for card in asked.cards or ()):
        either = 'Did you mean "keep", or "exchange k"?'
        raise Refused("AMBIGUOUS_VERB", either, "Type one of them.")
    return None
