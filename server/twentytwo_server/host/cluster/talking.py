"""Broadcasts the talk of watchers: a table may have watchers at several servers.

The talk is not stored, so a line that the bus loses is lost.
"""

from __future__ import annotations

import itertools

from msgspec import DecodeError, json

from twentytwo_protocol.value import Value
from twentytwo_protocol.words.talk import Kibitzed

from ...ports import Bus
from ...subjects import KIBITZING
from ..tables.rooms import Rooms
from ..tables.watchers_talk import WatchersTalk


class TalkLine(Value):
    """A line of the watchers of a table. `no` numbers those of a run of a server from 1."""

    run: str
    no: int
    table: str
    by: str
    text: str | None


_DECODER = json.Decoder(TalkLine)


class TalkBetweenServers:
    """Shows what is said at other servers. `run` is the name of this one and of its run.

    A line that comes twice, or after a later one, is not shown.
    """

    def __init__(self, rooms: Rooms, talk: WatchersTalk, bus: Bus, run: str) -> None:
        self._rooms = rooms
        self._bus = bus
        self._run = run
        self._numbers = itertools.count(1)
        self._last: dict[str, int] = {}
        talk.tell_others = self._tell
        self.stop = bus.listen(KIBITZING, self._heard)

    def _tell(self, table: str, line: Kibitzed) -> None:
        said = TalkLine(self._run, next(self._numbers), table, line.by, line.text)
        self._bus.tell(KIBITZING, json.encode(said))

    def _heard(self, data: bytes) -> None:
        try:
            said = _DECODER.decode(data)
        except DecodeError:
            return
        if said.run == self._run or said.no <= self._last.get(said.run, 0):
            return
        self._last[said.run] = said.no
        room = self._rooms.get(said.table)
        if room is not None:
            room.talk(Kibitzed(said.by, said.text))
