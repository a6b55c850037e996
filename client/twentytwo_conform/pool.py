"""Connections that checks hand on to one another: a server lets in only so many."""

from __future__ import annotations

import math
import time
from collections import deque
from contextlib import suppress
from itertools import count
from os import getpid

from .connections import PATIENCE, Address, Closed, Person, Program
from .pacing import door_of, trace

LEAVE_TRACES = frozenset(
    (
        *("login", "logout", "register", "auth", "resume", "password", "token", "quit"),
        *("report", "block", "friend", "seek", "accept", "invite", "follow", "set", "caps"),
        *("daily", "replay", "review", "whatif"),
    )
)
"""Commands of which something is left even when somebody has got up from all tables."""
REST = 1.0
"""Seconds for which a connection rests where there are limits: then it may be busy again."""
SOON = 0.2
"""Seconds between two looks at whether one is free."""
MOST = 42
"""Connections above which a check rather waits for one of them; one address may have 64."""

_names = count(1)


def new_name() -> str:
    """A name that nobody had before."""
    return f"c{getpid()}x{next(_names)}"


class Pool:
    """Programs' connections to one server that are nobody's just now, each with a name."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._free: deque[tuple[float, Program]] = deque()  # who has rested longest comes first
        self._all: set[Program] = set()
        self._people: deque[Person] = deque()

    def take(self) -> Program:
        """A connection that is as good as new; a new one where none has rested, and one may be."""
        while True:
            rested, client = self._free.popleft() if self._free else (math.inf, None)
            more = len(self._all) < MOST or not client
            wait = door_of(*self._address).name_wait()
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
        """Takes a connection back that a check is done with; closes it if it is of no more use."""
        with suppress(AssertionError, Closed, OSError):
            client.settle()
            if client.name and "" not in client.said and not client.said & LEAVE_TRACES:
                for on in client.tables:
                    client.ask(f"leave table={on}")
                rest = REST if client.door.limits else 0.0
                self._all.add(client)
                self._free.append((time.monotonic() + rest, _as_new(client)))
                return
            if client.name:
                client.ask("logout")  # the name and the seats are free at once
        self.drop(client)

    def drop(self, client: Program) -> None:
        """Closes a connection that is of no more use."""
        self._all.discard(client)
        client.close()

    def take_person(self) -> Person:
        """Somebody at netcat who sits nowhere."""
        while self._people:
            person = self._people.popleft()
            with suppress(Closed, OSError):
                person.catch_up()
                person.heard.clear()
                return person
            person.close()
        return Person(self._address, new_name())

    def give_person(self, person: Person) -> None:
        """Takes back somebody who has done nothing but play at a table; they get up."""
        with suppress(Closed, OSError):
            person.tell("leave")
            person.tell("leave")  # now they know what is lost by it
            self._people.append(person)
            return
        person.close()

    def close(self) -> None:
        """Closes all that are nobody's."""
        while self._free:
            self.drop(self._free.pop()[1])
        while self._people:
            self._people.pop().close()


def _as_new(client: Program) -> Program:
    """The connection without a memory of what was said and heard on it."""
    client.socket.settimeout(PATIENCE)
    client.said.clear()
    client.tables.clear()
    client.heard.clear()
    client.forget()
    return client
