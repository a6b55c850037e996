"""The lobby's streams: arrivals, tables, seeks and talk; and their followers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from twentytwo_protocol.schema import FOLLOWED, Event
from twentytwo_protocol.words.lobby import Changed, Closed, Opened
from twentytwo_protocol.words.talk import speaker

from ...ports import Clock
from ...session.session import Session
from ...session.streams import Stream
from ...table.table import Table
from ..people.people import People

STREAM_SIZE = 500
"""Number of events of each stream that are kept in memory."""


class Lobby:
    """The streams of the lobby and their followers. They show no private or practice tables.

    `tell_others` tells the events of this server to the others, if there are any.
    """

    def __init__(self, clock: Clock, people: People) -> None:
        self.streams: Mapping[str, Stream] = {on: Stream(on, keep=STREAM_SIZE) for on in FOLLOWED}
        self._clock = clock
        self._people = people
        self._listeners: dict[int, Session] = {}
        self._listed: dict[str, tuple[Any, ...]] = {}
        self.tell_others: Callable[[Event], None] | None = None

    def announce(self, event: Event, game: str = "") -> None:
        """Shows an event of this server, as `show` does, and tells it to the other servers."""
        self.show(event, game)
        if self.tell_others is not None:
            self.tell_others(event)

    def show(self, event: Event, game: str = "") -> None:
        """Appends an event to its stream and shows it to all followers.

        `game` is the game of the table or seek: followers of another game only do not get it.
        """
        entry = self.streams[event.stream].append(event, at=self._clock.wall())
        for session in list(self._listeners.values()):
            person = self._people.find(session.name) if session.name else None
            if not session.follows or person is None:
                self._listeners.pop(id(session), None)
                continue
            wanted = session.follows.get(entry.on)
            if wanted is None:
                continue
            if wanted and game not in ("", wanted):
                session.leave_out(entry.on, entry.seq)
                continue
            who = speaker(event)
            session.show(entry, None, blocked=who in person.blocked)

    def follow(self, session: Session, on: str, game: str = "") -> None:
        """Makes a connection follow a stream; with `game` only its tables and seeks."""
        session.follow(on, self.streams[on].last, game)
        self._listeners[id(session)] = session

    def unfollow(self, session: Session, on: str) -> None:
        """Makes a connection follow a stream no longer."""
        session.follows.pop(on, None)

    def forget(self, session: Session) -> None:
        """Removes a connection that is gone."""
        session.follows.clear()
        self._listeners.pop(id(session), None)

    def changed(self, table: Table, before: Table | None = None) -> None:
        """Announces a new table, or a change of a listed field since `before`."""
        listed = self._listed.get(table.id)
        if listed and before is not None and _LISTED_OF(before) == _LISTED_OF(table):
            return  # almost every move
        if table.settings.word or table.kind.secluded:
            return
        now = _listed(table)
        if now == listed:
            return
        self._listed[table.id] = now
        self.announce(Opened(*now) if listed is None else Changed(*now), table.game.key)

    def closed(self, table: Table) -> None:
        """Announces that a listed table is closed."""
        if self._listed.pop(table.id, None):
            self.announce(Closed(table.id), table.game.key)


_LISTED_OF = attrgetter("seats", "phase", "host", "locked", "settings")
"""The fields of a table on which `_listed` depends. Comparing them is quick: a move leaves them the
same objects.
"""


def _listed(table: Table) -> tuple[Any, ...]:
    """The fields of a table in `Opened` and `Changed`."""
    return (
        table.id,
        table.game.key,
        table.settings.seats,
        len(table.seats),
        table.phase.value,
        table.host,
        table.locked,
        table.settings.title or None,
        len(table.vacant) or None,
    )
