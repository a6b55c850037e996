"""All people who are here or may come back: names, resume tokens, inboxes, blocked names.

A token itself is never stored, only its SHA-256 hash, which is called its *secret*.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import dataclass, field
from heapq import heappop, heappush

from twisted.internet.defer import Deferred

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Event, Malformed, Refused

from ...accounts import names
from ...accounts.revocations import Revocations
from ...facts import (
    Blocks,
    CommandDone,
    Fact,
    GuestKnownAs,
    InboxLine,
    PersonKept,
    Remembered,
    StoredPerson,
)
from ...failpoints import failpoint
from ...limits.gcra import Limiter
from ...limits.repeats import repeats
from ...ports import Store
from ...session.session import Session
from ...session.streams import Stream
from .once import KeyedCommands

GUEST_NAME = names.NAME
RESERVED = names.RESERVED
INBOX_EVENTS = 200
"""Number of events that an inbox keeps."""
OTHER_SECRETS = 4
"""Number of valid tokens besides the newest, if a token was used several times at once."""
USED_SECRETS = 32
"""Number of used tokens of a person that are remembered, to notice a second use."""
BLOCKED = 100
"""Maximum number of names that a person may block."""
DAY_MS = 86_400_000
"""Milliseconds for which the token of an account stays valid after its grace period."""


@dataclass(slots=True, eq=False)
class Person:
    """A person with a name: a guest, or the owner of an account.

    `session` is the connection, None while the person is away. `since` is the time of arrival on
    the timeline, later than all times that any server had stored by then: an earlier guest of this
    name was another person. `reserved_until` is the time on
    the timeline until which the name is reserved while the person is away.

    `network` is that of the last connection, and `share` its quota multiplier (`ports.Link`); a
    restart forgets both. `numbered` is the wanted name of a guest and the appended number, if the
    name was taken.

    Tokens. `secret` is the hash of the newest one and `previous_secret` the hash of the one that
    was used to get it; both are valid. `other_secrets` are valid too: if a token is used several
    times at once, each use gets a new token (a restart forgets these). `used_secrets` are no longer
    valid; if one of them is used, a token may have been stolen. `token_exposed`: the newest token
    was sent over a connection that others could read.

    `arrivals` is the number of the last attempt of a connection to become this person's; only the
    last one succeeds. `pending` counts work in progress, such as an arrival that is not stored yet;
    the person must not be forgotten before it is 0. `merge_waiters` is None unless this guest is
    becoming an account; mail for them then waits on these Deferreds. `inbox_reserved` is the last
    number given out for an inbox line, which may not be stored yet; `last_token` is the same for
    login tokens, and `last_key` for keys.

    `invited` maps each person who has invited this one (name in lower case) to the table of the
    invitation. `tables` are the ids of the tables where this person has a seat, oldest first.
    `lessons` has the next step of each lesson that was begun, by game; 0 for a finished lesson.
    `tags` are those of the latest lines of the inbox that came from other servers.
    """

    name: str
    program: bool
    inbox: Stream
    since: int = 0
    network: str = ""
    share: int = 1
    numbered: tuple[str, int] = ("", 0)
    session: Session | None = None
    reserved_until: int = 0
    secret: bytes = b""
    previous_secret: bytes = b""
    other_secrets: tuple[bytes, ...] = ()
    token_exposed: bool = False
    used_secrets: tuple[bytes, ...] = ()
    arrivals: int = 0
    pending: int = 0
    merge_waiters: list[Deferred[None]] | None = None
    inbox_reserved: int = 0
    last_token: int = 0
    last_key: int = 0
    blocked: set[str] = field(default_factory=set)
    invited: dict[str, str] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    lessons: dict[str, int] = field(default_factory=dict)
    tags: dict[str, None] = field(default_factory=dict)
    repeats: Limiter[str] = field(default_factory=repeats)
    keyed: KeyedCommands = field(default_factory=KeyedCommands)

    def note_tag(self, tag: str) -> None:
        """Adds a tag to `tags`."""
        self.tags[tag] = None
        if len(self.tags) > INBOX_EVENTS:
            del self.tags[next(iter(self.tags))]

    @property
    def guest(self) -> bool:
        """True if the person has no account."""
        return self.name.startswith("~")

    @property
    def fact(self) -> PersonKept:
        """The fact to store when their tokens or kind have changed."""
        return PersonKept(self.name, self.program, self.secret, self.previous_secret, self.since)

    @property
    def blocks(self) -> Blocks:
        """The fact to store when their blocked names have changed."""
        return Blocks(self.name, tuple(sorted(self.blocked)))


class Numbers:
    """The numbers of the guests with the same wanted name, from 2.

    This finds the next free number at once: trying all numbers for each of a thousand guests would
    delay everybody else.
    """

    def __init__(self) -> None:
        self._next = 2
        self._held = 0
        self._back: list[int] = []

    def take(self, free: Callable[[int], bool]) -> int:
        """Gives out the smallest number that is `free`."""
        self._held += 1
        while self._back:
            number = heappop(self._back)
            if free(number):
                return number
        while not free(self._next):
            self._next += 1
        self._next += 1
        return self._next - 1

    def give_back(self, number: int) -> bool:
        """Makes a number free again. Returns False if no number is in use any more."""
        heappush(self._back, number)
        self._held -= 1
        return self._held > 0


class People:
    """All people who are here or may come back, by name without regard to case.

    `skeletons` maps the skeleton of each account's name (`accounts.names.skeleton`) to the name,
    for all accounts, here or not. `token` makes a random token; `now` is the time on the timeline
    in milliseconds. `shared`: other servers keep people, too. Read passwords, login tokens and keys
    through `revocations`, so that a revoked one is not accepted.
    """

    def __init__(self, token: Callable[[], str], now: Callable[[], int], store: Store) -> None:
        self.skeletons: dict[str, str] = {}
        self.shared = False
        self.revocations = Revocations(store)
        self._token = token
        self._now = now
        self.by_name: dict[str, Person] = {}
        self._former_names: dict[str, Person] = {}
        self._by_secret: dict[bytes, Person] = {}
        self._by_network: dict[str, dict[Person, None]] = {}
        self._numbers: dict[str, Numbers] = {}
        self._blocked: dict[str, set[str]] = {}

    def __iter__(self) -> Iterator[Person]:
        return iter(self.by_name.values())

    def __len__(self) -> int:
        return len(self.by_name)

    def find(self, name: str) -> Person | None:
        """The person of that name; a guest is found with or without the `~`."""
        return self.exact(name) or self.by_name.get(f"~{name.lower()}")

    def exact(self, name: str) -> Person | None:
        """The person of exactly that name, or the account that a guest of that name becomes."""
        key = name.lower()
        return self.by_name.get(key) or self._former_names.get(key)

    def named(self, name: str) -> Person:
        """The person of that name, as `find` finds them. Raises `Refused` (NO_SUCH_USER)."""
        person = self.find(name)
        if person is None:
            raise Refused("NO_SUCH_USER", f"Nobody called {name} is here.", arg="name")
        return person

    def on(self, session: Session) -> Person | None:
        """The person on this connection; None if there is none yet, or a newer one replaced it."""
        if not session.name:
            return None
        key = session.name.lower()
        person = self.by_name.get(key) or self._former_names.get(key)
        return person if person is not None and person.session is session else None

    def session_of(self, name: str) -> Session | None:
        """The connection of the person of exactly that name; None if that person is not
        connected.
        """
        person = self.exact(name)
        return person.session if person is not None else None

    # --------------------------------------------------------------------------- coming

    def add_guest(self, wanted: str, *, program: bool) -> Person:
        """Adds a guest of that name, with a number appended if it is taken.

        Raises `Refused` (BAD_NAME) for a name that nobody may have.
        """
        wanted = wanted.removeprefix("~")
        names.check(wanted)
        if not self._taken(name := names.numbered(wanted, 1)):
            return self._enter(self._new_guest(name, program))
        numbers = self._numbers.setdefault(wanted.lower(), Numbers())
        number = numbers.take(lambda number: not self._taken(names.numbered(wanted, number)))
        person = self._new_guest(names.numbered(wanted, number), program)
        person.numbered = wanted.lower(), number
        return self._enter(person)

    def _new_guest(self, name: str, program: bool) -> Person:
        self._blocked.pop(name.lower(), None)  # those of an earlier guest, at another server
        return self._new_person(name, program)

    def _new_person(self, name: str, program: bool) -> Person:
        blocked = self._blocked.setdefault(name.lower(), set())
        return Person(name, program, Stream("me", keep=INBOX_EVENTS), self._now(), blocked=blocked)

    def _taken(self, name: str) -> bool:
        key = name.lower()
        looks = names.skeleton(key.removeprefix("~"))
        return key in self.by_name or key in self._former_names or looks in self.skeletons

    def find_or_add_account(self, name: str, *, program: bool) -> Person:
        """The person of an account; adds them if they are not known here yet."""
        found = self.by_name.get(name.lower())
        return found or self._enter(self._new_person(name, program))

    def _enter(self, person: Person) -> Person:
        self.by_name[person.name.lower()] = person
        return person

    def release(self, person: Person) -> None:
        """Forgets a person and their tokens; the name is free. An account's blocks are kept."""
        self.by_name.pop(person.name.lower(), None)
        if person.guest or not person.blocked:
            self._blocked.pop(person.name.lower(), None)
        self.forget_secrets(person)
        self._leave_network(person)
        self._free_number(person)

    def let_go(self, person: Person) -> None:
        """Forgets a person whom another server keeps from now on, with all that it will store."""
        self.by_name.pop(person.name.lower(), None)
        self.forget_secrets(person)
        self._leave_network(person)
        self._free_number(person)

    def _free_number(self, person: Person) -> None:
        wanted, number = person.numbered
        numbers = self._numbers.get(wanted)
        if numbers is not None and not numbers.give_back(number):
            del self._numbers[wanted]

    def settle(self, person: Person, network: str, share: int) -> None:
        """Notes the address of a person."""
        self._leave_network(person)
        person.network, person.share = network, share
        self._by_network.setdefault(network, {})[person] = None

    def _leave_network(self, person: Person) -> None:
        there = self._by_network.get(person.network)
        if there is not None:
            there.pop(person, None)
            if not there:
                del self._by_network[person.network]

    def of_network(self, network: str) -> Collection[Person]:
        """All people whose last connection came from that address, here or not."""
        return self._by_network.get(network, ())

    def blocked_by(self, name: str) -> Set[str]:
        """The names that a person has blocked, whether that person is here or not."""
        return self._blocked.get(name.lower(), frozenset())

    def merge(self, guest: Person, person: Person) -> list[Fact]:
        """Moves the guest's tables, blocks, lessons and invitations to the account. Returns the
        facts to store.

        Other people's blocks of the guest are blocks of the account from now on, and invitations
        by the guest are invitations by the account.

        Until `forget_name` the account is found by both names. The guest's tokens become invalid,
        except the newest one if `adopt_secret`, called before, has made it a token of the account.
        """
        self.by_name.pop(guest.name.lower(), None)
        self._blocked.pop(guest.name.lower(), None)
        self._former_names[guest.name.lower()] = person
        self._leave_network(guest)
        self._free_number(guest)
        person.tables += [table for table in guest.tables if table not in person.tables]
        person.blocked |= guest.blocked
        person.invited |= guest.invited
        person.lessons |= guest.lessons
        person.tags |= guest.tags
        person.repeats.merge(guest.repeats)
        person.keyed.take(person.name, guest.keyed)
        guest.keyed = person.keyed  # for the guest's running commands
        self.forget_secrets(guest)
        self._set_secrets(person, person.secret, person.previous_secret, person.other_secrets)
        for other in self:
            if table := other.invited.pop(guest.name.lower(), None):
                other.invited[person.name.lower()] = table
        person.blocked.discard(guest.name)
        facts: list[Fact] = [*self.block_instead(guest.name, person.name)]
        return [GuestKnownAs(guest.name, person.name), *facts] if self.shared else facts

    def block_instead(self, guest: str, account: str) -> Iterator[Blocks]:
        """Replaces a guest by an account in the blocked names of everybody whom this server keeps.

        Returns the facts to store.
        """
        for key, blocked in self._blocked.items():
            there = self.by_name.get(key)
            if guest in blocked and (there is not None or not self.shared):
                blocked.remove(guest)
                blocked.add(account)
                owner = there.name if there else self.skeletons[names.skeleton(key)]
                yield Blocks(owner, tuple(sorted(blocked)))

    def forget_name(self, name: str) -> None:
        """Frees the guest's name after `merge`, once no table uses it any more."""
        self._former_names.pop(name.lower(), None)

    # ------------------------------------------------------------------------- secrets

    def new_token(self, person: Person, used: str = "", *, private: bool) -> str:
        """Makes a new token for a person; `used` is the token that they came in with, if any.

        `used` stays valid until the new token is used, because the reply with the new one may be
        lost. If `used` is used again before that, all tokens made for it are valid, at most
        `OTHER_SECRETS` besides the newest: nobody knows which of the replies arrived. All other
        tokens of the person become invalid.

        `private`: nobody on the path can read the new token. Store `Person.fact` before sending the
        token: otherwise a restart would forget a token that somebody holds.
        """
        token = self._token()
        used_secret = digest_of(used) if used else b""
        fresh = (person.secret, *person.other_secrets)
        again = used_secret == person.previous_secret != b""
        if person.previous_secret and used_secret in fresh:
            old = (*person.used_secrets, person.previous_secret)
            person.used_secrets = old[-USED_SECRETS:]
        self._set_secrets(
            person, digest_of(token), used_secret, fresh[:OTHER_SECRETS] if again else ()
        )
        person.token_exposed = not private
        failpoint("token made")
        return token

    def adopt_secret(self, person: Person, guest: Person) -> None:
        """Makes the guest's newest token valid for the account too, until a newer one is used.

        The reply to the login may be lost; the guest can then come back with the token they have.
        But a token that others could read must not open an account. In that case a fingerprint is
        kept in its place, which no token matches: after a crash `unfinished_logins` still finds the
        pair by it. Call this after `new_token` and store `Person.fact` then.
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
        """The person with this token. Raises `Refused` (BAD_TOKEN) if it is not valid."""
        # Found by hash and compared in constant time, so that the time reveals nothing about a
        # token.
        wanted = digest_of(token)
        found = self._by_secret.get(wanted)
        if (
            found is None
            or self._expired(found)
            or not any(
                hmac.compare_digest(secret, wanted)
                for secret in (found.secret, found.previous_secret, *found.other_secrets)
            )
        ):
            raise Refused("BAD_TOKEN", "That token is no longer valid. guest NAME starts again.")
        return found

    def _expired(self, person: Person) -> bool:
        """True for an account that was away for so long that its tokens are no longer valid."""
        if person.guest or person.session is not None or not person.reserved_until:
            return False
        return self._now() >= person.reserved_until + DAY_MS

    def name_by_token(self, token: str) -> str:
        """The name of the person with this token, or empty; expired tokens count.

        Only for finding their tables. Use `by_token` to let somebody in.
        """
        found = self._by_secret.get(digest_of(token))
        return found.name if found is not None else ""

    def by_used_token(self, digest: bytes) -> Person | None:
        """The person who had the token with this hash before it was replaced; None if nobody had.

        If it is used again, it was stolen, or its owner has lost the newer one.
        """
        return next((person for person in self if digest in person.used_secrets), None)

    # ------------------------------------------------------------------------ a restart

    def restore(self, remembered: Remembered) -> None:
        """Adds all remembered people as away. Call it once, at the start."""
        self.skeletons.update(remembered.skeletons)
        self._blocked = {name.lower(): set(them) for name, them in remembered.blocks.items()}
        for kept in remembered.people:
            inbox = remembered.inboxes.get(kept.name, ())
            self._restore(kept, inbox, remembered.commands.get(kept.name, ()))

    def restore_one(self, stored: StoredPerson) -> Person:
        """Adds a person as away whom another server has kept until now."""
        self._blocked[stored.kept.name.lower()] = set(stored.blocks)
        return self._restore(stored.kept, stored.inbox, stored.commands)

    def _restore(
        self, kept: PersonKept, inbox: Sequence[InboxLine], commands: Sequence[CommandDone]
    ) -> Person:
        person = self._new_person(kept.name, kept.program)
        person.inbox, person.since = _inbox(inbox), kept.since
        person.inbox_reserved = person.inbox.last
        person.tags = dict.fromkeys(line.tag for line in inbox if line.tag)
        person.keyed = KeyedCommands(commands)
        self._set_secrets(person, kept.secret, kept.before)
        return self._enter(person)

    def unfinished_logins(self) -> list[tuple[Person, Person]]:
        """The guests who were becoming accounts when the server stopped, each with the account.

        `adopt_secret` has marked them: the account's `previous_secret` is the secret of the guest,
        or its fingerprint.
        """
        there = [each for each in self if each.guest and each.secret]
        guests = {key: each for each in there for key in (each.secret, _fingerprint(each.secret))}
        found = [(guests.get(each.previous_secret), each) for each in self if not each.guest]
        return [(guest, person) for guest, person in found if guest is not None]


def _inbox(lines: Sequence[InboxLine]) -> Stream:
    """The inbox with these lines. The numbers in it have no gaps: if a line cannot be read, it and
    all earlier lines are left out.
    """
    lines = sorted(lines, key=lambda line: line.seq)
    stored: list[tuple[InboxLine, Event]] = []
    for line in lines[-INBOX_EVENTS:]:
        event = _event(line.line)
        if event is None or (stored and stored[-1][0].seq != line.seq - 1):
            stored.clear()
        if event is not None:
            stored.append((line, event))
    last = lines[-1].seq if lines else 0
    stream = Stream("me", keep=INBOX_EVENTS, after=stored[0][0].seq - 1 if stored else last)
    for line, event in stored:
        stream.append(event, at=line.wall)
    return stream


def _event(line: str) -> Event | None:
    """The event in a stored line; None if it cannot be read."""
    try:
        record = wire.parse(line)
        found = wire.decode(record) if record is not None else None
    except Malformed:
        return None
    return found if isinstance(found, Event) else None


def digest_of(token: str) -> bytes:
    """The hash by which a token is known: no token is stored."""
    return hashlib.sha256(token.encode()).digest()


def _fingerprint(secret: bytes) -> bytes:
    """A hash of a secret that equals no hash of a token, because no token begins with a newline."""
    return hashlib.sha256(b"\n" + secret).digest()
