"""Where the deals of a table come from, and what the server commits to before it deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from twentytwo_protocol.cards import Card
from twentytwo_protocol.value import Value
from twentytwo_protocol.words import duplicate
from twentytwo_protocol.words.daily import ALG

from .match import House, Words

FAIR = "fd1"
"""The fair shuffle, made from a secret and the players' words."""
TAKEN = "taken"
"""The first deals are those of another game, as far as it is taken over; nobody can check them.
Deals of any other kind are repeatable."""

Pack = tuple[Card, ...]
"""A shuffled pack, the top card first."""

DAILY = ALG
"""A daily deal, made from a secret alone that is told the day after."""
DUPLICATE = duplicate.ALG
"""The deals of a pair of tables, made from one secret and the words of both."""


class Promised(Value):
    """The commitment to the deals of a game, published before it begins.

    `game` is the game's name (`g7`), `digest` the hash of its seed. `no` counts all promises of the
    server. `alg` is `FAIR`, `TAKEN`, `DAILY`, `DUPLICATE`, or `seed` for repeatable
    deals.
    """

    game: str
    no: int
    alg: str
    digest: str


class DealSource(Protocol):
    """The deals of one table, in the order `promise`, `freeze`, `house`, `seed`.

    Nothing counts until the decision in which it was called is stored: if that order is refused,
    its promise never happened.
    """

    def promise(self, *, taken: bool = False) -> Promised:
        """Makes the commitment to the deals of a new game, and returns it.

        `taken`: its first deals will be those of another game.
        """

    def freeze(self, game: str, words: Words) -> None:
        """Fixes the players' words for a promised game; they cannot change any more."""

    def house(self, game: str, words: Words | None, taken: Sequence[Pack] = ()) -> House:
        """The function that shuffles a promised game; `words` is None for all but fair deals.

        Its first shuffles are the packs `taken` from another game.
        """

    def seed(self, game: str) -> str:
        """The seed of a game, in hex. Tell it only when the game is over."""
