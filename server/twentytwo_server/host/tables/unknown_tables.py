"""Commands that name a table of another server, which this one does not know up to now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Command
from twentytwo_protocol.words.seating import Join, Watch

from .rooms import Rooms

_TABLE = re.compile("[tk]([1-9][0-9]*)")
"""The name of a table, `t7`, or of its watchers' talk, `k7`."""


@dataclass(slots=True)
class UnknownTables:
    """Has such a command wait for one look into the store.

    `look` calls its argument when this server knows all tables of now; None if it has all of them.
    `is_behind` tells of a table whose newest inputs this server has heard of, and not read.
    """

    _rooms: Rooms
    look: Callable[[Callable[[], None]], None] | None = field(init=False, default=None)
    is_behind: Callable[[str], bool] = field(init=False, default=lambda table: False)

    def must_wait(self, command: Command | None, carry_out: Callable[[], None]) -> bool:
        """True if the command has to wait: do nothing then, `carry_out` is called soon."""
        if self.look is None or command is None or not self._names_one(command):
            return False
        self.look(carry_out)
        return True

    async def known(self) -> None:
        """Waits until this server knows the tables as they were at the call."""
        if self.look is not None:
            looked: Deferred[None] = Deferred()
            self.look(lambda: looked.callback(None))
            await looked

    def _names_one(self, command: Command) -> bool:
        named = [*tables_named(command)]
        if isinstance(command, Join | Watch) and not named:
            word = command.table.lower()
            return all(room.table.settings.word.lower() != word for room in self._rooms.values())
        return any(table not in self._rooms or self.is_behind(table) for table in named)


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
