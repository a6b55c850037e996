"""Presence: people come and go, and keep their name and seats for a grace period."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.lobby import Offline, Online
from twentytwo_protocol.words.seating import Unwatch

from ..facts import Fact, PersonGone
from ..ports import Store
from ..session.session import Session
from ..table.decision import Actor
from ..table.effects import Away
from .config import LiveConfig
from .connections import Connections
from .friends import FriendLists
from .lobby.lobby import Lobby
from .lobby.seeks import Seeks
from .moderation.reports import Reports, answered
from .people.people import People, Person
from .personal_records import PersonalRecords
from .replays import Replays
from .reviews import Reviews
from .tables.pausable_clock import PausableClock
from .tables.rooms import Rooms

AGAIN = 1_000
"""Milliseconds until a person is looked at again whose work in progress is not done."""

log = logging.getLogger("twentytwo.host")


@dataclass(slots=True)
class Presence:
    """Arrivals and departures of people, told to the lobby, their friends and their tables."""

    _people: People
    _connections: Connections
    _rooms: Rooms
    _lobby: Lobby
    _seeks: Seeks
    _friends: FriendLists
    _replays: Replays
    _reviews: Reviews
    _records: PersonalRecords
    _reports: Reports
    _store: Store
    _clock: PausableClock
    _config: LiveConfig

    def arrive(self, person: Person, session: Session) -> None:
        """Gives the connection this person, and tells the lobby.

        Call it only after `session.arrival.Arrivals.finish` has returned True.
        """
        person.session, session.name = session, person.name
        link = self._connections.link(session)
        if link is not None:
            self._people.settle(person, link.network, link.share)
            log.info("%s comes in from %s", person.name, link.address)
        self._lobby.announce(Online(person.name, person.program))
        self._friends.came(person.name)

    def detach(self, session: Session) -> None:
        """Ends a connection; its person, if any, is away. Seats are kept for the grace period."""
        self._connections.remove(session)
        self._lobby.forget(session)
        self._replays.connection_lost(session)
        self._reviews.tasks.connection_lost(session)
        person = self._people.on(session)
        if person is None:
            return
        person.session = None
        self._friends.left(person.name)
        self._seeks.withdraw(person.name)
        self._lobby.announce(Offline(person.name))
        self.tell_absence(person)
        self.start_grace_period(person)

    def tell_absence(self, person: Person) -> None:
        """Tells the tables of a person that the person is away, and watches no more."""
        for room in self._rooms.of(person):
            room.order(Actor(person.name), Away(person.name))
        for room in [r for r in self._rooms.values() if person.name in r.table.watchers]:
            room.order(Actor(person.name), Unwatch())

    def start_grace_period(self, person: Person) -> None:
        """Starts the grace period of a person who is away."""
        grace = self._config.now.grace
        person.reserved_until = self._clock.now() + grace
        self._clock.later(grace, lambda: self.release_if_expired(person))

    def release_if_expired(self, person: Person) -> None:
        """Forgets a person who is away, whose grace period is over, and who has no seat.

        Call it whenever one of these may have become true; else it does nothing, or tries again
        later. A person who is `pending`, or whose orders have no answer yet, is not forgotten.
        """
        if person.session is not None or self._rooms.of(person):
            return
        if self._people.exact(person.name) is not person:
            return
        left = person.reserved_until - self._clock.now()
        if person.pending or self._rooms.has_sent_orders(person):  # they may get a seat
            left = max(left, AGAIN)
        if left > 0:
            self._clock.later(left, lambda: self.release_if_expired(person))
        else:
            self._people.release(person)
            facts: list[Fact] = [PersonGone(person.name)]
            if person.guest:
                facts += self._records.forget(person.name)
            self._store.keep(facts, lambda: None)

    def log_out(self, person: Person) -> None:
        """Separates a person from the connection, which stays open; there is no grace period."""
        session = person.session
        person.session = None
        person.reserved_until = self._clock.now()
        if session is not None:
            session.name = session.current = None
            self._lobby.forget(session)
        self._seeks.withdraw(person.name)
        self._lobby.announce(Offline(person.name))
        self.release_if_expired(person)

    def tell_answers(self, person: Person) -> None:
        """Tells a person the operator's answers to their reports. Call it after `arrive`."""
        if person.session is None:
            return
        answers = self._reports.answers_for(person.name)
        for report in answers:
            person.session.notice(Note("REPORT", text=answered(report)))
        if answers:
            self._store.keep(answers, lambda: None)
