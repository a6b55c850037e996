"""Opening a new table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused, edition
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.seating import Leave

from ..facts import Fact
from ..games import players
from ..games.game import AnyGame
from ..table.decision import Actor
from ..table.match import MOST_HANDS
from ..table.opening import Opening, Taken
from ..table.table import Settings
from .holdings import check_table
from .host import Host
from .people.people import Person
from .tables.order_queue import Answer
from .tables.room import Room


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


def new_table(
    host: Host,
    who: Actor,
    wanted: NewTable,
    *,
    leaving: Sequence[Room] = (),
    answered: Callable[[Room, Answer], None] = lambda room, answer: None,
    kept: Callable[[Room, Answer], Sequence[Fact]] = lambda room, answer: (),
) -> None:
    """Opens a table.

    `answered` is called with the room and the result of the opening; after that the person leaves
    the tables in `leaving`. The facts that `kept` returns are stored with the opening. If the
    opening is refused, by raising `Refused` or in the answer, nothing has changed.
    """
    person = host.people.find(who.name)
    _check_room_for_more(host, person, len(leaving))
    if person is not None:
        check_table(host, person, leaving, wanted.bots if _slow(wanted) else 0)
    place = person.place if person is not None else ""
    opening = wanted.opening(host.config.grace)
    room = Room(host, host.rooms.new_id(), wanted.game, opening, who, place)
    host.rooms.begin_opening(room)

    def opened(answer: Answer) -> None:
        host.rooms.end_opening(room, opened=answer.refusal is None)
        answered(room, answer)
        for left in leaving if answer.refusal is None else ():
            left.order(who, Leave())

    room.order(who, opening, opened, lambda answer: kept(room, answer))


def new_pair(
    host: Host,
    who: Actor,
    wanted: NewTable,
    *,
    answered: Callable[[Room, Answer], None],
    kept: Callable[[Room, Answer], Sequence[Fact]],
) -> None:
    """Opens a pair of tables with the same deals; the sender sits down at the first.

    `answered` and `kept` are as those of `new_table`.
    """
    person = host.people.find(who.name)
    _check_room_for_more(host, person, 0, tables=2)
    if person is not None:
        check_table(host, person, (), 2 * wanted.settings.seats if _slow(wanted) else 0)
    ids = host.rooms.new_id(), host.rooms.new_id()
    first = wanted.opening(host.config.grace, twin=ids[1])
    second = wanted.opening(host.config.grace, twin=ids[0], empty=True)
    place = person.place if person is not None else ""
    room = Room(host, ids[0], wanted.game, first, who, place)
    other = Room(host, ids[1], wanted.game, second, who, place)
    for each in (room, other):
        host.rooms.begin_opening(each)

    def opened(answer: Answer) -> None:
        for each in (room, other):
            host.rooms.end_opening(each, opened=answer.refusal is None)
        answered(room, answer)

    orders = (who, first), (who, second)
    host.pairs.open((room, other), orders, opened, lambda answer: kept(room, answer))


def _slow(wanted: NewTable) -> bool:
    return players.slow(wanted.settings.level)


def _check_room_for_more(host: Host, person: Person | None, leaving: int, tables: int = 1) -> None:
    host.check_not_draining()
    if not host.storing:
        raise Refused("BUSY", "Nothing can be stored at present; try again soon.", wait=5_000)
    if host.tables + tables > host.config.most_tables:
        raise Refused("BUSY", "There are as many tables as this server can hold.", wait=60_000)
    if person is not None and len(person.tables) - leaving >= host.config.tables_each:
        raise Refused("QUOTA", f"You sit at {host.config.tables_each} tables; leave one first.")
