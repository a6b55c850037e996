"""Builds a host: the shared state, the handlers, and the restored data."""

from collections.abc import Callable

from ..facts import Remembered
from ..games.game import Games
from .cluster.post import Post
from .commands.dispatch import Dispatcher, dispatcher
from .commands.handlers import HANDLERS
from .config import Config
from .host import Host
from .recovery.restoring import Restoring
from .surroundings import Surroundings
from .unknown_tables import UnknownTables


def open_host(
    outside: Surroundings,
    games: Games,
    config: Config | None = None,
    remembered: Remembered | None = None,
    *,
    at_once: bool = True,
    restored: Callable[[], None] = lambda: None,
) -> tuple[Host, Dispatcher]:
    """Builds a host and its dispatcher, and restores what is `remembered`.

    If `at_once`, tables are rebuilt before this returns; otherwise they are rebuilt later, while
    the host already answers. `restored` is called when all are rebuilt.
    """
    host = Host(outside, games, config or Config())
    remembered = remembered or Remembered()
    facts = host.restore(remembered)
    host.parts.make(Restoring).begin(remembered, at_once, restored)
    host.store.keep(facts, lambda: None)
    for shared in (Post, UnknownTables):  # by commands and by the cluster
        host.parts.make(shared)
    return host, dispatcher(host.parts, HANDLERS)
