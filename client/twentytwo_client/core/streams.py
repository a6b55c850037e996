"""The streams of a conversation: the position in each, and the model of each table.

An event is taken if it has the next number of its stream. A lower number is a duplicate and is
ignored. A higher number means that events are missing; these are requested. Events that the server
leaves out on purpose are announced (`skip`).

The name of a stream does not tell its kind. The server announces the tables (`name_table`). A
replay or export is known from its request (`name_told_again`). A stream without either (`meet`) is
the table that we are `seeking`, or a served log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from twentytwo_protocol.model import TableModel
from twentytwo_protocol.schema import FOLLOWED, Event, Message, redact
from twentytwo_protocol.words.cardplay import Dealt, Game_, Hand_, Turn
from twentytwo_protocol.words.looking import StateRow
from twentytwo_protocol.words.seating import Joined, Left, Renamed, Shut, Swapped


class Arrival(Enum):
    """The relation of an event's number to its stream."""

    NEXT = "the next one"
    OLD = "one that is known already"
    AHEAD = "one after a gap"


LASTING = ("me", *FOLLOWED)
"""The streams with the same name on every server."""


class GameToldAgain(TableModel):
    """The model of a retold game, which has no players and no open questions."""

    __slots__ = ()


def told_again(event: Event) -> Event:
    """The event as it is shown in a retold game: a TURN asks nobody."""
    return redact(event, None) if isinstance(event, Turn) else event


class Streams:
    """The streams of one person. `seqs` are the last numbers, `tables` the models.

    - `shown`: the models of retold games.
    - `talks`: the table of each stream of spectators' talk, as announced by the server.
    - `seeking`: we seek others to play with, and may be seated at any table.
    - `begins`: the number before the current hand of each table, where known.
    - `recalling`: the tables whose events since then have been requested.
    - `behind`: the streams whose missing events have been requested. Until they arrive, later
      events are dropped, because they will be sent again.
    """

    def __init__(self, seqs: Mapping[str, int] | None = None) -> None:
        self.seqs: dict[str, int] = dict(seqs or {})
        self.tables: dict[str, TableModel] = {}
        self.shown: dict[str, GameToldAgain] = {}
        self.talks: dict[str, str] = {}
        self.begins: dict[str, int] = {}
        self.recalling: set[str] = set()
        self.behind: set[str] = set()
        self.seeking = False
        self._hands: dict[str, dict[int, Event]] = {}
        self._tables: set[str] = set()
        self._told: set[str] = set()

    def is_table(self, on: str) -> bool:
        """True if a stream belongs to a table, even one that we have left."""
        return on in self._tables

    def is_told_again(self, on: str) -> bool:
        """True if a stream is a retold game."""
        return on in self._told

    def name_table(self, on: str) -> bool:
        """Notes that a stream belongs to a table, as the server has announced.

        False if earlier events of the stream were dropped because it was unknown. Then a snapshot
        of the table has to be requested.
        """
        if on in self._tables:
            return True
        self._tables.add(on)
        self._told.discard(on)
        self.shown.pop(on, None)
        return self.seqs.pop(on, None) is None

    def name_told_again(self, on: str) -> None:
        """Notes that a stream is a retold game."""
        if on not in self._tables:
            self._told.add(on)

    def meet(self, on: str, seq: int) -> None:
        """Call for an event of a table before `arrival`: its stream may be unknown."""
        if on in LASTING or on in self.talks or on in self._tables or on in self._told:
            return
        if seq == self.seqs.get(on, 0) + 1 and not self.seeking:
            self._told.add(on)
        else:
            self.name_table(on)

    def arrival(self, on: str, seq: int) -> Arrival:
        """The relation of an event's number to its stream."""
        have = self.seqs.get(on)
        if on in self._told and seq == 1:
            return Arrival.NEXT  # a retold game begins again
        if have is None:
            # A table needs its events from the first; other streams begin at any event.
            return Arrival.NEXT if seq == 1 or on not in self._tables else Arrival.AHEAD
        if seq <= have:
            return Arrival.OLD
        return Arrival.NEXT if seq == have + 1 or on in self._told else Arrival.AHEAD

    def skip(self, on: str, seq: int) -> bool:
        """Continues after a number. The server has left out the events up to it.

        False if the stream is a table's: then its model is out of date, and a snapshot is needed.
        """
        if seq <= self.seqs.get(on, 0):
            return True
        if on in self._tables:
            return False
        self.seqs[on] = seq
        return True

    def take(self, on: str, seq: int, happened: Event | None, name: str) -> TableModel | None:
        """Takes the next event of a stream, and updates the model of its table.

        `happened` is None for an unknown event. `name` is the viewer's. Errors of the model are
        raised; then the model is unusable.
        """
        self.seqs[on] = seq
        if on in self._told:
            return self._show(on, seq, happened)
        if on not in self._tables:
            return None
        table = self.tables.setdefault(on, TableModel(on))
        seat = _own_seat(happened, name)
        if seat is not None:
            table.me = seat
        if happened is not None:
            table.see(happened, seq)
            self._remember(table, happened, seq)
        table.seq = seq
        if isinstance(happened, Shut) or (isinstance(happened, Left) and happened.name == name):
            self.forget(on)  # the model will get our seat in a later event
        return table

    def _remember(self, table: TableModel, happened: Event, seq: int) -> None:
        """Keeps the events of a hand that was seen from its beginning."""
        if isinstance(happened, Hand_ | Game_) and table.on not in self.recalling:
            self.begins[table.on] = seq - 1
            hand = self._hands[table.on] = {}
            table.so_far = lambda: list(hand.values())
        elif table.on in self._hands:
            self._hands[table.on][seq] = happened

    def recall(self, on: str) -> int | None:
        """The number from which to request the current hand of a table; None if unknown."""
        if on not in self.begins or self.tables[on].phase != "playing":
            return None
        self.recalling.add(on)
        self._hands[on] = {}
        return self.begins[on]

    def remind(self, on: str, seq: int, happened: Event) -> None:
        """Takes an event of a requested hand."""
        self._hands[on].setdefault(seq, happened)

    def recalled(self, on: str) -> None:
        """Call when the requested hand has arrived. The hand is kept if it is complete."""
        self.recalling.discard(on)
        told = sorted(self._hands.pop(on, {}).items())
        start = max((seq for seq, each in told if isinstance(each, Hand_ | Game_)), default=None)
        if start is not None and on in self.tables:
            self.begins[on] = start - 1
            hand = self._hands[on] = {seq: each for seq, each in told if seq > start}
            self.tables[on].so_far = lambda: list(hand.values())

    def _show(self, on: str, seq: int, happened: Event | None) -> TableModel:
        if seq == 1:
            self.shown.clear()
        table = self.shown.setdefault(on, GameToldAgain(on))
        if happened is not None:
            table.see(told_again(happened), seq)
        return table

    def adopt(self, rows: Iterable[Message]) -> TableModel | None:
        """Replaces a table's model by the snapshot in a reply; None if there is none."""
        rows = list(rows)
        if not any(isinstance(row, StateRow) for row in rows):
            return None
        table = TableModel.from_rows(rows)
        self.name_table(table.on)
        self.name_talk(table.on, next((r.talk for r in rows if isinstance(r, StateRow)), None))
        self.tables[table.on] = table
        self._hands.pop(table.on, None)
        self.recalling.discard(table.on)
        self.seqs[table.on] = table.seq
        self.behind.discard(table.on)
        return table

    def name_talk(self, on: str, talk: str | None) -> None:
        """Notes the stream of the talk of a table's spectators, if it is announced."""
        if talk is not None:
            self.talks[talk] = on

    def forget(self, on: str) -> None:
        """Forgets a stream and its model."""
        self.tables.pop(on, None)
        self._hands.pop(on, None)
        self.recalling.discard(on)
        self.seqs.pop(on, None)
        self.behind.discard(on)

    def answered(self, on: str, number: int | None) -> None:
        """Closes an accepted question, before the event of the move arrives."""
        table = self.tables.get(on)
        turn = question(table) if table else None
        if table and turn and turn.turn == number:
            table.standing.remove(turn)

    def lost(self) -> list[str]:
        """Call when the connection is lost. Returns the tables that still need a snapshot."""
        unknown = [on for on in self.behind if on in self._tables and on not in self.seqs]
        self.behind.clear()
        self.recalling.clear()
        return unknown

    def questions(self) -> list[tuple[TableModel, Turn]]:
        """The open questions to the person, each with its table."""
        return [(table, turn) for table in self.tables.values() if (turn := question(table))]


def _own_seat(happened: Event | None, name: str) -> int | None:
    """The viewer's seat, if an event reveals it; the viewer may have had another name then."""
    match happened:
        case Joined() | Swapped() | Renamed() if happened.name == name:
            return happened.seat
        case Dealt(seat, cards=tuple()):
            return seat
    return None


def question(table: TableModel) -> Turn | None:
    """The open question to the viewer: only their TURN has `default`. Others may be asked too."""
    return next((turn for turn in _open(table) if turn.default is not None), None)


def asked(table: TableModel) -> Turn | None:
    """An open question at a table: the viewer's own, or else the last one."""
    return question(table) or next(_open(table), None)


def _open(table: TableModel) -> Iterator[Turn]:
    return (each for each in reversed(table.standing) if isinstance(each, Turn))
