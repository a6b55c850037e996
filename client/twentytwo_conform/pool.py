"""A pool of connections that checks reuse, because a server limits the number of connections."""

from __future__ import annotations

import math
import time
from collections import deque
from contextlib import suppress
from itertools import count
from os import getpid

from .connections import PATIENCE, Address, Closed, Person, Program
from .pacing import throttle_of, trace

LEAVE_TRACES = frozenset(
    (
        *("login", "logout", "register", "auth", "resume", "password", "token", "quit"),
        *("report", "block", "friend", "seek", "accept", "invite", "follow", "set", "caps"),
        *("daily", "replay", "review", "whatif"),
    )
)
"""Commands whose effects remain after the client has left all tables."""
REST = 1.0
"""Seconds for which a connection is not reused on a server with limits, until its rate limit has
recovered.
"""
SOON = 0.2
"""Seconds between two checks whether a connection is free."""
MOST = 42
"""Number of connections above which a check waits for a free one; an address may have 64."""

_names = count(1)


def new_name() -> str:
    """A new name."""
    return f"c{getpid()}x{next(_names)}"


class Pool:
    """The unused connections of programs to one server, each with a name."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._free: deque[tuple[float, Program]] = deque()  # who has rested longest comes first
        self._all: set[Program] = set()
        self._people: deque[Person] = deque()

    def take(self) -> Program:
        """A reusable connection; a new one if none is free and the limit allows it."""
        while True:
            rested, client = self._free.popleft() if self._free else (math.inf, None)
            more = len(self._all) < MOST or not client
            wait = throttle_of(*self._address).name_wait()
            if rested > time.monotonic() and more and not wait:
                if client:
                    self._free.appendleft((rested, client))
                client = Program(self._address, new_name())
                self._all.add(client)
                return client
            if client is None:
                trace().wait(min(wait, SOON))  # another check may give one back before that
                continue
            trace().wait(max(0.0, rested - time.monotonic()))
            with suppress(AssertionError, Closed, OSError):
                client.settle()  # and a PING that has come meanwhile is answered
                return _as_new(client)
            self.drop(client)

    def give(self, client: Program) -> None:
        """Returns a connection to the pool; closes it if it cannot be reused."""
        with suppress(AssertionError, Closed, OSError):
            client.settle()
            if client.name and "" not in client.said and not client.said & LEAVE_TRACES:
                for on in client.tables:
                    client.ask(f"leave table={on}")
                rest = REST if client.throttle.limits else 0.0
                self._all.add(client)
                self._free.append((time.monotonic() + rest, _as_new(client)))
                return
            if client.name:
                client.ask("logout")  # the name and the seats are free at once
        self.drop(client)

    def drop(self, client: Program) -> None:
        """Closes a connection that cannot be reused."""
        self._all.discard(client)
        client.close()

    def take_person(self) -> Person:
        """A person's connection without a table."""
        while self._people:
            person = self._people.popleft()
            with suppress(Closed, OSError):
                person.catch_up()
                person.heard.clear()
                return person
            person.close()
        return Person(self._address, new_name())

    def give_person(self, person: Person) -> None:
        """Returns a person's connection to the pool if it was only used to play; the person leaves
        the table.
        """
        with suppress(Closed, OSError):
            person.tell("leave")
            person.tell("leave")  # now they know what is lost by it
            self._people.append(person)
            return
        person.close()

    def close(self) -> None:
        """Closes all unused connections."""
        while self._free:
            self.drop(self._free.pop()[1])
        while self._people:
            self._people.pop().close()


def _as_new(client: Program) -> Program:
    """The connection, with its noted lines and events removed."""
    client.socket.settimeout(PATIENCE)
    client.said.clear()
    client.tables.clear()
    client.heard.clear()
    client.forget()
    return client
