"""Opening a new table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from twentytwo_protocol.schema import Refused, edition
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


def new_table(
    host: Host,
    who: Actor,
    game: AnyGame,
    rules: Any,
    settings: Settings,
    *,
    bots: int = 0,
    start: bool = False,
    sought: bool = False,
    played: Sequence[str] = (),
    most_hands: int = MOST_HANDS,
    taken: Taken | None = None,
    leaving: Sequence[Room] = (),
    answered: Callable[[Room, Answer], None] = lambda room, answer: None,
    kept: Callable[[Room, Answer], Sequence[Fact]] = lambda room, answer: (),
) -> None:
    """Opens a table.

    `bots` is how many bots get seats, `start` begins the game at once, `sought` is True for people
    whom a seek brought together, `taken` is the game from which the first one goes on, `played` are
    moves that are made at once. `answered` is called with the room and how the opening ended; after
    that the person leaves the tables in `leaving`. What `kept` returns is stored with the opening.
    If it is refused, by raising `Refused` or in the answer, nothing has changed.
    """
    options = {option.name: option.value for option in game.options(rules)}
    opening = Opening(
        settings,
        options,
        bots,
        start,
        host.config.grace,
        edition(),
        most_hands,
        sought,
        game.version,
        protected=not settings.secluded,
        taken=taken,
        played=tuple(played),
    )
    person = host.people.find(who.name)
    _check_room_for_more(host, person, len(leaving))
    if person is not None:
        check_table(host, person, leaving, bots if players.slow(settings.level) else 0)
    place = person.place if person is not None else ""
    room = Room(host, host.new_table_id(), game, opening, who, place)
    host.opening[room] = None

    def opened(answer: Answer) -> None:
        del host.opening[room]
        if answer.refusal is None:
            host.rooms[room.id] = room
        answered(room, answer)
        for left in leaving if answer.refusal is None else ():
            left.order(who, Leave())

    room.order(who, opening, opened, lambda answer: kept(room, answer))


def new_pair(
    host: Host,
    who: Actor,
    game: AnyGame,
    rules: Any,
    settings: Settings,
    *,
    hands: int,
    answered: Callable[[Room, Answer], None],
    kept: Callable[[Room, Answer], Sequence[Fact]],
) -> None:
    """Opens a pair of tables that play the same deals; whoever opens them sits down at the first.

    Games end by score after so many `hands`. `answered` and `kept` are as those of `new_table`.
    """
    person = host.people.find(who.name)
    _check_room_for_more(host, person, 0, tables=2)
    if person is not None:
        check_table(host, person, (), 2 * settings.seats if players.slow(settings.level) else 0)
    ids = host.new_table_id(), host.new_table_id()
    options = {option.name: option.value for option in game.options(rules)}
    first, second = (
        Opening(
            replace(settings, twin=twin),
            options,
            grace=host.config.grace,
            edition=edition(),
            most_hands=hands,
            version=game.version,
            protected=not settings.secluded,
            empty=empty,
        )
        for twin, empty in ((ids[1], False), (ids[0], True))
    )
    place = person.place if person is not None else ""
    room = Room(host, ids[0], game, first, who, place)
    other = Room(host, ids[1], game, second, who, place)
    host.opening.update(dict.fromkeys((room, other)))

    def opened(answer: Answer) -> None:
        for each in (room, other):
            del host.opening[each]
            if answer.refusal is None:
                host.rooms[each.id] = each
        answered(room, answer)

    orders = (who, first), (who, second)
    host.pairs.open((room, other), orders, opened, lambda answer: kept(room, answer))


def _check_room_for_more(host: Host, person: Person | None, leaving: int, tables: int = 1) -> None:
    host.check_not_draining()
    if host.clock.stopped:
        raise Refused("BUSY", "Nothing can be stored at present; try again soon.", wait=5_000)
    if host.tables + tables > host.config.most_tables:
        raise Refused("BUSY", "There are as many tables as this server can hold.", wait=60_000)
    if person is not None and len(person.tables) - leaving >= host.config.tables_each:
        raise Refused("QUOTA", f"You sit at {host.config.tables_each} tables; leave one first.")
