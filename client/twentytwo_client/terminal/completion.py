"""What Tab offers: your moves and your cards first, then the commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from twentytwo_protocol.cards import STANDARD, Card, NotACard
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import COMMANDS, Deed
from twentytwo_protocol.typed_cards import as_typed
from twentytwo_protocol.verbs import PROGRAMS
from twentytwo_protocol.words.cardplay import Turn

from ..core.streams import question
from .interpreting import LOCAL

MOST = 60
"""Moves that are offered at once."""


def completions(text: str, table: TableModel | None) -> Iterator[tuple[str, str]]:
    """What may stand instead of the end of `text`: that end, and what takes its place."""
    turn = question(table) if table is not None and table.phase == "playing" else None
    verb, space, rest = text.lstrip().partition(" ")
    if space and _deed(verb, turn):
        yield from _moves(rest, turn) if turn else ()
        return
    if turn is not None:
        yield from _moves(text.lstrip(), turn)
    if not space:
        yield from ((verb, found) for found in _verbs(verb))


def _deed(verb: str, turn: Turn | None) -> bool:
    found = COMMANDS.get(verb.lower())
    return turn is not None and found is not None and issubclass(found, Deed)


def _verbs(start: str) -> Iterable[str]:
    if start.startswith("/"):
        return (f"/{name}" for name in LOCAL if name.startswith(start[1:]))
    offered = (verb for verb, cls in COMMANDS.items() if cls.group != PROGRAMS)
    return (verb for verb in offered if start and verb.startswith(start.lower()))


def _moves(text: str, turn: Turn) -> Iterator[tuple[str, str]]:
    """The legal moves that go on from `text`, then the cards held that could come next."""
    typed = text.lower()
    if turn.choose == "one":
        moves = (as_typed(move) for move in (turn.legal or ())[:MOST])
        yield from ((text, move) for move in moves if move.startswith(typed))
    before, _, start = typed.rpartition(" ")
    for card in _left(turn.hand or turn.cards or (), before):
        if card.startswith(start) and (before or start or turn.choose != "one"):
            yield text[len(text) - len(start) :], card


def _left(hand: Iterable[Card], typed: str) -> list[str]:
    """The cards of the hand that have not been typed, in small letters, each once."""
    left = list(hand)
    try:
        gone = STANDARD.read(typed.split())
    except NotACard:
        return []
    for card in gone:
        found = card if card in left else next((c for c in left if c[0] == card), None)
        if found:
            left.remove(found)
    return list(dict.fromkeys(as_typed(card) for card in left))
