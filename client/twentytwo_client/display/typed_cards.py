"""Cards as a person holds and types them, with the pack of the game at their table."""

from __future__ import annotations

from twentytwo_protocol.cards import STANDARD, Card, Deck
from twentytwo_protocol.model import TableModel
from twentytwo_protocol.vocabulary import vocabulary


def deck(table: TableModel | None) -> Deck:
    """The pack of the game at a table."""
    return vocabulary(table.game.game).deck if table and table.game else STANDARD


def held(table: TableModel) -> tuple[Card, ...]:
    """Our cards at a table, in the order of a hand if that is known."""
    try:
        game = table.game.game if table.game else ""
        return vocabulary(game).in_hand(table.holding, table.options)
    except KeyError:  # the cards of a game that this client does not know
        return table.holding
