"""Cards as a person types them and holds them, by the pack of the game at a table."""

from __future__ import annotations

import re

from twentytwo_protocol.cards import (
    RANK_NAMES,
    STANDARD,
    SUIT_NAMES,
    Card,
    Deck,
    NotACard,
)
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.vocabulary import vocabulary

_RANK, _SUIT = "|".join(RANK_NAMES.values()), "|".join(SUIT_NAMES.values())
_SAID = re.compile(rf"\b({_RANK})\b(?: of ({_SUIT})\b)?")
_BETWEEN = re.compile(r"[,+]| and ")
_AS = re.compile(r"[()]| as ")
_RANKS = {name: rank for rank, name in RANK_NAMES.items()}


def deck(table: TableModel | None) -> Deck:
    """The pack that is played with at a table."""
    return vocabulary(table.game.game).deck if table and table.game else STANDARD


def held(table: TableModel) -> tuple[Card, ...]:
    """Our cards there, in the order in which hands are written, where we know it."""
    try:
        return deck(table).sort(table.holding)
    except KeyError:  # the cards of a game that is newer than this client
        return table.holding


def read(text: str, deck: Deck = STANDARD) -> tuple[Card, ...]:
    """The cards that a text names, and nothing but cards; empty if it does not.

    `q q`, `qq`, `10 10`, `qh qs`, and as they are said: `queen queen`, `queen of hearts`,
    `joker(k)`, `joker as king`.
    """
    text = _BETWEEN.sub(" ", text.lower())
    text = _AS.sub("", _SAID.sub(lambda said: _RANKS[said[1]] + (said[2] or "")[:1], text))
    try:
        return deck.read(text.split())
    except NotACard:
        return ()


def as_typed(move: str) -> str:
    """A token as a person types it: `Q+Q` as `q q`."""
    return " ".join(part.lower().replace("t", "10") for part in move.split("+"))
