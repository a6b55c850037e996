"""The lobby: the stream of who comes and goes and which tables are open, and its listeners."""

from __future__ import annotations

from twentytwo_protocol.schema import Event
from twentytwo_protocol.words.lobby import Changed, Closed, Opened
from twentytwo_protocol.words.talk import speaker

from ...ports import Clock
from ...session.session import Session
from ...session.streams import Stream
from ...table.table import Table
from ..people.people import People

KEPT = 500
"""How many lobby events are kept in memory."""


class Lobby:
    """The lobby's stream and its listeners. Private and practice tables are not on it."""

    def __init__(self, clock: Clock, people: People) -> None:
        self.stream = Stream("lobby", keep=KEPT)
        self._clock = clock
        self._people = people
        self._listeners: dict[int, Session] = {}
        self._listed: dict[str, Opened] = {}

    def announce(self, event: Event) -> None:
        """Appends an event to the stream and shows it to all listeners."""
        entry = self.stream.append(event, at=self._clock.wall())
        for session in list(self._listeners.values()):
            person = self._people.find(session.name) if session.name else None
            if not session.lobby or person is None:
                self._listeners.pop(id(session), None)
                continue
            who = speaker(event)
            session.show(entry, None, blocked=who in person.blocked)

    def listen(self, session: Session, following: bool) -> None:
        """Makes a connection a listener, or no longer one."""
        session.lobby = following
        if following:
            self._listeners[id(session)] = session
        else:
            self._listeners.pop(id(session), None)

    def changed(self, table: Table) -> None:
        """Announces a table that is new, or of which a listed field has changed."""
        if table.settings.word or table.settings.practice:
            return
        before, now = self._listed.get(table.id), _listed(table)
        if now == before:
            return
        self._listed[table.id] = now
        self.announce(now if before is None else _changed(now))

    def closed(self, table: Table) -> None:
        """Announces that a listed table is closed."""
        if self._listed.pop(table.id, None):
            self.announce(Closed(table.id))


def _listed(table: Table) -> Opened:
    return Opened(
        table.id,
        table.game.key,
        table.settings.seats,
        len(table.seats),
        table.phase.value,
        table.host,
        table.settings.title or None,
    )


def _changed(now: Opened) -> Changed:
    return Changed(now.table, now.game, now.seats, now.taken, now.phase, now.host, now.title)
