"""Pairs of tables with the same deals, which are compared when both are done.

Before that a table shows nothing of the other. After every change `Pairs` looks at both tables, and
gives the common orders: start, comparison, next deck, end. It has no state of its own: after a
restart it looks at the tables, and gives the missing orders again.
"""

from __future__ import annotations

from collections.abc import Callable

from twentytwo_protocol.fair import NO_WORD
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.statistics import lead
from twentytwo_protocol.words.duplicate import Compared

from ..facts import GameEnded
from ..ports import Store
from ..table.decision import Actor, Moment
from ..table.effects import Disband, Settle, StartTogether
from ..table.starting import ALREADY_RUNS
from ..table.table import Phase, Table
from .tables.deals import Deals
from .tables.order_queue import SERVER, FurtherFacts, OrderResult
from .tables.room import Room
from .tables.rooms import AnyRoom, Rooms
from .tables.set_aside import SetAsideTables
from .tables.together import Ordered, order_together

BROKEN_OFF = ("aborted", "resigned")
"""The kinds of ends after which a game is not compared."""


class Pairs:
    """All pairs of tables of a server.

    `moment` and `joint_moment` are those of the host.
    """

    def __init__(
        self,
        rooms: Rooms,
        set_aside: SetAsideTables,
        deals: Deals,
        store: Store,
        moment: Callable[[Room], Moment],
        joint_moment: Callable[[Room, str], Moment],
    ) -> None:
        self._rooms = rooms
        self._set_aside = set_aside
        self._deals = deals
        self._store = store
        self._moment = moment
        self._joint_moment = joint_moment
        self._restoring = True
        self.is_coming: Callable[[str], bool] = lambda table: False
        """True for a table that this server is about to take from another one."""

    def twin(self, room: AnyRoom) -> AnyRoom | None:
        """The other table of a pair, or None if it is gone."""
        return self._rooms.get(room.table.settings.twin)

    def _own_twin(self, room: Room) -> Room | None:
        return self._rooms.own.get(room.table.settings.twin)

    def restored(self) -> None:
        """Checks all pairs when all tables of an earlier run are rebuilt or set aside."""
        self._restoring = False
        for room in list(self._rooms.own.values()):
            self.changed(room)

    # ------------------------------------------------------------------------ by themselves

    def changed(self, room: Room) -> None:
        """Gives a pair its next common orders after a change of one table."""
        if not room.table.kind.paired or self._restoring or room.closed:
            return
        other = self._own_twin(room)
        if other is None:
            if not self.is_coming(room.table.settings.twin):
                self._alone(room)
        elif _deserted(room.table, other.table):
            self._together(room, other, lambda: _disbanding(room.table, other.table))
        elif _to_settle(room.table, other.table):
            secret = self._deals.new_secret()
            self._together(room, other, lambda: _settling(room, other), secret)
        elif _all_ready(room.table, other.table):
            self._together(room, other, lambda: _starting(room, other, None))

    def closed(self, room: Room) -> None:
        """Checks the other table when one of a pair is closed."""
        other = self._own_twin(room)
        if other is not None:
            self.changed(other)

    def _alone(self, room: Room) -> None:
        """Reveals the deck of a table whose twin is gone, without a comparison."""
        table = room.table
        if table.phase is Phase.PLAYING:
            return
        if not table.people:
            room.order(SERVER, Disband())
        elif not table.widowed:
            aside = any(each.table == table.settings.twin for each in self._set_aside)
            room.order(SERVER, Settle(widowed=True, reveal=not aside))

    def _together(
        self,
        room: Room,
        other: Room,
        orders: Callable[[], tuple[Ordered, Ordered] | None],
        secret: str = "",
    ) -> None:
        order_together(
            (room, other),
            orders,
            lambda each: self._joint_moment(each, secret),
            self._store,
            lambda _: None,
        )

    # --------------------------------------------------------------------------- on command

    def open(
        self,
        rooms: tuple[Room, Room],
        orders: tuple[Ordered, Ordered],
        answered: Callable[[OrderResult], None],
        further: FurtherFacts,
    ) -> None:
        """Opens both tables."""
        secret = self._deals.new_secret()
        order_together(
            rooms,
            lambda: orders,
            lambda each: self._joint_moment(each, secret),
            self._store,
            answered,
            further,
        )

    def start(
        self,
        room: Room,
        who: Actor,
        answered: Callable[[OrderResult], None],
        further: FurtherFacts,
    ) -> None:
        """Starts the game at both tables, for the host of either. Raises `Refused`."""
        other = self._other(room)
        self._by(room, other, lambda: _starting(room, other, who.name), answered, further)

    def close(
        self,
        room: Room,
        closing: Ordered,
        answered: Callable[[OrderResult], None],
        further: FurtherFacts,
    ) -> None:
        """Closes both tables, if neither plays. Raises `Refused`."""
        other = self._other(room)
        self._by(room, other, lambda: (closing, (SERVER, Disband())), answered, further)

    def _by(
        self,
        room: Room,
        other: Room,
        orders: Callable[[], tuple[Ordered, Ordered] | None],
        answered: Callable[[OrderResult], None],
        further: FurtherFacts,
    ) -> None:
        order_together((room, other), orders, self._moment, self._store, answered, further)

    def _other(self, room: Room) -> Room:
        other = self._own_twin(room)
        if other is not None:
            return other
        if self._restoring:
            raise Refused("BUSY", "The server has just started; try again in a moment.", wait=1_000)
        twin = room.table.settings.twin
        raise Refused("FORBIDDEN", f"{twin} is closed: there is nobody to compare with any more.")


# ------------------------------------------------------------------------------- questions


def _deserted(one: Table, other: Table) -> bool:
    idle = Phase.PLAYING not in (one.phase, other.phase)
    return idle and not one.people and not other.people


def _disbanding(one: Table, other: Table) -> tuple[Ordered, Ordered] | None:
    if not _deserted(one, other):
        return None
    return (SERVER, Disband()), (SERVER, Disband())


def _to_settle(one: Table, other: Table) -> bool:
    """True if neither table plays, and one has no next game promised."""
    if Phase.PLAYING in (one.phase, other.phase):
        return False
    return any(table.dealt or table.promised is None for table in (one, other))


def _settling(room: Room, other: Room) -> tuple[Ordered, Ordered] | None:
    if not _to_settle(room.table, other.table):
        return None
    mine, theirs = room.ended, other.ended
    told = compared(mine, theirs) if mine is not None and theirs is not None else None
    back = compared(theirs, mine) if mine is not None and theirs is not None else None
    return (SERVER, _settle(told)), (SERVER, _settle(back))


def _settle(told: Compared | None) -> Settle:
    return Settle() if told is None else Settle(told.names or (), told.ahead or ())


def compared(mine: GameEnded, theirs: GameEnded) -> Compared:
    """The events at a table when the games of both tables are over."""
    if mine.why in BROKEN_OFF or theirs.why in BROKEN_OFF:
        return Compared(theirs.table)
    names = tuple(seat.name for seat in theirs.seats)
    here, there = _leads(mine), _leads(theirs)
    return Compared(theirs.table, names, tuple(a - b for a, b in zip(here, there, strict=True)))


def _leads(game: GameEnded) -> list[int]:
    places, totals = [s.place for s in game.seats], [s.total for s in game.seats]
    return [lead(seat, places, totals) for seat in range(1, len(places) + 1)]


def _all_ready(one: Table, other: Table) -> bool:
    """True if everybody at both tables wants another game, after a comparison."""
    return all(
        table.phase is Phase.OVER
        and not table.dealt
        and table.promised is not None
        and table.people
        and all(seat.ready for seat in table.people)
        for table in (one, other)
    )


def _starting(room: Room, other: Room, host: str | None) -> tuple[Ordered, Ordered] | None:
    """The orders that start both games; None if `host` is None and the start is not due.

    Raises `Refused`.
    """
    one, two = room.table, other.table
    if host is None:
        if not _all_ready(one, two):
            return None
    else:
        _check_start(one, two, host)
    if {s.name for s in one.people} & {s.name for s in two.people}:
        raise Refused("FORBIDDEN", "Somebody sits at both tables, and would know the cards.")
    words = [
        seat.word if (seat := table.at(number)) is not None and seat.word else NO_WORD
        for table in sorted((one, two), key=lambda table: int(table.id[1:]))
        for number in range(1, table.settings.seats + 1)
    ]
    order = (SERVER, StartTogether(tuple(words)))
    return order, order


def _check_start(one: Table, two: Table, host: str) -> None:
    if one.seat_of(host) is None:
        raise Refused("NOT_SEATED", f"You have no seat at {one.id}.")
    if one.phase is Phase.PLAYING:
        raise Refused("GAME_RUNNING", ALREADY_RUNS)
    if two.phase is Phase.PLAYING:
        text = f"{two.id} still plays these cards; then both are compared."
        raise Refused("GAME_RUNNING", text)
    if one.host != host:
        raise Refused("NOT_HOST", f"Only the host, {one.host}, may do that.")
    if one.dealt or two.dealt:
        raise Refused("GAME_RUNNING", "These cards are not compared yet.")
    for table in (one, two):
        if not table.people:
            raise Refused(
                "NOT_ENOUGH_PLAYERS",
                f"Nobody sits at {table.id} yet: it takes one person at each table. "
                f"They type: join {table.settings.word or table.id}",
            )
    waiting = [s.name for t in (one, two) for s in t.people if not s.ready and s.name != host]
    if waiting:
        raise Refused("NOT_READY", f"Not ready yet: {', '.join(waiting)}.")
