"""What is kept of a table: its orders as inputs, numbered, with a checksum of what they caused."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from zlib import crc32

from twentytwo_protocol.schema import Command
from twentytwo_protocol.words.cardplay import Move

from ...facts import Input
from ...session.streams import Entry
from ...table import journal
from ...table.decision import Actor
from ...table.effects import Effect, Keep
from ...table.opening import Opening

UNIQUE_ID_LENGTH = 8
"""Characters from which on an id is taken to be the client's only one of that name."""
REMEMBERED = 64
"""How many commands of a table can be told again from new ones."""


class ReplayMismatch(Exception):
    """A table that was built anew is not what it was."""


class InputLog:
    """The inputs of one table, as far as they have been decided.

    `edition` is that of the words when the table was opened: the checksums are over these.
    """

    def __init__(self, table: str, edition: int) -> None:
        self._table = table
        self._edition = edition
        self._last = 0
        self._digest = 0
        self._answers: deque[tuple[str, str, str, int]] = deque(maxlen=REMEMBERED)

    def append(
        self,
        who: Actor,
        order: journal.Entry,
        id: str,
        at: int,
        effects: Sequence[Effect],
        entries: Sequence[Entry],
        before: int,
        wall: int,
    ) -> Input:
        """The next input, which caused these entries of the stream, `before` being the last."""
        text = journal.written(order)
        self._last += 1
        self._add(entries)
        kept_id = id if has_unique_id(order, id) else ""
        if kept_id:
            self._answers.append((who.name, kept_id, text, before + 1))
        return Input(
            self._table,
            self._last,
            at,
            wall,
            who.name,
            who.program,
            who.standin,
            text,
            packs_of(effects),
            before + len(entries),
            self._digest,
            kept_id,
        )

    def check(self, kept: Input, entries: Sequence[Entry], before: int) -> None:
        """Takes an input in again that caused these entries. Raises `ReplayMismatch`."""
        self._add(entries)
        self._last += 1
        if (self._last, before + len(entries)) != (kept.seq, kept.last):
            raise ReplayMismatch(
                f"input {kept.seq} led to event {before + len(entries)}, not {kept.last}"
            )
        if self._digest != kept.digest:
            raise ReplayMismatch(f"the events of input {kept.seq} are not what they were")
        if kept.id:
            self._answers.append((kept.who, kept.id, kept.order, before + 1))

    def find_repeated(self, who: str, order: journal.Entry, id: str) -> int:
        """The number of the first event of this command if it is one sent again; else 0."""
        if not (self._answers and has_unique_id(order, id)):
            return 0
        text = journal.written(order)
        for name, known, line, seq in self._answers:
            if (name, known, line) == (who, id, text):
                return seq
        return 0

    def _add(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self._digest = crc32(entry.whole(self._edition).encode(), self._digest)


def has_unique_id(order: journal.Entry, id: str) -> bool:
    """Whether a command of this id can be told from another one that happens to look the same.

    An id of a few characters may be used again on the next connection, for something new; a
    move with the number of its turn means that turn whenever it is sent.
    """
    if not id or not isinstance(order, Command | Opening):
        return False
    return len(id) >= UNIQUE_ID_LENGTH or (isinstance(order, Move) and order.turn is not None)


def packs_of(effects: Sequence[Effect]) -> tuple[str, ...]:
    """The packs that the house shuffled, as tokens, in order."""
    return tuple(e.token for e in effects if isinstance(e, Keep) and e.seat == 0)
