"""The source of a table's deals, and the commitment to them before the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from twentytwo_protocol.cards import Card
from twentytwo_protocol.value import Value

from .match import House, Words

Pack = tuple[Card, ...]
"""A shuffled pack, the top card first."""


class Promised(Value):
    """The commitment to the deals of a game, published before the game.

    `game` is the game's name (`g7`), `digest` the hash of its seed. `no` counts all promises of the
    server. `alg` is `FAIR_ALG`, `TAKEN_ALG`, `DAILY_ALG`, `DUPLICATE_ALG`, or `REPEATABLE_ALG`.

    """

    game: str
    no: int
    alg: str
    digest: str


class DealSource(Protocol):
    """The deals of one table, used in the order `promise`, `freeze`, `house`, `seed`.

    A call takes effect when the decision that made it is stored: if the order is refused, its
    promise never happened.
    """

    def promise(self, *, taken: bool = False) -> Promised:
        """Makes and returns the commitment to the deals of a new game.

        `taken`: its first deals will be those of another game.
        """

    def freeze(self, game: str, words: Words) -> None:
        """Fixes the players' words for a promised game; they cannot change any more."""

    def house(self, game: str, words: Words | None, taken: Sequence[Pack] = ()) -> House:
        """The shuffling function of a promised game; `words` is None except for fair deals.

        Its first shuffles are the packs `taken` from another game.
        """

    def seed(self, game: str) -> str:
        """The seed of a game, in hex. Reveal it only when the game is over."""
