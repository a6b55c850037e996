"""Rings: a server broadcasts which of its tables have new inputs in the store.

A ring carries no input, and no server relies on it. Rings are numbered, and an idle server rings
too. So a server soon notices that it has missed a ring, and looks into the store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import DecodeError, json

from twentytwo_protocol.value import Value

from ...facts import Fact, Input, TableMembers, TableMoved
from ...ports import Bus, Clock, Store
from ...subjects import RINGS_FOR_ALL

BEAT = 250
"""Milliseconds between two rings of a server that has stored nothing."""


class Ring(Value):
    """The last inputs of some tables of the server `node`, by table. `no` is the ring's number.

    `members` are the people of tables whose members have changed, and `moved` the new owners of
    tables that belong to other servers from now on.
    """

    node: str
    no: int
    tables: Mapping[str, int]
    members: Mapping[str, Sequence[str]] = {}
    moved: Mapping[str, str] = {}


_DECODER = json.Decoder(Ring)


def read_ring(data: bytes) -> Ring | None:
    """The ring in a message; None if the message cannot be read."""
    try:
        return _DECODER.decode(data)
    except DecodeError:
        return None


class Bell:
    """Rings for the inputs that this server stores, with one ring for each turn of the loop.

    The numbers of the rings are above those of an earlier run, as long as the wall clock is right.
    """

    def __init__(self, store: Store, bus: Bus, clock: Clock, node: str) -> None:
        self._bus = bus
        self._clock = clock
        self._node = node
        self._stored: dict[str, int] = {}
        self._members: dict[str, tuple[str, ...]] = {}
        self._moved: dict[str, str] = {}
        self._due = False
        self._no = clock.wall() * 1000
        self._stopped = False
        store.after_commit(self._committed)
        self._beat()

    def stop(self) -> None:
        """Stops ringing."""
        self._stopped = True

    def _beat(self) -> None:
        if not self._stopped:
            self._ring()
            self._clock.later(BEAT, self._beat)

    def _committed(self, facts: Sequence[Fact]) -> None:
        for fact in facts:
            if type(fact) is Input:
                self._stored[fact.table] = fact.seq
            elif type(fact) is TableMembers:
                self._members[fact.table] = fact.names
            elif type(fact) is TableMoved:
                self._moved[fact.table] = fact.to
            else:
                continue
            if not self._due:
                self._due = True
                self._clock.later(0, self._ring)

    def _ring(self) -> None:
        self._due = False
        self._no += 1
        ring = Ring(self._node, self._no, self._stored, self._members, self._moved)
        self._stored, self._members, self._moved = {}, {}, {}
        self._bus.tell(RINGS_FOR_ALL, json.encode(ring))
