"""The services of the host for tables of other servers, and the consequences of their changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from twentytwo_protocol.words.seating import Leave, Unwatch, Watch

from ...metrics import Metrics
from ...ports import BotWorkers, Store
from ...table.decision import Actor
from ...table.effects import Away, Back
from ...table.table import Phase, Table
from ..availability import Availability
from ..config import LiveConfig
from ..connections import Connections
from ..faults import Faults
from ..guest_merge import GuestMerges
from ..lobby.seeks import Seeks, found
from ..lobby.table_list import TableList
from ..pairs import Pairs
from ..people.people import People
from ..people.viewers import Viewers
from ..presence import Presence
from ..results import Results
from ..tables.deals import Deals
from ..tables.pausable_clock import PausableClock
from ..tables.remote_room import OrderSender, RemoteRoom
from ..tables.rooms import AnyRoom, Rooms
from ..tables.set_aside import SetAsideTables
from .homes import Homes


@dataclass(slots=True)
class RemoteTables:
    """The services of the server for tables of other servers (`RemoteRoomContext`).

    Set `sender` before the first table.
    """

    clock: PausableClock
    store: Store
    faults: Faults
    viewers: Viewers
    deals: Deals
    config: LiveConfig
    rooms: Rooms
    people: People
    connections: Connections
    presence: Presence
    results: Results
    table_list: TableList
    set_aside: SetAsideTables
    homes: Homes
    availability: Availability
    seeks: Seeks
    merges: GuestMerges
    pairs: Pairs
    metrics: Metrics
    bot_workers: BotWorkers
    sender: OrderSender = field(init=False)

    @property
    def clustered(self) -> bool:
        """True if other servers follow the tables of this one."""
        return self.config.now.clustered

    def all_known(self) -> None:
        """Continues the guest merges that wait until this server follows all tables of others."""
        self.merges.tables_known()

    def opened(self, room: RemoteRoom) -> None:
        """Adds a table, with the seats of the people of this server."""
        self.rooms.follow(room)
        self.check_presence(room)

    def keeps(self, name: str) -> bool:
        """True if this server keeps the person of that name, or is about to."""
        return self.people.exact(name) is not None or self.homes.is_bringing(name)

    def needs(self, room: RemoteRoom) -> bool:
        """True if people of this server are at a table, or have given orders there."""
        names = room.table.members.union(room.table.watchers)
        return room.has_open_orders or any(map(self.keeps, names))

    def invited_to(self) -> set[str]:
        """The tables to which people of this server are invited."""
        return {table for person in self.people for table in person.invited.values()}

    def has_seated(self, room: RemoteRoom) -> bool:
        """True if the opening of a table seats somebody who is connected here.

        They are shown all of its events, as at its owner.
        """
        _, opening, who = room.beginning
        names = [who.name, *(name for name, _ in opening.others)]
        return any(self.people.session_of(name) is not None for name in names)

    def tell_seekers(self, room: AnyRoom) -> None:
        """Tells people whose seek has led to a table that is new here."""
        for seat in room.table.people if room.table.sought else ():
            if seat.name in self.seeks.asking:
                self.seeks.asking[seat.name].append(partial(self._tell_seeker, seat.name, room))
            else:
                self._tell_seeker(seat.name, room)

    def _tell_seeker(self, name: str, room: AnyRoom) -> None:
        person = self.people.exact(name)
        if person is not None and self.seeks.number_here(name) is not None:
            self.seeks.withdraw(name)
            if person.session is not None:
                person.session.current = room.id
                person.session.notice(found(room.id, room.table.game.title))

    def followed(self, room: RemoteRoom, before: Table) -> None:
        """Updates the seats after a change of a table."""
        table = room.table
        if before.seats is not table.seats:
            for person in self.rooms.reseat(room, [seat.name for seat in before.people]):
                self.presence.release_if_expired(person)
        if before.seats is not table.seats or before.watchers is not table.watchers:
            self.check_presence(room)
        for name in set(before.watchers) - {*table.watchers, *room.audience.seats}:
            # Their former server says late that they have gone, or the owner has started again.
            if self.people.session_of(name) is not None and not room.is_answered(name):
                room.order(Actor(name), Watch(room.id))
        ended = before.phase is Phase.PLAYING and table.phase is Phase.OVER
        if ended and (table.kind.rated or table.kind.once):
            self.results.expect(table.players)

    def check_presence(self, room: RemoteRoom) -> None:
        """Tells a table about people of this server who came or went while it could not be told."""
        for seat in room.table.people:
            person = self.people.exact(seat.name)
            if person is None or person.pending or room.has_sent(seat.name):
                continue
            who = Actor(seat.name)
            if person.session is not None and not seat.here:
                room.order(who, Back(seat.name))
            elif person.session is None and seat.here:
                room.order(who, Away(seat.name) if person.secret else Leave())
        for name in room.table.watchers:
            person = self.people.exact(name)
            if person is not None and person.session is None and not room.has_sent(name):
                room.order(Actor(name), Unwatch())

    def closed(self, room: RemoteRoom) -> None:
        """Removes a closed table, after all of its events are shown."""
        room.close()
        self._remove(room)

    def drop(self, room: RemoteRoom) -> None:
        """Removes a table that nobody here needs any more; the table itself goes on."""
        self.rooms.remove(room)

    def left_out(self, room: RemoteRoom) -> None:
        """Removes a table that cannot be followed any more."""
        room.lose()
        self._remove(room)

    def _remove(self, room: RemoteRoom) -> None:
        gone = self.rooms.remove(room)
        self.connections.table_closed(room.id)
        for person in gone:
            self.presence.release_if_expired(person)
