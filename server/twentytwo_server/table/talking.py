"""Talk at the table, in the table's stream."""

from __future__ import annotations

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.talk import Said, Say

from .decision import Decision
from .table import Phase


def say(d: Decision, order: Say) -> None:
    """Says something to everybody at the table; watchers may talk only between games."""
    table, name = d.table, d.who.name
    if table.seat_of(name) is None:
        if name not in table.watchers:
            raise Refused("NOT_SEATED", f"You are not at {table.id}.")
        if table.phase is Phase.PLAYING:
            raise Refused("FORBIDDEN", "Watchers talk among themselves during a game: kibitz TEXT.")
    d.tell(Said(name, order.text))
