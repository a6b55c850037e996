"""The talk of the watchers of all tables, which is stored nowhere."""

from __future__ import annotations

from collections.abc import Callable

from twentytwo_protocol.words.talk import Kibitzed

from .rooms import AnyRoom


class WatchersTalk:
    """Shows a line to the watchers of a table. `tell_others` tells it to other servers."""

    def __init__(self) -> None:
        self.tell_others: Callable[[str, Kibitzed], None] | None = None

    def say(self, room: AnyRoom, line: Kibitzed) -> None:
        """Shows a line of a person of this server."""
        room.talk(line)
        if self.tell_others is not None:
            self.tell_others(room.id, line)
