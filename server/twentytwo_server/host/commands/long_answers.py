"""Long answers: sent in slices, as fast as the peer reads (`replays`)."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from twisted.internet.defer import CancelledError, Deferred

from twentytwo_protocol.words.talk import speaker

from ...ports import Link
from ...session.streams import Entry, Stream
from ..connections import Connections
from ..replays import Replays
from ..tables.sittings import SeatThen
from .call import Call

MissedEvents = tuple[Stream, int, SeatThen]
"""A stream, the number of its last event before the missed ones, and the seats that saw them."""


@dataclass(slots=True)
class LongAnswers:
    """Answers that take a while, at most one for each connection; they end with it."""

    _connections: Connections
    _replays: Replays

    def run(self, call: Call, work: Coroutine[Any, Any, None]) -> Deferred[None]:
        """Runs a coroutine that ends with the connection: both it and the caller are cancelled."""
        return self._replays.tasks.run(call.session, work)

    def link(self, call: Call) -> Link:
        """The connection of the command. Raises `CancelledError` if it is gone."""
        link = self._connections.link(call.session)
        if link is None:
            raise CancelledError
        return link

    async def send_all(self, call: Call, steps: Iterable[object]) -> int:
        """Iterates over `steps`, each of which sends a little, as fast as the peer reads.

        Returns how many there were. Raises `CancelledError` when the connection ends.
        """
        return await self._replays.send_in_slices(call.session, self.link(call), steps)

    async def send_missed(self, call: Call, missed: MissedEvents, most: int) -> int:
        """Sends at most `most` past events of a stream; new events wait until these are sent.

        Returns the number up to which the client now has its events. That is less than
        `stream.last` if it does not follow the stream and something has happened there meanwhile,
        or if there are more than `most`. Raises `CancelledError` when the connection ends.
        """
        link = self.link(call)
        # The events up to now are chosen before the first await, and from now on new ones are held
        # back. So no event is sent twice or left out.
        stream, seq, seat_then = missed
        told, end = islice(stream.after(seq), most), stream.last
        with call.session.hold_events(link.count_held) as last:
            await self.send_all(call, shown_again(call, told, seat_then))
            return seq + most if end > seq + most else max(end, last.get(stream.name, 0))


def shown_again(call: Call, entries: Iterable[Entry], seat_then: SeatThen) -> Iterator[None]:
    """Shows past entries one by one, filtered by the person's current blocks."""
    for entry in entries:
        who = speaker(entry.event)
        blocked = who in call.me.blocked
        call.session.show(entry, seat_then(entry.seq), blocked=blocked, again=True)
        yield
