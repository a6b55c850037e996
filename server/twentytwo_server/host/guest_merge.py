"""Merges a guest into an account: first in memory, then at every table, last in the store.

Start this only once the account is stored together with the guest's secret, or its fingerprint.
`commands.accounts.guest_login` has the order of all steps, and the results of a crash between them:
a server that finds such a pair does the rest with `GuestMerges.finish_logins`.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import partial

from twisted.internet.defer import Deferred

from twentytwo_protocol.schema import Refused

from ..answers import run
from ..consequences import keep_then
from ..facts import Fact, GamesClaimed, PersonGone, WantedTables
from ..ports import Store
from ..session.streams import Entry, Stream
from ..table.decision import Actor
from ..table.effects import Renamed
from ..table.table import Phase, Table
from .config import LiveConfig
from .connections import Connections
from .faults import Faults
from .pairs import Pairs
from .people.inboxes import inbox_line, reserve_line
from .people.people import BLOCKED, INBOX_EVENTS, People, Person
from .personal_records import PersonalRecords
from .presence import Presence
from .results import Results
from .tables.order_queue import OrderResult
from .tables.pausable_clock import PausableClock
from .tables.remote_room import OrderUnanswered
from .tables.rooms import AnyRoom, Rooms
from .unknown_tables import UnknownTables

RENAMING = 5_000
"""Milliseconds in which the server of a table may rename a guest there, or the order is void."""


@dataclass(slots=True)
class GuestMerge:
    """A guest who becomes an account: `old` is the guest's name, `person` the account.

    `moved` are the facts about the guest's records and other people's blocks, `inbox` the lines of
    the guest's inbox. If the inbox is `adopted`, it becomes the account's; otherwise its lines are
    appended to the account's inbox.
    """

    old: str
    person: Person
    claimed: GamesClaimed
    moved: Sequence[Fact]
    inbox: Sequence[Entry]
    adopted: bool


@dataclass(slots=True)
class GuestMerges:
    """Merges guests into accounts: first `begin`, then await `tell_tables`.

    Until that is done both names lead to the account, and the account is `pending`, so that it is
    not forgotten.
    """

    _people: People
    _rooms: Rooms
    _pairs: Pairs
    _records: PersonalRecords
    _presence: Presence
    _results: Results
    _connections: Connections
    _store: Store
    _config: LiveConfig
    _faults: Faults
    _unknown_tables: UnknownTables
    _clock: PausableClock
    _waiting: list[Deferred[None]] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self._config.now.clustered:
            self._waiting = []

    def check_blocked(self, guest: Person, account: str) -> None:
        """Raises `Refused` if the guest and the account have blocked too many together."""
        if len(guest.blocked | self._people.blocked_by(account)) > BLOCKED:
            raise Refused(
                "QUOTA",
                f"You and {account} have blocked more than {BLOCKED} together; unblock some first.",
            )

    def check_seats(self, guest: Person, person: Person) -> None:
        """Raises `Refused` if the guest and the account have seats that one person may not have."""
        for room in self._rooms.of(person):
            twin = self._pairs.twin(room)
            if room.seat_number(guest) is not None:
                where = f"both have a seat at {room.id}"
            elif twin is not None and twin.seat_number(guest) is not None:
                where = f"have seats at {twin.id} and {room.id}, which are dealt the same"
            elif any(_same_daily(room.table, other.table) for other in self._rooms.of(guest)):
                where = f"both play the daily deal of {room.table.settings.day}"
            else:
                continue
            raise Refused("FORBIDDEN", f"You and {person.name} {where}; leave one of them first.")

    def begin(self, guest: Person, person: Person) -> GuestMerge:
        """Merges a guest and an account in memory, at once."""
        old = guest.name
        person.pending += 1  # until `tell_tables` is done
        blocks = self._people.merge(guest, person)
        moved = [*blocks, *self._records.rename(old, person.name)]
        claimed = GamesClaimed(person.name, old, guest.since)
        inbox = list(guest.inbox.after(0))
        adopted = person.inbox_reserved == 0
        if adopted:
            person.inbox = Stream("me", keep=INBOX_EVENTS, after=guest.inbox.oldest - 1)
            for entry in inbox:
                person.inbox.append(entry.event, at=entry.at)
            person.inbox_reserved = person.inbox.last
        guest.name, guest.session = person.name, None
        return GuestMerge(old, person, claimed, moved, inbox, adopted)

    async def tell_tables(self, merge: GuestMerge) -> None:
        """Renames the guest at every table, then removes the guest from memory and from the store.

        All tables get the order before the first await: whatever is ordered there later finds the
        new name. A server among others first waits until it knows the tables of those.
        """
        if self._waiting is not None:
            known: Deferred[None] = Deferred()
            self._waiting.append(known)
            await known
        tables = [room.id for room in self._rooms.values() if room.may_include(merge.old)]
        for told in [Deferred.fromCoroutine(self._rename_at(each, merge)) for each in tables]:
            await told
        self._keep_inbox(merge)
        self._people.forget_name(merge.old)
        merge.person.pending -= 1
        self._presence.release_if_expired(merge.person)

    def tables_known(self) -> None:
        """Goes on with the logins that wait for the tables of other servers."""
        waiting, self._waiting = self._waiting, None
        for known in waiting or ():
            known.callback(None)

    async def _rename_at(self, table: str, merge: GuestMerge) -> None:
        """Renames the guest at a table; returns when everybody there has been told.

        The games are claimed in the same transaction. A daily deal that ends after this order ends
        under the new name, and its result is stored only for a name that has begun the deal.
        """
        renamed = Renamed(merge.old, merge.person.name, merge.claimed.since)
        again = True
        while again and (room := self._rooms.get(table)) is not None:
            told: Deferred[bool] = Deferred()
            room.order(
                Actor(merge.old),
                renamed,
                partial(self._renamed_at, room, told),
                further=lambda _: (merge.claimed,),
            )
            again = await told

    def _renamed_at(self, room: AnyRoom, told: Deferred[bool], result: OrderResult) -> None:
        if isinstance(result.refusal, OrderUnanswered):
            told.callback(True)  # another server may own the table by now
        else:
            here = self._rooms.get(room.id, room)
            here.when_told(lambda: told.callback(False))

    def _keep_inbox(self, merge: GuestMerge) -> None:
        """Deletes the guest from the store and stores the guest's inbox as the account's, together.

        If the account had an inbox before, the guest's lines are appended to it.
        """
        person, gone = merge.person, PersonGone(merge.old)
        more: list[Fact] = [person.blocks] if person.blocked else []
        more += (*person.keyed.facts(), *merge.moved)
        told = partial(self._results.tell, [person.name])  # what the guest has not been told
        if merge.adopted:
            lines = [inbox_line(person, each.seq, each.event, each.at) for each in merge.inbox]
            self._store.keep([merge.claimed, gone, *more, *lines], told)
            return

        def safe() -> None:
            told()
            for each in merge.inbox:
                person.inbox.append(each.event, at=each.at)

        lines = [reserve_line(person, each.event, each.at) for each in merge.inbox]
        keep_then(self._store, [merge.claimed, gone, *more, *lines], safe)

    def finish_logins(self, names: Set[str] | None = None) -> None:
        """Finishes the logins that were in progress when the server stopped that kept the people.

        `names` are the people of another server whom this one has taken. At a start there are none:
        call it once then, when all tables of this server are rebuilt.
        """
        for guest, person in self._people.unfinished_logins():
            if names is None or names & {guest.name, person.name}:
                if guest.session is not None:
                    self._connections.replace(guest.session)
                work = self._finish(self.begin(guest, person))
                run(work, lambda _: self._faults.log("a login from before the start"))

    async def _finish(self, merge: GuestMerge) -> None:
        """Finishes a login that another server, or an earlier run of this one, has begun.

        That one may have sent orders to other servers just before it died. The name stays taken
        until none of them can be carried out: they would rename the next guest of that name.
        """
        if self._config.now.clustered:
            void: Deferred[None] = Deferred()
            self._clock.later(RENAMING, partial(void.callback, None))
            await void
        both = merge.old, merge.person.name
        await self._unknown_tables.looked_for(WantedTables(people=both))
        await self.tell_tables(merge)


def _same_daily(one: Table, other: Table) -> bool:
    """True if one daily deal is being played at both tables."""
    tables = (one, other)
    deals = {(each.game.key, each.settings.day) for each in tables}
    return one.kind.once and len(deals) == 1 and all(t.phase is Phase.PLAYING for t in tables)
