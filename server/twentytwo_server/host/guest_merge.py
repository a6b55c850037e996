"""A guest who has become an account: everything of theirs is the account's, here and at the tables.

The order of things is so that a server that stops in between loses nothing: first the account is
kept with the guest's secret beside its own (or, where others could read that, with a trace of it
that opens nothing), then it is acknowledged, then every table learns the new name, and only then is
the guest forgotten. A start that finds both finishes it.
"""

from __future__ import annotations

from ..answers import ask, run
from ..facts import PersonGone
from ..session.streams import Stream
from ..table.effects import Renamed
from .host import Host
from .people.inboxes import inbox_line, reserve_line
from .people.people import INBOX, Person
from .tables.room import SERVER


class GuestMerge:
    """A guest on the way to being an account: everything is the account's at once, in memory.

    The tables learn it one by one, each when what it was told before is kept; until then the
    guest's name means the account.
    """

    def __init__(self, host: Host, guest: Person, person: Person) -> None:
        self.old = guest.name
        self._host = host
        self._person = person
        person.pending += 1  # until all is kept
        host.people.merge(guest, person)
        host.set_aside.rename(self.old, person.name)
        self._inbox = list(guest.inbox.after(0))
        self._adopted = person.inbox_reserved == 0
        if self._adopted:
            person.inbox = Stream("me", keep=INBOX, after=guest.inbox.oldest - 1)
            for entry in self._inbox:
                person.inbox.append(entry.event, at=entry.at)
            person.inbox_reserved = person.inbox.last
        guest.name, guest.session = person.name, None

    async def tell_tables(self) -> None:
        """Renames them wherever they are, and then forgets the guest.

        All tables are given the order before this waits for the first of them.
        """
        rooms = [room for room in self._host.rooms.values() if room.may_include(self.old)]
        renamed = Renamed(self.old, self._person.name)
        for told in [ask(room.order, SERVER, renamed) for room in rooms]:
            await told
        self._keep_inbox()
        self._host.people.forget_name(self.old)
        self._person.pending -= 1
        self._host.release_if_expired(self._person)

    def _keep_inbox(self) -> None:
        """Forgets the guest, and keeps what was in their inbox as the account's.

        Behind what is there already, where the account has an inbox of its own. Whom they have
        blocked is kept with it.
        """
        person, gone = self._person, PersonGone(self.old)
        blocks = [person.blocks] if person.blocked else []
        if self._adopted:
            lines = [inbox_line(person, each.seq, each.event, each.at) for each in self._inbox]
            self._host.store.keep([gone, *blocks, *lines], lambda: None)
            return

        def safe() -> None:
            for each in self._inbox:
                person.inbox.append(each.event, at=each.at)

        lines = [reserve_line(person, each.event, each.at) for each in self._inbox]
        self._host.store.keep([gone, *blocks, *lines], safe)


def finish_logins(host: Host) -> None:
    """After a start: who had logged in when the server stopped is the account everywhere."""
    for guest, person in host.people.unfinished_logins():
        work = GuestMerge(host, guest, person).tell_tables()
        run(work, lambda _: host.fault("a login from before the start"))
