"""How far each stream has been read, and what is known of each table.

An event is taken if it is the next of its stream. One that is not newer is a duplicate and is
ignored; one that is further on shows that something is missing, which is then asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import Event, Message, redact
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.looking import StateRow
from twentytwo_protocol.words.seating import Joined, Left, Swapped


class Arrival(Enum):
    """Where an event stands in its stream."""

    NEXT = "the next one"
    OLD = "one that is known already"
    AHEAD = "one after a gap"


def is_table(on: str) -> bool:
    """Whether a stream is a table's: t7."""
    return on[:1] == "t" and on[1:].isdigit()


def is_shown(on: str) -> bool:
    """Whether a stream is a game told again: r1 of a replay, g51 of an export."""
    return on[:1] in ("r", "g") and on[1:].isdigit()


def told_again(event: Event) -> Event:
    """An event of a game told again: nobody is asked any more, whatever a TURN says."""
    return redact(event, None) if isinstance(event, Turn) else event


class Streams:
    """The streams of one person: `seqs` are the numbers last seen, `tables` the models.

    `shown` are those of games told again: nobody sits there, nobody is asked.

    `behind` are the streams of which something was asked for again; until it has come, what
    does not follow is dropped, because it will come once more.
    """

    def __init__(self, seqs: Mapping[str, int] | None = None) -> None:
        self.seqs: dict[str, int] = dict(seqs or {})
        self.tables: dict[str, TableModel] = {}
        self.shown: dict[str, TableModel] = {}
        self.behind: set[str] = set()

    def place(self, on: str, seq: int) -> Arrival:
        """Where an event stands."""
        have = self.seqs.get(on)
        if is_shown(on) and seq == 1:
            return Arrival.NEXT  # once more from the beginning
        if have is None:
            # A table counts from its first event; of other streams we hear from now on.
            return Arrival.NEXT if seq == 1 or not is_table(on) else Arrival.AHEAD
        if seq <= have:
            return Arrival.OLD
        return Arrival.NEXT if seq == have + 1 or not _gapless(on) else Arrival.AHEAD

    def take(self, on: str, seq: int, happened: Event | None, name: str) -> TableModel | None:
        """Notes an event that is the next, and folds it into the model of its table.

        `happened` is None where the event is not known. `name` is whose view this is. Raises
        whatever the fold raises: then the model is not to be trusted.
        """
        self.seqs[on] = seq
        if is_shown(on):
            return self._show(on, seq, happened)
        if not is_table(on):
            return None
        table = self.tables.setdefault(on, TableModel(on))
        if isinstance(happened, Joined | Swapped) and happened.name == name:
            table.me = happened.seat
        if happened is not None:
            table.see(happened, seq)
        table.seq = seq
        if isinstance(happened, Left) and happened.name == name:
            table.me = None
            self.forget(on)
        return table

    def _show(self, on: str, seq: int, happened: Event | None) -> TableModel:
        if seq == 1:
            self.shown.clear()
        table = self.shown.setdefault(on, TableModel(on))
        if happened is not None:
            table.see(told_again(happened), seq)
        return table

    def adopt(self, rows: Iterable[Message]) -> TableModel | None:
        """Takes a table's state from the rows of a reply; None if there is none in them."""
        rows = list(rows)
        if not any(isinstance(row, StateRow) for row in rows):
            return None
        table = TableModel.from_rows(rows)
        self.tables[table.on] = table
        self.seqs[table.on] = table.seq
        self.behind.discard(table.on)
        return table

    def forget(self, on: str) -> None:
        """Knows nothing of the stream any more."""
        self.tables.pop(on, None)
        self.seqs.pop(on, None)
        self.behind.discard(on)

    def answered(self, on: str, number: int | None) -> None:
        """The answer to a question was accepted: it is open no more, before its event comes."""
        table = self.tables.get(on)
        turn = question(table) if table else None
        if table and turn and turn.turn == number:
            table.standing.remove(turn)

    def lost(self) -> list[str]:
        """The connection is gone, and with it what was asked for: the tables still unknown."""
        unknown = [on for on in self.behind if is_table(on) and on not in self.seqs]
        self.behind.clear()
        return unknown

    def questions(self) -> list[tuple[TableModel, Turn]]:
        """The open questions to the person, with the table at which each is asked."""
        return [(table, turn) for table in self.tables.values() if (turn := question(table))]


def question(table: TableModel) -> Turn | None:
    """The open question at a table if it is yours; a TURN with `default` is."""
    turn = asked(table)
    return turn if turn and turn.default is not None else None


def asked(table: TableModel) -> Turn | None:
    """The open question at a table, whoever is asked."""
    return next((e for e in reversed(table.standing) if isinstance(e, Turn)), None)


def _gapless(on: str) -> bool:
    return is_table(on) or on == "me"
