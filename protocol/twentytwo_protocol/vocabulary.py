"""The vocabulary of each game: its names, its cards, its partners, the words for its questions.

The module of a game registers its vocabulary here. Other modules look it up by the key of the game,
so that none of them names a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import field

from .cards import STANDARD, Card, Deck
from .value import Value

__all__ = [
    "DEFAULT_GAME",
    "VOCABULARIES",
    "Vocabulary",
    "enter",
    "key_of",
    "vocabulary",
    "with_key_of_game",
]

DEFAULT_GAME = "twentytwo"
"""The key of the default game."""


class Vocabulary(Value):
    """The names, cards and words of a game."""

    key: str
    """The key of the game on the wire."""
    title: str
    """The title of the game for people."""
    help: str = ""
    """The rules in a dozen lines of at most 75 columns."""
    typing: str = ""
    """How to type the cards, if that needs an explanation: a line or two of at most 75 columns."""
    deck: Deck = STANDARD
    """The pack of the game."""
    partners: tuple[tuple[int, ...], ...] = ()
    """The seats of each side; empty if each player plays alone."""
    best: str = "to beat"
    """The label of the best play in a trick: `to beat` where others must reach it."""
    doing: Mapping[str, str] = field(default_factory=dict)
    """Everyday words for the acts whose names are not everyday verbs, by act."""
    target: str = "to"
    """The words before the score that ends the game: `to 10`, `out at 22`."""
    examples: Mapping[str, str] = field(default_factory=dict)
    """Examples of commands, by verb, where the usual example does not fit this game."""
    counting: str = ""
    """The help text on card counting; see the option `counting`."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """The ranking of the cards of a suit, low to high, for each value of the option `order`, the
    default first; empty if it is the order of the deck.
    """
    exact: bool = True
    """True if a bid must be met exactly, False if more is just as good."""
    short: tuple[str, ...] = ()
    """Other names of the game: `22`."""

    def in_hand(self, cards: Iterable[Card], options: Mapping[str, str]) -> tuple[Card, ...]:
        """The cards in the order of a hand, low to high by the options of the table.

        Raises `KeyError` for a card that this game does not have.
        """
        usual = next(iter(self.orders.values()), "")
        ranks = self.orders.get(options.get("order", ""), usual)
        held = self.deck.sort(cards)
        if not ranks:
            return held
        return tuple(sorted(held, key=lambda card: (card[1:], ranks.index(card[0]))))

    def came(self, exact: int, more: int, less: int) -> tuple[tuple[str, int], ...]:
        """The possible outcomes of a bid in words, each with its count, the best first."""
        if self.exact:
            return ("just so", exact), ("more", more), ("less", less)
        return ("made", exact + more), ("missed", less)


_ENTERED: dict[str, Vocabulary] = {}

VOCABULARIES: Mapping[str, Vocabulary] = MappingProxyType(_ENTERED)
"""Every registered vocabulary, by key, in the order of registration."""


def enter(vocabulary: Vocabulary) -> Vocabulary:
    """Registers a vocabulary and returns it. Raises `ValueError` if its key is taken."""
    if vocabulary.key in _ENTERED:
        raise ValueError(f"two games have the key {vocabulary.key}")
    _ENTERED[vocabulary.key] = vocabulary
    return vocabulary


def vocabulary(key: str) -> Vocabulary:
    """The vocabulary of a game; for an unknown game, one with only its key."""
    return VOCABULARIES.get(key) or Vocabulary(key, key)


_NOT_SPELLED = re.compile("[^a-z0-9]")
_LEAST = 4
"""The minimum length of the beginning of a title."""


def key_of(typed: str) -> str | None:
    """The key of the game with this key, title or number; None if there is not exactly one.

    Case, spaces and hyphens are ignored. The beginning of a title is enough.
    """
    word = _NOT_SPELLED.sub("", typed.lower())
    names = {
        each.key: (each.key, _NOT_SPELLED.sub("", each.title.lower()), *each.short)
        for each in VOCABULARIES.values()
    }
    found = [key for key, those in names.items() if word in those]
    if not found and len(word) >= _LEAST:
        found = [key for key, those in names.items() if any(n.startswith(word) for n in those)]
    return found[0] if len(found) == 1 else None


def with_key_of_game(rest: str) -> str:
    """The arguments with a game's key in place of its two-word title, if they begin with one."""
    first, second, *others = [*rest.split(maxsplit=2), "", ""]
    key = key_of(first + second) if second and "=" not in second else None
    # Callers look up one-word titles by themselves: such a word may have another meaning there.
    named = key is not None and _NOT_SPELLED.sub("", (first + second).lower()) in (
        key,
        _NOT_SPELLED.sub("", vocabulary(key).title.lower()),
    )
    return f"{key} {others[0]}".rstrip() if key and named else rest
