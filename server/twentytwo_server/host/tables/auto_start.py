"""Starts the game of people whom a seek has brought together, without asking if they are ready.

At other tables players give their words for the shuffle and then say `ready`. Here they have agreed
to play by seeking, so the table waits a few seconds for words and then starts by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from twentytwo_protocol.words.seating import Ready, Start

from ...table.decision import Actor
from ...table.table import Phase
from ..people.people import Person
from .order_queue import OrderResult
from .room import Room

TIME_FOR_WORDS = 3_000
"""Milliseconds to wait for words; the game starts earlier if everybody has given one."""
GIVE_UP_AFTER = 6_000
"""Milliseconds after which this stops trying; the players can still start the game themselves."""
CHECK_INTERVAL = 100
"""Milliseconds between two checks of the table."""


class AutoStart:
    """Starts the first game at a table that was opened for these people by a seek.

    Call `check` once; it repeats itself with a timer of the room until the game has begun, or until
    `GIVE_UP_AFTER`.
    """

    def __init__(self, room: Room, people: Sequence[Person | Actor]) -> None:
        self._room = room
        self._people = people
        self._waited = 0

    def check(self) -> None:
        """Starts the game if it is time, else checks again later; stops once a game has begun."""
        if self._room.table.phase is not Phase.OPEN or self._waited >= GIVE_UP_AFTER:
            return
        if self._all_seated() and (self._waited >= TIME_FOR_WORDS or self._all_gave_words()):
            self._begin()
        else:
            self._check_again()

    def _all_seated(self) -> bool:
        """True if exactly these people have a seat."""
        # Their current names: a guest may have logged in since the seek.
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

    def _started(self, answer: OrderResult) -> None:
        # A word that came in between has reset everybody to not ready.
        if answer.refusal is not None and answer.refusal.code == "NOT_READY":
            self._check_again()
