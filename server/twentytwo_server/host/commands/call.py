"""A command under way: who gave it, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, TypeVarTuple

from twisted.internet.defer import CancelledError, Deferred

from twentytwo_protocol.schema import Command, Event, Refused, Row
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.replies import Ok
from twentytwo_protocol.words.talk import speaker

from ...answers import ask
from ...ports import Link
from ...session.session import Mode, Session
from ...session.streams import Entry, Stream
from ...table.decision import Actor
from ..access import table_named
from ..host import Host
from ..people.people import Person
from ..tables.room import Answer, Answered, Room

MissedEvents = tuple[Stream, int, int | None]
"""The events of a stream after a number, as they are seen from a seat; None: by a spectator."""

T = TypeVar("T")
Args = TypeVarTuple("Args")

ELSEWHERE = "You are connected from elsewhere now."


@dataclass(slots=True)
class Call:
    """A command under way: who gave it on which connection, and how to answer it.

    End it once, by `ok`, `refuse` or `fail`, or by `reply` and then `finish`. `on_finished` is
    called then: the connection may give its next command. `command` is the name to write in the
    log.
    """

    host: Host
    session: Session
    person: Person | None
    id: str
    on_finished: Callable[[], None]
    command: str = ""
    voice: Voice = field(default_factory=lambda: Voice({}))
    _replied: bool = False
    _finished: bool = False

    @property
    def me(self) -> Person:
        """Who gives the command; only asked for commands that need a name."""
        assert self.person is not None
        return self.person

    @property
    def who(self) -> Actor:
        """The same, as a table knows them."""
        return Actor(self.me.name, self.me.program)

    @property
    def people(self) -> bool:
        """Whether a person types at the other end."""
        return self.session.mode is Mode.PEOPLE

    def room(self, table: str | None) -> Room:
        """The room that the command means: the table it names, or else `Host.room_meant`.

        Raises `Refused`.
        """
        if table is not None:
            return table_named(self.host, self.person, table)
        meant = self.host.room_meant(self.session)
        if meant is None:
            raise Refused(
                "NOT_SEATED", "You are at no table: practice opens one, tables lists them."
            )
        return meant

    def link(self) -> Link:
        """The connection of the command. Raises `Refused` if it is gone, or has been replaced."""
        link = self.host.link(self.session)
        if link is None:
            raise Refused("FORBIDDEN", ELSEWHERE)
        return link

    def ok(self, *rows: Row | Event, **fields: Any) -> None:
        """Ends the command with OK."""
        self.reply(*rows, **fields)
        self.finish()

    def reply(self, *rows: Row | Event, **fields: Any) -> None:
        """Writes the rows and OK; call `finish` afterwards."""
        self.session.reply(self.id, rows, Ok(**fields), self.voice)
        self._replied = True  # not where that failed: then it is refused

    def refuse(self, wrong: Refused) -> None:
        """Ends the command with ERR."""
        self._replied = True
        self.session.refuse(self.id, wrong, self.voice)
        self.finish()

    def finish(self) -> None:
        """Ends the command, answered or not: the next one may come. Again it does nothing."""
        if not self._finished:
            self._finished = True
            self.on_finished()

    def fail(self, wrong: Exception) -> None:
        """Ends the command with an exception: a `Refused` as it is, another with a number to quote.

        Only in an except block, for the traceback in the log.
        """
        if isinstance(wrong, Refused) and not self._replied:
            self.refuse(wrong)
            return
        ref = self.host.fault(self.command)
        if not self._replied:
            text = f"The server stumbled; quote {ref}."
            self.refuse(Refused("INTERNAL", text, ref=ref))
        self.finish()

    def ask(
        self, port: Callable[[*Args, Callable[[T], None]], object], *args: *Args
    ) -> Deferred[T]:
        """The answer of a port, as `answers.ask` gives it, if the connection still waits for it.

        Awaiting it raises `Refused` if the connection is gone by then, or replaced by a newer one:
        let it pass, there is nothing more to do.
        """
        return self.if_connected(ask(port, *args))

    def if_connected(self, answer: Deferred[T]) -> Deferred[T]:
        """The same answer, or `Refused` if the connection no longer waits for it (see `ask`)."""
        return answer.addCallback(self._check_connected)

    def _check_connected(self, answer: T) -> T:
        self.link()
        return answer

    def reply_with(self, fields: Callable[[Answer], Mapping[str, Any]]) -> Answered:
        """What to hand to `Room.order`: it answers the command once the order has ended.

        With OK and what `fields` makes of the answer, or with the refusal. It is a callback, not
        an await, so that the answer is written before the events that the order caused.
        """

        def answered(answer: Answer) -> None:
            try:
                if answer.refusal is not None:
                    raise answer.refusal
                self.ok(**fields(answer))
            except Exception as wrong:
                self.fail(wrong)

        return answered

    def continue_with(self, work: Coroutine[Deferred[Any], Any, None]) -> None:
        """Goes on with the command in a coroutine, which is cancelled when the connection ends.

        What it raises refuses the command.
        """
        self.host.replays.run(self.session, self._guarded(work))

    async def _guarded(self, work: Coroutine[Deferred[Any], Any, None]) -> None:
        try:
            await work
        except CancelledError:
            raise
        except Exception as wrong:
            self.fail(wrong)

    async def send_all(self, steps: Iterable[object]) -> int:
        """Takes steps, each of which sends a little, as fast as the peer reads; returns how many.

        Raises `CancelledError` when the connection ends.
        """
        link = self.host.link(self.session)
        if link is None:
            raise CancelledError
        return await self.host.replays.send_in_slices(self.session, link, steps)

    async def send_missed(self, missed: Sequence[MissedEvents]) -> list[int]:
        """Sends past events of streams; what happens there meanwhile is sent after them, in order.

        Returns the number up to which each was sent. That is less than its last if something
        happened meanwhile which they are not told as it happens. Raises `CancelledError` when the
        connection ends.
        """
        link = self.host.link(self.session)
        if link is None:
            raise CancelledError
        # What is on the streams now is sent here, and what comes from now on is held back until
        # then. So nothing is sent twice or left out.
        told = [(stream.after(seq), seat) for stream, seq, seat in missed]
        ends = [(stream.name, stream.last) for stream, _, _ in missed]
        with self.session.hold_events(link.count_held) as last:
            for entries, seat in told:
                await self.send_all(self._shown_again(entries, seat))
            return [max(end, last.get(name, 0)) for name, end in ends]

    def _shown_again(self, entries: Iterable[Entry], seat: int | None) -> Iterator[None]:
        """Shows entries of the past as they were shown, or would have been."""
        for entry in entries:
            who = speaker(entry.event)
            self.session.show(entry, seat, blocked=who in self.me.blocked, again=True)
            yield


Handler = Callable[[Call, Any], Coroutine[Any, Any, None] | None]
"""Answers one kind of command, now or, as a coroutine, later; may raise `Refused`."""
Handlers = Mapping[type[Command], Handler]
"""Which function answers which command; `Deed` stands for every game's deeds."""
