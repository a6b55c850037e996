"""Showing people who are connected what happens. Who is away is shown nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Clock
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.talk import speaker

from ...session.streams import Burst, Entry
from .people import People


class Viewers:
    """Everybody by name, as those who see a table or an inbox.

    An error in showing an event to one is logged by `fault`: the others are shown it all the same.
    """

    def __init__(self, people: People, fault: Callable[[str], str]) -> None:
        self._people = people
        self._fault = fault

    def show(self, name: str, entry: Entry, seat: int | None) -> None:
        """Shows an entry to a person as seen from `seat` (None: a watcher)."""
        person = self._people.exact(name)
        if person is None or person.session is None:
            return
        who = speaker(entry.event)
        try:
            person.session.show(entry, seat, blocked=who in person.blocked)
        except Exception:
            self._fault(f"showing {entry.event.word.word} to {name}")

    def show_burst(self, name: str, burst: Burst, seat: int | None) -> None:
        """Shows the events of an order to a person, as `show` does with one."""
        person = self._people.exact(name)
        if person is None or person.session is None:
            return
        try:
            person.session.show_burst(burst, seat, person.blocked)
        except Exception:
            self._fault(f"showing {burst.entries[0].event.word.word} to {name}")

    def say_again(self, name: str, standing: Iterable[Event | str], voice: Voice, on: str) -> None:
        """Tells somebody who types how things stand at a table; a program is told nothing."""
        session = self._people.session_of(name)
        if session is not None:
            session.say_again(standing, voice, on)

    def leave_out(self, name: str, entry: Entry) -> None:
        """Notes that an entry is not shown to a person, on purpose."""
        session = self._people.session_of(name)
        if session is not None:
            session.leave_out(entry.on, entry.seq)

    def tell_clock(self, name: str, clock: Clock) -> None:
        """Tells a program how the clock stands."""
        session = self._people.session_of(name)
        if session is not None:
            session.tell_clock(clock)

    def remark(self, name: str, note: Note) -> None:
        """Tells a person something about their game that is no event of it."""
        session = self._people.session_of(name)
        if session is not None:
            session.remark(note)
