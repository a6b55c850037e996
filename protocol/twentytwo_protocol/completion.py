"""Tab completion, at the server's prompt and in the terminal client.

Your moves and your cards come first, then the commands. Only the open question to you is used, so
that no completion depends on a card that you may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .cards import Card, Deck, NotACard
from .schema import COMMANDS, Deed
from .typed_cards import as_typed
from .verbs import PROGRAMS
from .vocabulary import VOCABULARIES
from .words.cardplay import Turn

__all__ = ["MOST", "completions", "left_out"]

_KEEP = "keep"
"""The answer to an exchange question that exchanges no cards."""
MOST = 60
"""The maximum number of completed moves."""
_USUAL = {
    "": ("practice", "tables", "open", "join", "watch", "help"),
    "open": ("ready", "start", "addbot", "option", "say", "leave"),
    "playing": ("hand", "score", "last", "hint", "say", "leave"),
    "over": ("rematch", "leave", "quit"),
}
"""The usual commands in the lobby, and in each phase of a table."""


def completions(text: str, phase: str, turn: Turn | None, deck: Deck) -> Iterator[tuple[str, str]]:
    """The completions of `text`: the end to replace, and its replacement.

    `phase` is that of the table, empty in the lobby; `turn` is the open question to the person who
    types, and `deck` the pack of the game.
    """
    return iter(dict.fromkeys(_completions(text, phase, turn, deck)))


def _completions(text: str, phase: str, turn: Turn | None, deck: Deck) -> Iterator[tuple[str, str]]:
    verb, space, rest = text.lstrip().partition(" ")
    if space and _deed(verb, turn):
        yield from _moves(rest, turn, deck) if turn else ()
        return
    if turn is not None:
        if turn.choose == "subset" and not turn.min and _KEEP.startswith(text.lstrip().lower()):
            yield text.lstrip(), _KEEP
        yield from _moves(text.lstrip(), turn, deck)
    if space and " " not in rest:
        yield from ((rest, found) for found in _subjects(verb) if found.startswith(rest.lower()))
    if not space:
        usual = _USUAL.get(phase, ()) if turn is None else ()
        yield from ((verb, found) for found in _verbs(verb, usual))


def left_out(text: str, turn: Turn | None) -> int:
    """The number of legal moves that extend the text, beyond the completions."""
    verb, space, rest = text.lstrip().partition(" ")
    if turn is None or turn.choose != "one":
        return 0
    typed = rest if space and _deed(verb, turn) else text.lstrip()
    listed = turn.legal or ()
    found = sum(as_typed(move).startswith(typed.lower()) for move in listed[MOST:])
    return found + (0 if typed else max(0, (turn.nlegal or 0) - len(listed)))


def _deed(verb: str, turn: Turn | None) -> bool:
    found = COMMANDS.get(verb.lower())
    return turn is not None and found is not None and issubclass(found, Deed)


def _verbs(start: str, usual: Sequence[str]) -> Iterable[str]:
    """The commands with this beginning, usual ones first. Without a beginning only the usual
    ones.
    """
    others = _for_people()
    first = [verb for verb in usual if verb in others]
    offered = dict.fromkeys([*first, *others] if start else first)
    return (verb for verb in offered if verb.startswith(start.lower()))


def _for_people() -> list[str]:
    return [verb for verb, cls in COMMANDS.items() if cls.group != PROGRAMS]


def _subjects(verb: str) -> Iterable[str]:
    """The first arguments of a command: a game, and for `help` any command."""
    cls = COMMANDS.get(verb.lower())
    first = next((field.attr for field in cls.word.fields), "") if cls is not None else ""
    games = VOCABULARIES if first in ("game", "topic") else ()
    return (*games, *(_for_people() if first == "topic" else ()))


def _moves(text: str, turn: Turn, deck: Deck) -> Iterator[tuple[str, str]]:
    """The legal moves that extend `text`, then the cards that could come next."""
    typed = text.lower()
    if turn.choose == "one":
        moves = (as_typed(move) for move in (turn.legal or ())[:MOST])
        yield from ((text, move) for move in moves if move.startswith(typed))
    before, _, start = typed.rpartition(" ")
    if not (before or start or turn.choose != "one"):
        return
    try:
        gone = deck.read(before.split())
    except NotACard:
        return
    left = _without(turn.hand or turn.cards or (), gone)
    first = [card for card in left if _may_be(turn, (*gone, card))]
    # The question lists only some moves, so any card may be legal.
    others = left if turn.truncated else []
    for card in dict.fromkeys(map(as_typed, (*first, *others))):
        if card.startswith(start):
            yield text[len(text) - len(start) :], card


def _without(hand: Iterable[Card], gone: Iterable[Card]) -> list[Card]:
    """The cards of a hand without those already typed, by rank or in full."""
    left = list(hand)
    for card in gone:
        found = next((each for each in left if _stands_for(card, each)), None)
        if found:
            left.remove(found)
    return left


def _may_be(turn: Turn, cards: Sequence[Card]) -> bool:
    """True if a legal answer contains all these cards."""
    if turn.choose != "one":
        return turn.max is None or len(cards) <= turn.max
    return any(_has(move.split("+"), cards) for move in turn.legal or ())


def _has(move: list[Card], cards: Sequence[Card]) -> bool:
    return len(_without(move, cards)) == len(move) - len(cards)


def _stands_for(card: Card, other: Card) -> bool:
    """True if two cards may be the same. One of them may be a rank alone, or a joker."""
    rank_alone = card[0] == other[0] and 1 in (len(card), len(other))
    return card == other or (rank_alone and not (card + other).isdigit())  # 1 and 12 are trumps
