"""Who is here: names, secrets that take a place back, inboxes, whom somebody has blocked."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from twentytwo_protocol.schema import COMMANDS, Refused

from ..play.session import Session
from ..play.streams import Stream

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
RESERVED = frozenset(
    ["server", "system", "admin", "mod", "dealer", "table", "house", "lobby", "nobody", "you"]
)
"""Names that would mislead; verbs are reserved as well."""
INBOX = 200
"""How many events an inbox keeps."""


@dataclass(slots=True, eq=False)
class Person:
    """Somebody with a name. `session` is their connection, or None while they are away.

    `kept_until` is how long the name is kept for them then.
    """

    name: str
    program: bool
    inbox: Stream
    session: Session | None = None
    kept_until: int = 0
    secret: bytes = b""
    before: bytes = b""
    blocked: set[str] = field(default_factory=set)
    invited: dict[str, str] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)


class People:
    """Everybody who has a name here, by name without regard to case."""

    def __init__(self, token: Callable[[], str]) -> None:
        self._token = token
        self._by_name: dict[str, Person] = {}

    def __iter__(self) -> Iterator[Person]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def find(self, name: str) -> Person | None:
        """The person of that name; a guest is found with or without the `~`."""
        key = name.lower()
        return self._by_name.get(key) or self._by_name.get(f"~{key}")

    def named(self, name: str) -> Person:
        """The person of that name. Raises `Refused`."""
        person = self.find(name)
        if person is None:
            raise Refused("NO_SUCH_USER", f"Nobody called {name} is here.", arg="name")
        return person

    def admit(self, wanted: str, *, program: bool) -> Person:
        """A guest of that name, with a number behind it if it is taken. Raises `Refused`."""
        wanted = wanted.removeprefix("~")
        if not NAME.fullmatch(wanted):
            raise Refused(
                "BAD_NAME",
                f"{wanted} will not do as a name: 2 to 16 letters, digits, - and _, "
                "beginning with a letter.",
                arg="name",
            )
        if wanted.lower() in RESERVED or wanted.lower() in COMMANDS:
            raise Refused("BAD_NAME", f"{wanted} means something here already.", arg="name")
        name, count = f"~{wanted}", 1
        while name.lower() in self._by_name:
            count += 1
            name = f"~{wanted[: 16 - len(str(count))]}{count}"
        person = Person(name, program, Stream("me", keep=INBOX))
        self._by_name[name.lower()] = person
        return person

    def release(self, person: Person) -> None:
        """The name is free again."""
        self._by_name.pop(person.name.lower(), None)

    # ------------------------------------------------------------------------- secrets

    def new_token(self, person: Person, used: str = "") -> str:
        """A fresh secret for a person who came with the one `used`.

        That one stays good until the fresh one is used: the answer that carries it may be lost.
        Any other opens nothing any more.
        """
        token = self._token()
        person.before = _digest(used) if used else b""
        person.secret = _digest(token)
        return token

    def by_token(self, token: str) -> Person:
        """Whose secret it is. Raises `Refused`."""
        wanted = _digest(token)
        found = None
        for person in self._by_name.values():
            for secret in (person.secret, person.before):
                if hmac.compare_digest(secret, wanted):
                    found = person
        if found is None:
            raise Refused("BAD_TOKEN", "That token opens nothing any more. guest NAME begins anew.")
        return found


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
