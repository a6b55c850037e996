"""The rules of High Card: two knobs."""

from __future__ import annotations

from dataclasses import dataclass

from twentytwo_server.games.options import number


@dataclass(frozen=True, slots=True)
class HighCardRules:
    """The knobs of High Card."""

    cards: int = number(3, 1, 5, help="cards for each player in a hand", source="ours")
    target: int = number(5, 1, 50, help="whoever has so many tricks wins", source="ours")
