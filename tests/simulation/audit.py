"""Invariants that must hold after an evening, whatever faults it had."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tests.simulation.player import Broken, Player
from twentytwo_protocol.schema import edition
from twentytwo_protocol.words.cardplay import Gameover, Result, Timeout, Turn
from twentytwo_protocol.words.fairness import Committed, Revealed
from twentytwo_server.host.tables.room import Room
from twentytwo_server.session.streams import Entry, Form

if TYPE_CHECKING:
    from tests.simulation.evening import Evening


def check(evening: Evening) -> None:
    """Raises `Broken` with the name of a broken invariant."""
    streams = {on: list(room.stream.after(0)) for on, room in evening.rooms.items()}
    for player in evening.players.values():
        _told_what_happened(evening, streams, player)
        _acknowledged_once(evening, player)
        if player.errors > player.sent:
            raise Broken(f"I15 {player.errors} errors for {player.sent} commands")
    _numbers(evening)
    for on, stream in streams.items():
        _turns(on, stream)
        _results(on, stream)
        _promises(on, stream)
    if evening.host is not None and evening.host.faults.count:
        raise Broken(f"there were {evening.host.faults.count} faults")


def _told_what_happened(
    evening: Evening, streams: Mapping[str, Sequence[Entry]], player: Player
) -> None:
    """I4: every line to a player is the redacted form of an event that happened."""
    for (on, seq), (line, seat) in player.seen.items():
        room = evening.rooms.get(on)
        if room is None or not on.startswith("t"):
            continue
        if seq > len(streams[on]):
            raise Broken(f"I1 {player.wanted} was told {line}, and it is forgotten")
        entry = streams[on][seq - 1]
        allowed = {entry.line(viewer, Form()) for viewer in (seat, _seat_then(room, player))}
        if line not in allowed:
            raise Broken(
                f"I4 {player.wanted} was told {line}, but it was {entry.whole_as_of(edition())}"
            )


def _seat_then(room: Room, player: Player) -> int | None:
    seat = room.table.seat_of(player.name)
    return seat.number if seat else None


def _acknowledged_once(evening: Evening, player: Player) -> None:
    """I1: acknowledged commands are on the disk, once, under the acknowledged number."""
    kept = Counter(each.id for each in evening.disk.inputs if each.id)
    firsts = {each.id: each for each in evening.disk.inputs if each.id}
    for id, (line, on, seq) in player.acked.items():
        if line.startswith("resume"):
            continue
        if kept[id] != 1:
            raise Broken(f"I1 {id} {line} was acknowledged and is kept {kept[id]} times")
        if firsts[id].table != on or firsts[id].last < seq:
            raise Broken(f"I1 {id} {line} was acknowledged as {on}:{seq}, kept as {firsts[id]}")


def _numbers(evening: Evening) -> None:
    """I2: the inputs of a table are numbered without gap or fork, and time never goes back."""
    last: dict[str, tuple[int, int]] = {}
    for each in evening.disk.inputs:
        seq, at = last.get(each.table, (0, 0))
        if each.seq != seq + 1:
            raise Broken(f"I2 {each.table}: input {each.seq} comes after {seq}")
        if each.at < at:
            raise Broken(f"I7 {each.table}: time goes back from {at} to {each.at}")
        last[each.table] = each.seq, each.at


def _turns(on: str, stream: Sequence[Entry]) -> None:
    """I7: every turn has exactly one answer, by a person or by the clock."""
    open_turn: Turn | None = None
    for entry in stream:
        event = entry.event
        if isinstance(event, Turn):
            if open_turn is not None:
                raise Broken(f"I7 {on}:{entry.seq} asks again, and {open_turn} is open")
            open_turn = event
        elif isinstance(event, Timeout):
            if open_turn is None or event.turn != open_turn.turn:
                raise Broken(f"I7 {on}:{entry.seq} {event}, open is {open_turn}")
        elif type(event).word.word in ANSWERS and open_turn is not None:
            if getattr(event, "seat", 0) != open_turn.seat:
                raise Broken(f"I7 {on}:{entry.seq} {event} answers {open_turn}")
            open_turn = None
        elif type(event).word.word in ("GAMEOVER", "ABORTED"):
            open_turn = None


ANSWERS = {"PLAYED", "EXCHANGED", "BID", "DECLARED", "REDEALT", "TRUMP"}


def _results(on: str, stream: Sequence[Entry]) -> None:
    """Checks that the winners are in the first place."""
    places: dict[int, int] = {}
    for entry in stream:
        match entry.event:
            case Result(seat=seat, place=place):
                places[seat] = place
            case Gameover(winners=winners):
                first = {seat for seat, place in places.items() if place == 1}
                if set(winners) != first:
                    raise Broken(f"{on}:{entry.seq} {winners} win, but the first are {first}")
                places = {}


def _promises(on: str, stream: Sequence[Entry]) -> None:
    """Checks that revealed seeds match their commitments, and that none is revealed twice."""
    committed: dict[str, str] = {}
    for entry in stream:
        match entry.event:
            case Committed(id=game, hash=digest):
                committed[game] = digest
            case Revealed(id=game, seed=seed):
                if committed.pop(game, "") != hashlib.sha256(seed.encode()).hexdigest():
                    raise Broken(f"{on}:{entry.seq} reveals what was not promised")
