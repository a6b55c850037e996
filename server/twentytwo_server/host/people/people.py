"""Who is here, or may come back: names, secrets that take a place back, inboxes, who is blocked."""

from __future__ import annotations

import hashlib
import hmac
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from twisted.internet.defer import Deferred

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Event, Malformed, Refused

from ...accounts import names
from ...accounts.locks import Revocations
from ...facts import Blocks, InboxLine, PersonKept, Remembered
from ...failpoints import failpoint
from ...ports import Store
from ...session.session import Session
from ...session.streams import Stream
from .repeats import Repeats

NAME = names.NAME
RESERVED = names.RESERVED
INBOX = 200
"""How many events an inbox keeps."""
FRESH = 4
"""How many secrets besides the last one are good where the same one was used again and again."""
SPENT = 32
"""How many secrets of somebody's that were used up are known again when they are used once more."""
BLOCKED = 100
"""How many names somebody may have blocked."""
DAY = 86_400_000
"""Milliseconds after the time of grace in which the secret of an account that is away is good."""


@dataclass(slots=True, eq=False)
class Person:
    """Somebody with a name. `session` is their connection, or None while they are away.

    `since` is when they came in, on the timeline: whoever had the name before was somebody else.
    `kept_until` is how long the name is kept for them while they are away. `comings` counts how
    often somebody has begun to come in as them, `awaited` how many of those are not done yet;
    `promised` is the last number of the inbox that is given out, `numbered` that of a login token.
    `others` are secrets as fresh as the last one, given out on other connections; a restart
    forgets them. `overheard`: the last one went where others could read it. `held` is what waits
    until a guest who is logging in is the account. `repeats` are kept against floods of one line.
    """

    name: str
    program: bool
    inbox: Stream
    since: int = 0
    session: Session | None = None
    kept_until: int = 0
    secret: bytes = b""
    before: bytes = b""
    others: tuple[bytes, ...] = ()
    overheard: bool = False
    spent: deque[bytes] = field(default_factory=lambda: deque(maxlen=SPENT))
    comings: int = 0
    awaited: int = 0
    held: list[Deferred[None]] | None = None
    promised: int = 0
    numbered: int = 0
    blocked: set[str] = field(default_factory=set)
    invited: dict[str, str] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    repeats: Repeats = field(default_factory=Repeats)

    @property
    def guest(self) -> bool:
        """Whether they are here without an account."""
        return self.name.startswith("~")

    @property
    def fact(self) -> PersonKept:
        """What is remembered of them."""
        return PersonKept(self.name, self.program, self.secret, self.before, self.since)

    @property
    def blocks(self) -> Blocks:
        """Whom they have blocked, to be remembered."""
        return Blocks(self.name, tuple(sorted(self.blocked)))


class People:
    """Everybody who has a name here, by name without regard to case.

    `skeletons` are those of all accounts, also of people who are not here, with the names. `token`
    gives secrets, `now` the time on the timeline. `revocations` is asked who may still come in.
    """

    def __init__(self, token: Callable[[], str], now: Callable[[], int], store: Store) -> None:
        self.skeletons: dict[str, str] = {}
        self.revocations = Revocations(store)
        self._token = token
        self._now = now
        self._by_name: dict[str, Person] = {}
        self._once: dict[str, Person] = {}
        self._by_secret: dict[bytes, Person] = {}
        self._blocked: dict[str, set[str]] = {}

    def __iter__(self) -> Iterator[Person]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def find(self, name: str) -> Person | None:
        """The person of that name; a guest is found with or without the `~`."""
        return self.exact(name) or self._by_name.get(f"~{name.lower()}")

    def exact(self, name: str) -> Person | None:
        """The person of that very name, or who had it until a moment ago."""
        key = name.lower()
        return self._by_name.get(key) or self._once.get(key)

    def named(self, name: str) -> Person:
        """The person of that name. Raises `Refused`."""
        person = self.find(name)
        if person is None:
            raise Refused("NO_SUCH_USER", f"Nobody called {name} is here.", arg="name")
        return person

    # --------------------------------------------------------------------------- coming

    def admit(self, wanted: str, *, program: bool) -> Person:
        """A guest of that name, with a number behind it if it is taken. Raises `Refused`."""
        wanted = wanted.removeprefix("~")
        names.check(wanted)
        count = 1
        while self._taken(name := names.numbered(wanted, count)):
            count += 1
        return self._enter(self._newcomer(name, program))

    def _newcomer(self, name: str, program: bool) -> Person:
        blocked = self._blocked.setdefault(name.lower(), set())
        return Person(name, program, Stream("me", keep=INBOX), self._now(), blocked=blocked)

    def _taken(self, name: str) -> bool:
        key = name.lower()
        looks = names.skeleton(key.removeprefix("~"))
        return key in self._by_name or key in self._once or looks in self.skeletons

    def account(self, name: str, *, program: bool) -> Person:
        """Whoever has the account of that name, whether they were here before or not."""
        found = self._by_name.get(name.lower())
        return found or self._enter(self._newcomer(name, program))

    def _enter(self, person: Person) -> Person:
        self._by_name[person.name.lower()] = person
        return person

    def release(self, person: Person) -> None:
        """The name is free again; an account has still blocked whom it had."""
        self._by_name.pop(person.name.lower(), None)
        if person.guest or not person.blocked:
            self._blocked.pop(person.name.lower(), None)
        self.forget_secrets(person)

    def blocked_by(self, name: str) -> Set[str]:
        """Whom somebody has blocked, whether they are here or not."""
        return self._blocked.get(name.lower(), frozenset())

    def merge(self, guest: Person, person: Person) -> None:
        """A guest has logged in: all that is theirs is the account's, and they are found by both
        names until `forget_name`. The guest's secret opens the account's place only.
        """
        self._by_name.pop(guest.name.lower(), None)
        self._blocked.pop(guest.name.lower(), None)
        self._once[guest.name.lower()] = person
        person.tables += [table for table in guest.tables if table not in person.tables]
        person.blocked |= guest.blocked
        person.invited |= guest.invited
        person.repeats.take(guest.repeats)
        self.forget_secrets(guest)
        self._set_secrets(person, person.secret, person.before, person.others)

    def forget_name(self, name: str) -> None:
        """Nobody is meant by the name they had before any more."""
        self._once.pop(name.lower(), None)

    # ------------------------------------------------------------------------- secrets

    def new_token(self, person: Person, used: str = "", *, private: bool) -> str:
        """A fresh secret for a person who came with the one `used`.

        `private`: nobody else can read it on its way. The one used stays good until the fresh one
        is: the answer that carries it may be lost. Where it is used again before that, all fresh
        ones are good: nobody knows which of the answers arrived. Any other secret opens nothing
        any more.
        """
        token = self._token()
        came_with = _digest(used) if used else b""
        fresh = (person.secret, *person.others)
        again = came_with == person.before != b""
        if person.before and came_with in fresh:
            person.spent.append(person.before)
        self._set_secrets(person, _digest(token), came_with, fresh[:FRESH] if again else ())
        person.overheard = not private
        failpoint("token made")
        return token

    def adopt_secret(self, person: Person, guest: Person) -> None:
        """The guest's secret opens the account's place, until a newer one is used.

        One that others could read opens nothing: of that a trace is kept, by which a start knows
        whose the guest's things are (`unfinished_logins`).
        """
        mark = _trace(guest.secret) if guest.overheard else guest.secret
        self._set_secrets(person, person.secret, mark)

    def forget_secrets(self, person: Person) -> None:
        """No secret opens their place any more."""
        self._set_secrets(person, b"", b"")

    def _set_secrets(
        self, person: Person, secret: bytes, before: bytes, others: tuple[bytes, ...] = ()
    ) -> None:
        for old in (person.secret, person.before, *person.others):
            if self._by_secret.get(old) is person:
                del self._by_secret[old]
        person.secret, person.before, person.others = secret, before, others
        for new in filter(None, (before, *others, secret)):
            self._by_secret[new] = person

    def by_token(self, token: str) -> Person:
        """Whose secret it is. Raises `Refused`."""
        # It is looked up by its hash, so that the time this takes tells nothing of the secret.
        wanted = _digest(token)
        found = self._by_secret.get(wanted)
        if (
            found is None
            or self._stale(found)
            or not any(
                hmac.compare_digest(secret, wanted)
                for secret in (found.secret, found.before, *found.others)
            )
        ):
            raise Refused("BAD_TOKEN", "That token opens nothing any more. guest NAME begins anew.")
        return found

    def _stale(self, person: Person) -> bool:
        """Whether an account has been away for so long that only a login opens it."""
        if person.guest or person.session is not None or not person.kept_until:
            return False
        return self._now() >= person.kept_until + DAY

    def name_by(self, token: str) -> str:
        """The name of whoever this secret opens the place of; empty for nobody's."""
        found = self._by_secret.get(_digest(token))
        return found.name if found is not None else ""

    def spent_by(self, token: str) -> Person | None:
        """Whose secret it was, where it has been used up: two have it, or one is confused."""
        wanted = _digest(token)
        return next((person for person in self if wanted in person.spent), None)

    # ------------------------------------------------------------------------ a restart

    def restore(self, remembered: Remembered) -> None:
        """Everybody is there again as they were, and away."""
        self.skeletons.update(remembered.skeletons)
        self._blocked = {name.lower(): set(them) for name, them in remembered.blocks.items()}
        for kept in remembered.people:
            inbox = _inbox(remembered.inboxes.get(kept.name, ()))
            person = self._newcomer(kept.name, kept.program)
            person.inbox, person.since, person.promised = inbox, kept.since, inbox.last
            self._enter(person)
            self._set_secrets(person, kept.secret, kept.before)

    def unfinished_logins(self) -> list[tuple[Person, Person]]:
        """Guests who had logged in when the server stopped, each with their account.

        An account's last secret but one is the guest's then, or the trace of it.
        """
        there = [each for each in self if each.guest and each.secret]
        guests = {mark: each for each in there for mark in (each.secret, _trace(each.secret))}
        found = [(guests.get(each.before), each) for each in self if not each.guest]
        return [(guest, person) for guest, person in found if guest is not None]


def _inbox(lines: Sequence[InboxLine]) -> Stream:
    """An inbox as it was; a line that cannot be read any more is left out, and all before it."""
    lines = sorted(lines, key=lambda line: line.seq)
    kept: list[tuple[InboxLine, Event]] = []
    for line in lines[-INBOX:]:
        event = _event(line.line)
        if event is None or (kept and kept[-1][0].seq != line.seq - 1):
            kept.clear()
        if event is not None:
            kept.append((line, event))
    last = lines[-1].seq if lines else 0
    stream = Stream("me", keep=INBOX, after=kept[0][0].seq - 1 if kept else last)
    for line, event in kept:
        stream.append(event, at=line.wall)
    return stream


def _event(line: str) -> Event | None:
    try:
        record = wire.parse(line)
        found = wire.decode(record) if record is not None else None
    except Malformed:
        return None
    return found if isinstance(found, Event) else None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _trace(secret: bytes) -> bytes:
    """What can be told of a secret by whoever has it; it opens nothing, no token has a line end."""
    return hashlib.sha256(b"\n" + secret).digest()
