"""The shared state of a server: all people and tables, with the store and the clock.

It knows no commands: `commands.dispatch` gives lines to their handlers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sized

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.lobby import Offline, Online
from twentytwo_protocol.words.seating import Leave, Unwatch

from ..facts import DailyEnded, Fact, PersonGone, Remembered, Unrated
from ..games.chance import RandomBelow
from ..games.game import AnyGame
from ..limits.logins import FREE, LoginLimits
from ..limits.quotas import NO_QUOTA, Quotas
from ..ports import SLOW_STORAGE
from ..scheduler import Scheduler
from ..session.session import Session
from ..table import teaching
from ..table.decision import Actor, Moment
from ..table.effects import Away
from ..table.table import Table
from .config import Config
from .connections import Connections
from .dailies import Dailies
from .daily_results import DailyResults
from .earlier_games import EarlierGames
from .friends import FriendLists
from .lobby.lobby import Lobby
from .lobby.seeks import Seeks
from .moderation.invite_codes import InviteCodes
from .moderation.reports import Reports, answered
from .moderation.sanctions import Sanctions
from .pairs import Pairs
from .people.inboxes import Inboxes
from .people.people import People, Person
from .people.viewers import Viewers
from .ratings import Ratings
from .replays import Replays
from .reviews import Reviews
from .surroundings import Surroundings
from .tables.deals import Deals
from .tables.pausable_clock import PausableClock
from .tables.room import Room
from .tables.rooms import Rooms
from .tables.set_aside import SetAsideTables

log = logging.getLogger("twentytwo.host")


_NOT_STORING = "The server cannot store anything at present. Clocks stand still."

THINK_MARGIN = 5000
"""Milliseconds of delay after which a quick bot plays the move of a searching bot."""


class Host:
    """The shared parts of a server: people, rooms, the lobby, and the ports to the outside.

    `clock` is the timeline of the tables, which can be paused. `restoring` has the tables of an
    earlier run that are still to be rebuilt.
    `draining` is True while nothing new begins, because the server is about to stop; `halted` when
    it stops.
    `dummy_key_secret` is made at the first `auth` (`commands.accounts.login`).
    """

    def __init__(self, outside: Surroundings, games: Mapping[str, AnyGame], config: Config) -> None:
        clock, store, chance = outside.clock, outside.store, outside.chance
        self.clock = PausableClock(clock)
        self.store = store
        self.metrics = outside.metrics
        self.games = games
        self.chance = chance
        self.deals = Deals(chance.secret)
        self.bot_workers = outside.bot_workers
        self.config = config
        self.people = People(chance.token, self.clock.now, store)
        self.connections = Connections()
        self.viewers = Viewers(self.people, self.fault)
        self.inboxes = Inboxes(store, self.clock, self.people, self.viewers)
        self.ratings = Ratings(store, self.people, self.inboxes, self.fault)
        self.dailies = Dailies(clock, store, games, chance.secret)
        self.daily_results = DailyResults(store, self.people, self.inboxes, self.fault)
        self.friends = FriendLists(self.people, self.clock.now)
        self.hasher = outside.hasher
        self.login_limits = LoginLimits(self.clock.now, FREE if config.dev else config.logins)
        self.quotas = Quotas(NO_QUOTA if config.dev else config.quotas, self.clock.now)
        self.dummy_key_secret = b""
        self.sanctions = Sanctions(clock.wall)
        self.reports = Reports()
        self.invite_codes = InviteCodes(clock.wall)
        self.rooms = Rooms(self.people)
        self.lobby = Lobby(self.clock, self.people)
        self.seeks = Seeks(self.lobby)
        self.scheduler = Scheduler(clock)
        self.replays = Replays(clock, self.scheduler, self.fault)
        self.reviews = Reviews(outside.review_workers)
        self.earlier_games = EarlierGames(store, outside.review_workers, self.fault)
        self.restoring: Sized = ()
        self.set_aside = SetAsideTables()
        self.pairs = Pairs(
            self.rooms, self.set_aside, self.deals, store, self.moment, self.joint_moment
        )
        self.draining = False
        self.halted = False
        started = clock.now()
        self.uptime: Callable[[], int] = lambda: clock.now() - started
        """Milliseconds since the start, including time when nothing could be stored."""
        self.storing = True
        """False while nothing can be stored."""
        self.faults = 0
        """Number of errors logged by `fault`."""
        store.watch(self.storage_changed)

    # ------------------------------------------------------------------ coming and going

    def arrive(self, person: Person, session: Session) -> None:
        """Gives the connection this person, and tells the lobby.

        Call it only after `session.arrival.finish_arrival` has returned True.
        """
        person.session, session.name = session, person.name
        link = self.connections.link(session)
        if link is not None:
            self.people.settle(person, link.place, link.share)
            log.info("%s comes in from %s", person.name, link.address)
        self.lobby.announce(Online(person.name, person.program))
        self.friends.came(person)

    def detach(self, session: Session) -> None:
        """Ends a connection; its person, if any, is away. Seats are kept for the grace period."""
        self.connections.remove(session)
        self.lobby.forget(session)
        self.replays.connection_lost(session)
        self.reviews.tasks.connection_lost(session)
        person = self.people.on(session)
        if person is None:
            return
        person.session = None
        self.friends.left(person)
        self.seeks.withdraw(person.name)
        self.lobby.announce(Offline(person.name))
        for room in self.rooms.of(person):
            room.order(Actor(person.name), Away(person.name))
        for room in [r for r in self.rooms.values() if person.name in r.table.watchers]:
            room.order(Actor(person.name), Unwatch())
        self.start_grace_period(person)

    def start_grace_period(self, person: Person) -> None:
        """Starts the grace period of a person who is away."""
        person.reserved_until = self.clock.now() + self.config.grace
        self.clock.later(self.config.grace, lambda: self.release_if_expired(person))

    def release_if_expired(self, person: Person) -> None:
        """Forgets a person who is away, whose grace period is over, and who has no seat.

        Call it whenever one of these may have become true; else it does nothing, or tries again at
        the end of the grace period. A person who is `pending` is not forgotten.
        """
        if person.session is not None or person.pending or self.rooms.of(person):
            return
        if self.people.exact(person.name) is not person:
            return
        left = person.reserved_until - self.clock.now()
        if left > 0:
            self.clock.later(left, lambda: self.release_if_expired(person))
        else:
            self.people.release(person)
            facts: list[Fact] = [PersonGone(person.name)]
            if person.guest:
                self.dailies.gone(person.name)
                facts += (*self.sanctions.forget(person.name), *self.reports.forget(person.name))
            self.store.keep(facts, lambda: None)

    def log_out(self, person: Person) -> None:
        """Separates a person from the connection, which stays open; there is no grace period."""
        session = person.session
        person.session = None
        person.reserved_until = self.clock.now()
        if session is not None:
            session.name = session.current = None
            self.lobby.forget(session)
        self.seeks.withdraw(person.name)
        self.lobby.announce(Offline(person.name))
        self.release_if_expired(person)

    def tell_answers(self, person: Person) -> None:
        """Tells a person the operator's answers to their reports. Call it after `arrive`."""
        if person.session is None:
            return
        answers = self.reports.answers_for(person.name)
        for report in answers:
            person.session.notice(Note("REPORT", text=answered(report)))
        if answers:
            self.store.keep(answers, lambda: None)

    # ---------------------------------------------------------------------- what begins

    def check_not_draining(self) -> None:
        """Raises `Refused` (DRAINING) if nothing new begins, because the server stops soon."""
        if self.draining:
            raise Refused("DRAINING", "The server stops soon and begins nothing new; games go on.")

    @property
    def unready(self) -> str | None:
        """The reason why the server is not ready for players, or None."""
        if self.halted:
            return "stopping"
        if self.draining:
            return "draining"
        if self.restoring:
            return "restoring"
        return None if self.storing else "not storing"

    # -------------------------------------------------------------------------- rooms

    @property
    def tables(self) -> int:
        """The number of tables, including those that are still to be rebuilt."""
        return len(self.rooms) + len(self.rooms.opening) + len(self.restoring)

    def moment(self, room: Room) -> Moment:
        """The inputs of a table's decision: the time, its deals, the grace period."""
        settings, key = room.table.settings, room.table.game.key
        daily = self.dailies.secret(settings, key)
        deals = self.deals.for_decision(room.id, settings.seed, self.clock.wall(), daily)
        return Moment(self.clock.now(), deals, room.grace)

    def joint_moment(self, room: Room, secret: str) -> Moment:
        """The same for the two tables of a pair, which are promised this secret."""
        deals = self.deals.for_decision(room.id, None, self.clock.wall(), pair=secret)
        return Moment(self.clock.now(), deals, room.grace)

    def random_source(self, seed: int | None) -> RandomBelow:
        """Random numbers for a bot, repeatable with a seed."""
        return self.chance.pick(seed)

    @property
    def think_time(self) -> int:
        """Milliseconds that a searching bot takes for every move, however simple."""
        return self.config.think

    @property
    def think_timeout(self) -> int:
        """Milliseconds to wait for a searching bot, including the wait for a free worker."""
        return self.config.think + THINK_MARGIN

    def bot_delay(self, table: Table) -> int:
        """Milliseconds before a bot answers, independent of its cards; 0 if only programs play."""
        return self.config.pause if any(not s.program for s in table.present) else 0

    def is_arriving(self, name: str) -> bool:
        """True if the person of that name is coming back, but that is not stored yet."""
        person = self.people.exact(name)
        return person is not None and person.pending > 0

    def table_changed(self, room: Room, before: Table) -> None:
        """Updates the seats and the lobby after a change of a table."""
        table = room.table
        if before.seats is not table.seats:
            for person in self.rooms.reseat(room, [seat.name for seat in before.people]):
                self.release_if_expired(person)
        if not room.closed:
            if before.seats is not table.seats or before.watchers is not table.watchers:
                self._mark_lost_connections(room, before)
            self.lobby.changed(table)
        self.pairs.changed(room)
        if table.kind.taught and teaching.turn_of(before) != teaching.turn_of(table):
            self.teach(room)

    def teach(self, room: Room) -> None:
        """Sends the learner the text of the lesson's current step, and notes the progress."""
        for seat in room.table.people:
            person = self.people.exact(seat.name)
            if person is None:
                continue
            person.lessons[room.table.game.key] = teaching.reached(room.table)
            said = teaching.now(room.table)
            if said is not None and person.session is not None:
                person.session.notice(said)

    def _mark_lost_connections(self, room: Room, before: Table) -> None:
        """Tells the table about people who lost their connection while their joining was stored.

        A person who has logged out meanwhile loses this seat too: nobody could come back to it.
        """
        there = before.names.values()
        for seat in room.table.present:
            if seat.name not in there and self.people.session_of(seat.name) is None:
                person = self.people.exact(seat.name)
                may_return = person is not None and person.secret
                room.order(Actor(seat.name), Away(seat.name) if may_return else Leave())
        for name in room.table.watchers:
            if name not in before.watchers and self.people.session_of(name) is None:
                room.order(Actor(name), Unwatch())

    def reopen(self, room: Room) -> None:
        """Adds the room of a rebuilt table."""
        self.rooms.reopen(room)
        self.lobby.changed(room.table)

    def halt(self) -> None:
        """Stops all tables in their present state, because the server stops."""
        self.halted = True
        self.dailies.stop()
        for room in self.rooms.values():
            room.halt()

    def room_closed(self, room: Room) -> None:
        """Removes the room of a closed table."""
        gone = self.rooms.remove(room)
        self.lobby.closed(room.table)
        self.connections.table_closed(room.id)
        self.deals.forget(room.id)
        for person in gone:
            self.release_if_expired(person)
        self.pairs.closed(room)

    # ------------------------------------------------------------------------- the store

    def resume_numbers(self, remembered: Remembered) -> None:
        """Continues the numbers and the timeline of the earlier run. Call it first."""
        self.rooms.resume_numbers(remembered.table)
        self.deals.continue_from(remembered.game, remembered.promise)
        self.clock.set(remembered.at)

    def storage_changed(self, why: str | None) -> None:
        """Called by the store with a reason when it cannot write, and with None when it can again.

        Meanwhile nothing is acknowledged, and the timeline of the tables is stopped. People get no
        notice if the store is only slow.
        """
        if why is None:
            self.clock.resume()
            if not self.storing:
                self.storing = True
                log.warning("storing works again")
                self.connections.notify_all(
                    "STORAGE_OK", "The server stores again. The games go on."
                )
            return
        self.clock.stop()
        if why == SLOW_STORAGE:
            log.info("%s; clocks are stopped", why)
        elif self.storing:
            self.storing = False
            log.error("nothing can be stored: %s; clocks are stopped", why)
            self.connections.notify_all("STORAGE", _NOT_STORING)

    def warn_newcomer(self, session: Session) -> None:
        """Warns a new connection if nothing can be stored: its answers will be late."""
        if not self.storing:
            session.notice(Note("STORAGE", text=_NOT_STORING))

    def daily_finished(self, ended: DailyEnded) -> None:
        """Tells a person the result of a daily deal. Call it only when it is stored."""
        self.daily_results.finished(ended)

    def rate(self, game: Unrated) -> None:
        """Rates a finished game. Call it only when the end of the game is stored."""
        self.ratings.rate(game)

    # -------------------------------------------------------------------------- faults

    def fault(self, where: str) -> str:
        """Logs the current exception; returns a reference to it. Only in an except block."""
        self.faults += 1
        ref = f"{self.config.boot}-{self.faults}"
        log.exception("fault %s in %s", ref, where)
        return ref
