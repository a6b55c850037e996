"""Opening a new table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused, edition
from twentytwo_protocol.value import Value

from ..games import players
from ..games.game import AnyGame
from ..table.decision import Actor
from ..table.match import MOST_HANDS
from ..table.opening import Opening, Taken
from ..table.table import Settings
from .availability import Availability
from .config import LiveConfig
from .holdings import Holdings
from .people.people import People, Person
from .room_services import RoomServices
from .tables.order_queue import Answered, FurtherFacts, OrderResult
from .tables.room import Room
from .tables.rooms import AnyRoom, Rooms


class NewTable(Value):
    """A table to be opened.

    `bots` is the number of bots, `start` begins the game at once, `sought` is True for a table made
    by a seek, `others` are the people seated besides the host, `taken` is the game from which the
    first game continues, `played` are moves made at once. Games end by score after `most_hands`.
    `guided` has the questions of a lesson.
    """

    game: AnyGame
    rules: Any
    settings: Settings
    bots: int = 0
    start: bool = False
    sought: bool = False
    most_hands: int = MOST_HANDS
    taken: Taken | None = None
    played: tuple[str, ...] = ()
    guided: str = ""
    others: tuple[Actor, ...] = ()

    def opening(self, grace: int, *, twin: str = "", empty: bool = False) -> Opening:
        """The first order of the table; `twin` and `empty` are for pairs, `grace` is in ms."""
        return Opening(
            replace(self.settings, twin=twin),
            {option.name: option.value for option in self.game.options(self.rules)},
            self.bots,
            self.start,
            grace,
            edition(),
            self.most_hands,
            self.sought,
            self.game.version,
            protected=not self.settings.secluded,
            taken=self.taken,
            played=self.played,
            empty=empty,
            guided=self.guided,
            others=tuple((each.name, each.program) for each in self.others),
        )


class PreparedTable(Value):
    """The room of a new table, which nobody else finds before its opening is stored.

    `begin` opens it: it takes the callback for the answer, and the function for the facts to store
    with the opening. If the opening is refused, nothing has changed.
    """

    room: Room
    begin: Callable[[Answered, FurtherFacts], None]


@dataclass(slots=True)
class NewTables:
    """Prepares new tables, within the limits of the server and of each person."""

    _people: People
    _rooms: Rooms
    _tables: RoomServices
    _holdings: Holdings
    _availability: Availability
    _config: LiveConfig

    def prepare(
        self, who: Actor, wanted: NewTable, leaving: Sequence[AnyRoom] = ()
    ) -> PreparedTable:
        """Prepares a table, whose host is going to leave the tables in `leaving`.

        Raises `Refused`.
        """
        person = self._people.exact(who.name)
        self._check_room_for_more(person, len(leaving))
        if person is not None:
            self._holdings.check_table(person, leaving, wanted.bots if _slow(wanted) else 0)
        network = person.network if person is not None else ""
        opening = wanted.opening(self._config.now.grace)
        room = Room(self._tables, self._rooms.new_id(), wanted.game, opening, who, network)

        def begin(answered: Answered, further: FurtherFacts) -> None:
            room.order(who, opening, self._opening((room,), answered), further)

        return PreparedTable(room, begin)

    def prepare_pair(self, who: Actor, wanted: NewTable) -> PreparedTable:
        """Prepares a pair of tables with the same deals; the sender sits down at the first.

        Raises `Refused`.
        """
        person = self._people.exact(who.name)
        self._check_room_for_more(person, 0, tables=2)
        if person is not None:
            self._holdings.check_table(
                person, (), 2 * wanted.settings.seats if _slow(wanted) else 0
            )
        ids = self._rooms.new_id(), self._rooms.new_id()
        first = wanted.opening(self._config.now.grace, twin=ids[1])
        second = wanted.opening(self._config.now.grace, twin=ids[0], empty=True)
        network = person.network if person is not None else ""
        room = Room(self._tables, ids[0], wanted.game, first, who, network)
        other = Room(self._tables, ids[1], wanted.game, second, who, network)

        def begin(answered: Answered, further: FurtherFacts) -> None:
            orders = (who, first), (who, second)
            self._tables.pairs.open(
                (room, other), orders, self._opening((room, other), answered), further
            )

        return PreparedTable(room, begin)

    def _opening(self, rooms: Sequence[Room], answered: Answered) -> Answered:
        """Counts the rooms as opening until the returned callback gets the answer, which it passes
        on.
        """
        for room in rooms:
            self._rooms.begin_opening(room)

        def opened(answer: OrderResult) -> None:
            for room in rooms:
                self._rooms.end_opening(room, opened=answer.refusal is None)
            answered(answer)

        return opened

    def _check_room_for_more(self, person: Person | None, leaving: int, tables: int = 1) -> None:
        self._availability.check_not_draining()
        if not self._availability.storing:
            raise Refused("BUSY", "Nothing can be stored at present; try again soon.", wait=5_000)
        if self._tables.count + tables > self._config.now.most_tables:
            raise Refused("BUSY", "There are as many tables as this server can hold.", wait=60_000)
        if person is not None and len(person.tables) - leaving >= self._config.now.tables_each:
            raise Refused(
                "QUOTA", f"You sit at {self._config.now.tables_each} tables; leave one first."
            )


def _slow(wanted: NewTable) -> bool:
    return players.slow(wanted.settings.level)
