"""Commands that name a table of another server that this one does not follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Command, Refused
from twentytwo_protocol.words.seating import Join, Watch

from ..facts import WantedTables
from .lobby.table_list import TableList
from .tables.rooms import Rooms

_TABLE = re.compile("[tk]([1-9][0-9]*)")
"""The name of a table, `t7`, or of its watchers' talk, `k7`."""


@dataclass(slots=True)
class UnknownTables:
    """Makes such a command wait until this server follows the table.

    `look` calls its last argument when the wanted tables are shown as they are now, or with False
    if the store cannot answer. `look` is None if this server has all tables. `is_behind` is true
    for a table with inputs that this server has heard of, but not read yet. `is_loading` is true
    while tables that this server has taken are rebuilt.
    """

    _rooms: Rooms
    _table_list: TableList
    look: Callable[[WantedTables, Callable[[bool], None]], None] | None = field(
        init=False, default=None
    )
    is_behind: Callable[[str], bool] = field(init=False, default=lambda table: False)
    is_loading: Callable[[], bool] = field(init=False, default=lambda: False)

    def named_by(self, command: Command) -> WantedTables | None:
        """The unknown tables that a command names, if any: wait for them with `need`."""
        if self.look is None:
            return None
        named = self._named_by(command)
        return named if named != WantedTables() else None

    async def looked_for(self, wanted: WantedTables) -> bool:
        """Waits until this server shows those of these tables that exist.

        Returns False if the store cannot answer.
        """
        if self.look is None:
            return True
        looked: Deferred[bool] = Deferred()
        self.look(wanted, looked.callback)
        return await looked

    async def need(self, wanted: WantedTables) -> None:
        """Waits until this server shows these tables, as far as there are such.

        Raises `Refused` (BUSY) if the store cannot answer: nobody knows then whether a table is
        missing.
        """
        if not await self.looked_for(wanted):
            text = "The database does not answer yet. Try again in a moment."
            raise Refused("BUSY", text, wait=1_000)

    async def known(self, *people: str) -> None:
        """Waits until this server knows the tables of these people as they were at the call.

        Raises `Refused` (BUSY) as `need` does: without the tables these people would miss events.
        """
        await self.need(WantedTables(people=people))

    async def loaded(self, *people: str) -> None:
        """Waits until the tables of these people are rebuilt, if this server has taken any."""
        if self.is_loading():
            await self.known(*people)

    async def find_game(self, game: str) -> None:
        """Waits until this server knows the open table of a game."""
        await self.need(WantedTables(games=(game,)))

    async def find(self, table: str) -> None:
        """Waits until this server knows a table, or that there is none."""
        if table not in self._rooms:
            await self.need(WantedTables((table,)))

    def follow(self, *tables: str) -> None:
        """Begins to follow these tables."""
        new = tuple(table for table in tables if table not in self._rooms)
        if self.look is not None and new:
            self.look(WantedTables(new), _nothing)

    def _named_by(self, command: Command) -> WantedTables:
        """The unknown tables that a command names, by id, by word, or by a person there."""
        named = [*tables_named(command)]
        if not named and isinstance(command, Join | Watch):
            word = command.table.lower()
            if any(room.table.settings.word.lower() == word for room in self._rooms.values()):
                return WantedTables()
            seats = self._table_list.seats_of((word, f"~{word}"))
            named = [row.on for rows in seats.values() for row in rows]
            return WantedTables(tuple(filter(self._is_unknown, named)), (word,))
        return WantedTables(tuple(filter(self._is_unknown, named)))

    def _is_unknown(self, table: str) -> bool:
        return table not in self._rooms or self.is_behind(table)


def tables_named(command: Command) -> Iterator[str]:
    """The ids of the tables that the fields of a command name."""
    if isinstance(command, Join | Watch) and command.table.isdigit():
        yield f"t{command.table}"
    for each in command.word.fields:
        given = getattr(command, each.attr)
        for word in given if isinstance(given, tuple) else (given,):
            found = _TABLE.fullmatch(str(word).lower().partition(":")[0])
            if found:
                yield f"t{found[1]}"


def _nothing(_: bool) -> None:
    """Nobody waits for the table."""
