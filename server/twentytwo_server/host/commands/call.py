"""A command in progress: its sender, and the ways to answer it."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Concatenate, TypeVar, TypeVarTuple

from msgspec import Struct
from twisted.internet.defer import CancelledError, Deferred

from twentytwo_protocol.schema import Command, Event, Refused, Row
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.connection import Bye
from twentytwo_protocol.words.replies import Ok

from ...answers import Pending, ask
from ...facts import CommandDone, Fact
from ...metrics import Metrics
from ...ports import Link
from ...session.recipient import Mode
from ...session.session import Session
from ...table import teaching
from ...table.decision import Actor
from ..access import Access
from ..connections import REPLACED_TEXT, Connections
from ..faults import Faults
from ..people.people import Person
from ..tables.order_queue import FurtherFacts, OrderResult
from ..tables.remote_room import OrderUnanswered
from ..tables.rooms import AnyRoom, Rooms

T = TypeVar("T")
Args = TypeVarTuple("Args")

_STREAM = re.compile("[a-z][a-z0-9]{0,31}")
"""The form of a stream's name; a refusal repeats only names of this form."""

UNANSWERED_TEXT = "Another server does not answer. Come back and look what became of your command."


ANYBODY = Voice({})
"""A voice without names."""


@dataclass(slots=True)
class CommandServices:
    """The services of the server for every command."""

    access: Access
    rooms: Rooms
    connections: Connections
    metrics: Metrics
    faults: Faults


class PendingOrder(Pending[OrderResult]):
    """The answer to an order; awaiting it raises the refusal."""

    __slots__ = ()

    def __await__(self) -> Generator[Pending[OrderResult], OrderResult, OrderResult]:
        answer = yield self
        if answer.refusal is not None:
            raise answer.refusal
        return answer


class Call(Struct, eq=False):
    """A command in progress: its sender and connection, and the ways to answer it.

    Its handler answers it with `ok`, at most once, or raises. When the handler has ended, the
    dispatcher calls `ended`, and that calls `on_finished`. The connection may give its next command
    when the consequences of this one are over too (`consequences`).

    `id` is the client's id of the command, or empty; `verb` is its verb, `typed` the line as a
    person typed it. `once` is the idempotency key, or empty, and `said` the command as a line, if
    it has a key. `on` is the table or stream of the command, if it is known.
    """

    session: Session
    person: Person | None
    id: str
    on_finished: Callable[[], None]
    _server: CommandServices
    verb: str = ""
    typed: str = ""
    once: str = ""
    said: str = ""
    on: str = ""
    voice: Voice = ANYBODY
    _done: CommandDone | None = None
    _replied: bool = False

    @property
    def me(self) -> Person:
        """The person who gives the command. Only for commands that need a name."""
        assert self.person is not None
        return self.person

    @property
    def who(self) -> Actor:
        """The sender, as a table knows them."""
        assert self.person is not None
        return Actor(self.person.name, self.person.program)

    @property
    def people(self) -> bool:
        """True if a person types at the other end, False for a program."""
        return self.session.mode is Mode.PEOPLE

    @property
    def in_words(self) -> bool:
        """True if a person reads the answer: a person who types, or a client with `caps=text`."""
        return self.people or self.session.form.text

    def room(self, table: str | None) -> AnyRoom:
        """The room of the table that the command names, or `Rooms.meant` if it names none.

        Raises `Refused` if there is no such table, the person may not know of it, or is at none.
        """
        if table is not None:
            self.is_about(table)
            return self._server.access.table_named(self.person, table)
        meant = self._server.rooms.meant(self.session)
        if meant is None:
            raise Refused(
                "NOT_SEATED", "You are at no table: practice opens one, tables lists them."
            )
        self.on = meant.id
        return meant

    def is_about(self, stream: str) -> None:
        """Sets the `on=` of a refusal, if `stream` has the form of a name of a table or stream."""
        self.on = stream if _STREAM.fullmatch(stream) else self.on

    def link(self) -> Link:
        """The connection of the command. Raises `Refused` if it is gone, or has been replaced."""
        link = self._server.connections.link(self.session)
        if link is None:
            raise Refused("FORBIDDEN", REPLACED_TEXT)
        return link

    def ok(self, *rows: Row | Event, **fields: Any) -> None:
        """Writes the rows and OK. If that raises, `fail` still refuses the command."""
        if self.once:
            keyed = self.me.keyed
            keyed.add(self._done or keyed.made(self.me.name, self.once, self.said, fields))
        self.session.reply(self.id, rows, Ok(**fields), self.voice)
        self._replied = True

    def inform(self, *rows: Row | Event, **fields: Any) -> None:
        """Answers a query with OK; the answer to a learner ends with what to type."""
        room = self._lesson()
        if room is not None:
            fields["text"] = teaching.reminded(room.table, fields.get("text") or "") or None
        self.ok(*rows, **fields)

    def refuse(self, wrong: Refused) -> None:
        """Writes ERR."""
        self._server.metrics.refusals[wrong.code] += 1
        if wrong.code == "QUOTA":
            self._server.metrics.limited["quotas"] += 1
        self._replied = True
        self.session.refuse(self.id, self._reminded(self._taught(wrong)), self.voice, self.on)

    def _taught(self, wrong: Refused) -> Refused:
        """The refusal for a learner, with what to type instead."""
        room = self._lesson()
        return teaching.corrected(room.table, wrong) if room is not None else wrong

    def _lesson(self) -> AnyRoom | None:
        """The table where the sender, if a person, has a lesson."""
        room = self._server.rooms.meant(self.session) if self.people else None
        return room if room is not None and room.table.kind.taught else None

    def _reminded(self, wrong: Refused) -> Refused:
        """The refusal for a person whose game waits at another table."""
        waits = self.elsewhere() if self.people else ""
        return Refused(wrong.code, f"{wrong.text}\n{waits}", **wrong.fields) if waits else wrong

    def elsewhere(self, leaving: Sequence[AnyRoom] = ()) -> str:
        """The sentence that names another table whose game waits for the person; or empty.

        Tables in `leaving` do not count, nor does any table if the current one waits too.
        """
        mine = self._server.rooms.of(self.person) if self.person is not None else []
        here = self._server.rooms.meant(self.session)
        staying = [room for room in mine if room not in leaving]
        waiting = [room.id for room in staying if _waits_for(room, self.me.name)]
        if not waiting or (here is not None and here.id in waiting):
            return ""
        return f"Your game at {waiting[-1]} waits for you: hand {waiting[-1]} goes back to it."

    def ended(self, wrong: Exception | None = None) -> None:
        """Call once when the handler has ended: ends the command. `wrong` is the exception of the
        handler, if it raised one; then call this in the except block.
        """
        try:
            if isinstance(wrong, OrderUnanswered):
                self._part()
            elif wrong is not None and not isinstance(wrong, CancelledError):
                self.fail(wrong)
        finally:
            if self.once:
                self.me.keyed.end(self.once)
            self.on_finished()

    def _part(self) -> None:
        """Closes the connection: nobody knows if the command was carried out."""
        if self._server.connections.link(self.session) is not None:
            self.session.notice(Bye("MOVED", True, text=UNANSWERED_TEXT))
            self._server.connections.hang_up(self.session)

    def go_to(self, room: AnyRoom) -> None:
        """Makes the room the connection's current one."""
        self.session.current = room.id

    def go_from(self, room: AnyRoom) -> None:
        """The room is no longer the connection's current one."""
        if self.session.current == room.id:
            self.session.current = None

    def kept(self, fields: Callable[[], Mapping[str, Any]]) -> Sequence[Fact]:
        """The facts to store with the effect of the command: none unless it has a key.

        `fields` returns the fields of its OK.
        """
        if not self.once:
            return ()
        self._done = self.me.keyed.made(self.me.name, self.once, self.said, fields())
        return (self._done,)

    def order(
        self, room: AnyRoom, order: Command, fields: Callable[[OrderResult], Mapping[str, Any]]
    ) -> PendingOrder:
        """Gives an order to a table when it is awaited; returns its answer, before the events of
        the order are sent.

        `fields` returns the fields of the OK that the caller is going to write. Awaiting it raises
        the refusal.
        """
        begin = partial(room.order, self.who, order)
        if not self.once:
            return PendingOrder(begin, None)
        return self.answer(partial(begin, tag=self.once), fields)

    def answer(
        self,
        begin: Callable[[Callable[[OrderResult], None], FurtherFacts], object],
        fields: Callable[[OrderResult], Mapping[str, Any]],
        *facts: Fact,
    ) -> PendingOrder:
        """Like `order`, for an order of any kind, which `begin` gives.

        `begin` gets the callback for the answer, and a function that returns the facts to store in
        the order's transaction, `facts` among them; None if there are none.
        """
        if not (facts or self.once):
            return PendingOrder(begin, None)

        def kept(answer: OrderResult) -> Sequence[Fact]:
            return (*facts, *self.kept(lambda: fields(answer)))

        return PendingOrder(begin, kept)

    def fail(self, wrong: Exception) -> None:
        """Answers a command that raised an exception. Only in an except block.

        A `Refused` is sent as it is. Another exception is logged with its traceback and answered
        with a reference to the log; if OK was already written, it is only logged.
        """
        if isinstance(wrong, Refused) and not self._replied:
            self.refuse(wrong)
            return
        ref = self._server.faults.log(self.verb)
        if not self._replied:
            text = f"An error happened in the server; quote {ref}."
            self.refuse(Refused("INTERNAL", text, ref=ref))

    def ask(
        self, port: Callable[[*Args, Callable[[T], None]], object], *args: *Args
    ) -> Deferred[T]:
        """The answer of a port, as from `answers.ask`, if the connection still waits for it.

        Awaiting it raises `Refused` if the connection was closed or replaced meanwhile. Do not
        catch that: it ends the command.
        """
        return self.if_connected(ask(port, *args))

    def if_connected(self, answer: Deferred[T]) -> Deferred[T]:
        """`answer`, but raises `Refused` if the connection was closed or replaced meanwhile."""
        return answer.addCallback(self._check_connected)

    def _check_connected(self, answer: T) -> T:
        self.link()
        return answer


def _waits_for(room: AnyRoom, name: str) -> bool:
    seat = room.table.on_turn
    return seat is not None and seat.name == name


Bound = Callable[[Call, Any], Coroutine[Any, Any, None] | None]
"""Answers one kind of command, at once or as a coroutine. May raise `Refused`."""
Handler = Callable[Concatenate[Call, Any, ...], Coroutine[Any, Any, None] | None]
"""A `Bound` that has not been given its parts: its further parameters have the types of parts
(`parts.Parts`).
"""
Handlers = Mapping[type[Command], Handler]
"""The handler of each command. `Deed` stands for the moves of all games."""
