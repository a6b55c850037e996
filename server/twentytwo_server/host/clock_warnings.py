"""Warns people when their own clock, or that of the player on turn, runs out.

Programs get the time with each TURN.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from twentytwo_protocol.typed_cards import as_typed
from twentytwo_protocol.words.cardplay import Turn

from ..session.session import Session
from ..table.clocks import LENIENCE
from ..table.match import Match
from .people.people import People
from .tables.pausable_clock import PausableClock
from .tables.rooms import AnyRoom, Rooms

WARNED_BEFORE_END = 15_000
"""Milliseconds before the end at which people are warned; at most half of a move's time."""


class ClockStage(IntEnum):
    """The stage of the clock of a turn."""

    MOVE = 0
    RESERVE = 1
    ENDING = 2


@dataclass(slots=True)
class ClockWarnings:
    """Warns people of the clocks that run at their tables."""

    _people: People
    _rooms: Rooms
    _clock: PausableClock

    def warn(self, session: Session) -> None:
        """Warns the person of this connection of every clock that has reached a new stage.

        Call it every second or so. The tables are those where the person sits, and the one they
        watch.
        """
        warned, now = {}, self._clock.now()
        for room in self._rooms_of(session):
            match, seat = room.table.match, room.table.on_turn
            if match is None or match.question is None or match.terms.clock is None:
                continue
            if seat is None or seat.played_by_bot:  # no clock runs for a bot
                continue
            turn = (match.terms.id, match.question.turn)
            left = match.left(now) - LENIENCE
            stage = _stage(match, left, now)
            game, number, before = session.warned.get(room.id, ("", 0, ClockStage.MOVE))
            if stage > (before if (game, number) == turn else ClockStage.MOVE):
                there = "" if session.current in (None, room.id) else f"[{room.id}] "
                text = _to_player(match.question, stage, left)
                if seat.name != session.name:
                    text = _to_others(seat.name, stage, left)
                session.tell(f"{there}* {text}")
            warned[room.id] = (*turn, stage)
        session.warned = warned

    def _rooms_of(self, session: Session) -> Iterator[AnyRoom]:
        person = self._people.on(session)
        if person is None:
            return
        yield from self._rooms.of(person)
        current = self._rooms.meant(session)
        if current is not None and person.name in current.table.watchers:
            yield current


def _stage(match: Match, left: int, now: int) -> ClockStage:
    assert match.terms.clock is not None
    move = match.terms.clock.move
    if left <= min(WARNED_BEFORE_END, move // 2):
        return ClockStage.ENDING
    return ClockStage.RESERVE if match.used(now) >= move else ClockStage.MOVE


def _to_player(asked: Turn, stage: ClockStage, left: int) -> str:
    if stage is ClockStage.ENDING:
        return f"{_seconds(left)} s left; then {_then(asked)}."
    return f"The time for this move is up: your reserve runs, {_seconds(left)} s."


def _to_others(name: str, stage: ClockStage, left: int) -> str:
    """The warning for the other people, without the clock's move, which would show a card."""
    if stage is ClockStage.ENDING:
        return f"{name} has {_seconds(left)} s left."
    return f"The time for this move is up: {name}'s reserve runs, {_seconds(left)} s."


def _seconds(ms: int) -> int:
    return max(1, round(ms / 1000))


def _then(asked: Turn) -> str:
    """The move that is made if the question is not answered in time."""
    if asked.default in (None, "-"):
        return "you keep your cards"
    does = "is played" if asked.act == "play" else "is said"
    return f"{as_typed(asked.default or '')} {does} for you"
