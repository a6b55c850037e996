"""The streams of a conversation: how far each has been read, and the model of each table.

An event is taken if it has the next number of its stream. A lower number is a duplicate and is
ignored; a higher one shows that events are missing, which are then asked for. What the server
leaves out on purpose it says (`skip`).

What a stream is nobody can tell by its name. The server says which are tables (`name_table`), and
who has asked for a replay or an export knows what that is (`name_told_again`). Where neither has
been said (`meet`) it is the table that we are `seeking`, or a log that somebody serves.
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
    """How an event's number fits its stream."""

    NEXT = "the next one"
    OLD = "one that is known already"
    AHEAD = "one after a gap"


LASTING = ("me", *FOLLOWED)
"""The streams that go by the same name everywhere."""


class GameToldAgain(TableModel):
    """The model of a game told again, where nobody sits and nobody is asked."""

    __slots__ = ()


def told_again(event: Event) -> Event:
    """The event as shown in a game told again: a TURN does not ask anybody any more."""
    return redact(event, None) if isinstance(event, Turn) else event


class Streams:
    """The streams of one person: `seqs` are the numbers last seen, `tables` the models.

    `shown` are the models of games told again.

    `talks` has the table of each stream of watchers' talk, as the server has named them.

    `seeking`: we seek others to play with, and may be seated anywhere.

    `begins` has the number before the hand that is played at each table, as far as it is known, and
    `recalling` are the tables whose events since then have been asked for.

    `behind` are the streams whose missing events have been asked for. Until they come, events that
    do not follow are dropped, because they will come again.
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
        """Whether a stream is known as a table's, perhaps of one that we have left."""
        return on in self._tables

    def is_told_again(self, on: str) -> bool:
        """Whether a stream is known as that of a game told again."""
        return on in self._told

    def name_table(self, on: str) -> bool:
        """Notes that a stream is a table's: the server has said so.

        False if events of it came before, and were not taken for a table's: they are dropped, and
        the table has to be asked for.
        """
        if on in self._tables:
            return True
        self._tables.add(on)
        self._told.discard(on)
        self.shown.pop(on, None)
        return self.seqs.pop(on, None) is None

    def name_told_again(self, on: str) -> None:
        """Notes that a stream is that of a game told again."""
        if on not in self._tables:
            self._told.add(on)

    def meet(self, on: str, seq: int) -> None:
        """Call when an event of a table comes, before it is placed: its stream may be unnamed."""
        if on in LASTING or on in self.talks or on in self._tables or on in self._told:
            return
        if seq == self.seqs.get(on, 0) + 1 and not self.seeking:
            self._told.add(on)
        else:
            self.name_table(on)

    def place(self, on: str, seq: int) -> Arrival:
        """How the number of an event fits its stream."""
        have = self.seqs.get(on)
        if on in self._told and seq == 1:
            return Arrival.NEXT  # once more from the beginning
        if have is None:
            # A table's events are needed from the first; other streams begin with what comes.
            return Arrival.NEXT if seq == 1 or on not in self._tables else Arrival.AHEAD
        if seq <= have:
            return Arrival.OLD
        return Arrival.NEXT if seq == have + 1 or on in self._told else Arrival.AHEAD

    def skip(self, on: str, seq: int) -> bool:
        """Goes on from a number, the events before which are left out on purpose.

        False if it is a table's: its model is not what it was, and has to be asked for anew.
        """
        if seq <= self.seqs.get(on, 0):
            return True
        if on in self._tables:
            return False
        self.seqs[on] = seq
        return True

    def take(self, on: str, seq: int, happened: Event | None, name: str) -> TableModel | None:
        """Takes the next event of a stream, and updates the model of its table with it.

        `happened` is None for an unknown event. `name` is the viewer's. Raises whatever the model
        raises: then it cannot be trusted any more.
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
            self.forget(on)  # whose seat it was the model goes on to say
        return table

    def _remember(self, table: TableModel, happened: Event, seq: int) -> None:
        """Keeps the events of a hand that has been seen from its beginning on."""
        if isinstance(happened, Hand_ | Game_) and table.on not in self.recalling:
            self.begins[table.on] = seq - 1
            hand = self._hands[table.on] = {}
            table.so_far = lambda: list(hand.values())
        elif table.on in self._hands:
            self._hands[table.on][seq] = happened

    def recall(self, on: str) -> int | None:
        """The number from which the hand at a table is to be told again; None if not known."""
        if on not in self.begins or self.tables[on].phase != "playing":
            return None
        self.recalling.add(on)
        self._hands[on] = {}
        return self.begins[on]

    def remind(self, on: str, seq: int, happened: Event) -> None:
        """Takes an event of a hand that is told again."""
        self._hands[on].setdefault(seq, happened)

    def recalled(self, on: str) -> None:
        """Call when the hand has been told again: its events are at hand, if they are all there."""
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
        """Replaces a table's model by that in the rows of a reply; None if they have none."""
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
        """Notes the stream of the talk of a table's watchers, if it is told."""
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
        """Closes a question whose answer was accepted, before the event of the move comes."""
        table = self.tables.get(on)
        turn = question(table) if table else None
        if table and turn and turn.turn == number:
            table.standing.remove(turn)

    def lost(self) -> list[str]:
        """Call when the connection is lost; returns the tables whose models have not come yet."""
        unknown = [on for on in self.behind if on in self._tables and on not in self.seqs]
        self.behind.clear()
        self.recalling.clear()
        return unknown

    def questions(self) -> list[tuple[TableModel, Turn]]:
        """The open questions to the person, with the table at which each is asked."""
        return [(table, turn) for table in self.tables.values() if (turn := question(table))]


def _own_seat(happened: Event | None, name: str) -> int | None:
    """The seat that an event shows to be the viewer's, who may have had another name then."""
    match happened:
        case Joined() | Swapped() | Renamed() if happened.name == name:
            return happened.seat
        case Dealt(seat, cards=tuple()):
            return seat
    return None


def question(table: TableModel) -> Turn | None:
    """The open question to you; a TURN with `default` is. Others may be asked besides."""
    return next((turn for turn in _open(table) if turn.default is not None), None)


def asked(table: TableModel) -> Turn | None:
    """An open question at a table, whoever is asked: yours, or else the last."""
    return question(table) or next(_open(table), None)


def _open(table: TableModel) -> Iterator[Turn]:
    return (each for each in reversed(table.standing) if isinstance(each, Turn))
