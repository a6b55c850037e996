"""Who is here, or may come back: names, resume tokens, inboxes, who is blocked.

Tokens are known by their hash only, their *secret*.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import deque
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from twisted.internet.defer import Deferred

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Event, Malformed, Refused, edition

from ...accounts import names
from ...accounts.revocations import Revocations
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
OTHER_SECRETS = 4
"""How many tokens besides the newest are valid if one token was used several times at once."""
USED_SECRETS = 32
"""How many used tokens of a person are remembered, to notice when one is used again."""
BLOCKED = 100
"""How many names somebody may have blocked."""
DAY = 86_400_000
"""Milliseconds after the grace period for which the token of an account that is away is valid."""


@dataclass(slots=True, eq=False)
class Person:
    """Somebody with a name: a guest, or the owner of an account.

    `session` is their connection, None while they are away. `since` is when they came in, on the
    timeline; whoever had the name before that was another guest. `reserved_until` is how long the
    name is reserved while they are away.

    `secret` is the hash of their newest token, `previous_secret` that of the one they used to get
    it, `other_secrets` are further newest ones, given out on other connections (a restart forgets
    these), and `used_secrets` those that open nothing any more. `token_exposed`: the newest one was
    sent where others could read it.

    `arrivals` counts how often a connection has begun to take this person's place; the highest
    wins. `pending` counts what is still to be done before the person may be forgotten, such as
    arrivals that are not kept yet. `merge_waiters`, if not None, wait until this guest has become
    an account. `inbox_reserved` is the last number that was given out for an inbox line, perhaps
    not yet kept; `last_token` the same for login tokens. `invited` is the table to which each host
    (in lower case) has invited them; `tables` are those where they have a seat, in order.
    """

    name: str
    program: bool
    inbox: Stream
    since: int = 0
    session: Session | None = None
    reserved_until: int = 0
    secret: bytes = b""
    previous_secret: bytes = b""
    other_secrets: tuple[bytes, ...] = ()
    token_exposed: bool = False
    used_secrets: deque[bytes] = field(default_factory=lambda: deque(maxlen=USED_SECRETS))
    arrivals: int = 0
    pending: int = 0
    merge_waiters: list[Deferred[None]] | None = None
    inbox_reserved: int = 0
    last_token: int = 0
    blocked: set[str] = field(default_factory=set)
    invited: dict[str, str] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    repeats: Repeats = field(default_factory=Repeats)

    @property
    def guest(self) -> bool:
        """True without an account."""
        return self.name.startswith("~")

    @property
    def fact(self) -> PersonKept:
        """What to keep in the store of them."""
        return PersonKept(self.name, self.program, self.secret, self.previous_secret, self.since)

    @property
    def blocks(self) -> Blocks:
        """Whom they have blocked, to keep in the store."""
        return Blocks(self.name, tuple(sorted(self.blocked)))


class People:
    """Everybody who has a name here, by name without regard to case.

    `skeletons` maps what a name looks like (`accounts.names.skeleton`) to the account of that name,
    for all accounts, whether their owners are here or not. `token` makes random tokens, `now` is
    the time on the timeline. `revocations` guards against logins by what was just revoked.
    """

    def __init__(self, token: Callable[[], str], now: Callable[[], int], store: Store) -> None:
        self.skeletons: dict[str, str] = {}
        self.revocations = Revocations(store)
        self._token = token
        self._now = now
        self._by_name: dict[str, Person] = {}
        self._former_names: dict[str, Person] = {}
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
        """The person of exactly that name, or the account that a guest of that name is becoming."""
        key = name.lower()
        return self._by_name.get(key) or self._former_names.get(key)

    def named(self, name: str) -> Person:
        """The person of that name. Raises `Refused`."""
        person = self.find(name)
        if person is None:
            raise Refused("NO_SUCH_USER", f"Nobody called {name} is here.", arg="name")
        return person

    # --------------------------------------------------------------------------- coming

    def add_guest(self, wanted: str, *, program: bool) -> Person:
        """A new guest of that name, with a number appended if it is taken. Raises `Refused`."""
        wanted = wanted.removeprefix("~")
        names.check(wanted)
        count = 1
        while self._taken(name := names.numbered(wanted, count)):
            count += 1
        return self._enter(self._new_person(name, program))

    def _new_person(self, name: str, program: bool) -> Person:
        blocked = self._blocked.setdefault(name.lower(), set())
        return Person(name, program, Stream("me", keep=INBOX), self._now(), blocked=blocked)

    def _taken(self, name: str) -> bool:
        key = name.lower()
        looks = names.skeleton(key.removeprefix("~"))
        return key in self._by_name or key in self._former_names or looks in self.skeletons

    def find_or_add_account(self, name: str, *, program: bool) -> Person:
        """The person of an account; added if they are not known here yet."""
        found = self._by_name.get(name.lower())
        return found or self._enter(self._new_person(name, program))

    def _enter(self, person: Person) -> Person:
        self._by_name[person.name.lower()] = person
        return person

    def release(self, person: Person) -> None:
        """Forgets a person: the name is free again. Whom an account has blocked is remembered."""
        self._by_name.pop(person.name.lower(), None)
        if person.guest or not person.blocked:
            self._blocked.pop(person.name.lower(), None)
        self.forget_secrets(person)

    def blocked_by(self, name: str) -> Set[str]:
        """The names that somebody has blocked, whether they are here or not."""
        return self._blocked.get(name.lower(), frozenset())

    def merge(self, guest: Person, person: Person) -> None:
        """Gives the account all that the guest had: tables, blocks, invitations.

        Until `forget_name` the account is found by both names. The guest's token is valid no more,
        except for the account if `adopt_secret` was called.
        """
        self._by_name.pop(guest.name.lower(), None)
        self._blocked.pop(guest.name.lower(), None)
        self._former_names[guest.name.lower()] = person
        person.tables += [table for table in guest.tables if table not in person.tables]
        person.blocked |= guest.blocked
        person.invited |= guest.invited
        person.repeats.take(guest.repeats)
        self.forget_secrets(guest)
        self._set_secrets(person, person.secret, person.previous_secret, person.other_secrets)

    def forget_name(self, name: str) -> None:
        """Ends what `merge` began: the guest's name is free again."""
        self._former_names.pop(name.lower(), None)

    # ------------------------------------------------------------------------- secrets

    def new_token(self, person: Person, used: str = "", *, private: bool) -> str:
        """Makes a new token for a person who came in with the token `used`, if with any.

        The token used stays valid until the new one is used, because the reply that carries the
        new one may be lost. If it is used again before that, all tokens made for it are valid:
        nobody knows which of the replies arrived. Every other token is invalid from now on.

        `private`: nobody on the path can read the new token. Keep `Person.fact` before telling it.
        """
        token = self._token()
        used_secret = _digest(used) if used else b""
        fresh = (person.secret, *person.other_secrets)
        again = used_secret == person.previous_secret != b""
        if person.previous_secret and used_secret in fresh:
            person.used_secrets.append(person.previous_secret)
        self._set_secrets(
            person, _digest(token), used_secret, fresh[:OTHER_SECRETS] if again else ()
        )
        person.token_exposed = not private
        failpoint("token made")
        return token

    def adopt_secret(self, person: Person, guest: Person) -> None:
        """Makes the guest's token valid for the account, until a newer one is used.

        A token that others could read must not open an account. Then a fingerprint of it, which no
        token matches, is kept in its place, so that `unfinished_logins` finds the pair all the
        same.
        """
        previous = _fingerprint(guest.secret) if guest.token_exposed else guest.secret
        self._set_secrets(person, person.secret, previous)

    def forget_secrets(self, person: Person) -> None:
        """Makes all tokens of a person invalid."""
        self._set_secrets(person, b"", b"")

    def _set_secrets(
        self, person: Person, secret: bytes, before: bytes, others: tuple[bytes, ...] = ()
    ) -> None:
        for old in (person.secret, person.previous_secret, *person.other_secrets):
            if self._by_secret.get(old) is person:
                del self._by_secret[old]
        person.secret, person.previous_secret, person.other_secrets = secret, before, others
        for new in filter(None, (before, *others, secret)):
            self._by_secret[new] = person

    def by_token(self, token: str) -> Person:
        """Whose token it is. Raises `Refused` if it is not valid, or no longer."""
        # Looked up by hash and compared in constant time: how long it takes tells nothing of a
        # token.
        wanted = _digest(token)
        found = self._by_secret.get(wanted)
        if (
            found is None
            or self._expired(found)
            or not any(
                hmac.compare_digest(secret, wanted)
                for secret in (found.secret, found.previous_secret, *found.other_secrets)
            )
        ):
            raise Refused("BAD_TOKEN", "That token opens nothing any more. guest NAME begins anew.")
        return found

    def _expired(self, person: Person) -> bool:
        """True for an account that was away for so long that only a login opens it."""
        if person.guest or person.session is not None or not person.reserved_until:
            return False
        return self._now() >= person.reserved_until + DAY

    def name_by_token(self, token: str) -> str:
        """The name of the person with this token; empty for an unknown one. Checks nothing else."""
        found = self._by_secret.get(_digest(token))
        return found.name if found is not None else ""

    def by_used_token(self, token: str) -> Person | None:
        """The person whose token this was, if it was replaced: it may be stolen, or sent twice."""
        wanted = _digest(token)
        return next((person for person in self if wanted in person.used_secrets), None)

    # ------------------------------------------------------------------------ a restart

    def restore(self, remembered: Remembered) -> None:
        """After a start: everybody is known again, and away."""
        self.skeletons.update(remembered.skeletons)
        self._blocked = {name.lower(): set(them) for name, them in remembered.blocks.items()}
        for kept in remembered.people:
            inbox = _inbox(remembered.inboxes.get(kept.name, ()))
            person = self._new_person(kept.name, kept.program)
            person.inbox, person.since, person.inbox_reserved = inbox, kept.since, inbox.last
            self._enter(person)
            self._set_secrets(person, kept.secret, kept.before)

    def unfinished_logins(self) -> list[tuple[Person, Person]]:
        """The guests who were becoming accounts when the server stopped, each with the account.

        `adopt_secret` has made the guest's secret, or its fingerprint, the account's previous one.
        """
        there = [each for each in self if each.guest and each.secret]
        guests = {key: each for each in there for key in (each.secret, _fingerprint(each.secret))}
        found = [(guests.get(each.previous_secret), each) for each in self if not each.guest]
        return [(guest, person) for guest, person in found if guest is not None]


def _inbox(lines: Sequence[InboxLine]) -> Stream:
    """The inbox of these lines. One that cannot be read is left out, and all before it."""
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
    """The event that a kept line is, in the words of whatever edition; None if it is none."""
    for words in range(edition(), 0, -1):
        try:
            record = wire.parse(line)
            found = wire.decode(record, words) if record is not None else None
        except Malformed:
            continue
        return found if isinstance(found, Event) else None
    return None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _fingerprint(secret: bytes) -> bytes:
    """A value by which a secret is recognized, and which is no token's hash: none has a newline."""
    return hashlib.sha256(b"\n" + secret).digest()
