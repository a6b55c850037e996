"""Inboxes: what concerns one person only. Kept first, then acknowledged, then shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twisted.internet.defer import Deferred

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Event

from ...answers import keep
from ...facts import Fact, InboxLine
from ...ports import Clock, Store
from ...session.streams import Entry
from .people import People, Person

Mail = Sequence[tuple[Person, Event]]
"""Events, each with the person in whose inbox it belongs."""
Posted = tuple[Person, Entry]
"""An event in somebody's inbox."""


class Inboxes:
    """Where everybody's mail goes. `show` shows an entry to somebody, if they are connected."""

    def __init__(
        self, store: Store, clock: Clock, people: People, show: Callable[[str, Entry], None]
    ) -> None:
        self._store = store
        self._clock = clock
        self._people = people
        self._show = show

    async def post(self, mail: Mail, facts: Sequence[Fact] = ()) -> list[Posted]:
        """Keeps events in inboxes, together with other facts; returns when they are safe.

        Acknowledge it then, and `deliver` what was returned. What is for a guest who is logging
        in waits until they are the account: the guest's inbox ends with them.
        """
        while True:
            held = next(
                (person.merge_waiters for person, _ in mail if person.merge_waiters is not None),
                None,
            )
            if held is None:
                break
            moved: Deferred[None] = Deferred()
            held.append(moved)
            await moved
            # A guest may be an account by now. One who is gone has no inbox any more, and another
            # guest of that name must not find their letters.
            mail = [
                (found, event)
                for person, event in mail
                if (found := self._people.exact(person.name))
                and (found is person or not person.guest)
            ]
        # The numbers are given out before the wait, so that two letters on their way have two.
        wall = self._clock.wall()
        lines = [reserve_line(person, event, wall) for person, event in mail]
        await keep(self._store, [*facts, *lines])
        return [(person, person.inbox.append(event, at=wall)) for person, event in mail]

    def deliver(self, posted: Sequence[Posted]) -> None:
        """Shows what is in the inboxes to whoever is connected."""
        for person, entry in posted:
            self._show(person.name, entry)


def reserve_line(person: Person, event: Event, wall: int) -> InboxLine:
    """An event as it is kept, under the next number of an inbox that is not given out."""
    person.inbox_reserved = max(person.inbox_reserved, person.inbox.last) + 1
    return inbox_line(person, person.inbox_reserved, event, wall)


def inbox_line(person: Person, seq: int, event: Event, wall: int) -> InboxLine:
    """An event of an inbox as it is kept."""
    return InboxLine(person.name, seq, wall, wire.write(event, on="me", seq=seq))
