"""The services of the host for its rooms (`RoomContext`), and the consequences of their changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from twentytwo_protocol.words.seating import Leave, Unwatch

from ..facts import DailyEnded, Unrated
from ..games.chance import RandomBelow
from ..metrics import Metrics
from ..ports import BotWorkers, Store
from ..scheduler import Scheduler
from ..table import teaching
from ..table.decision import Actor, Moment
from ..table.effects import Away
from ..table.table import Table
from .availability import Availability
from .config import LiveConfig, Randomness
from .connections import Connections
from .dailies import Dailies
from .faults import Faults
from .lessons import Lessons
from .lobby.table_list import TableList
from .pairs import Pairs
from .people.elsewhere import Elsewhere
from .people.people import People
from .people.viewers import Viewers
from .presence import Presence
from .ratings import Ratings
from .results import Results
from .tables.deals import Deals
from .tables.pausable_clock import PausableClock
from .tables.room import Room
from .tables.rooms import Rooms
from .tables.set_aside import SetAsideTables

THINK_MARGIN = 5000
"""Milliseconds of delay after which a quick bot plays the move of a searching bot."""


@dataclass(slots=True)
class RoomServices:
    """The services of the server for each of its rooms.

    `clock` is the timeline of the tables, which can be paused.
    """

    clock: PausableClock
    store: Store
    metrics: Metrics
    scheduler: Scheduler
    bot_workers: BotWorkers
    chance: Randomness
    config: LiveConfig
    faults: Faults
    people: People
    elsewhere: Elsewhere
    viewers: Viewers
    connections: Connections
    rooms: Rooms
    table_list: TableList
    deals: Deals
    dailies: Dailies
    results: Results
    ratings: Ratings
    set_aside: SetAsideTables
    presence: Presence
    availability: Availability
    lessons: Lessons
    pairs: Pairs = field(init=False)

    def __post_init__(self) -> None:
        self.pairs = Pairs(
            self.rooms, self.set_aside, self.deals, self.store, self.moment, self.joint_moment
        )

    @property
    def count(self) -> int:
        """The number of tables, including those that are still to be rebuilt."""
        return len(self.rooms.own) + len(self.rooms.opening) + len(self.availability.restoring)

    def moment(self, room: Room) -> Moment:
        """The inputs of a table's decision: the time, its deals, the grace period."""
        if room.ahead < 0:
            room.catch_up_time()
        table, wall = room.table, self.clock.wall()
        daily = self.dailies.secret(table.settings.day, table.game.key) if table.kind.once else ""
        deals = self.deals.for_decision(room.id, table.settings.seed, wall, daily)
        return Moment(self.clock.now() + room.ahead, deals, room.grace, wall)

    def joint_moment(self, room: Room, secret: str) -> Moment:
        """Like `moment`, for the two tables of a pair, whose next games are dealt from this
        secret.
        """
        if room.ahead < 0:
            room.catch_up_time()
        wall = self.clock.wall()
        deals = self.deals.for_decision(room.id, None, wall, pair=secret)
        return Moment(self.clock.now() + room.ahead, deals, room.grace, wall)

    def random_source(self, seed: int | None) -> RandomBelow:
        """Random numbers for a bot, repeatable with a seed."""
        return self.chance.pick(seed)

    @property
    def clustered(self) -> bool:
        """True if other servers follow the tables of this one."""
        return self.config.now.clustered

    @property
    def think_time(self) -> int:
        """Milliseconds that a searching bot takes for every move, however simple."""
        return self.config.now.think

    @property
    def think_timeout(self) -> int:
        """Milliseconds to wait for a searching bot, including the wait for a free worker."""
        return self.config.now.think + THINK_MARGIN

    def bot_delay(self, table: Table) -> int:
        """Milliseconds before a bot answers, independent of its cards; 0 if only programs play."""
        return self.config.now.pause if any(not s.program for s in table.present) else 0

    def is_arriving(self, name: str) -> bool:
        """True if that person is coming back here, or is connected to another server."""
        person = self.people.exact(name)
        coming = person is not None and person.pending > 0
        return coming or self.elsewhere.node_of(name) is not None

    def table_changed(self, room: Room, before: Table) -> None:
        """Updates the seats and the list of tables after a change of a table."""
        table = room.table
        if before.seats is not table.seats:
            for person in self.rooms.reseat(room, [seat.name for seat in before.people]):
                self.presence.release_if_expired(person)
        if not room.closed:
            if before.seats is not table.seats or before.watchers is not table.watchers:
                self._mark_lost_connections(room, before)
            self.table_list.changed(table, before)
        if table.kind.paired:
            self.pairs.changed(room)
        if table.kind.taught and teaching.turn_of(before) != teaching.turn_of(table):
            self.lessons.teach(room)

    def _mark_lost_connections(self, room: Room, before: Table) -> None:
        """Tells the table about people who lost their connection while their joining was stored.

        A person who has logged out meanwhile loses this seat too: nobody could come back to it.
        """
        there = {*before.names.values(), *room.elsewhere}
        room.elsewhere &= room.audience.seats.keys()
        for seat in room.table.present:
            if seat.name not in there and self.people.session_of(seat.name) is None:
                person = self.people.exact(seat.name)
                may_return = person is not None and person.secret
                room.order(Actor(seat.name), Away(seat.name) if may_return else Leave())
        for name in room.table.watchers:
            if (
                name not in (*before.watchers, *room.elsewhere)
                and self.people.session_of(name) is None
            ):
                room.order(Actor(name), Unwatch())

    def reopen(self, room: Room) -> None:
        """Adds the room of a rebuilt table."""
        self.rooms.reopen(room)
        self.table_list.changed(room.table)

    def halt(self) -> None:
        """Stops all tables in their present state, because the server stops."""
        self.availability.halted = True
        self.dailies.stop()
        for room in self.rooms.own.values():
            room.halt()

    def room_closed(self, room: Room) -> None:
        """Removes the room of a closed table."""
        gone = self.rooms.remove(room)
        self.table_list.closed(room.id)
        self.connections.table_closed(room.id)
        self.deals.forget(room.id)
        for person in gone:
            self.presence.release_if_expired(person)
        self.pairs.closed(room)

    def daily_finished(self, ended: DailyEnded) -> None:
        """Tells a person the result of a daily deal. Call it only when it is stored."""
        self.results.tell([ended.name])

    def rate(self, game: Unrated) -> None:
        """Rates a finished game. Call it only when the end of the game is stored."""
        self.ratings.rate(game)
