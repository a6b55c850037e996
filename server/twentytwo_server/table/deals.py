"""The source of a table's deals, and the commitment to them before the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from twentytwo_protocol.cards import Card
from twentytwo_protocol.value import Value
from twentytwo_protocol.words import duplicate
from twentytwo_protocol.words.daily import ALG

from .match import House, Words

FAIR = "fd1"
"""The fair shuffle, computed from a secret and the players' words."""
TAKEN = "taken"
"""Deals of which the first come from another game, up to the point of continuation. Nobody can
verify them. All deals without a name here are repeatable.
"""

Pack = tuple[Card, ...]
"""A shuffled pack, the top card first."""

DAILY = ALG
"""A daily deal, computed from a secret that is revealed on the next day."""
DUPLICATE = duplicate.ALG
"""The deals of a pair of tables, computed from one secret and the words of both tables."""


class Promised(Value):
    """The commitment to the deals of a game, published before the game.

    `game` is the game's name (`g7`), `digest` the hash of its seed. `no` counts all promises of the
    server. `alg` is `FAIR`, `TAKEN`, `DAILY`, `DUPLICATE`, or `seed` for repeatable deals.
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
