"""The host: who is here, which tables there are, and what becomes of every command.

It carries out what the pure `play` decides: keep first, then tell.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..games.game import Game
from ..ports import Clock, Job, Store, Thinker, Weighed
from .handlers import HANDLERS
from .host import Chance, Config, Host

__all__ = ["Chance", "Config", "Host", "open_host"]


def open_host(
    clock: Clock,
    store: Store,
    games: Mapping[str, Game[Any, Any]],
    chance: Chance,
    config: Config | None = None,
    thinker: Thinker | None = None,
) -> Host:
    """A host that answers every command; without a thinker, hard bots play as the quick ones."""
    settings = config or Config()
    return Host(clock, store, games, chance, thinker or NoThinker(), HANDLERS, settings)


class NoThinker:
    """Nobody thinks."""

    def think(self, job: Job, done: Callable[[str | None], None]) -> None:
        """No answer, at once."""
        done(None)

    def weigh(self, job: Job, done: Callable[[Weighed | None], None]) -> None:
        """No answer, at once."""
        done(None)

    def stop(self) -> None:
        """There is nothing to stop."""
