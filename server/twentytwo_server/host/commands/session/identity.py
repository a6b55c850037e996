"""Identity: hello, guest, resume, whoami, logout, quit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from twentytwo_protocol.schema import Refused
from twentytwo_protocol.voice import listed
from twentytwo_protocol.words import session as words
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.seating import Leave, Unwatch
from twentytwo_protocol.words.session import At

from ....accounts.names import skeleton
from ....ports import Store
from ....session.recipient import Mode
from ...availability import Availability
from ...cluster.homes import Homes
from ...config import LiveConfig
from ...connections import Connections
from ...holdings import Holdings
from ...lobby.seeks import Seeks
from ...lobby.table_list import TableList
from ...moderation.sanctions import Sanctions
from ...people.elsewhere import Elsewhere
from ...people.people import People, Person
from ...presence import Presence
from ...tables.pausable_clock import PausableClock
from ...tables.rooms import Rooms
from ...token_alarm import TokenAlarm
from ...unknown_tables import UnknownTables
from ..call import Call, Handlers
from ..confirmations import asks_first, cost_of_leaving, lost_at
from ..long_answers import LongAnswers
from .arrival import Arrivals
from .catching_up import CatchingUp, MissedStreams, Position, read_positions


def hello(
    call: Call,
    command: words.Hello,
    config: LiveConfig,
    connections: Connections,
    availability: Availability,
) -> None:
    """Answers a program's `hello`: from then on the connection is in program mode."""
    if call.session.mode is Mode.PEOPLE:
        raise Refused("WRONG_MODE", "hello 1 must be the first line; here people type.")
    if call.session.greeted:
        raise Refused("WRONG_MODE", "You have said hello already.")
    try:
        ok = call.session.greet(command, config.now.boot)
    except Refused as unspoken:
        call.refuse(unspoken)
        connections.hang_up(call.session)
        return
    call.ok(**{f.attr: getattr(ok, f.attr) for f in ok.word.fields})
    availability.warn_newcomer(call.session)


def caps(call: Call, command: words.Caps) -> None:
    """Turns capabilities on and off; the answer already has the new form."""
    if not call.session.greeted:
        raise Refused("WRONG_MODE", "Capabilities are for programs, which say hello 1 first.")
    if command.caps is not None:
        call.session.turn_on(command.caps)
    call.ok(knows=call.session.known, caps=call.session.capabilities)


@dataclass(slots=True)
class Welcome:
    """The text that greets a new guest."""

    _people: People
    _elsewhere: Elsewhere
    _table_list: TableList
    _seeks: Seeks

    def text(self, person: Person, wanted: str, token: str) -> str:
        """The greeting for a person, with the line that takes the seat back. If the name `wanted`
        was taken, it says why.
        """
        wanted = wanted.removeprefix("~")
        taken = ""
        if person.name.lower() != f"~{wanted}".lower():
            taken = f" ({self._why_taken(wanted)})"
        here = sum(1 for _ in self._elsewhere.connected())
        tables = len(self._table_list)
        about = (
            f"{tables} open {'table' if tables == 1 else 'tables'}" if tables else "no table yet"
        )
        told = self._seeks.told_to(person.name)
        seeks = f"{told}\n" if told else ""
        return (
            f"Welcome, {person.name}{taken}. {here} here, {about}.\n"
            f"{seeks}"
            "tutorial teaches you in four minutes, practice plays at once, help explains.\n"
            f"If the line drops, resume {token} takes your seat back."
        )

    def _why_taken(self, wanted: str) -> str:
        account = self._people.skeletons.get(skeleton(wanted))
        if account is not None:
            return f"{account} is an account; if it is yours, login {account}"
        before = self._people.find(f"~{wanted}")
        if before is not None and before.session is None:
            return f"{before.name} is away; if that is you, logout, then type your resume line"
        return f"~{wanted} is here already"


@dataclass(slots=True)
class NewGuests:
    """Makes guests, each with a name that nobody has."""

    _people: People
    _arrivals: Arrivals
    _homes: Homes

    async def make(self, call: Call, name: str) -> tuple[Person, str]:
        """A new guest, and their token. Raises `Refused`."""
        people, link = self._people, call.link()
        passed_over: list[Person] = []  # guests of other servers have their names
        try:
            while True:
                person = people.add_guest(name, program=call.session.bot)
                people.settle(person, link.network, link.share)
                token = people.new_token(person, private=self._arrivals.is_private(call))
                if await self._homes.claim(person):
                    return person, token
                passed_over.append(person)
        finally:
            for each in passed_over:
                people.let_go(each)


async def guest(
    call: Call,
    command: words.Guest,
    holdings: Holdings,
    arrivals: Arrivals,
    welcome: Welcome,
    guests: NewGuests,
) -> None:
    """Gives the connection a new guest."""
    if call.person is not None:
        raise Refused("FORBIDDEN", f"You are {call.person.name} already; logout gives the name up.")
    holdings.check_guest(call.link())
    person, token = await guests.make(call, command.name)
    arrival = await arrivals.keep(person)
    if not arrivals.finish(call, person, arrival):
        return
    arrivals.arrive(call, person)
    text = f"Hello, {person.name}."
    if call.people:
        text = welcome.text(person, command.name, token)
    call.ok(name=person.name, token=token, grace=arrivals.grace, text=text)


@dataclass(slots=True)
class Resumption:
    """Gives a connection the person with a token, and sends the missed events.

    The missed events come before the reply. The order of steps matters:

    1. Everything that can be refused is refused first, since step 2 makes older tokens invalid, and
       since a person who comes from another server loses the connection there.
    2. The new token is made and stored, and only then sent: a restart never forgets a token that
       somebody holds. The token that was used stays valid until the new one is used, because the
       reply may be lost.
    3. Once that is stored the connection is the person's, and new events reach it.
    4. The missed events are read from the streams only now, and new events are held back until
       those are sent. So no event is left out or sent twice.
    """

    _people: People
    _store: Store
    _sanctions: Sanctions
    _rooms: Rooms
    _arrivals: Arrivals
    _missed: MissedStreams
    _homes: Homes
    _unknown: UnknownTables
    _alarm: TokenAlarm
    _long_answers: LongAnswers

    async def resume(self, call: Call, command: words.Resume, same_boot: bool) -> None:
        """Takes the steps that the docstring of the class lists. Raises `Refused`."""
        positions = read_positions(command.streams)
        elsewhere = await self._homes.keeper_by_token(command.token)
        if elsewhere is not None:
            self._check(call, elsewhere.name)
            await self._homes.bring(elsewhere.name, call.link, elsewhere.secret)
        elif known := self._people.name_by_token(command.token):
            await self._unknown.loaded(known)
            call.link()
        arrivals, person = self._arrivals, self._whose(command.token)
        self._check(call, person.name)
        mine = self._rooms.of(person)
        seated = {room.id: (room.stream, room.models.seat_then(person.name)) for room in mine}
        person.program = person.program or call.session.bot
        private = arrivals.is_private(call)
        token = self._people.new_token(person, command.token, private=private)
        arrival = await arrivals.keep(person)
        if arrivals.finish(call, person, arrival):
            # From here on new events go to this connection, also while the missed ones are sent.
            arrivals.arrive(call, person)
            call.person = person
            catching_up = CatchingUp(call, same_boot, seated)
            await self._long_answers.run(call, self._catch_up(catching_up, positions, token))

    def _whose(self, token: str) -> Person:
        """The person with this token. Raises `Refused` if it is not valid."""
        try:
            return self._people.by_token(token)
        except Refused:
            self._alarm.used(token)
            raise

    def _check(self, call: Call, name: str) -> None:
        """Raises `Refused` if the person may not come in on this connection."""
        if not name.startswith("~"):
            self._arrivals.check_private(call)
            self._sanctions.check_name(name)

    async def _catch_up(self, to: CatchingUp, positions: Sequence[Position], token: str) -> None:
        call, person, arrivals = to.call, to.call.me, self._arrivals
        rooms = self._rooms.of(person)
        call.session.current = rooms[-1].id if rooms else None
        person.pending += 1  # the person must not be forgotten while the missed events are sent
        try:
            at = await self._missed.send(to, positions)
        finally:
            person.pending -= 1
        rooms = self._rooms.of(person)
        named = [on for on, _ in positions]
        # If the reply to a join was lost, the client does not know the table and cannot name it.
        at += [At(room.id, room.stream.last) for room in rooms if room.id not in named]
        rows = [row for each in at for row in arrivals.position_rows(each)]
        text = "Welcome back."
        if call.people:
            text = f"Welcome back, {person.name}. Next time: resume {token}"
            rows = []
        call.ok(*rows, name=person.name, token=token, grace=arrivals.grace, text=text)
        arrivals.tell_news(call, person, named)
        arrivals.come_back(call, person)


async def resume(
    call: Call, command: words.Resume, resumption: Resumption, config: LiveConfig
) -> None:
    """Gives the connection the person with this token, and sends the missed events."""
    if call.person is not None:
        text = f"You are {call.person.name} already: logout first, then resume again."
        raise Refused("FORBIDDEN", text)
    boot = command.boot
    if boot is None and not config.now.clustered:
        boot = config.now.boot  # among several servers the numbers may be those of another one
    await resumption.resume(call, command, boot == config.now.boot)


def whoami(call: Call, _: words.Whoami, rooms: Rooms) -> None:
    """Tells the person's name and seats."""
    seats = ", ".join(room.id for room in rooms.of(call.me))
    at = f", with a seat at {seats}" if seats else ""
    guest = ", a guest" if call.me.guest else ""
    call.ok(name=call.me.name, text=f"You are {call.me.name}{guest}{at}.")


async def logout(
    call: Call,
    _: words.Logout,
    arrivals: Arrivals,
    rooms: Rooms,
    presence: Presence,
    clock: PausableClock,
) -> None:
    """Gives up the person's name, seats and tokens; the connection stays open."""
    person = call.me
    lost = lost_at(call, rooms.of(person))
    if asks_first(call, clock, cost_of_leaving(lost, rooms.of(person))):
        return
    await arrivals.revoke(person)
    call.ok(lost=lost, text="You have no name now. guest NAME gives you one.")
    for room in rooms.of(person):
        room.order(call.who, Leave())
    for room in [r for r in rooms.values() if person.name in r.table.watchers]:
        room.order(call.who, Unwatch())
    presence.log_out(person)


def quit(call: Call, _: words.Quit, rooms: Rooms, connections: Connections) -> None:
    """Says goodbye and closes the connection; the person's seats are kept for the grace period."""
    name = call.person.name if call.person else None
    text = f"Goodbye, {name}." if name else "Goodbye."
    kept = [room.id for room in rooms.of(call.me)] if name and call.people else []
    if kept:
        back = "your resume line takes it back" if call.me.guest else "login takes it back"
        text = f"Your seat at {listed(kept)} is kept for a while: {back}.\n{text}"
    if call.session.mode is Mode.PROGRAM:
        call.ok()
    call.session.notice(Bye("QUIT", bool(call.person), text=text))
    connections.hang_up(call.session)


HANDLERS: Handlers = {
    words.Hello: hello,
    words.Caps: caps,
    words.Guest: guest,
    words.Resume: resume,
    words.Whoami: whoami,
    words.Logout: logout,
    words.Quit: quit,
}
