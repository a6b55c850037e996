"""Admission of commands: how fast they may come, and whether the sender is muted."""

from __future__ import annotations

from dataclasses import dataclass

from twentytwo_protocol.schema import Command, GameMove, Refused
from twentytwo_protocol.words.lessons import Tutorial
from twentytwo_protocol.words.looking import Hint

from ...metrics import Metrics
from ...session.session import Session
from ...table import teaching
from ..connections import Connections
from ..moderation.sanctions import Sanctions, until
from ..people.people import Person
from ..tables.rooms import Rooms
from .call import Call


@dataclass(slots=True)
class Admission:
    """Refuses commands that come too fast, and the talk of muted people."""

    _rooms: Rooms
    _connections: Connections
    _sanctions: Sanctions
    _metrics: Metrics

    def check_rate(self, call: Call, command: Command | None) -> None:
        """Raises `Refused` (RATE) if commands come too fast.

        Moves in turn and commands of cost 0 do not count.
        """
        if isinstance(command, GameMove) and self._on_turn(call.person):
            return
        cost = self._cost(call.session, command)
        if not cost:
            return
        link = self._connections.link(call.session)
        heard = command is not None and command.is_heard
        wait = link.rate_wait(cost, heard) if link else 0
        if wait:
            self._metrics.limited["talk" if heard else "commands"] += 1
            raise Refused(
                "RATE",
                f"Too many commands at once; try again in {max(wait, 100) / 1000:.1f} s.",
                wait=wait,
            )

    def _cost(self, session: Session, command: Command | None) -> int:
        """The cost of a line for the rate limit.

        A line that is no command costs 1, and so does a command that a lesson has suggested.
        """
        if isinstance(command, Hint | Tutorial):
            room = self._rooms.meant(session)
            if room is not None and teaching.suggests(room.table, type(command).word.word):
                return 1
        return command.cost if command is not None else 1

    def check_muted(self, call: Call) -> None:
        """Raises `Refused` if the operator has muted the person."""
        mute = call.person and self._sanctions.mute_of(call.person.name)
        if mute:
            raise Refused("FORBIDDEN", f"You are muted {until(mute)}")

    def _on_turn(self, person: Person | None) -> bool:
        if person is None:
            return False
        for room in self._rooms.of(person):
            seat = room.table.on_turn
            if seat is not None and seat.name == person.name:
                return True
        return False
