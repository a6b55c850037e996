"""Tables that could not be rebuilt at the start. They stay in the store and cannot be used.

People who had a seat there are told so when they come back. Commands about such a table or its game
are refused with the same sentence, but a private table is known only to those who had a seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.connection import Note

from ..people.people import Person

WHAT = "could not be built again after a restart and is set aside"
"""The end of the sentence for people about such a table."""
LISTED = 3
"""Maximum number of such tables named one by one in the list of tables."""


class SetAsideTable(Value):
    """A table that is set aside; `why` is for the operator.

    `open` is True if anybody may know of it. `seats` maps the names of those who had a seat, read
    from the orders that can be read, to the time on the timeline when they took it. `games` has the
    ids of its games that were promised, including the one not yet begun.
    """

    table: str
    why: str
    open: bool
    seats: Mapping[str, int]
    games: frozenset[str]

    @property
    def sentence(self) -> str:
        """The sentence for people about the table."""
        return f"{self.table} {WHAT}."

    def sentence_of(self, game: str) -> str:
        """The sentence for people about one of its games."""
        return f"{game} belongs to {self.table}, which {WHAT}."

    @property
    def note(self) -> Note:
        """The notice for somebody who had a seat there."""
        return Note("SET_ASIDE", self.table, self.sentence)

    def seated(self, person: Person) -> bool:
        """True if the person had a seat there, and is not a later guest of the same name."""
        since = self.seats.get(person.name)
        return since is not None and (not person.guest or person.since <= since)

    def known_to(self, person: Person | None) -> bool:
        """True if the person may know of the table."""
        return self.open or (person is not None and self.seated(person))


class SetAsideTables:
    """All tables that are set aside, by id."""

    def __init__(self) -> None:
        self._by_table: dict[str, SetAsideTable] = {}

    def __iter__(self) -> Iterator[SetAsideTable]:
        return iter(self._by_table.values())

    def add(self, table: SetAsideTable) -> None:
        """Adds a table, or replaces the table with this id."""
        self._by_table[table.table] = table

    def rename(self, old: str, new: str) -> None:
        """Gives a guest's seats to the account as which the guest has logged in."""
        for table in list(self):
            if old in table.seats:
                seats = {new if name == old else name: at for name, at in table.seats.items()}
                self.add(replace(table, seats=seats))

    def sentences(self, person: Person | None) -> list[str]:
        """The sentences about the tables known to a person: one for each, or one for all."""
        known = [table for table in self if table.known_to(person)]
        if len(known) > LISTED:
            return [f"{len(known)} tables {WHAT.replace(' is ', ' are ')}."]
        return [table.sentence for table in known]

    def of(self, person: Person, streams: Iterable[str] = ()) -> list[SetAsideTable]:
        """The tables where a person had a seat, and those named by `streams`, as far as the person
        may know of them.
        """
        named = [self.table(stream, person) for stream in streams]
        return [table for table in self if table.seated(person) or table in named]

    def table(self, stream: str, person: Person | None) -> SetAsideTable | None:
        """The table of a stream (`t7`, `k7`, `t7:51`), if set aside and known to the person."""
        name = stream.partition(":")[0].lower()
        table = self._by_table.get(f"t{name[1:]}") if name[:1] in ("t", "k") else None
        return table if table is not None and table.known_to(person) else None

    def game(self, game: str) -> SetAsideTable | None:
        """The table of a game. Check `known_to` before telling anybody."""
        return next((each for each in self if game in each.games), None)
