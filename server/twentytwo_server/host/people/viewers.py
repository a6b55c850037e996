"""Shows events to connected people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from twentytwo_protocol.schema import Event
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.cardplay import Clock
from twentytwo_protocol.words.connection import Note
from twentytwo_protocol.words.talk import speaker

from ... import failpoints
from ...failpoints import failpoint
from ...session.streams import Burst, Entry
from .people import People

Seats = Mapping[str, int | None]
"""The names of a table's viewers with their seat numbers; None for a watcher."""


class Viewers:
    """Shows events to people by name.

    If showing an event to one person fails, `fault` logs the error, and the others still get it.
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

    def show_burst(self, burst: Burst, seats: Seats) -> None:
        """Shows the events of an order to several people, as `show` does with one."""
        known = self._people.by_name
        for name, seat in seats.items():
            person = known.get(name.lower()) or self._people.exact(name)
            if person is None or person.session is None:
                continue
            try:
                person.session.show_burst(burst, seat, person.blocked)
            except Exception:
                self._fault(f"showing {burst.entries[0].event.word.word} to {name}")
            if failpoints.at is not None:
                failpoint("told one")

    def say_again(self, name: str, standing: Iterable[Event | str], voice: Voice, on: str) -> None:
        """Sends a person the summary of a table; a program gets nothing."""
        session = self._people.session_of(name)
        if session is not None:
            session.say_again(standing, voice, on)

    def leave_out(self, name: str, entry: Entry) -> None:
        """Notes that an entry is hidden from a person on purpose."""
        session = self._people.session_of(name)
        if session is not None:
            session.leave_out(entry.on, entry.seq)

    def tell_clock(self, name: str, clock: Clock) -> None:
        """Sends a program the state of a clock."""
        session = self._people.session_of(name)
        if session is not None:
            session.tell_clock(clock)

    def remark(self, name: str, note: Note) -> None:
        """Sends a person a remark about the game that is not one of its events."""
        session = self._people.session_of(name)
        if session is not None:
            session.remark(note)
