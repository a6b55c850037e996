"""The dispatcher: reads every line of a connection and gives its command to the handler.

It imports the handlers; they do not import it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from twentytwo_protocol.awaiting import awaited
from twentytwo_protocol.cards import Deck
from twentytwo_protocol.framing import Flaw
from twentytwo_protocol.schema import STREAM, Command, Deed, GameMove, Refused, Stage
from twentytwo_protocol.wire import write_command
from twentytwo_protocol.words.cardplay import Turn
from twentytwo_protocol.words.lessons import Tutorial
from twentytwo_protocol.words.looking import Hint
from twentytwo_protocol.words.replies import Ok
from twentytwo_protocol.words.session import Pong

from ...answers import start
from ...consequences import Consequence, Consequences
from ...ports import Link
from ...session.recipient import Mode
from ...session.requests import Request
from ...session.session import Session
from ...table import teaching
from ...table.decision import Actor
from ...table.effects import Back
from ..clock_warnings import warn_of_clocks
from ..host import Host
from ..moderation.sanctions import until
from ..people.people import Person
from ..recovery.restoring import Restoring
from .call import Bound, Call, Handlers
from .confirmations import answered_by_move, asked_again
from .parts import Parts

log = logging.getLogger("twentytwo.host")


class _StreamsOf(dict[type[Command], tuple[str, ...]]):
    """The arguments of each command that name a table or stream, computed once."""

    def __missing__(self, kind: type[Command]) -> tuple[str, ...]:
        self[kind] = tuple(field.attr for field in kind.word.fields if field.kind is STREAM)
        return self[kind]


_STREAMS_OF = _StreamsOf()


class Dispatcher:
    """The interface for connections: first `attach`, then `line` for every line, then `detach`.

    Commands about tables that are still being rebuilt wait for `restoring`.
    """

    def __init__(self, host: Host, handlers: Handlers, restoring: Restoring) -> None:
        self.host = host
        bind = Parts(host.parts()).bind
        self._handlers = {kind: bind(handler) for kind, handler in handlers.items()}
        self._restoring = restoring

    def attach(self, session: Session, link: Link) -> None:
        """Registers a new connection."""
        self.host.connections.add(session, link)
        self.host.availability.warn_newcomer(session)

    def detach(self, session: Session) -> None:
        """Ends a connection; the person's seats are kept for the grace period."""
        self.host.presence.detach(session)

    def seated(self, session: Session) -> bool:
        """True if the person on this connection has a seat."""
        person = self.host.people.on(session)
        return person is not None and bool(self.host.rooms.of(person))

    def each_second(self, session: Session) -> None:
        """Warns a person of the clocks that run at their tables."""
        person = self.host.people.on(session)
        if person is not None:
            warn_of_clocks(session, person, self.host.rooms, self.host.clock.now())

    def line(self, session: Session, line: str | Flaw, done: Callable[[], None]) -> None:
        """Carries out a line. `done` is called when the next line may come.

        That is when this line is answered and its consequences are sent.
        """
        deck, asked, go_on, expected = self._reading_context(session)
        request = session.hear(line, deck, asked, awaited=expected, go_on=go_on)
        if request is None:
            done()
            return
        if not self._restoring.must_wait(
            session, request.command, lambda: self._obey(session, request, done)
        ):
            self._obey(session, request, done)

    def _obey(self, session: Session, request: Request, done: Callable[[], None]) -> None:
        with Consequence(Consequences(done)):
            self._carry_out_request(session, request, Consequence().end)

    def _carry_out_request(
        self, session: Session, request: Request, done: Callable[[], None]
    ) -> None:
        command = request.command
        verb = "a refused line" if command is None else command.word.word
        person = self.host.people.on(session)
        call = Call(self.host, session, person, request.id, done, verb, request.typed)
        log.debug("%s: %s", session.name or "somebody new", verb)
        if request.command is not None:
            for attr in _STREAMS_OF[type(request.command)]:
                if about := getattr(request.command, attr):
                    call.is_about(about)
        try:
            working = self._begin(call, request)
            if isinstance(request.command, GameMove):
                answered_by_move(session)
        except Exception as wrong:
            call.ended(wrong)
        else:
            if working is None:
                call.ended()
            else:
                start(working, call.ended)
        if (
            person is None or person.session is not session
        ):  # the command may have changed the person
            person = self.host.people.on(session)
        if person is not None and not isinstance(request.command, Pong):
            self._awake(person)

    def _awake(self, person: Person) -> None:
        """Gives a person who has sent a command their seat back from the stand-in bot."""
        for room in self.host.rooms.of(person):
            seat = room.table.seat_of(person.name)
            if seat is not None and seat.standin:
                room.order(Actor(seat.name), Back(seat.name))

    def _begin(self, call: Call, request: Request) -> Coroutine[Any, Any, None] | None:
        """Carries out a command; returns the rest of it as a coroutine if it has to wait."""
        self._check_rate(call, request.command)
        if request.refusal is not None:
            raise request.refusal
        assert request.command is not None
        if type(request.command).stage is Stage.NAMED and call.person is None:
            raise Refused("LOGIN_FIRST", "Give a name first, for example: guest ann")
        if request.once and request.command.once:
            return self._carry_out_once(call, request.command, request.once)
        return self._carry_out(call, request.command)

    def _carry_out(self, call: Call, command: Command) -> Coroutine[Any, Any, None] | None:
        """Calls the handler, unless the sender is muted or the server is draining."""
        if command.begins:
            call.host.availability.check_not_draining()
        if command.is_heard:
            self._check_muted(call)
        return self.handler(type(command))(call, command)

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

    def handler(self, kind: type[Command]) -> Bound:
        """The handler of a command; the moves of all games have the same one."""
        return self._handlers[Deed if issubclass(kind, Deed) else kind]

    def _check_rate(self, call: Call, command: Command | None) -> None:
        """Raises `Refused` (RATE) if commands come too fast.

        Moves in turn and commands of cost 0 do not count.
        """
        cost = self._cost(call.session, command)
        if not cost or (isinstance(command, GameMove) and self._on_turn(call.person)):
            return
        link = self.host.connections.link(call.session)
        heard = command is not None and command.is_heard
        wait = link.rate_wait(cost, heard) if link else 0
        if wait:
            self.host.metrics.limited["talk" if heard else "commands"] += 1
            raise Refused(
                "RATE",
                f"Too many commands at once; try again in {max(wait, 100) / 1000:.1f} s.",
                wait=wait,
            )

    def _cost(self, session: Session, command: Command | None) -> int:
        """The cost of a line for the rate limit.

        A line that is no command costs 1, and so does a command that a lesson has suggested.
        """
        if isinstance(command, Hint | Tutorial):
            room = self.host.rooms.meant(session)
            if room is not None and teaching.suggests(room.table, type(command).word.word):
                return 1
        return command.cost if command is not None else 1

    def _check_muted(self, call: Call) -> None:
        """Raises `Refused` if the operator has muted the person."""
        mute = call.person and self.host.sanctions.mute_of(call.person.name)
        if mute:
            raise Refused("FORBIDDEN", f"You are muted {until(mute)}")

    def _on_turn(self, person: Person | None) -> bool:
        if person is None:
            return False
        for room in self.host.rooms.of(person):
            seat = room.table.on_turn
            if seat is not None and seat.name == person.name:
                return True
        return False

    def _reading_context(self, session: Session) -> tuple[Deck | None, Turn | None, str, str]:
        """What helps to read a person's line: the deck of the game that runs at their table, and
        the open question if it is theirs; both are None if no game runs. Then the line that goes on
        where a lesson waits for that, and how what is awaited of them is answered, or empty ones.
        """
        room = self.host.rooms.meant(session) if session.mode is not Mode.PROGRAM else None
        answer = asked_again(session, self.host.clock.now())
        if room is None:
            return None, None, "", answer
        go_on = teaching.next_line(room.table)
        seat = room.seat_number(self.host.people.on(session))
        answer = answer or awaited(room.model(seat))
        if seat is None or room.table.match is None or room.table.match.over:
            return None, None, go_on, answer
        question = room.table.match.question
        mine = question if question is not None and question.seat == seat else None
        return room.table.game.deck, mine, go_on, answer
