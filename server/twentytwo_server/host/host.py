"""The world of a server: all people and tables, with the store and the clock.

It knows no commands: `commands.dispatch` gives lines to their handlers.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sized

from twentytwo_protocol.schema import Event, Refused
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words import cardplay
from twentytwo_protocol.words.connection import Bye, Note
from twentytwo_protocol.words.lobby import Offline, Online
from twentytwo_protocol.words.seating import Leave, Unwatch
from twentytwo_protocol.words.talk import speaker

from ..accounts.login_limits import FREE, LoginLimits
from ..facts import DailyEnded, Fact, PersonGone, Remembered, Unrated
from ..games.chance import RandomBelow
from ..games.game import AnyGame
from ..metrics import Metrics
from ..ports import BotWorkers, Clock, Hasher, Link, Store
from ..scheduler import Scheduler
from ..session.session import Session
from ..session.streams import Burst, Entry
from ..table import teaching
from ..table.decision import Actor, Moment
from ..table.effects import Away
from ..table.table import Phase, Table
from .config import Config, Randomness
from .dailies import Dailies
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
from .quotas import NO_QUOTA, Quotas
from .ratings import Ratings
from .replays import Replays
from .reviews import NoReviewWorkers, Reviews, ReviewWorkers
from .tables.deals import Deals
from .tables.pausable_clock import PausableClock
from .tables.room import Room
from .tables.set_aside import SetAsideTables

log = logging.getLogger("twentytwo.host")


THINK_MARGIN = 5000
"""Milliseconds that a searching bot may be late before a quick bot plays the move for it."""


class Host:
    """What all parts of a server share: people, rooms, the lobby, and the ports to the outside.

    `clock` is the timeline of the tables, which can be paused. `restoring` has the tables of an
    earlier run that are still to be rebuilt, `opening` those whose opening is not stored yet.
    `draining` is True while nothing new begins, because the server is about to stop; `halted` when
    it stops.
    `dummy_key_secret` is made at the first `auth` (`commands.accounts.login`).
    """

    def __init__(
        self,
        clock: Clock,
        store: Store,
        games: Mapping[str, AnyGame],
        chance: Randomness,
        bot_workers: BotWorkers,
        config: Config,
        hasher: Hasher,
        metrics: Metrics | None = None,
        review_workers: ReviewWorkers | None = None,
    ) -> None:
        self.clock = PausableClock(clock)
        self.store = store
        self.metrics = metrics or Metrics()
        self.games = games
        self.chance = chance
        self.deals = Deals(chance.secret)
        self.bot_workers = bot_workers
        self.config = config
        self.people = People(chance.token, self.clock.now, store)
        self.inboxes = Inboxes(store, self.clock, self.people, self._show_mail)
        self.ratings = Ratings(store, self.people, self.inboxes, games, self.fault)
        self.dailies = Dailies(
            clock, store, games, chance.secret, self.people, self.inboxes, self.fault
        )
        self.friends = FriendLists(self.people, self.clock.now)
        self.hasher = hasher
        self.login_limits = LoginLimits(self.clock.now, FREE if config.dev else config.logins)
        self.quotas = Quotas(NO_QUOTA if config.dev else config.quotas, self.clock.now)
        self.dummy_key_secret = b""
        self.sanctions = Sanctions(clock.wall)
        self.reports = Reports()
        self.invite_codes = InviteCodes(clock.wall)
        self.rooms: dict[str, Room] = {}
        self.opening: dict[Room, None] = {}
        self.lobby = Lobby(self.clock, self.people)
        self.seeks = Seeks(self.lobby)
        self.scheduler = Scheduler(clock)
        self.replays = Replays(clock, self.scheduler, self.fault)
        reviewing = review_workers or NoReviewWorkers()
        self.reviews = Reviews(reviewing)
        self.earlier_games = EarlierGames(store, reviewing, self.fault)
        self.restoring: Sized = ()
        self.set_aside = SetAsideTables()
        self.pairs = Pairs(
            self.rooms, self.set_aside, self.deals, store, self.moment, self.joint_moment
        )
        self.draining = False
        self.halted = False
        self.started = self.clock.now()
        self._links: dict[int, tuple[Session, Link]] = {}
        self._tables = 0
        self.faults = 0
        """How many errors have been logged by `fault`."""
        store.watch(self.storage_changed)

    # -------------------------------------------------------------------- connections

    def attach(self, session: Session, link: Link) -> None:
        """Registers a new connection."""
        self._links[id(session)] = session, link

    def detach(self, session: Session) -> None:
        """Ends a connection; its person, if any, is away. Seats are kept for the grace period."""
        self._links.pop(id(session), None)
        self.lobby.forget(session)
        self.replays.connection_lost(session)
        self.reviews.tasks.connection_lost(session)
        person = self.person(session)
        if person is None:
            return
        person.session = None
        self.friends.left(person)
        self.seeks.withdraw(person.name)
        self.lobby.announce(Offline(person.name))
        for room in self.rooms_of(person):
            room.order(Actor(person.name), Away(person.name))
        for room in [r for r in self.rooms.values() if person.name in r.table.watchers]:
            room.order(Actor(person.name), Unwatch())
        self.start_grace_period(person)

    def start_grace_period(self, person: Person) -> None:
        """Starts the grace period of a person who is away."""
        person.reserved_until = self.clock.now() + self.config.grace
        self.clock.later(self.config.grace, lambda: self.release_if_expired(person))

    def link(self, session: Session) -> Link | None:
        """The link of a session; None if its connection is closed or is being closed."""
        found = self._links.get(id(session))
        return found[1] if found and not session.closing else None

    def release_if_expired(self, person: Person) -> None:
        """Forgets a person who is away, whose grace period is over, and who has no seat.

        Call it whenever one of these may have become true; else it does nothing, or tries again at
        the end of the grace period. A person who is `pending` is not forgotten.
        """
        if person.session is not None or person.pending or self.rooms_of(person):
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
        """Parts a person from their connection, which stays open; there is no grace period."""
        session = person.session
        person.session = None
        person.reserved_until = self.clock.now()
        if session is not None:
            session.name = session.current = None
            self.lobby.forget(session)
        self.seeks.withdraw(person.name)
        self.lobby.announce(Offline(person.name))
        self.release_if_expired(person)

    def hang_up(self, session: Session) -> None:
        """Closes a connection once everything is written; its lines are no longer answered."""
        session.closing = True
        found = self._links.get(id(session))
        if found:
            found[1].hang_up()

    def dismiss(self, session: Session, text: str, wait: int | None = None) -> None:
        """Closes a connection because the operator wants it so, with a line that says why.

        `wait`: after so many milliseconds it makes sense to come back.
        """
        session.notice(Bye("KICKED", wait is not None, wait, text=text))
        self.hang_up(session)

    def check_not_draining(self) -> None:
        """Raises `Refused` (DRAINING) if nothing new begins, because the server stops soon."""
        if self.draining:
            raise Refused("DRAINING", "The server stops soon and begins nothing new; games go on.")

    def links(self) -> Iterator[tuple[Session, Link]]:
        """All connections that are open, each with its session."""
        return iter([pair for pair in self._links.values() if not pair[0].closing])

    @property
    def unready(self) -> str | None:
        """Why nobody should be sent here at present; None if all is well."""
        if self.halted:
            return "stopping"
        if self.draining:
            return "draining"
        if self.restoring:
            return "restoring"
        return "not storing" if self.clock.stopped else None

    @property
    def connections(self) -> int:
        """The number of connections."""
        return len(self._links)

    # ------------------------------------------------------------------------- people

    def person(self, session: Session) -> Person | None:
        """The person on this connection; None if there is none yet, or a newer one replaced it."""
        person = self.people.exact(session.name) if session.name else None
        return person if person is not None and person.session is session else None

    def arrive(self, person: Person, session: Session) -> None:
        """Makes the connection the person's, and tells the lobby.

        Call it only after `session.arrival.finish_arrival` has returned True.
        """
        person.session, session.name = session, person.name
        link = self.link(session)
        if link is not None:
            self.people.settle(person, link.place, link.share)
        self.lobby.announce(Online(person.name, person.program))
        self.friends.came(person)

    def show(self, name: str, entry: Entry, seat: int | None) -> None:
        """Shows an entry to a person, if connected, as seen from `seat` (None: a watcher)."""
        person = self.people.exact(name)
        if person is None or person.session is None:
            return
        who = speaker(entry.event)
        try:
            person.session.show(entry, seat, blocked=who in person.blocked)
        except Exception:
            self.fault(f"showing {entry.event.word.word} to {name}")

    def show_burst(self, name: str, burst: Burst, seat: int | None) -> None:
        """Shows the events of an order to a person, as `show` does with one."""
        person = self.people.exact(name)
        if person is None or person.session is None:
            return
        try:
            person.session.show_burst(burst, seat, person.blocked)
        except Exception:
            self.fault(f"showing {burst.entries[0].event.word.word} to {name}")

    def say_again(self, name: str, standing: Iterable[Event | str], voice: Voice, on: str) -> None:
        """Tells a person, if connected, how things stand at a table; a program is told nothing."""
        person = self.people.exact(name)
        if person is not None and person.session is not None:
            person.session.say_again(standing, voice, on)

    def leave_out(self, name: str, entry: Entry) -> None:
        """Notes that an entry is not shown to a person, on purpose."""
        person = self.people.exact(name)
        if person is not None and person.session is not None:
            person.session.leave_out(entry.on, entry.seq)

    def tell_clock(self, name: str, clock: cardplay.Clock) -> None:
        """Tells a program, if connected, how the clock stands."""
        person = self.people.exact(name)
        if person is not None and person.session is not None:
            person.session.tell_clock(clock)

    def remark(self, name: str, note: Note) -> None:
        """Tells a person, if connected, something about their game that is no event of it."""
        person = self.people.exact(name)
        if person is not None and person.session is not None:
            person.session.remark(note)

    def tell_answers(self, person: Person) -> None:
        """Tells somebody who is here what became of their reports. Call it after they came in."""
        if person.session is None:
            return
        answers = self.reports.answers_for(person.name)
        for report in answers:
            person.session.notice(Note("REPORT", text=answered(report)))
        if answers:
            self.store.keep(answers, lambda: None)

    def _show_mail(self, name: str, entry: Entry) -> None:
        self.show(name, entry, None)

    # -------------------------------------------------------------------------- rooms

    @property
    def tables(self) -> int:
        """The number of tables, including those that are still to be rebuilt."""
        return len(self.rooms) + len(self.opening) + len(self.restoring)

    @property
    def games_running(self) -> int:
        """How many games run at which somebody is connected; the others wait for their people."""
        tables = (room.table for room in self.rooms.values())
        return sum(table.phase is Phase.PLAYING and not table.deserted for table in tables)

    def rooms_of(self, person: Person) -> list[Room]:
        """The rooms where a person has a seat, in the order in which they sat down."""
        return [self.rooms[id] for id in person.tables if id in self.rooms]

    def room_meant(self, session: Session) -> Room | None:
        """The room for a command that names none: the connection's current one, else the last seat.

        None if there is neither.
        """
        current = self.rooms.get(session.current or "")
        person = self.person(session)
        mine = self.rooms_of(person) if person is not None else []
        return current or (mine[-1] if mine else None)

    def new_table_id(self) -> str:
        """Reserves the id of a new table, `t7`."""
        self._tables += 1
        return f"t{self._tables}"

    def moment(self, room: Room) -> Moment:
        """What a table needs for deciding an order: the time, its deals, the grace period."""
        settings, key = room.table.settings, room.table.game.key
        daily = self.dailies.secret(settings, key)
        deals = self.deals.for_decision(room.id, settings.seed, self.clock.wall(), daily)
        return Moment(self.clock.now(), deals, room.grace)

    def joint_moment(self, room: Room, secret: str) -> Moment:
        """The same for what both tables of a pair decide: what they are promised is this secret."""
        deals = self.deals.for_decision(room.id, None, self.clock.wall(), pair=secret)
        return Moment(self.clock.now(), deals, room.grace)

    def random_source(self, seed: int | None) -> RandomBelow:
        """Random numbers for a bot; the same again for the same seed."""
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
        """Milliseconds before a bot answers, whatever its cards; 0 if only programs play here."""
        return self.config.pause if any(not s.program for s in table.present) else 0

    def is_arriving(self, name: str) -> bool:
        """True if the person of that name is coming back, but that is not stored yet."""
        person = self.people.exact(name)
        return person is not None and person.pending > 0

    def table_changed(self, room: Room, before: Table) -> None:
        """Takes over a new state of a table: who sits there, and what the lobby shows."""
        table = room.table
        if before.seats is not table.seats:
            self._update_seats(room, [seat.name for seat in before.people])
        if not room.closed:
            if before.seats is not table.seats or before.watchers is not table.watchers:
                self._mark_lost_connections(room, before)
            self.lobby.changed(table)
        self.pairs.changed(room)
        if table.kind.taught and teaching.turn_of(before) != teaching.turn_of(table):
            self.teach(room)

    def teach(self, room: Room) -> None:
        """Tells the learner at a table what the lesson says now, and notes how far they are."""
        for seat in room.table.people:
            person = self.people.exact(seat.name)
            if person is None:
                continue
            person.lessons[room.table.game.key] = teaching.reached(room.table)
            said = teaching.now(room.table)
            if said is not None and person.session is not None:
                person.session.notice(said)

    def _mark_lost_connections(self, room: Room, before: Table) -> None:
        """Tells the table who lost their connection while their joining was being stored.

        Who has logged out meanwhile has given up this seat too: nobody could ever come back to it.
        """
        there = before.names.values()
        for seat in room.table.present:
            if seat.name not in there and not self._connected(seat.name):
                person = self.people.exact(seat.name)
                may_return = person is not None and person.secret
                room.order(Actor(seat.name), Away(seat.name) if may_return else Leave())
        for name in room.table.watchers:
            if name not in before.watchers and not self._connected(name):
                room.order(Actor(name), Unwatch())

    def _connected(self, name: str) -> bool:
        person = self.people.exact(name)
        return person is not None and person.session is not None

    def reopen(self, room: Room) -> None:
        """Adds the room of a rebuilt table."""
        self.rooms[room.id] = room
        self._update_seats(room, ())
        self.lobby.changed(room.table)

    def halt(self) -> None:
        """Stops all tables in their present state, because the server stops."""
        self.halted = True
        self.dailies.stop()
        for room in self.rooms.values():
            room.halt()

    def _update_seats(self, room: Room, before: Iterable[str]) -> None:
        had = self._people_named(before)
        has = self._people_named(seat.name for seat in room.table.people)
        for person in has:
            if room.id not in person.tables:
                person.tables.append(room.id)
        for person in had:
            if person not in has and room.id in person.tables:
                person.tables.remove(room.id)
                self.release_if_expired(person)

    def _people_named(self, names: Iterable[str]) -> list[Person]:
        """The known people of these names, each once: an account may have a guest's name too."""
        found = map(self.people.exact, names)
        return list(dict.fromkeys(person for person in found if person is not None))

    def room_closed(self, room: Room) -> None:
        """Removes the room of a closed table."""
        self.rooms.pop(room.id, None)
        self.lobby.closed(room.table)
        for session, _ in list(self._links.values()):
            if session.current == room.id:
                session.current = None
        self.deals.forget(room.id)
        for seat in room.table.people:
            person = self.people.find(seat.name)
            if person is not None and room.id in person.tables:
                person.tables.remove(room.id)
                self.release_if_expired(person)
        self.pairs.closed(room)

    # ------------------------------------------------------------------------- the store

    def resume_numbers(self, remembered: Remembered) -> None:
        """Continues the numbers and the timeline of the earlier run. Call it first of all."""
        self._tables = remembered.table
        self.deals.continue_from(remembered.game, remembered.promise)
        self.clock.set(remembered.at)
        self.started = self.clock.now()

    def storage_changed(self, why: str | None) -> None:
        """Called by the store with a reason when it cannot write, and with None when it can again.

        In between nothing is acknowledged, and the timeline of the tables is stopped.
        """
        if why is not None and not self.clock.stopped:
            log.error("nothing can be stored: %s; clocks are stopped", why)
            self.clock.stop()
            self.notify_all(
                "STORAGE", "The server cannot store anything at present. Clocks stand still."
            )
        elif why is None and self.clock.stopped:
            log.warning("storing works again")
            self.clock.resume()
            self.notify_all("STORAGE_OK", "The server stores again. On we go.")

    def notify_all(self, code: str, text: str) -> None:
        """Sends a notice to everybody who is connected."""
        for session, _ in list(self._links.values()):
            session.notice(Note(code, text=text))

    def daily_finished(self, ended: DailyEnded) -> None:
        """Tells somebody how they did in a daily deal. Call it only once that is stored."""
        self.dailies.finished(ended)

    def rate(self, game: Unrated) -> None:
        """Rates a game that is over. Call it only once the end of the game is stored."""
        self.ratings.rate(game)

    # -------------------------------------------------------------------------- faults

    def fault(self, where: str) -> str:
        """Logs the current exception; returns a reference to it. Only in an except block."""
        self.faults += 1
        ref = f"{self.config.boot}-{self.faults}"
        log.exception("fault %s in %s", ref, where)
        return ref
