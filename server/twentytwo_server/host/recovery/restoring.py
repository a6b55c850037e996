"""Recovery at a start: rebuilds the tables as they were at the stop.

A table that was not closed is rebuilt by deciding all of its stored inputs again. If an input
cannot be read, or leads to other events than it did, the table is set aside: it stays in the store,
is named in the log, and no other table is affected.

This takes some milliseconds for each table, so the server already answers while it goes on. A
command that names a table, or by which somebody comes in who has a seat at one, rebuilds that table
at once (`Restoring.must_wait`). A command about all tables, such as `tables`, waits for all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from twentytwo_protocol.schema import Command
from twentytwo_protocol.words import accounts
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.seating import Join, Leave, Remove, Unwatch

from ...facts import Input, OpenTable, Remembered
from ...failpoints import failpoint
from ...games.game import Games
from ...session.session import Session
from ...table import journal
from ...table.decision import Actor
from ...table.effects import Renamed
from ...table.opening import Opening
from ..availability import Availability
from ..guest_merge import GuestMerges
from ..pairs import Pairs
from ..people.people import People, Person
from ..presence import Presence
from ..room_services import RoomServices
from ..tables.deals import Deals, ReplayedDeals
from ..tables.input_log import ReplayMismatch
from ..tables.pausable_clock import PausableClock
from ..tables.room import Room
from ..tables.rooms import AnyRoom, Rooms
from ..tables.set_aside import SetAsideTable, SetAsideTables
from ..tables.shown_table import beginning
from ..unknown_tables import tables_named

log = logging.getLogger("twentytwo.recovery")

INPUTS_AT_ONCE = 50
"""Number of inputs decided again before other work gets a turn; always whole tables."""


@dataclass(slots=True)
class Rebuilder:
    """Rebuilds tables one at a time."""

    _games: Games
    _people: People
    _deals: Deals
    _tables: RoomServices
    _set_aside: SetAsideTables

    def restore(self, stored: OpenTable) -> Room | None:
        """Rebuilds a table and adds its room to the host; None if the table is set aside."""
        try:
            room = self._rebuild(stored)
            if self._tables.clustered:
                # The people at it may be those of other servers, whose timelines are others, too.
                room.go_on_from(stored.inputs[-1].at)
            else:
                self._check_guests(room, stored)
        except Exception as wrong:
            why = str(wrong) if isinstance(wrong, ReplayMismatch) else repr(wrong)
            # Without an error in the code the log line is enough.
            unforeseen = not isinstance(wrong, ReplayMismatch) or wrong.__cause__ is not None
            log.error(
                "table %s cannot be built again; it is set aside: %s",
                stored.table,
                why,
                exc_info=unforeseen,
            )
            self._set_aside.add(_set_aside_table(stored, why))
            return None
        self._deals.restore(stored.promises)
        self._tables.reopen(room)
        failpoint("table restored")
        return room

    def _rebuild(self, stored: OpenTable) -> Room:
        room = Room(self._tables, stored.table, *beginning(stored, self._games))
        packs = [pack for each in stored.inputs for pack in each.packs]
        room.replay(stored.inputs, ReplayedDeals(stored.promises, packs))
        return room

    def _check_guests(self, room: Room, stored: OpenTable) -> None:
        """Raises `ReplayMismatch` if a guest with a seat is gone: others may have the name now.

        This can be so if an earlier version of the server had set the table aside, and the guest
        was forgotten at the end of the grace period.
        """
        for seat in room.table.people:
            person = self._people.exact(seat.name)
            if seat.name.startswith("~") and (
                person is None or person.since > stored.inputs[-1].at
            ):
                raise ReplayMismatch(f"{seat.name}, a guest, has been away too long")


@dataclass(slots=True)
class Restoring:
    """The tables that are still to be rebuilt, and the commands that wait for them.

    `_backup`: the data folder is a backup that is opened for the first time.
    """

    _people: People
    _rooms: Rooms
    _pairs: Pairs
    _presence: Presence
    _merges: GuestMerges
    _availability: Availability
    _clock: PausableClock
    _rebuilder: Rebuilder
    _tables: dict[str, OpenTable] = field(init=False, default_factory=dict)
    _tables_of: dict[str, list[str]] = field(init=False, default_factory=dict)
    _waiting: list[Callable[[], None]] = field(init=False, default_factory=list)
    _backup: bool = field(init=False, default=False)
    done: bool = field(init=False, default=False)
    _count: int = field(init=False, default=0)
    _began: int = field(init=False, default=0)
    _restored: Callable[[], None] = field(init=False)

    def begin(self, remembered: Remembered, at_once: bool, restored: Callable[[], None]) -> None:
        """Rebuilds the tables; everybody is away until they come back.

        Call it once, before the first connection. If `at_once`, all tables are rebuilt before this
        returns, else the rest from timers. `restored` is called when all are rebuilt or set aside.
        """
        self._backup, self._restored = remembered.restored, restored
        self._tables = {stored.table: stored for stored in remembered.tables}
        for stored in self._tables.values():
            for name in _people_at(stored):
                self._tables_of.setdefault(name.lower(), []).append(stored.table)
        self._count, self._began = len(self._tables), self._availability.uptime()
        self._availability.restoring = self
        # In two cases all tables must be there before anybody comes in. A guest whose login is not
        # finished has the guest's name at the tables, but their token leads to the account. And the
        # `Boot` fact, kept later, ends a backup's being one: each table has to give up its promised
        # deals before that, since their secrets may have been shown after the backup was made.
        if at_once or remembered.restored or self._people.unfinished_logins():
            for table in list(self._tables):
                self._restore_table(table)
            self._finish()
        else:
            self._restore_some()

    def __len__(self) -> int:
        return len(self._tables)

    def _restore_some(self) -> None:
        """Rebuilds some tables now and sets a timer for the next ones."""
        if self._availability.halted:
            return
        left = INPUTS_AT_ONCE
        while self._tables and left >= 0:
            stored = next(iter(self._tables.values()))
            left -= len(stored.inputs)
            self._restore_table(stored.table)
        if self._tables:
            self._clock.later(0, self._restore_some)
        else:
            self._finish()

    def must_wait(
        self, session: Session, command: Command | None, carry_out: Callable[[], None]
    ) -> bool:
        """Rebuilds the tables of a command, or makes the command wait for all tables.

        Returns True if it has to wait: do nothing then, `carry_out` is called when all tables are
        done. If it returns False, the tables that the command may be about are rebuilt or set
        aside, and it can be carried out.
        """
        if command is None or self.done:
            return False
        if command.is_about_any_table:
            self._waiting.append(carry_out)
            return True
        for name in self._names_arriving(session, command):
            for table in self._tables_of.get(name.lower(), ()):
                self._restore_table(table)
        for table in tables_named(command):
            self._restore_table(table)
        return False

    def _names_arriving(self, session: Session, command: Command) -> Iterator[str]:
        """The names of the people who come in by this command: their tables have to be rebuilt."""
        match command:
            case words.Resume(token=token):
                yield self._people.name_by_token(token)
            case accounts.Login(name=name) | accounts.Register(name=name):
                yield from (name, session.name or "")

    def _restore_table(self, table: str) -> None:
        stored = self._tables.pop(table, None)
        room = self._rebuilder.restore(stored) if stored is not None else None
        if room is None:
            return
        room.restarted(self._backup)
        for name in room.table.watchers:
            if self._people.exact(name) is not None:  # others may watch at other servers
                room.order(Actor(name), Unwatch())

    def _finish(self) -> None:
        self._availability.restoring = ()
        self.done = True
        for person in self._people:
            if person.session is None:
                self._presence.start_grace_period(person)
        for person in list(self._people):
            _leave_earlier_practice(self._rooms.of(person), person)
        self._merges.finish_logins()
        self._pairs.restored()
        if self._count:
            ms = self._availability.uptime() - self._began
            log.info("tables restored: %d of %d, in %d ms", len(self._rooms.own), self._count, ms)
        self._restored()
        failpoint("restored")
        for carry_out in self._waiting:
            carry_out()


def _leave_earlier_practice(rooms: Iterable[AnyRoom], person: Person) -> None:
    """Leaves all practice tables of a person except the last, as `practice` was about to do.

    `practice` stores the new table first: a server killed in between has both.
    """
    practice = [room for room in rooms if room.table.kind.practice]
    for room in sorted(practice, key=lambda room: int(room.id[1:]))[:-1]:
        room.order(Actor(person.name), Leave())


def _people_at(stored: OpenTable) -> set[str]:
    """The names of everybody who may be at a table, read from its inputs."""
    found = {each.who for each in stored.inputs}
    for each in stored.inputs:
        if each.seq == 1 or "!renamed" in each.order:
            match _read(each):  # None if it is unreadable: the table will be set aside
                case Opening(others=others):
                    found |= {name for name, _ in others}
                case Renamed(new=new):
                    found.add(new)
    return found


# ------------------------------------------------------------------------------- set aside


def _set_aside_table(stored: OpenTable, why: str) -> SetAsideTable:
    """A table that cannot be rebuilt, with the data from its readable orders."""
    orders = [(each, order) for each in stored.inputs if (order := _read(each)) is not None]
    first = orders[0][1] if orders else None
    is_open = isinstance(first, Opening) and not first.settings.secluded
    games = frozenset(promise.game for promise in stored.promises)
    return SetAsideTable(stored.table, why, is_open, _seats(orders), games)


def _read(stored: Input) -> journal.Entry | None:
    try:
        return journal.read(stored.order)
    except journal.UnknownOrder:
        return None


def _seats(orders: Iterable[tuple[Input, journal.Entry]]) -> dict[str, int]:
    """The names of those who have a seat, with the time on the timeline when they took it."""
    seats: dict[str, int] = {}
    for stored, order in orders:
        match order:
            case Opening(others=others):
                seats |= dict.fromkeys([stored.who, *(name for name, _ in others)], stored.at)
            case Join():
                seats[stored.who] = stored.at
            case Leave():
                seats.pop(stored.who, None)
            case Remove(name=name):
                seats = {who: at for who, at in seats.items() if not _is_same_name(name, who)}
            case Renamed(old=old, new=new) if old in seats:
                seats[new] = seats.pop(old)
    return seats


def _is_same_name(name: str, who: str) -> bool:
    return name.lower().removeprefix("~") == who.lower().removeprefix("~")
