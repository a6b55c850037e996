"""Catching up after `resume`: sends the missed events of each stream, and follows it again.

If one stream is gone, the others are still caught up, and the person has their seats back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.words.seating import Watch
from twentytwo_protocol.words.session import At

from ....answers import Pending
from ....session.streams import Entry, Stream
from ...access import Access, check_seq
from ...lobby.lobby import Lobby
from ...tables.order_queue import OrderResult
from ...tables.remote_room import OrderUnanswered
from ...tables.rooms import AnyRoom, Rooms
from ...tables.sittings import SeatThen
from ..call import Call
from ..long_answers import LongAnswers, shown_again

Position = tuple[str, int]
"""The name of a stream, and the last number that the client has seen there."""

Seen = tuple[Stream, SeatThen]
"""A stream, and the seat from which each event of it was seen."""

_POSITION = re.compile(r"([a-z][a-z0-9]{0,31}):([0-9]{1,18})", re.ASCII)


def read_positions(words: Iterable[str]) -> list[Position]:
    """Reads words like `t7:93`. Raises `Refused` for a malformed word or a repeated stream."""
    found: dict[str, int] = {}
    for word in words:
        position = _POSITION.fullmatch(word.lower())
        if position is None:
            raise Refused("BAD_ARG", f"{word} is not STREAM:NUMBER.", arg="streams")
        if position[1] in found:
            raise Refused("BAD_ARG", f"{position[1]} is named twice.", arg="streams")
        found[position[1]] = int(position[2])
    return list(found.items())


@dataclass(slots=True)
class CatchingUp:
    """A returning person who is sent the missed events.

    `same_boot` is False if the client's numbers are from an earlier run of the server. `seated` are
    the tables where the person had a seat at the time of the command: if one has been closed since,
    its events are sent to the end, as their seat saw them. `at` has the new positions, `told` the
    events to send.
    """

    call: Call
    same_boot: bool
    seated: Mapping[str, Seen]
    at: dict[str, At] = field(default_factory=dict)
    told: list[tuple[Iterator[Entry], SeatThen]] = field(default_factory=list)


@dataclass(slots=True)
class MissedStreams:
    """Sends a returning person the missed events, and follows and watches the streams as before."""

    _rooms: Rooms
    _lobby: Lobby
    _access: Access
    _long_answers: LongAnswers

    async def send(self, to: CatchingUp, positions: Sequence[Position]) -> list[At]:
        """Sends the events after these numbers; returns the new position of each stream.

        Call it once for a person, when the connection is theirs (`Arrivals.arrive`).

        New events are held back meanwhile. The missed events of a stream are chosen at the moment
        from which new events reach the connection or are held. So no event is left out or sent
        twice. Raises `CancelledError` when the connection ends.
        """
        call = to.call
        with call.session.hold_events(self._long_answers.link(call).count_held) as last:
            watched = self._choose(to, positions)
            for room in watched.values():
                await self._watch(
                    to, room, [each for each in positions if _table(each[0]) == room.id]
                )
            for entries, seat_then in to.told:
                await self._long_answers.send_all(call, shown_again(call, entries, seat_then))
            found = [to.at[on] for on, _ in positions]
            return [
                replace(at, seq=max(at.seq, last.get(at.on, 0))) if at.seq is not None else at
                for at in found
            ]

    def _choose(self, to: CatchingUp, positions: Sequence[Position]) -> dict[str, AnyRoom]:
        """Chooses the missed events of streams that are followed already; returns what to watch."""
        watched = {room.id: room for on, _ in positions if (room := self._to_watch(to.call, on))}
        for on, seq in positions:
            if on in self._lobby.streams:
                self._lobby.follow(to.call.session, on)
            if _table(on) not in watched:
                self._choose_from(to, on, seq)
        return watched

    def _to_watch(self, call: Call, on: str) -> AnyRoom | None:
        room = self._rooms.get(on)
        if room is None or room.seat_number(call.me) is not None:
            return None
        try:
            self._access.stream_named(call.me, on)
        except Refused:
            return None
        return room

    async def _watch(self, to: CatchingUp, room: AnyRoom, positions: Sequence[Position]) -> None:
        watch = partial(room.order, to.call.who, Watch(room.id))
        pending: Pending[OrderResult] = Pending(watch)
        answer = await pending
        if isinstance(answer.refusal, OrderUnanswered):  # the client has to come back again
            raise answer.refusal
        # The person is a watcher now, or the table is gone. If they were a watcher all the time,
        # they have received events since they came back: choose these again.
        for on, seq in positions:
            to.call.session.drop_held(on)
            self._choose_from(to, on, seq)

    def _choose_from(self, to: CatchingUp, on: str, seq: int) -> None:
        person, last = to.call.me, None
        try:
            stream, seat_then = self._seen(to, on)
            lasts = on in to.seated or self._access.numbers_last(person, stream)
            if not to.same_boot and not lasts:
                last = stream.last
                raise Refused("GONE", "These numbers are new.", oldest=stream.oldest)
            last = stream.last if seq < stream.oldest - 1 else None
            check_seq(stream, seq)
        except Refused as wrong:
            have, oldest = wrong.fields.get("have"), wrong.fields.get("oldest")
            to.at[on] = At(on, last, code=wrong.code, have=have, oldest=oldest)
            room = self._rooms.get(_table(on))
            if room is not None and on == room.kibitz.name and room.kibitz.last > seq:
                # A player does not get the talk now; after the game a GAP tells of it.
                to.call.session.leave_out(on, room.kibitz.last)
            return
        to.at[on] = At(on, stream.last, seq)
        to.told.append((stream.after(seq), seat_then))

    def _seen(self, to: CatchingUp, on: str) -> Seen:
        """A stream, and the seat from which the person sees it. Raises `Refused`."""
        if on in to.seated and on not in self._rooms:
            return to.seated[on]
        stream = self._access.stream_named(to.call.me, on)
        return stream, self._access.seat_seen_from(to.call.me, stream)


def _table(on: str) -> str:
    """The table to which a stream belongs, its own or that of its talk."""
    return f"t{on[1:]}" if on[:1] == "k" else on
