"""The remark after a hand for the only person at a practice table."""

from __future__ import annotations

from collections.abc import Iterator

from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Hand_, Handover

from ...games.game import Deciding
from ...session.streams import Entry
from ...table.table import Table


def decided(table: Table, backwards: Iterator[Entry], seat: int) -> str:
    """One sentence for the seat about the last hand of a table; empty if its game has none."""
    game = table.game
    if not isinstance(game, Deciding):
        return ""
    hand: list[Event] = []
    names = {}
    for entry in backwards:  # later events belong to the next hand
        if isinstance(entry.event, Handover):
            hand, names = [], dict(entry.names)
        seen = entry.seen_by(seat)
        hand.append(seen)
        if isinstance(seen, Hand_) and names:
            break
    voice = Voice(names, seat, game.key)
    return game.decided(table.rules, hand[::-1], voice) if names else ""
