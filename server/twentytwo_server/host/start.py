"""Builds a host: the shared state, the handlers, and the restored data."""

from collections.abc import Callable

from ..facts import Remembered
from ..games.game import Games
from .commands.dispatch import Dispatcher
from .commands.handlers import HANDLERS
from .config import Config
from .host import Host
from .recovery.restoring import restore
from .surroundings import Surroundings


def open_host(
    outside: Surroundings,
    games: Games,
    config: Config | None = None,
    remembered: Remembered | None = None,
    *,
    at_once: bool = True,
    restored: Callable[[], None] = lambda: None,
) -> Dispatcher:
    """Builds a host, restores what is `remembered`, and returns its dispatcher.

    If `at_once`, tables are rebuilt before this returns, else while the host already works;
    `restored` is called when all are rebuilt.
    """
    host = Host(outside, games, config or Config())
    restoring = restore(host, remembered or Remembered(), at_once, restored)
    return Dispatcher(host, HANDLERS, restoring)
