"""The vocabulary of each game: its names, its cards, its partners, words for its questions.

The module of a game enters its vocabulary here, and all others look it up by the key of the game.
So no other module names a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from msgspec import field

from .cards import STANDARD, Card, Deck
from .value import Value

DEFAULT_GAME = "twentytwo"
"""The key of the game that is played if none is named."""


class Vocabulary(Value):
    """How people and programs speak of a game."""

    key: str
    """Its name on the wire."""
    title: str
    """Its name for people."""
    help: str = ""
    """How it goes, in a dozen lines of at most 75 columns."""
    typing: str = ""
    """How its cards are typed, where that takes a word: a line or two of the same width."""
    deck: Deck = STANDARD
    """How its cards are written and sorted."""
    partners: tuple[tuple[int, ...], ...] = ()
    """The seats that win and lose together; empty where everybody is alone."""
    best: str = "to beat"
    """What the best play of a trick is called: `to beat` where others must reach it."""
    doing: Mapping[str, str] = field(default_factory=dict)
    """What a question asks one to do, by its `act`, where that is no verb that people use."""
    target: str = "to"
    """What is said before the score that ends the game: `to 10`, `out at 22`."""
    examples: Mapping[str, str] = field(default_factory=dict)
    """The example of a command, by its verb, where the usual one is none in this game."""
    counting: str = ""
    """What people are shown of what they could remember, unless a table is `counting=off`."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """How the cards of a suit rank, low to high, by the option `order`, the usual one first; empty
    where that is the deck's own order."""
    exact: bool = True
    """True if a bid is to be met exactly, False if more is as good."""
    short: tuple[str, ...] = ()
    """What else people call it: `22`."""

    def in_hand(self, cards: Iterable[Card], options: Mapping[str, str]) -> tuple[Card, ...]:
        """Cards in the order of a hand, low to high by the options of the table.

        Raises `KeyError` if there is a card that this game does not have.
        """
        usual = next(iter(self.orders.values()), "")
        ranks = self.orders.get(options.get("order", ""), usual)
        held = self.deck.sort(cards)
        if not ranks:
            return held
        return tuple(sorted(held, key=lambda card: (card[1:], ranks.index(card[0]))))

    def came(self, exact: int, more: int, less: int) -> tuple[tuple[str, int], ...]:
        """What a bid came to, in words, how often; what the bidder wanted first."""
        if self.exact:
            return ("just so", exact), ("more", more), ("less", less)
        return ("made", exact + more), ("missed", less)


_ENTERED: dict[str, Vocabulary] = {}

VOCABULARIES: Mapping[str, Vocabulary] = MappingProxyType(_ENTERED)
"""Every vocabulary that was entered, by key, in that order."""


def enter(vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary, known from now on. Raises `ValueError` for a key that is taken."""
    if vocabulary.key in _ENTERED:
        raise ValueError(f"two games have the key {vocabulary.key}")
    _ENTERED[vocabulary.key] = vocabulary
    return vocabulary


def vocabulary(key: str) -> Vocabulary:
    """The vocabulary of a game; of one that is not known here, its key and nothing else."""
    return VOCABULARIES.get(key) or Vocabulary(key, key)


_NOT_SPELLED = re.compile("[^a-z0-9]")
_LEAST = 4
"""The fewest letters of a title that may stand for it."""


def key_of(typed: str) -> str | None:
    """The key of the game that a person means by a key, a title or a number; None if not one game.

    Capitals, spaces and hyphens do not matter, and the beginning of a name will do.
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
    """Typed arguments with a game's key in front, if they began with its title in two words."""
    first, second, *others = [*rest.split(maxsplit=2), "", ""]
    key = key_of(first + second) if second and "=" not in second else None
    # A name of one word is for whoever looks it up: it may be something else there.
    named = key is not None and _NOT_SPELLED.sub("", (first + second).lower()) in (
        key,
        _NOT_SPELLED.sub("", vocabulary(key).title.lower()),
    )
    return f"{key} {others[0]}".rstrip() if key and named else rest
