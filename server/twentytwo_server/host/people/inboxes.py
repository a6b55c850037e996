"""Inboxes: the stream `me` of each person. Events are stored, then acknowledged, then shown."""

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
from .viewers import Viewers

Mail = Sequence[tuple[Person, Event]]
"""Events, each with the person whose inbox it goes to."""
Posted = tuple[Person, Entry]
"""An entry that was added to a person's inbox."""


class Inboxes:
    """Adds events to inboxes, and shows them to their owners."""

    def __init__(self, store: Store, clock: Clock, people: People, viewers: Viewers) -> None:
        self._store = store
        self._clock = clock
        self._people = people
        self._viewers = viewers

    async def post(
        self,
        mail: Mail,
        further: Callable[[Sequence[InboxLine]], Sequence[Fact]] = lambda lines: (),
        tag: str = "",
    ) -> list[Posted]:
        """Stores events for inboxes; returns when that is safe.

        The facts that `further` returns for the lines are stored in the same transaction, and `tag`
        with the lines, if another server has sent them.

        Then acknowledge the command, and after that call `deliver` with what was returned.

        Mail for a guest who is logging in waits here until the guest is the account: the guest's
        inbox is just being moved, and a line stored for it now would be lost.
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
            # A guest may be an account by now. If the guest is gone, the inbox is gone too, and a
            # later guest of that name must not get the mail.
            mail = [
                (found, event)
                for person, event in mail
                if (found := self._people.exact(person.name))
                and (found is person or not person.guest)
            ]
        # Numbers are given out before the await, so that concurrent mail gets different ones.
        wall = self._clock.wall()
        lines = [reserve_line(person, event, wall, tag) for person, event in mail]
        await keep(self._store, [*further(lines), *lines])
        return [(person, person.inbox.append(event, at=wall)) for person, event in mail]

    def deliver(self, posted: Sequence[Posted]) -> None:
        """Shows posted entries to the recipients who are connected."""
        for person, entry in posted:
            self._viewers.show(person.name, entry, None)


def reserve_line(person: Person, event: Event, wall: int, tag: str = "") -> InboxLine:
    """The fact that keeps an event in a person's inbox; reserves the next number for it."""
    person.inbox_reserved = max(person.inbox_reserved, person.inbox.last) + 1
    if tag:
        person.note_tag(tag)
    return inbox_line(person, person.inbox_reserved, event, wall, tag)


def inbox_line(person: Person, seq: int, event: Event, wall: int, tag: str = "") -> InboxLine:
    """The fact that keeps an event in a person's inbox under this number."""
    return InboxLine(person.name, seq, wall, wire.write(event, on="me", seq=seq), tag)
