"""People whom a seek has brought together: a moment for words of theirs, then their game begins.

At other tables people say that they are ready when they have given their words. Whoever looks for
players has said so beforehand; so the table waits a little, for the programs that seal a word.
"""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.words.seating import Ready, Start

from ...table.decision import Actor
from ...table.table import Phase
from ..people.people import Person
from .room import Answer, Room

TIME_FOR_WORDS = 3_000
"""Milliseconds in which words can be given, if not everybody has given one before."""
GIVE_UP_AFTER = 6_000
"""Milliseconds after which people are left to begin by themselves."""
CHECK_INTERVAL = 100
"""Milliseconds between two looks at the table, and before another attempt to begin."""


class AutoStart:
    """The game of some people at a table, from when they have been found until it begins."""

    def __init__(self, room: Room, people: Sequence[Person]) -> None:
        self._room = room
        self._people = people
        self._waited = 0

    def check(self) -> None:
        """Begins the game if it is time, or looks again soon; not if they have begun it."""
        if self._room.table.phase is not Phase.OPEN or self._waited >= GIVE_UP_AFTER:
            return
        if self._all_seated() and (self._waited >= TIME_FOR_WORDS or self._all_gave_words()):
            self._begin()
        else:
            self._check_again()

    def _all_seated(self) -> bool:
        """Whether all have sat down, and nobody has got up since."""
        # How they are called now: a guest may have logged in meanwhile.
        names = {person.name for person in self._people}
        return {seat.name for seat in self._room.table.people} == names

    def _all_gave_words(self) -> bool:
        return all(seat.word or seat.sealed for seat in self._room.table.people)

    def _check_again(self) -> None:
        self._waited += CHECK_INTERVAL
        self._room.later(CHECK_INTERVAL, self.check)

    def _begin(self) -> None:
        room = self._room
        for seat in room.table.people:
            if not seat.ready and seat.name != room.table.host:
                room.order(Actor(seat.name, seat.program), Ready(room.id))
        host = room.table.seat_of(room.table.host)
        assert host is not None
        room.order(Actor(host.name, host.program), Start(room.id), self._started)

    def _started(self, answer: Answer) -> None:
        # A word that was under way has made everybody unready once more.
        if answer.refusal is not None and answer.refusal.code == "NOT_READY":
            self._check_again()
