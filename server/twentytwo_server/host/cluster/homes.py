"""One name is one person, whom one server keeps: the server of their newest connection.

A person who arrives at another server moves there. The old server stores `PersonMoved` after
everything else that it has stored about them, and only then answers. So the new server reads all of
it from the store. The message itself carries only the data that is in memory alone.

A message may be duplicated or late. A server moves a person once for each `tag`, and repeats its
answer for `REPEATS_FOR` milliseconds. It does not move a person who has arrived there since the
arrival elsewhere began.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count

from msgspec import DecodeError, json
from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.lobby import Offline

from ... import subjects
from ...answers import ask, keep, run
from ...facts import Keeper, PersonKept, PersonMoved, StoredPerson
from ...ports import Bus, Store
from ..connections import Connections
from ..dailies import Dailies
from ..friends import FriendLists
from ..guest_merge import GuestMerges
from ..lobby.lobby import Lobby
from ..lobby.seeks import Seeks
from ..people.elsewhere import Elsewhere, PersonElsewhere
from ..people.people import People, Person, digest_of
from ..presence import Presence
from ..results import Results
from ..tables.pausable_clock import PausableClock
from ..tables.remote_room import RemoteRoom
from ..tables.rooms import Rooms
from ..token_alarm import TokenAlarm
from ..unknown_tables import UnknownTables
from .keepers import Keepers

REPEATS_FOR = 60_000
"""Milliseconds for which a server remembers its answers."""

PATIENCE = 10_000
"""Milliseconds after which an arrival is refused, because the person's server does not answer."""

ANSWER_TIME = 1_000
"""Milliseconds to wait for one answer."""

AGAIN = 100
"""The shortest pause between two questions, in milliseconds. Pauses grow up to `ANSWER_TIME`,
because all people of a dead server may come at once.
"""


class MoveRequest(Value):
    """Asks a server to hand over a person to the server `to`.

    `secret` is the hash of the newest token that the person had when they began to arrive there.
    """

    tag: str
    name: str
    to: str
    secret: bytes


class InMemory(Value):
    """The data of a person that is only in memory, as it moves with them.

    `stays` is true if the person does not move, because they have since arrived at the server that
    was asked.
    """

    stays: bool = False
    program: bool = False
    used_secrets: tuple[bytes, ...] = ()
    invited: Mapping[str, str] = {}
    lessons: Mapping[str, int] = {}


_REQUEST = json.Decoder(MoveRequest)
_ANSWER = json.Decoder(InMemory)


@dataclass(slots=True)
class _Arrival:
    """A connection on which a person is arriving here. `link` is `Call.link`.

    `secret` is the hash of the newest token that the person had when this began; None if it is not
    known yet. `here` fires when this server keeps the person, or no server does.
    """

    link: Callable[[], object]
    secret: bytes | None
    here: Deferred[None] = field(default_factory=Deferred)

    @property
    def is_open(self) -> bool:
        """True if the connection is neither closed nor replaced."""
        try:
            self.link()
        except Refused:
            return False
        return True


@dataclass(slots=True)
class Homes:
    """Brings people to this server, and hands them over to others.

    It does nothing before `join`: a server that is alone keeps everybody.
    """

    _people: People
    _friends: FriendLists
    _dailies: Dailies
    _rooms: Rooms
    _lobby: Lobby
    _elsewhere: Elsewhere
    _seeks: Seeks
    _presence: Presence
    _merges: GuestMerges
    _results: Results
    _connections: Connections
    _store: Store
    _clock: PausableClock
    _alarm: TokenAlarm
    _unknown_tables: UnknownTables
    _bus: Bus | None = field(init=False, default=None)
    _node: str = field(init=False, default="")
    _keepers: Keepers = field(init=False)
    _tags: Iterator[int] = field(init=False, default_factory=count)
    _boot: str = field(init=False, default="")
    _answers: dict[str, bytes] = field(init=False, default_factory=dict)
    _bringing: dict[str, list[_Arrival]] = field(init=False, default_factory=dict)
    _leaving: Counter[str] = field(init=False, default_factory=Counter)
    """The people whom this server hands over, until the move is stored."""
    _readings: list[set[str]] = field(init=False, default_factory=list)
    """The people who were handed over during each reading of people: it may still show them here.
    """

    def join(self, bus: Bus, node: str, boot: str) -> None:
        """Begins to share the people with other servers. `boot` names this run of the server."""
        self._bus, self._node, self._boot = bus, node, boot
        self._people.shared = True
        bus.serve(subjects.people(node), self._asked)
        self._store.after_taking(self._take_people)
        self._alarm.tell_others = partial(bus.tell, subjects.USED_TOKENS)
        bus.listen(subjects.USED_TOKENS, self._token_used)

    def _token_used(self, digest: bytes) -> None:
        self._alarm.raise_for(digest)

    def __post_init__(self) -> None:
        self._keepers = Keepers(self._store)

    @property
    def shared(self) -> bool:
        """True if other servers may keep people."""
        return self._bus is not None

    def new_tag(self) -> str:
        """A tag that no other message or match has, on any server."""
        return f"{self._node}/{self._boot}/{next(self._tags)}"

    # ------------------------------------------------------------------------ coming here

    async def find(self, name: str) -> StoredPerson | None:
        """The person of that name, whom another server keeps; None if there is none.

        A guest is found with or without the `~`.
        """
        if not self.shared or self._people.find(name) is not None:
            return None
        return await ask(self._store.person, name) or await ask(self._store.person, f"~{name}")

    async def named(self, name: str) -> Person | PersonKept:
        """The person of that name, at any server. Raises `Refused` (NO_SUCH_USER)."""
        elsewhere = await self.find(name)
        return elsewhere.kept if elsewhere is not None else self._people.named(name)

    async def claim(self, person: Person) -> bool:
        """Stores a new person of this server; False if a person of another server has the name.

        Forget the person in that case (`People.let_go`). A server that is alone stores nothing yet.
        """
        if not self.shared:
            return True
        person.pending += 1
        try:
            await keep(self._store, [])  # the name may have been given up here a moment ago
            since = await ask(self._store.claim, person.fact)
        finally:
            person.pending -= 1
        if since is None:
            return False
        person.since = since
        return True

    async def account(self, name: str, link: Callable[[], object], *, program: bool) -> Person:
        """The person of an account, whom this server keeps from now on. Raises as `bring` does."""
        while True:
            await self.bring(name, link)
            known = self._people.exact(name)
            person = known or self._people.find_or_add_account(name, program=program)
            if known is not None:
                return person
            if await self.claim(person):
                await self._read_records(person)
                self._results.arrived([name])
                return person
            self._people.let_go(person)

    async def _read_records(self, person: Person) -> None:
        """Reads the stored data of an account that was away, and may have been elsewhere."""
        if not self.shared:
            return
        stored = await ask(self._store.person, person.name)
        if stored is not None:
            person.blocked.clear()
            person.blocked.update(stored.blocks)
            self._take_records(stored)

    async def keeper_by_token(self, token: str) -> Keeper | None:
        """The person with this resume token, if another server keeps them."""
        if not self.shared or self._people.name_by_token(token):
            return None
        return await ask(self._store.keeper_by_secret, digest_of(token))

    def is_bringing(self, name: str) -> bool:
        """True if the person of that name is on their way to this server."""
        return name.lower() in self._bringing

    async def bring(
        self, name: str, link: Callable[[], object], secret: bytes | None = None
    ) -> None:
        """Moves the person of that name here if another server keeps them, and follows their
        tables.

        `link` is `Call.link` of the command, and raises `Refused` if its connection is gone.
        `secret` is the hash of the newest token that the person had when this arrival began. If
        they have since arrived at another server, or at this one, they stay there. Raises `Refused`
        (BUSY) in that case, or if a server does not answer.
        """
        person = self._people.exact(name)
        if person is not None and secret is not None and _is_connected_since(person, secret):
            raise _came_in(name)
        if self.shared and person is None:
            arrival, key = _Arrival(link, secret), name.lower()
            arrivals = self._bringing.setdefault(key, [])
            arrivals.append(arrival)
            if len(arrivals) == 1:
                run(self._bring_all(name, arrivals), partial(self._failed, key))
            await arrival.here
        else:
            await self._unknown_tables.loaded(name)
        link()

    async def _bring_all(self, name: str, arrivals: Sequence[_Arrival]) -> None:
        await self._bring(name, arrivals)
        # In this order: the newest connection has to be the last one that becomes the person's.
        for each in self._bringing.pop(name.lower()):
            each.here.callback(None)

    def _failed(self, key: str, wrong: Exception) -> None:
        for each in self._bringing.pop(key):
            each.here.errback(wrong)

    async def _bring(self, name: str, arrivals: Sequence[_Arrival]) -> None:
        began = self._clock.now()
        tag = self.new_tag()
        rest: InMemory | None = None
        asked = False
        while True:
            keeper = await self._keepers.find(name)
            if keeper is None or self._people.exact(name) is not None:
                return
            if keeper.node == self._node and await self._read(name, rest):
                return
            for each in arrivals:
                each.secret = keeper.secret if each.secret is None else each.secret
            passed, answer = self._clock.now() - began, None
            if passed >= PATIENCE:
                text = f"{keeper.name} was at another server, which does not answer yet."
                raise Refused("BUSY", f"{text} Try again in a moment.")
            newest = next((each for each in reversed(arrivals) if each.is_open), None)
            if newest is not None:
                request = MoveRequest(tag, keeper.name, self._node, newest.secret or b"")
                answer, asked = await self._ask(keeper.node, request), True
            elif not asked:
                return  # otherwise they may still be moved to this server
            if answer is not None and answer.stays:
                raise _came_in(keeper.name)
            if answer is None or rest is not None:
                paused: Deferred[None] = Deferred()
                pause = max(AGAIN, min(ANSWER_TIME, passed // 2))
                self._clock.later(pause, partial(paused.callback, None))
                await paused
            rest = answer or rest

    async def _read(self, name: str, rest: InMemory | None) -> bool:
        """Takes in a person whom this server keeps; False if it no longer keeps them."""
        await self._unknown_tables.known(name)
        left = self._begin_to_read()
        stored = await ask(self._store.person, name)
        self._end_reading(left)
        if stored is None or self._people.exact(name) is not None:
            return True
        if stored.node != self._node or stored.kept.name in left:
            return False
        self._take_in(stored, rest or InMemory(program=stored.kept.program))
        self._results.arrived([stored.kept.name])
        return True

    async def _ask(self, node: str, request: MoveRequest) -> InMemory | None:
        assert self._bus is not None
        subject = subjects.people(node)
        answer = await ask(self._bus.ask, subject, json.encode(request), ANSWER_TIME)
        try:
            return _ANSWER.decode(answer) if answer else None
        except DecodeError:
            return None

    def _begin_to_read(self) -> set[str]:
        """The people whom the store may still show here although they have left."""
        left = set(self._leaving)
        self._readings.append(left)
        return left

    def _end_reading(self, left: set[str]) -> None:
        self._readings = [each for each in self._readings if each is not left]

    def _take_people(self, tables: Sequence[str]) -> None:
        """Takes in the people of a dead server, who are away."""
        left = self._begin_to_read()

        def taken(kept: Sequence[StoredPerson]) -> None:
            self._end_reading(left)
            names = {each.kept.name for each in kept} - left
            new = {name for name in names if self._people.exact(name) is None}
            for stored in kept:
                if stored.kept.name in new:
                    self._take_in(stored, InMemory(program=stored.kept.program))
                    self._presence.tell_absence(self._people.named(stored.kept.name))
            self._results.arrived(new)
            self._merges.finish_logins(new)

        self._store.people(taken)

    def _take_in(self, stored: StoredPerson, rest: InMemory) -> None:
        person = self._people.restore_one(stored)
        person.program, person.used_secrets = rest.program, rest.used_secrets
        person.invited |= rest.invited
        self._unknown_tables.follow(*person.invited.values())
        person.lessons |= rest.lessons
        self._friends.forget(person.name)
        self._take_records(stored)
        self._rooms.seat(person)
        self._presence.start_grace_period(person)

    def _take_records(self, stored: StoredPerson) -> None:
        self._friends.forget(stored.kept.name)
        self._friends.restore({stored.kept.name: stored.friends})
        self._dailies.restore_begun(stored.dailies)

    # ------------------------------------------------------------------------ going away

    def _asked(self, data: bytes, reply: Callable[[bytes], None]) -> None:
        try:
            request = _REQUEST.decode(data)
        except DecodeError:
            return
        if request.tag in self._answers:
            reply(self._answers[request.tag])
            return
        person = self._people.exact(request.name)
        if person is not None and (_has_unstored(person) or self._has_sent(person)):
            reply(b"")  # ask again
            return
        if person is not None and _is_connected_since(person, request.secret):
            reply(json.encode(InMemory(stays=True)))
            return
        answer = json.encode(InMemory() if person is None else self._let_go(person))
        self._answers[request.tag] = b""
        self._clock.later(REPEATS_FOR, partial(self._answers.__delitem__, request.tag))
        self._leaving[request.name] += 1
        for left in self._readings:
            left.add(request.name)

        def moved() -> None:
            self._leaving -= Counter([request.name])
            self._answers[request.tag] = answer
            reply(answer)

        self._store.keep([PersonMoved(request.name, request.to)], moved)

    def _has_sent(self, person: Person) -> bool:
        """True if an order of theirs is on its way: orders from elsewhere must not overtake it."""
        rooms = [room for room in self._rooms.values() if isinstance(room, RemoteRoom)]
        return any(room.has_sent(person.name) for room in rooms)

    def _let_go(self, person: Person) -> InMemory:
        kept = person.used_secrets, person.invited, person.lessons
        rest = InMemory(False, person.program, *kept)
        self._seeks.withdraw(person.name)
        if person.session is not None:
            session, person.session = person.session, None
            self._connections.replace(session)
            self._elsewhere.leaves(PersonElsewhere(person.name, person.program))
            if self._lobby.tell_others is not None:
                self._lobby.tell_others(Offline(person.name))
        for room in self._rooms.of(person):
            person.tables.remove(room.id)
        self._people.let_go(person)
        return rest


def _is_connected_since(person: Person, secret: bytes) -> bool:
    """True if a person is connected, and their newest token no longer has this hash."""
    return person.session is not None and person.secret != secret


def _came_in(name: str) -> Refused:
    return Refused("BUSY", f"{name} has just come in elsewhere. Try again in a moment.")


def _has_unstored(person: Person) -> bool:
    """True if facts of the person are still on their way to the store."""
    return bool(person.pending or person.merge_waiters is not None or person.keyed.running)
