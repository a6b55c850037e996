"""The dispatcher: reads every line of a connection and gives its command to the handler.

It imports the handlers; they do not import it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from twentytwo_protocol.framing import Flaw
from twentytwo_protocol.schema import COMMANDS, STREAM, Command, Deed, GameMove, Refused, Stage
from twentytwo_protocol.wire import write_command
from twentytwo_protocol.words.replies import Ok
from twentytwo_protocol.words.session import Pong

from ...answers import Running
from ...consequences import Consequences, current
from ...facts import WantedTables
from ...ports import Link
from ...session.recipient import PROGRAM
from ...session.requests import Request
from ...session.session import Session
from ...table.decision import Actor
from ...table.effects import Back
from ..availability import Availability
from ..clock_warnings import ClockWarnings
from ..connections import Connections
from ..parts import Parts
from ..people.people import People, Person
from ..presence import Presence
from ..recovery.restoring import Restoring
from ..tables.rooms import Rooms
from ..unknown_tables import UnknownTables
from .admission import Admission
from .call import Bound, Call, CommandServices, Handlers
from .confirmations import answered_by_move
from .line_context import LineContext

log = logging.getLogger("twentytwo.host")


class _StreamsOf(dict[type[Command], tuple[str, ...]]):
    """The arguments of each command that name a table or stream, computed once."""

    def __missing__(self, kind: type[Command]) -> tuple[str, ...]:
        self[kind] = tuple(field.attr for field in kind.word.fields if field.kind is STREAM)
        return self[kind]


_STREAMS_OF = _StreamsOf()

BoundHandlers: TypeAlias = Mapping[type[Command], Bound]
"""The handler of each command, with its parts."""


@dataclass(slots=True)
class Dispatcher:
    """The interface for connections: first `attach`, then `line` for every line, then `detach`.

    Commands about tables that are still being rebuilt wait for `_restoring`, those about tables
    that only other servers know for `_unknown_tables`: after the rate limit, because it is dear to
    begin to follow a table.
    """

    _people: People
    _rooms: Rooms
    _connections: Connections
    _presence: Presence
    _availability: Availability
    _warnings: ClockWarnings
    _line_context: LineContext
    _admission: Admission
    _services: CommandServices
    _restoring: Restoring
    _unknown_tables: UnknownTables
    _handlers: BoundHandlers

    def attach(self, session: Session, link: Link) -> None:
        """Registers a new connection."""
        self._connections.add(session, link)
        self._availability.warn_newcomer(session)

    def detach(self, session: Session) -> None:
        """Ends a connection; the person's seats are kept for the grace period."""
        self._presence.detach(session)

    def seated(self, session: Session) -> bool:
        """True if the person on this connection has a seat."""
        person = self._people.on(session)
        return person is not None and bool(self._rooms.of(person))

    def each_second(self, session: Session) -> None:
        """Warns a person of the clocks that run at their tables."""
        self._warnings.warn(session)

    def completions(self, session: Session, text: str) -> Iterator[tuple[str, str]]:
        """The completions of a person's half-typed line: the end to replace, its replacement."""
        return self._line_context.completions(session, text)

    def line(self, session: Session, line: str | Flaw, done: Callable[[], None]) -> None:
        """Carries out a line. `done` is called when the next line may come.

        That is when this line is answered and its consequences are sent.
        """
        if session.mode is PROGRAM:
            request = session.hear(line)
        else:
            deck, asked, go_on, expected = self._line_context.read_in(session)
            request = session.hear(line, deck, asked, awaited=expected, go_on=go_on)
        if request is None:
            done()
            return
        if self._restoring.done:
            self._obey(session, request, done)
            return

        def obey() -> None:
            self._obey(session, request, done)

        if not self._restoring.must_wait(session, request.command, obey):
            obey()

    def _obey(self, session: Session, request: Request, done: Callable[[], None]) -> None:
        consequences = Consequences(done, 2)  # the end of the command, and of this call
        outer = current.set(consequences)
        try:
            self._carry_out_request(session, request, consequences.end)
        finally:
            current.reset(outer)
            consequences.end()

    def _carry_out_request(
        self, session: Session, request: Request, done: Callable[[], None]
    ) -> None:
        command = request.command
        verb = "a refused line" if command is None else command.word.word
        person = self._people.on(session)
        call = Call(session, person, request.id, done, self._services, verb, request.typed)
        log.debug("%s: %s", session.name or "somebody new", verb)
        if request.command is not None:
            for attr in _STREAMS_OF[type(request.command)]:
                if about := getattr(request.command, attr):
                    call.is_about(about)
        try:
            working = self._begin(call, request)
            if session.mode is not PROGRAM and isinstance(request.command, GameMove):
                answered_by_move(session)
        except Exception as wrong:
            call.ended(wrong)
        else:
            if working is None:
                call.ended()
            else:
                Running(working, call.ended)
        if (
            person is None or person.session is not session
        ):  # the command may have changed the person
            person = self._people.on(session)
        if person is not None and type(request.command) is not Pong:
            self._awake(person)

    def _awake(self, person: Person) -> None:
        """Gives a person who has sent a command their seat back from the stand-in bot."""
        for room in self._rooms.of(person):
            seat = room.table.seat_of(person.name)
            if seat is not None and seat.standin:
                room.order(Actor(seat.name), Back(seat.name))

    def _begin(self, call: Call, request: Request) -> Coroutine[Any, Any, None] | None:
        """Carries out a command; returns the rest of it as a coroutine if it has to wait."""
        self._admission.check_rate(call, request.command)
        if request.refusal is not None:
            raise request.refusal
        assert request.command is not None
        if call.person is None and type(request.command).stage is Stage.NAMED:
            raise Refused("LOGIN_FIRST", "Give a name first, for example: guest ann")
        if request.once and request.command.once:
            return self._carry_out_once(call, request.command, request.once)
        return self._carry_out(call, request.command)

    def _carry_out(self, call: Call, command: Command) -> Coroutine[Any, Any, None] | None:
        """Calls the handler, unless the sender is muted or the server is draining."""
        if command.begins:
            self._availability.check_not_draining()
        if command.is_heard:
            self._admission.check_muted(call)
        unknown = self._unknown_tables.named_by(command)
        if unknown is not None:
            return self._carry_out_later(call, command, unknown)
        return self._handlers[type(command)](call, command)

    async def _carry_out_later(self, call: Call, command: Command, unknown: WantedTables) -> None:
        """Calls the handler when this server knows the tables of the command."""
        await self._unknown_tables.need(unknown)
        call.link()
        working = self._handlers[type(command)](call, command)
        if working is not None:
            await working

    async def _carry_out_once(self, call: Call, command: Command, key: str) -> None:
        if not await self._was_done(call, command, key):
            working = self._carry_out(call, command)
            if working is not None:
                await working

    async def _was_done(self, call: Call, command: Command, key: str) -> bool:
        """Repeats the answer if a command was carried out under this key; False if none was.

        First it waits for a running command with the key, perhaps of an earlier connection. Raises
        `Refused`.
        """
        keyed, said = call.me.keyed, write_command(command)
        while (under_way := keyed.wait(key)) is not None:
            await call.if_connected(under_way)
        fields = keyed.answer(key, said)
        if fields is not None:
            known = {
                field.attr for field in Ok.word.fields
            }  # an older version may have had other fields
            call.ok(**{key: fields[key] for key in fields if key in known}, again=True)
            return True
        keyed.begin(key)
        call.once, call.said = key, said
        return False


def dispatcher(parts: Parts, handlers: Handlers) -> Dispatcher:
    """The dispatcher of a host. Raises `NoSuchPart` if a handler declares what is no part."""
    own = Parts(parts)
    bound = {kind: own.bind(handler) for kind, handler in handlers.items()}
    if Deed in bound:  # the moves of all games have the same handler
        bound |= {kind: bound[Deed] for kind in COMMANDS.values() if issubclass(kind, Deed)}
    own[BoundHandlers] = bound
    return own.make(Dispatcher)
