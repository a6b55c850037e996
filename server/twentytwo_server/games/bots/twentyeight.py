"""Players of Twenty-Eight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.cardplay import Turn

from ..game import Bot, Pick

if TYPE_CHECKING:
    from ..twentyeight.rules import TwentyEightRules

LEVELS = ("easy", "steady")


def player(level: str, rules: TwentyEightRules, seat: int, pick: Pick) -> Bot:
    """A new player of that level for a seat. Raises `KeyError` for an unknown level."""
    return {"easy": Easy, "steady": Easy}[level](rules, seat, pick)


class Easy:
    def __init__(self, rules: TwentyEightRules, seat: int, pick: Pick) -> None:
        self._pick = pick

    def see(self, happened: Event) -> None:
        """Forgets it."""

    def choose(self, turn: Turn) -> str:
        legal = turn.legal or ()
        return legal[self._pick(len(legal))]
