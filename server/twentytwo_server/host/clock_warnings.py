"""Tells people that the time for their move runs out. Programs are told the time with each TURN."""

from __future__ import annotations

from twentytwo_protocol.typed_cards import as_typed
from twentytwo_protocol.words.cardplay import Turn

from ..session.session import Session
from ..table.clocks import LENIENCE
from .host import Host
from .tables.room import Room

LAST = 15_000
"""Milliseconds before the end at which people are warned; never more than half of a move's time."""
RESERVE, ENDING = 1, 2
"""What has been said of a turn: that the reserve runs; that the time is nearly up."""


def warn_of_clock(host: Host, session: Session) -> None:
    """Warns the person on this connection, if their time runs out. Call it every second or so."""
    person = host.people.on(session)
    for room in host.rooms.of(person) if person is not None else ():
        seat = room.table.on_turn
        if seat is not None and person is not None and seat.name == person.name:
            _warn(host, session, room)


def _warn(host: Host, session: Session, room: Room) -> None:
    match = room.table.match
    if match is None or match.question is None or match.terms.clock is None:
        return
    asked, now = match.question, host.clock.now()
    left = match.left(now) - LENIENCE
    ending = left <= min(LAST, match.terms.clock.move // 2)
    stage = ENDING if ending else RESERVE if match.used(now) >= match.terms.clock.move else 0
    before = session.warned[2] if session.warned[:2] == (room.id, asked.turn) else 0
    if stage <= before:
        return
    session.warned = (room.id, asked.turn, stage)
    seconds = max(1, round(left / 1000))
    text = (
        f"{seconds} s left; then {_then(asked)}."
        if ending
        else f"The time for this move is up: your reserve runs, {seconds} s."
    )
    there = "" if session.current in (None, room.id) else f"[{room.id}] "
    session.tell(f"{there}* {text}")


def _then(asked: Turn) -> str:
    """What happens to a question that is not answered in time."""
    if asked.default in (None, "-"):
        return "you keep your cards"
    does = "is played" if asked.act == "play" else "is said"
    return f"{as_typed(asked.default or '')} {does} for you"
