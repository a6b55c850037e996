"""Reads the lines that people type, at the server's prompt and in the terminal client.

People may abbreviate verbs, and may type cards without a verb. While a game runs at their table,
cards take precedence: `k`, `q` and `a` are a king, a queen and an ace. At other times lone cards
are refused, not read as abbreviated verbs: a queen played a moment too late must not mean `quit`.
"""

from __future__ import annotations

from .cards import SUIT_NAMES, Deck, NotACard
from .schema import COMMANDS, Command, Deed, Malformed, Refused
from .spoken import plain
from .typed_cards import has_joker, lowest, of_suit, spelled, which_cards, would_do
from .verbs import (
    GREETINGS,
    NAMING,
    QUESTION_WORDS,
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
from .wire import (
    ParsedCommand,
    bad_argument,
    lacking,
    read_typed,
    split_command,
    typed_example,
    usage,
)
from .words.cardplay import Move, Play, Turn
from .words.session import Guest
from .words.talk import Say

__all__ = ["NotKnown", "read_person"]


class NotKnown(Refused):
    """The refusal of a line whose verb or arguments this version does not know.

    `line` is the line as a program sends it. A client sends it, because the server may be newer.
    """

    def __init__(self, line: str, refused: Refused) -> None:
        super().__init__(refused.code, refused.why, refused.advice, **refused.fields)
        self.line = line


def read_person(
    line: str,
    *,
    named: bool,
    deck: Deck | None,
    asked: Turn | None,
    at_table: bool = False,
    awaited: str = "",
) -> Command:
    """The command that a person's line means. Raises `Refused`.

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
    if said.verb.lower() in QUESTION_WORDS:
        raise Refused("UNKNOWN_VERB", where_help_is(asked is not None))
    verb = meant(said.verb)
    if verb is not None:
        return _command(COMMANDS[verb], said.rest, deck, asked)
    if said.verb.lower() in NAMING:
        return Guest(said.rest.strip())  # its refusal explains how to give up a name
    text = unknown(said.verb, asked=asked is not None, line=line if at_table else "")
    return _other(line, asked, NotKnown(line, Refused("UNKNOWN_VERB", text)))


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
    if said.verb.lower() in QUESTION_WORDS:
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


def _no_answer(line: str, deck: Deck | None, asked: Turn | None) -> Refused:
    """The refusal of a line that is neither a command nor an answer to what is asked."""
    if asked is None:
        where = where_to_look(False) if deck is None else " It is not your turn."
        return Refused("UNKNOWN_VERB", f"I do not understand that.{where}")
    return no_answer(line, asked)


# ------------------------------------------------------------------------------ commands


def _command(kind: type[Command], rest: str, deck: Deck | None, asked: Turn | None) -> Command:
    """Parses the arguments of a command of this kind. Raises `Refused`."""
    if not rest.strip():
        _check_alone(kind, deck, asked)
    rest = as_written(kind, rest)
    try:
        return read_typed(kind, rest)
    except Malformed as wrong:
        if not rest.strip():
            raise Refused("BAD_ARG", lacking(kind, wrong), arg=wrong.field or None) from None
        refused = bad_argument(wrong, usage(kind, typed=True), typed_example(kind))
        raise NotKnown(f"{kind.word.word} {rest}", refused) from None


def _check_alone(kind: type[Command], deck: Deck | None, asked: Turn | None) -> None:
    """Raises `Refused` for the verb of a move without arguments, if the move needs them."""
    if asked is not None and _may_take_none(kind, asked.act):
        # A program means "no cards" by that; a person has forgotten to type them.
        raise which_cards(asked)
    if not issubclass(kind, Deed) or not _asks_for_more(kind):
        return
    if asked is None or asked.act != kind.act:
        raise not_now(deck is not None, asked)
    raise which_cards(asked) if takes_cards(kind) else Refused("BAD_ARG", "", would_do(asked))


def _may_take_none(kind: type[Command], act: str) -> bool:
    """True if this command answers a question for `act` and may have no cards."""
    if not issubclass(kind, Deed) or kind.act != act:
        return False
    return any(field.attr == "cards" and field.optional for field in kind.word.fields)


def _asks_for_more(kind: type[Deed]) -> bool:
    return any(not field.optional for field in kind.word.fields)


# --------------------------------------------------------------------------------- moves


def _move(line: str, deck: Deck, asked: Turn | None) -> Command | None:
    """The move in a line of cards while a game runs; None if the line is not a move."""
    low = lowest(line, asked) if asked is not None else None
    if low is not None:
        return Play(low)
    suit = of_suit(line, asked) if asked is not None else None
    if suit is not None and suit in SUIT_NAMES.values():
        return _with_cards(asked, (suit,))  # the rules name the cards of this suit
    line = suit or line
    if line.lower().split()[:1] == ["x"] and not has_joker(asked):
        _check_exchange(line, asked)
        return None
    words = spelled(line).split()
    try:
        cards = deck.read(words)
    except NotACard:
        return None
    if not cards:
        return None
    if asked is not None and asked.act == "exchange" and words == ["k"]:
        _check_king(asked)
        return None
    # Numbers may be a bid instead. All other cards are a play, which is refused at a wrong time.
    return _with_cards(asked, cards) or (None if "".join(words).isdigit() else Play(cards))


def _with_cards(asked: Turn | None, cards: tuple[str, ...]) -> Command | None:
    """The move of these cards that answers the question; None if it asks for no cards."""
    act = asked.act if asked else "play"
    for kind in COMMANDS.values():
        if issubclass(kind, Deed) and kind.act == act and takes_cards(kind):
            return kind(cards)  # type: ignore[call-arg, arg-type]  # `takes_cards` has checked it
    return None


def _check_exchange(line: str, asked: Turn | None) -> None:
    """Raises `Refused` for `x` at an exchange without cards, or where it may be a joker."""
    if asked is None or asked.act != "exchange":
        return
    if line.lower() == "x":
        raise which_cards(asked)
    if any(card[0] == "X" for card in asked.cards or ()):
        raise Refused("AMBIGUOUS_VERB", 'Type "exchange" in full: x is also your joker.')


def _check_king(asked: Turn) -> None:
    """Raises `Refused` for `k` at an exchange with a king in hand; otherwise it means keep."""
    if any(card[0] == "K" for card in asked.cards or ()):
        either = 'Did you mean "keep", or "exchange k"?'
        raise Refused("AMBIGUOUS_VERB", either, "Type one of them.")


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
