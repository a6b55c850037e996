"""Tables that could not be built anew at the start: kept as they are, and left out of the rest.

Whoever sat there is told so when they come back, and whoever asks for such a table, or for its
game, is answered in the same words. Of a private one only those who sat there may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from twentytwo_protocol.words.connection import Note

from ..people.people import Person

WHAT = "could not be built again after a restart and is set aside"
"""What has become of such a table."""
LISTED = 3
"""How many of these tables are named in a list of tables."""


@dataclass(frozen=True, slots=True)
class SetAsideTable:
    """A table that is set aside, and `why`, for its operator.

    `open`: anybody may know of it. `seats` are the names of those who have a seat there, as far
    as its orders tell, each with the time on the timeline when they took it; `games` are the
    numbers of its games, the one that was to come included.
    """

    table: str
    why: str
    open: bool
    seats: Mapping[str, int]
    games: frozenset[str]

    @property
    def sentence(self) -> str:
        """What is said of it."""
        return f"{self.table} {WHAT}."

    def sentence_of(self, game: str) -> str:
        """What is said of a game of its."""
        return f"{game} belongs to {self.table}, which {WHAT}."

    @property
    def note(self) -> Note:
        """What whoever sat there is told."""
        return Note("SET_ASIDE", self.sentence)

    def seated(self, person: Person) -> bool:
        """Whether that person has a seat there; not a guest who came later by the same name."""
        since = self.seats.get(person.name)
        return since is not None and (not person.guest or person.since <= since)

    def known_to(self, person: Person | None) -> bool:
        """Whether they may know of it."""
        return self.open or (person is not None and self.seated(person))


class SetAsideTables:
    """All tables that are set aside."""

    def __init__(self) -> None:
        self._by_table: dict[str, SetAsideTable] = {}

    def __iter__(self) -> Iterator[SetAsideTable]:
        return iter(self._by_table.values())

    def add(self, table: SetAsideTable) -> None:
        """One more."""
        self._by_table[table.table] = table

    def rename(self, old: str, new: str) -> None:
        """A guest has logged in: what was theirs is the account's."""
        for table in list(self):
            if old in table.seats:
                seats = {new if name == old else name: at for name, at in table.seats.items()}
                self.add(replace(table, seats=seats))

    def sentences(self, person: Person | None) -> list[str]:
        """What is said to somebody of those that they may know of: one each, or one of many."""
        known = [table for table in self if table.known_to(person)]
        if len(known) > LISTED:
            return [f"{len(known)} tables {WHAT.replace(' is ', ' are ')}."]
        return [table.sentence for table in known]

    def of(self, person: Person, streams: Iterable[str] = ()) -> list[SetAsideTable]:
        """Those where a person has a seat, and those whose streams they name besides."""
        named = [self.table(stream, person) for stream in streams]
        return [table for table in self if table.seated(person) or table in named]

    def table(self, stream: str, person: Person | None) -> SetAsideTable | None:
        """The one that a stream is of, `t7` or `k7`, with or without a number behind it."""
        name = stream.partition(":")[0].lower()
        table = self._by_table.get(f"t{name[1:]}") if name[:1] in ("t", "k") else None
        return table if table is not None and table.known_to(person) else None

    def game(self, game: str) -> SetAsideTable | None:
        """The one whose game this is, whoever may know of it."""
        return next((each for each in self if game in each.games), None)
