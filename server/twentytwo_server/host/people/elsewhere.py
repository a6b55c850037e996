"""The people who are connected to other servers that share the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from twentytwo_protocol.value import Value

from .people import People, Person

MOVING = 1_000
"""Milliseconds for which a person who has left a server may appear at the next one."""


class PersonElsewhere(Value):
    """A person who is connected to another server."""

    name: str
    program: bool


AnyPerson = Person | PersonElsewhere


class Elsewhere:
    """The people at other servers, as those servers tell it: at any moment it may be out of date.

    A person who has left one server counts for `MOVING` milliseconds more, because they may be on
    their way to another one. `now` is the time in milliseconds.
    """

    def __init__(self, people: People, now: Callable[[], int]) -> None:
        self._people = people
        self._now = now
        self._known: dict[str, PersonElsewhere] = {}
        self._at: dict[str, list[str]] = {}
        self._leaving: dict[str, int] = {}

    def __iter__(self) -> Iterator[PersonElsewhere]:
        """All who are not connected here as well."""
        session_of = self._people.session_of
        return (each for each in self._known.values() if session_of(each.name) is None)

    def connected(self) -> Iterator[AnyPerson]:
        """All people who are connected to any server, those of this one first."""
        yield from (person for person in self._people if person.session is not None)
        yield from self

    def find_connected(self, name: str) -> AnyPerson | None:
        """The person of exactly that name, if they are connected to any server."""
        person = self._people.exact(name)
        if person is not None and person.session is not None:
            return person
        return self._known.get(name.lower())

    def find(self, name: str) -> PersonElsewhere | None:
        """The person of that name; a guest is found with or without the `~`."""
        key = name.lower()
        return self._known.get(key) or self._known.get(f"~{key}")

    def node_of(self, name: str) -> str | None:
        """The server at which the person of exactly that name is; None if it is not known."""
        at = self._at.get(name.lower())
        return at[-1] if at else None

    def came(self, node: str, person: PersonElsewhere) -> bool:
        """Notes a person at a server; returns True if they were at no server before."""
        key = person.name.lower()
        new = key not in self._known and self._people.session_of(person.name) is None
        at = self._at.setdefault(key, [])
        if node in at:
            at.remove(node)
        at.append(node)
        self._known[key] = person
        self._leaving.pop(key, None)
        return new

    def left(self, node: str, name: str) -> None:
        """Notes that a person is at a server no more."""
        key = name.lower()
        at = self._at.get(key, [])
        if node in at:
            at.remove(node)
            if not at:
                del self._at[key]
                self._leaving[key] = self._now()

    def leaves(self, person: PersonElsewhere) -> None:
        """Notes that a person is on their way from here to another server."""
        key = person.name.lower()
        self._known[key] = person
        if key not in self._at:
            self._leaving[key] = self._now()

    def gone(self) -> list[str]:
        """Forgets those who have left and came nowhere; returns their names."""
        until = self._now() - MOVING
        keys = [key for key, since in self._leaving.items() if since <= until]
        for key in keys:
            del self._leaving[key]
        names = [self._known.pop(key).name for key in keys]
        return [name for name in names if self._people.session_of(name) is None]
