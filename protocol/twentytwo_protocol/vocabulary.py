"""The vocabulary of each game: its names, its cards, its partners, words for its questions.

The module of a game enters its vocabulary here, and all others look it up by the key of the game.
So no other module names a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from .cards import STANDARD, Deck

DEFAULT_GAME = "twentytwo"
"""The key of the game that is played if none is named."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
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
