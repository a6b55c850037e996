"""Merges a guest into an account: first in memory, then at every table, last in the store.

Start this only once the account is stored together with the guest's secret, or its fingerprint.
`commands.accounts.guest_login` has the order of all steps, and the results of a crash between them:
a start that finds such a pair does the rest with `finish_logins`.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred

from ..answers import run
from ..consequences import keep_then
from ..facts import Fact, GamesClaimed, PersonGone
from ..session.streams import Stream
from ..table.effects import Renamed
from .host import Host
from .people.inboxes import inbox_line, reserve_line
from .people.people import INBOX, Person
from .tables.order_queue import SERVER
from .tables.room import Room


class GuestMerge:
    """Merges one guest into one account.

    The constructor merges them in memory at once. Then await `tell_tables`. Until that is done both
    names lead to the account, and the account is `pending`, so that it is not forgotten.
    """

    def __init__(self, host: Host, guest: Person, person: Person) -> None:
        self.old = guest.name
        self._host = host
        self._person = person
        person.pending += 1  # until `tell_tables` is done
        host.people.merge(guest, person)
        host.set_aside.rename(self.old, person.name)
        self._moved = [*host.sanctions.rename(self.old, person.name)]
        self._moved += host.reports.rename(self.old, person.name)
        host.dailies.rename(self.old, person.name)
        self._since = guest.since
        self._claimed = GamesClaimed(person.name, self.old, self._since)
        self._inbox = list(guest.inbox.after(0))
        self._adopted = person.inbox_reserved == 0
        if self._adopted:
            person.inbox = Stream("me", keep=INBOX, after=guest.inbox.oldest - 1)
            for entry in self._inbox:
                person.inbox.append(entry.event, at=entry.at)
            person.inbox_reserved = person.inbox.last
        guest.name, guest.session = person.name, None

    async def tell_tables(self) -> None:
        """Renames the guest at every table, then removes the guest from memory and from the store.

        All tables get the order before the first await: whatever is ordered there later finds the
        new name.
        """
        rooms = [room for room in self._host.rooms.values() if room.may_include(self.old)]
        for told in [self._rename_at(room) for room in rooms]:
            await told
        self._keep_inbox()
        self._host.people.forget_name(self.old)
        self._person.pending -= 1
        self._host.presence.release_if_expired(self._person)

    def _rename_at(self, room: Room) -> Deferred[None]:
        """Renames the guest at a table; fires when everybody there has been told.

        The games are claimed in the same transaction. A daily deal that ends after this order ends
        under the new name, and its result is stored only for a name that has begun the deal.
        """
        told: Deferred[None] = Deferred()
        renamed = Renamed(self.old, self._person.name, self._since)
        room.order(SERVER, renamed, kept=lambda _: (self._claimed,))
        room.when_told(lambda: told.callback(None))
        return told

    def _keep_inbox(self) -> None:
        """Deletes the guest from the store and stores the guest's inbox as the account's, together.

        If the account had an inbox before, the guest's lines are appended to it.
        """
        person, gone = self._person, PersonGone(self.old)
        more: list[Fact] = [person.blocks] if person.blocked else []
        more += (*person.keyed.facts(), *self._moved)
        if self._adopted:
            lines = [inbox_line(person, each.seq, each.event, each.at) for each in self._inbox]
            self._host.store.keep([self._claimed, gone, *more, *lines], lambda: None)
            return

        def safe() -> None:
            for each in self._inbox:
                person.inbox.append(each.event, at=each.at)

        lines = [reserve_line(person, each.event, each.at) for each in self._inbox]
        keep_then(self._host.store, [self._claimed, gone, *more, *lines], safe)


def finish_logins(host: Host) -> None:
    """Finishes the logins that were in progress when the server stopped.

    Call it once at a start, when all tables are rebuilt.
    """
    for guest, person in host.people.unfinished_logins():
        work = GuestMerge(host, guest, person).tell_tables()
        run(work, lambda _: host.faults.log("a login from before the start"))
