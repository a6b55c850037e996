"""The host: who is here, which tables there are, and what becomes of every command.

It carries out what the pure `play` decides: keep first, then tell.
"""

from collections.abc import Mapping
from typing import Any

from ..games.game import Game
from ..ports import Clock, Store
from .handlers import HANDLERS
from .host import Chance, Config, Host

__all__ = ["Chance", "Config", "Host", "open_host"]


def open_host(
    clock: Clock,
    store: Store,
    games: Mapping[str, Game[Any, Any]],
    chance: Chance,
    config: Config | None = None,
) -> Host:
    """A host that answers every command."""
    return Host(clock, store, games, chance, HANDLERS, config or Config())
