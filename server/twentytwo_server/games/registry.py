"""The games of this server: the built-in ones, and those of other distributions.

Another distribution registers its game, an object that is a `Game`, as an entry point of the group
`twentytwo.games`; the entry point's name does not matter, the game's key does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import entry_points
from types import MappingProxyType

from .game import AnyGame
from .twentyeight import TWENTYEIGHT
from .twentytwo import TWENTYSIX, TWENTYTWO
from .whist22 import WHIST22

GROUP = "twentytwo.games"
"""The group of entry points."""

BUILT_IN: tuple[AnyGame, ...] = (TWENTYTWO, TWENTYSIX, WHIST22, TWENTYEIGHT)


@lru_cache(maxsize=1)
def games() -> Mapping[str, AnyGame]:
    """Every game by its key, the built-in ones first. Raises `ValueError` for a key taken twice."""
    found: dict[str, AnyGame] = {}
    for game in (*BUILT_IN, *(entry.load() for entry in entry_points(group=GROUP))):
        if game.key in found:
            raise ValueError(f"two games have the key {game.key}")
        found[game.key] = game
    return MappingProxyType(found)
