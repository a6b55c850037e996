"""Inboxes: what concerns one person only. Kept first, then acknowledged, then shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Event

from ..facts import Fact, InboxLine
from .people import Person

if TYPE_CHECKING:
    from .host import Host


def post(
    host: Host,
    mail: Sequence[tuple[Person, Event]],
    kept: Callable[[Sequence[int]], None] = lambda numbers: None,
    facts: Sequence[Fact] = (),
) -> None:
    """Puts events into inboxes, together with other facts.

    `kept` is given their numbers when they are safe, before anybody is shown them.
    """
    wall = host.clock.wall()
    lines = [promised(person, event, wall) for person, event in mail]

    def done() -> None:
        entries = [(person, person.inbox.append(event, at=wall)) for person, event in mail]
        kept([entry.seq for _, entry in entries])
        for person, entry in entries:
            owner = host.people.find(person.name)
            if owner is person or owner is None:
                host.show(person.name, entry, None)
            else:
                # A guest who has logged in meanwhile: it belongs into the account's inbox.
                post(host, [(owner, entry.event)])

    host.store.keep([*facts, *lines], done)


def promised(person: Person, event: Event, wall: int) -> InboxLine:
    """An event as it is kept, under the next number of an inbox that is not given out."""
    person.promised = max(person.promised, person.inbox.last) + 1
    return line_of(person, person.promised, event, wall)


def line_of(person: Person, seq: int, event: Event, wall: int) -> InboxLine:
    """An event of an inbox as it is kept."""
    return InboxLine(person.name, seq, wall, wire.write(event, on="me", seq=seq))
