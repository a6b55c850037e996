"""The lobby's streams: arrivals, tables, seeks and talk; and their followers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from twentytwo_protocol.schema import FOLLOWED, Event
from twentytwo_protocol.words.talk import speaker

from ...ports import Clock
from ...session.session import Session
from ...session.streams import Stream
from ..people.people import People

STREAM_SIZE = 500
"""Number of events of each stream that are kept in memory."""


class Lobby:
    """The streams of the lobby and their followers.

    `tell_others` tells the events of this server to the others, if there are any.
    """

    def __init__(self, clock: Clock, people: People) -> None:
        self.streams: Mapping[str, Stream] = {on: Stream(on, keep=STREAM_SIZE) for on in FOLLOWED}
        self._clock = clock
        self._people = people
        self._listeners: dict[int, Session] = {}
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
