"""The last part of every login: the connection gets the account, which gets all the guest had.

The order of the steps makes sure that nothing is lost if the server stops between any two of them:

1. The account's `PersonKept` is stored, with the guest's secret as its previous one. If others
   could read the guest's token, a fingerprint is stored instead, which no token matches.
2. The login is acknowledged: the connection is the account's.
3. Every table renames the guest, as an order in its queue.
4. The guest is deleted from the store, and in the same transaction their inbox is stored as the
   account's.

If a start finds the secret of a guest in an account, the server stopped after 1 and before 4. It
then does steps 3 and 4 (`GuestMerges.finish_logins`). A server that takes the people of a dead one
does the same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.accounts import More
from twentytwo_protocol.words.lobby import Offline
from twentytwo_protocol.words.session import At

from ....answers import run
from ....facts import Fact
from ....session.streams import Stream
from ...cluster.homes import Homes
from ...guest_merge import GuestMerge, GuestMerges
from ...lobby.lobby import Lobby
from ...lobby.seeks import Seeks
from ...moderation.sanctions import Sanctions
from ...people.people import People, Person
from ...tables.rooms import AnyRoom, Rooms
from ..call import Call
from ..session.arrival import Arrivals


@dataclass(slots=True)
class Logins:
    """Logs connections in."""

    _people: People
    _rooms: Rooms
    _seeks: Seeks
    _lobby: Lobby
    _sanctions: Sanctions
    _arrivals: Arrivals
    _merges: GuestMerges
    _homes: Homes

    async def log_in(
        self,
        call: Call,
        name: str,
        facts: Sequence[Fact] = (),
        *,
        rows: Sequence[More] = (),
        welcome: str = "",
        is_valid: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """Makes the connection the account's, and gives the account what its guest had.

        Call it only after the password, token or proof was found right. `facts`, such as a new
        account, are stored in the same transaction; `rows` are part of the reply. It ends the
        command. Raises `Refused` only before anything has changed.

        `is_valid` looks up once more what was found right: the server that kept the person until
        now may have stored a new password in between.
        """
        arrivals, guest = self._arrivals, call.person
        call.link()
        self._sanctions.check_name(name)  # before the person is moved, and after it
        if guest is not None:
            self._merges.check_blocked(guest, name)
        person = await self._homes.account(name, call.link, program=call.session.bot)
        if self._homes.shared and is_valid is not None and not await is_valid():
            raise Refused("BAD_LOGIN", "It has just been changed at another server.")
        call.link()
        self._sanctions.check_name(name)
        if guest is not None:
            self._merges.check_seats(guest, person)
            self._seeks.withdraw(guest.name)
            guest.pending += 1  # the end of the grace period must not delete them meanwhile
        person.program = call.session.bot
        token = arrivals.fresh_token(call, person)
        if guest is not None:
            # Stored in the same fact as the account's own secret. From then on a start knows which
            # account the guest becomes, and the guest's token leads only to the account.
            self._people.adopt_secret(person, guest)
            # From now on mail for the guest waits: their inbox is about to become the account's.
            guest.merge_waiters = guest.merge_waiters or []
        arrival = await arrivals.keep(person, facts)

        # It is stored, so the merge must happen even if the connection has closed: otherwise only
        # the next start would do it.
        merging = self._merge(call, guest, person) if guest is not None else None
        here = arrivals.finish(call, person, arrival)
        if here:
            welcome = welcome or f"Welcome, {name}."
            if call.session.key is not None and not call.session.key.proved:
                welcome += " keys add lets your ssh log you in."
            self._acknowledge(call, person, _Welcome(token, rows, welcome), merging)
        if merging is not None:
            # The next command must not come earlier: a table that still has the guest's name would
            # not know who gives it.
            await run(self._merges.tell_tables(merging), call.fail)
        if here and self._people.on(call.session) is person:
            arrivals.come_back(call, person)

    def _merge(self, call: Call, guest: Person, person: Person) -> GuestMerge:
        """Merges the guest into the account in memory, and releases the mail that waited for it."""
        guest.pending -= 1
        if guest.session is not None and guest.session is not call.session:
            self._arrivals.replace_session(guest)  # another connection has resumed the guest
        merging = self._merges.begin(guest, person)
        held, guest.merge_waiters = guest.merge_waiters, None
        for moved in held or ():
            moved.callback(None)
        return merging

    def _acknowledge(
        self, call: Call, person: Person, welcome: _Welcome, merging: GuestMerge | None
    ) -> None:
        """Replies and gives the connection the account; events of the login come after this."""
        arrivals, rooms = self._arrivals, self._rooms.of(person)
        if call.session.current is None and rooms:
            call.session.current = rooms[-1].id
        at = [At(stream.name, stream.last) for stream in _streams(person, rooms)]
        told = [*welcome.rows, *(row for each in at for row in arrivals.position_rows(each))]
        text, token = welcome.text, welcome.token
        if call.people:
            back = f"If the line drops, resume {token} takes your seat back."
            text, told = f"{text}\n{back}" if token else text, []
        call.ok(*told, name=person.name, token=token, grace=arrivals.grace, text=text)
        if merging is not None:
            self._lobby.announce(Offline(merging.old))
        arrivals.arrive(call, person)
        arrivals.tell_news(call, person)


class _Welcome(Value):
    """The resume token, rows and text in the reply to a login."""

    token: str | None
    rows: Sequence[More]
    text: str


def _streams(person: Person, rooms: Sequence[AnyRoom]) -> list[Stream]:
    return [person.inbox, *(room.stream for room in rooms)]
