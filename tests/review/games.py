"""Games to be reviewed, which are the same every time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from twentytwo_protocol.record import Record
from twentytwo_server.games.registry import games
from twentytwo_server.operator.bot_matches import MatchPlan, play_game
from twentytwo_server.review.played_again import PlayedAgain, played_again

SHORT: Mapping[str, tuple[str, Mapping[str, str], tuple[str, ...]]] = MappingProxyType(
    {
        "twentytwo": ("pagat", {"limit": "10"}, ("steady", "easy", "steady")),
        "twentysix": ("twentysix", {"limit": "10"}, ("steady", "easy", "steady")),
        "whist22": ("bga", {}, ("steady",) * 3),
        "twentyeight": ("denexa", {"target": "2", "loss_limit": "2"}, ("steady",) * 4),
    }
)
"""Rules and players by which each game is soon over."""


@lru_cache
def recorded(key: str, seed: int = 4) -> Record:
    """The record of a short game."""
    preset, options, levels = SHORT[key]
    return play_game(MatchPlan(key, preset, options, levels, seed), 0, 0).record


@lru_cache
def short(key: str, seed: int = 4) -> PlayedAgain:
    """The replay of a short game."""
    return played_again(recorded(key, seed), games())
