"""Cards as a person holds them and types them, by the pack of the game at a table."""

from __future__ import annotations

from twentytwo_protocol.cards import STANDARD, Card, Deck
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.vocabulary import vocabulary


def deck(table: TableModel | None) -> Deck:
    """The pack that is played with at a table."""
    return vocabulary(table.game.game).deck if table and table.game else STANDARD


def held(table: TableModel) -> tuple[Card, ...]:
    """Our cards there, in the order in which hands are written, where we know it."""
    try:
        game = table.game.game if table.game else ""
        return vocabulary(game).in_hand(table.holding, table.options)
    except KeyError:  # the cards of a game that is newer than this client
        return table.holding
