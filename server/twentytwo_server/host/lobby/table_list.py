"""The tables of all servers that the lobby lists: no private ones, no practice.

Each server broadcasts the rows of its own tables. So the others can list a table that they do not
follow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from operator import attrgetter

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.lobby import Changed, Closed, Opened, TableRow

from ...facts import Owned
from ...table.table import Table
from .lobby import Lobby


class ListedTable(Value, tag=True):
    """The row of a table in a list, and the names of the people who have a seat."""

    row: TableRow
    names: tuple[str, ...]


class UnlistedTable(Value, tag=True):
    """A table is closed, or belongs to the server `to` from now on."""

    table: str
    to: str = ""


Listing = ListedTable | UnlistedTable


class TableList:
    """The listed tables. Changes are announced in the lobby.

    `tell_others` broadcasts the tables of this server. `counts` has the number of open tables of
    each other server, private ones included.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._own: dict[str, ListedTable] = {}
        self._elsewhere: dict[str, tuple[str, ListedTable]] = {}
        """The tables of other servers, each with the name of the server."""
        self.doubtful: set[str] = set()
        """Tables of servers that no longer report them: the store knows what became of them."""
        self.counts: dict[str, int] = {}
        self.tell_others: Callable[[Listing], None] | None = None

    # ------------------------------------------------------------------------ own tables

    def changed(self, table: Table, before: Table | None = None) -> None:
        """Lists a table of this server, which is new here or has changed since `before`."""
        known = self._own.get(table.id)
        if known is not None and before is not None and _LISTED_OF(before) == _LISTED_OF(table):
            return  # almost every move
        if table.settings.secluded:
            return
        listed = ListedTable(row_of(table), tuple([seat.name for seat in table.people]))
        self._own[table.id] = listed
        before_that = known or self._forget(table.id)
        if known != listed and self.tell_others is not None:
            self.tell_others(listed)
        self._announce(listed.row, before_that, self._lobby.announce)

    def closed(self, table: str) -> None:
        """Removes a table of this server, which is closed."""
        known = self._own.pop(table, None)
        if known is not None:
            if self.tell_others is not None:
                self.tell_others(UnlistedTable(table))
            self._lobby.announce(Closed(table), known.row.game)

    def gave(self, table: str, to: str) -> None:
        """Notes that another server owns a table of this one from now on."""
        known = self._own.pop(table, None)
        if known is not None:
            self._elsewhere[table] = to, known
            if self.tell_others is not None:
                self.tell_others(UnlistedTable(table, to))

    def own(self) -> Iterator[ListedTable]:
        """The listed tables of this server."""
        return iter(self._own.values())

    # --------------------------------------------------------------------- those of others

    def heard(self, node: str, listing: Listing) -> None:
        """Takes in a message of another server about one of its tables."""
        if isinstance(listing, ListedTable):
            table = listing.row.on
            if table in self._own:
                return  # that server has given it away
            before = self._forget(table)
            self._elsewhere[table] = node, listing
            self._announce(listing.row, before, self._lobby.show)
        elif self._owner(listing.table) == node:
            if listing.to:
                self._elsewhere[listing.table] = listing.to, self._elsewhere[listing.table][1]
            else:
                self._remove(listing.table)

    def lost(self, node: str, table: str) -> None:
        """Notes that a server no longer reports a table."""
        if self._owner(table) == node:
            self.doubtful.add(table)

    def checked(self, tables: Collection[str], owners: Mapping[str, Owned]) -> None:
        """Takes in what the store says about doubtful tables."""
        for table in self.doubtful.intersection(tables):
            if table in owners:
                self._elsewhere[table] = owners[table].node, self._elsewhere[table][1]
            else:
                self._remove(table)

    def _owner(self, table: str) -> str:
        return self._elsewhere[table][0] if table in self._elsewhere else ""

    def _forget(self, table: str) -> ListedTable | None:
        self.doubtful.discard(table)
        known = self._elsewhere.pop(table, None)
        return known[1] if known is not None else None

    def _remove(self, table: str) -> None:
        known = self._forget(table)
        if known is not None:
            self._lobby.show(Closed(table), known.row.game)

    # ----------------------------------------------------------------------------- questions

    def __len__(self) -> int:
        """The number of listed tables, at all servers."""
        return len(self._own) + len(self._elsewhere)

    def elsewhere(self) -> Iterator[TableRow]:
        """The rows of the tables of other servers."""
        return (listed.row for _, listed in self._elsewhere.values())

    def seats_of(self, names: Collection[str]) -> Mapping[str, list[TableRow]]:
        """The tables of other servers at which people of these names, in lower case, have seats."""
        found: dict[str, list[TableRow]] = {}
        for _, listed in self._elsewhere.values() if names else ():
            for name in listed.names:
                if (key := name.lower()) in names:
                    found.setdefault(key, []).append(listed.row)
        return found

    @staticmethod
    def _announce(
        now: TableRow, before: ListedTable | None, show: Callable[[Opened | Changed, str], None]
    ) -> None:
        shown = _SHOWN(now)
        if before is None:
            show(Opened(*shown), now.game)
        elif _SHOWN(before.row) != shown:
            show(Changed(*shown), now.game)


_LISTED_OF = attrgetter("seats", "phase", "host", "locked", "settings", "watchers")
"""The fields of a table on which its row depends. Comparing them is quick: a move leaves them the
same objects.
"""

_SHOWN = attrgetter(*["on", "game", "seats", "taken", "phase", "host", "locked", "title", "vacant"])
"""The fields of a row that `Opened` and `Changed` have, too."""


def row_of(table: Table) -> TableRow:
    """The row of a table in a list."""
    return TableRow(
        table.id,
        table.game.key,
        table.settings.seats,
        len(table.seats),
        table.phase.value,
        table.host,
        table.locked,
        table.settings.title or None,
        len(table.watchers),
        table.settings.twin or None,
        len(table.vacant) or None,
    )
