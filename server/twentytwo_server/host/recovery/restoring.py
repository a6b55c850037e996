"""A start: everything that was remembered is there again, as if the server had only paused.

Every table that was not closed is built anew from its inputs. One that cannot be, or is not
what it was, is set aside (`aside`): it stays in the store, is named in the log, and harms no other.

That takes some milliseconds a table. Where there are many, people are let in meanwhile: whoever
comes back to a table or names one has it at once; only what is about all of them, such as a list
of them, waits until all are there.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator

from twentytwo_protocol.schema import Command
from twentytwo_protocol.words import accounts, fairness, lobby, records
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.seating import Join, Leave, Open, Remove

from ...facts import Boot, Input, OpenTable, Remembered
from ...failpoints import failpoint
from ...session.session import Session
from ...table import journal
from ...table.decision import Actor
from ...table.effects import Renamed
from ...table.opening import Opening
from ..guest_merge import finish_logins
from ..host import Host
from ..tables.deals import Deals
from ..tables.ledger import ReplayMismatch
from ..tables.room import Room
from ..tables.set_aside import SetAsideTable

log = logging.getLogger("twentytwo.restoring")

STRETCH = 50
"""Orders that are carried out anew while others wait to be heard; a table at least."""

OVERVIEWS: tuple[type[Command], ...] = (
    lobby.Tables,
    accounts.Profile,
    accounts.Auth,
    records.GameOf,
    records.Export,
    records.Replay,
    fairness.Fair,
)
"""Commands that may be about any table, so that they wait until all are there."""

_TABLE = re.compile("[tk]([1-9][0-9]*)")
"""A word that may mean a table, or the talk of its watchers."""


def restore(
    host: Host,
    remembered: Remembered,
    at_once: bool = True,
    there: Callable[[], None] = lambda: None,
) -> Restoring:
    """Brings back people, tables and numbers; then everybody is away until they come back.

    Tables come back one after the other while the server goes on, unless it is to be `at_once`;
    `there` is called when all are there.
    """
    host.resume_numbers(remembered)
    host.people.restore(remembered)
    failpoint("people restored")
    boot = Boot(host.config.boot, host.clock.now(), host.clock.wall())
    for game in remembered.unrated:
        host.ratings.rate(game)
    restoring = Restoring(host, remembered.tables, remembered.restored, there)
    host.restoring = restoring
    # Tables know a guest who was about to log in by another name than their token does. And a
    # backup is one until no table goes on with what was promised in it.
    if at_once or remembered.restored or host.people.unfinished_logins():
        restoring.bring_all()
    else:
        restoring.go_on()
    host.store.keep([boot], lambda: None)
    return restoring


class Restoring:
    """The tables that are not there yet, and the commands that wait for them."""

    def __init__(
        self, host: Host, tables: Iterable[OpenTable], backup: bool, there: Callable[[], None]
    ) -> None:
        self._host = host
        self._backup = backup
        self._there = there
        self._tables = {kept.table: kept for kept in tables}
        self._at: dict[str, list[str]] = {}
        for kept in self._tables.values():
            for name in _names(kept):
                self._at.setdefault(name.lower(), []).append(kept.table)
        self._waiting: list[Callable[[], None]] = []
        self._done = False

    def __len__(self) -> int:
        return len(self._tables)

    def bring_all(self) -> None:
        """All tables, now."""
        for table in list(self._tables):
            self._bring(table)
        self._all_there()

    def go_on(self) -> None:
        """Some tables now, and the others soon."""
        if self._host.halted:
            return
        left = STRETCH
        while self._tables and left >= 0:
            kept = next(iter(self._tables.values()))
            left -= len(kept.inputs)
            self._bring(kept.table)
        if self._tables:
            self._host.clock.later(0, self.go_on)
        else:
            self._all_there()

    def waits(
        self, session: Session, command: Command | None, carry_out: Callable[[], None]
    ) -> bool:
        """Whether a command is to wait; otherwise the tables that it is about are there."""
        if command is None or self._done:
            return False
        if _may_be_about_any(command):
            self._waiting.append(carry_out)
            return True
        for name in self._whose(session, command):
            for table in self._at.get(name.lower(), ()):
                self._bring(table)
        for table in _named(command):
            self._bring(table)
        return False

    def _whose(self, session: Session, command: Command) -> Iterator[str]:
        """Whose tables a command is about: those who come in by it."""
        match command:
            case words.Resume(token=token):
                yield self._host.people.name_by(token)
            case accounts.Login(name=name) | accounts.Register(name=name):
                yield from (name, session.name or "")

    def _bring(self, table: str) -> None:
        kept = self._tables.pop(table, None)
        room = _restored(self._host, kept) if kept is not None else None
        if room is not None:
            room.go_on(self._backup)

    def _all_there(self) -> None:
        host = self._host
        host.restoring = ()
        self._done = True
        for person in host.people:
            if person.session is None:
                host.expect(person)
        finish_logins(host)
        self._there()
        failpoint("restored")
        for carry_out in self._waiting:
            carry_out()


def _may_be_about_any(command: Command) -> bool:
    match command:
        case Join(table=wanted):
            return not (wanted.isdigit() or _TABLE.fullmatch(wanted.lower()))
        case Open(private=word):
            return word is not None
        case _:
            return isinstance(command, OVERVIEWS)


def _named(command: Command) -> Iterator[str]:
    """The tables that a command may mean by one of its words."""
    if isinstance(command, Join) and command.table.isdigit():
        yield f"t{command.table}"
    for field in command.word.fields:
        given = getattr(command, field.attr)
        for word in given if isinstance(given, tuple) else (given,):
            found = _TABLE.fullmatch(str(word).lower().partition(":")[0])
            if found:
                yield f"t{found[1]}"


def _names(kept: OpenTable) -> set[str]:
    """Everybody who may be at a table."""
    found = {each.who for each in kept.inputs}
    for each in kept.inputs:
        if "!renamed" in each.order:
            order = _read(each)  # where it cannot be read the table is set aside in its turn
            found |= {order.new} if isinstance(order, Renamed) else set()
    return found


def _restored(host: Host, kept: OpenTable) -> Room | None:
    """The room of a table, its table built anew; None where that does not work."""
    try:
        room = _built(host, kept)
        _check_guests(host, room, kept)
    except Exception as wrong:
        log.exception("table %s cannot be built again; it is set aside", kept.table)
        why = str(wrong) if isinstance(wrong, ReplayMismatch) else repr(wrong)
        host.set_aside.add(_aside(kept, why))
        return None
    host.deals.restore(kept.promises)
    host.reopen(room)
    failpoint("table restored")
    return room


def _built(host: Host, kept: OpenTable) -> Room:
    if not kept.inputs:
        raise ReplayMismatch("none of its orders is kept")
    if kept.game not in host.games:
        raise ReplayMismatch(f"there is no game {kept.game} here")
    first = kept.inputs[0]
    opening = _read(first)
    if not isinstance(opening, Opening):
        raise ReplayMismatch(
            f"input {first.seq} is not what it was: {first.order[:60]} opens no table"
        )
    who = Actor(first.who, first.program, first.standin)
    room = Room(host, kept.table, host.games[kept.game], opening, who)
    packs = [pack for each in kept.inputs for pack in each.packs]
    room.replay(kept.inputs, Deals.of(kept.promises, packs))
    return room


def _check_guests(host: Host, room: Room, kept: OpenTable) -> None:
    """Raises `Differs` where a guest who has a seat is gone: their name may be another's by now.

    That is so at a table which was set aside for longer than the time of grace.
    """
    for seat in room.table.people:
        person = host.people.exact(seat.name)
        if seat.name.startswith("~") and (person is None or person.since > kept.inputs[-1].at):
            raise ReplayMismatch(f"{seat.name}, a guest, has been away too long")


# ------------------------------------------------------------------------------- set aside


def _aside(kept: OpenTable, why: str) -> SetAsideTable:
    """What can be known of a table that cannot be built again, from the orders that can be read."""
    orders = [(each, order) for each in kept.inputs if (order := _read(each)) is not None]
    first = orders[0][1] if orders else None
    is_open = isinstance(first, Opening) and not (first.settings.word or first.settings.practice)
    games = frozenset(promise.game for promise in kept.promises)
    return SetAsideTable(kept.table, why, is_open, _seats(orders), games)


def _read(kept: Input) -> journal.Entry | None:
    try:
        return journal.read(kept.order)
    except journal.Unreadable:
        return None


def _seats(orders: Iterable[tuple[Input, journal.Entry]]) -> dict[str, int]:
    """Who has sat down and did not leave, each with the time they sat down."""
    seats: dict[str, int] = {}
    for kept, order in orders:
        match order:
            case Opening() | Join():
                seats[kept.who] = kept.at
            case Leave():
                seats.pop(kept.who, None)
            case Remove(name=name):
                seats = {who: at for who, at in seats.items() if not _meant(name, who)}
            case Renamed(old=old, new=new) if old in seats:
                seats[new] = seats.pop(old)
    return seats


def _meant(name: str, who: str) -> bool:
    return name.lower().removeprefix("~") == who.lower().removeprefix("~")
