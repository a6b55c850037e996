"""Players of Twenty-Two and Twenty-Six."""

from __future__ import annotations

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Turn

from ..game import Bot, Pick

LEVELS = ("easy", "steady")


class Easy:
    def __init__(self, pick: Pick) -> None:
        self._pick = pick

    def see(self, happened: Event) -> None:
        """Forgets it."""

    def choose(self, turn: Turn) -> str:
        legal = turn.legal
        return legal[self._pick(len(legal))] if legal else turn.default or "-"


def player(level: str, rules: object, seat: int, pick: Pick) -> Bot:
    return Easy(pick)
