"""The lessons of people: their current steps."""

from __future__ import annotations

from dataclasses import dataclass

from ..table import teaching
from .people.people import People
from .tables.rooms import AnyRoom


@dataclass(slots=True)
class Lessons:
    """Tells people the steps of their lessons."""

    _people: People

    def teach(self, room: AnyRoom) -> None:
        """Sends the learner the text of the lesson's current step, and notes the progress."""
        for seat in room.table.people:
            person = self._people.exact(seat.name)
            if person is None:
                continue
            person.lessons[room.table.game.key] = teaching.reached(room.table)
            said = teaching.now(room.table)
            if said is not None and person.session is not None:
                person.session.notice(said)
