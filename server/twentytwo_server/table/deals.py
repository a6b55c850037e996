"""Where the deals of a table come from, and what is said of them before they are dealt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .match import House, Words

FAIR = "fd1"
"""The fair shuffle: a secret, and the players' words. Any other deal can be repeated."""


@dataclass(frozen=True, slots=True)
class Promised:
    """What is promised of a game before it begins: its number, and the seal on its seed.

    `no` counts all promises of the server. `alg` is `FAIR`, or `seed` for repeatable deals.
    """

    game: str
    no: int
    alg: str
    digest: str


class DealSource(Protocol):
    """The deals of one table. A promise counts once the decision stands that asked for it."""

    def promise(self) -> Promised:
        """The promise for a new game."""

    def freeze(self, game: str, words: Words) -> None:
        """These are the words of a promised game, and nothing is added to them any more."""

    def house(self, game: str, words: Words | None) -> House:
        """What shuffles a promised game; without words where its deals are repeatable."""

    def seed(self, game: str) -> str:
        """The secret of a game that is over, in hex."""
