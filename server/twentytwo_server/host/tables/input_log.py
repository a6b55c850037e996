"""The input log of a table: its stored orders, numbered, with a checksum.

A restart decides all inputs of a table again; the checksum over their events shows if that led to
the same table.
"""

from __future__ import annotations

from operator import attrgetter, methodcaller
from zlib import crc32

from twentytwo_protocol.schema import edition as current_edition
from twentytwo_protocol.value import Value

from ...facts import Input
from ...games.game import HOUSE
from ...session.streams import Burst
from ...table import journal
from ...table.decision import Moment
from .order_queue import Outcome

TAGS = 1000
"""The orders of a table are recognized by their tags among so many of its last inputs."""


class Carried(Value):
    """An order that was carried out: its input, its first event, and its text."""

    input: int
    seq: int
    order: str


class ReplayMismatch(Exception):
    """A rebuilt table differs: its inputs lead to other events, or cannot be read."""


class InputLog:
    """Numbers the inputs of one table and keeps the checksum of its events.

    `last` is the number of the last input. `edition` is the protocol edition when the table was
    opened. The checksum is over the fields that events had in that edition, so that new fields do
    not change it.
    """

    def __init__(self, table: str, edition: int) -> None:
        self._table = table
        older = edition < current_edition()
        self._line = methodcaller("whole_as_of", edition) if older else attrgetter("whole")
        self.last = 0
        self._carried: dict[tuple[str, str], Carried] = {}
        self._digest = 0

    def append(self, done: Outcome, key: str, before: int, now: Moment) -> Input:
        """Makes the next input: an order that was decided.

        `before` is the number of the last event before the order's own; `key` is the client's key
        from `once=`. The number of the input is used up even if the store fails.
        """
        who = done.queued.who
        text = journal.written(done.queued.order)
        self.last += 1
        if key:
            self._remember(who.name, key, Carried(self.last, before + 1, text))
        self._add(done.burst)
        packs = [move.token for move in done.decision.moves if move.seat == HOUSE]
        return Input(
            self._table,
            self.last,
            now.at,
            now.wall,
            who.name,
            who.program,
            who.standin,
            text,
            tuple(packs),
            before + len(done.burst.entries),
            self._digest,
            key,
        )

    def check(self, stored: Input, burst: Burst, before: int) -> None:
        """Compares a stored input, decided again, with the entries that it caused now.

        Raises `ReplayMismatch` if the number of events or the checksum differs from the stored one.
        """
        self._add(burst)
        self.last += 1
        if stored.id:
            self._remember(stored.who, stored.id, Carried(self.last, before + 1, stored.order))
        last = before + len(burst.entries)
        if self.last != stored.seq or last != stored.last:
            raise ReplayMismatch(f"input {stored.seq} led to event {last}, not {stored.last}")
        if self._digest != stored.digest:
            raise ReplayMismatch(f"the events of input {stored.seq} are not what they were")

    def carried(self, who: str, tag: str) -> Carried | None:
        """The order of this person with this tag, if it is among the last inputs."""
        found = self._carried.get((who, tag))
        return found if found is not None and found.input > self.last - TAGS else None

    def _remember(self, who: str, tag: str, carried: Carried) -> None:
        self._carried[who, tag] = carried
        while next(iter(self._carried.values())).input <= self.last - TAGS:
            del self._carried[next(iter(self._carried))]

    def _add(self, burst: Burst) -> None:
        lines = "".join(map(self._line, burst.entries))
        self._digest = crc32(lines.encode(), self._digest)
