"""Inboxes: what concerns one person only. Kept first, then acknowledged, then shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Event

from ...facts import Fact, InboxLine
from ...ports import Clock, Store
from ...session.streams import Entry
from .people import People, Person

Mail = Sequence[tuple[Person, Event]]
"""Events, each with the person in whose inbox it belongs."""


class Inboxes:
    """Where everybody's mail goes. `show` shows an entry to somebody, if they are connected."""

    def __init__(
        self, store: Store, clock: Clock, people: People, show: Callable[[str, Entry], None]
    ) -> None:
        self._store = store
        self._clock = clock
        self._people = people
        self._show = show

    def post(
        self,
        mail: Mail,
        kept: Callable[[Sequence[int]], None] = lambda numbers: None,
        facts: Sequence[Fact] = (),
    ) -> None:
        """Puts events into inboxes, together with other facts.

        `kept` is given their numbers when they are safe, before anybody is shown them. What is
        for a guest who is logging in waits until they are the account: the guest's inbox ends
        with them.
        """
        waiting = next((person for person, _ in mail if person.held is not None), None)
        if waiting is not None and waiting.held is not None:
            waiting.held.append(lambda: self.post(self._forwarded(mail), kept, facts))
            return
        wall = self._clock.wall()
        lines = [promised(person, event, wall) for person, event in mail]

        def done() -> None:
            entries = [(person, person.inbox.append(event, at=wall)) for person, event in mail]
            kept([entry.seq for _, entry in entries])
            for person, entry in entries:
                self._show(person.name, entry)

        self._store.keep([*facts, *lines], done)

    def _forwarded(self, mail: Mail) -> Mail:
        """The same to whoever has their names by now."""
        return [(self._people.find(person.name) or person, event) for person, event in mail]


def promised(person: Person, event: Event, wall: int) -> InboxLine:
    """An event as it is kept, under the next number of an inbox that is not given out."""
    person.promised = max(person.promised, person.inbox.last) + 1
    return line_of(person, person.promised, event, wall)


def line_of(person: Person, seq: int, event: Event, wall: int) -> InboxLine:
    """An event of an inbox as it is kept."""
    return InboxLine(person.name, seq, wall, wire.write(event, on="me", seq=seq))
