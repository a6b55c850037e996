"""A command under way: who gave it, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, TypeVarTuple

from twisted.internet.defer import CancelledError, Deferred

from twentytwo_protocol.schema import Command, Event, Refused, Row
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.replies import Ok

from ...answers import asked
from ...ports import Link
from ...session.session import Mode, Session
from ...session.streams import Entry, Stream
from ...table.decision import Actor
from ..access import table_named
from ..host import Host
from ..people.people import Person
from ..tables.room import Answer, Answered, Room

Missed = tuple[Stream, int, int | None]
"""A stream, the last number that somebody has seen of it, and the seat from which they see it."""

T = TypeVar("T")
Said = TypeVarTuple("Said")

ELSEWHERE = "You are connected from elsewhere now."


@dataclass(slots=True)
class Call:
    """A command under way: who gave it on which connection, and how to answer it.

    `finished` is called once, when the connection may give its next command. `command` is what it
    is called in the log.
    """

    host: Host
    session: Session
    person: Person | None
    id: str
    finished: Callable[[], None]
    command: str = ""
    voice: Voice = field(default_factory=lambda: Voice({}))
    _replied: bool = False
    _done: bool = False

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
        """What the command came over. Raises `Refused` where that is gone, or replaced."""
        link = self.host.link(self.session)
        if link is None:
            raise Refused("FORBIDDEN", ELSEWHERE)
        return link

    def ok(self, *rows: Row | Event, **fields: Any) -> None:
        """Ends the command well."""
        self.reply(*rows, **fields)
        self.done()

    def reply(self, *rows: Row | Event, **fields: Any) -> None:
        """Answers that it went well; `done` is still to be called."""
        self.session.reply(self.id, rows, Ok(**fields), self.voice)
        self._replied = True  # not where that failed: then it is refused

    def refuse(self, wrong: Refused) -> None:
        """Ends the command without effect."""
        self._replied = True
        self.session.refuse(self.id, wrong, self.voice)
        self.done()

    def done(self) -> None:
        """The command is over, answered or not: the next one may come."""
        if not self._done:
            self._done = True
            self.finished()

    def failed(self, wrong: Exception) -> None:
        """Ends the command with what carrying it out has raised. Only in an except block."""
        if isinstance(wrong, Refused) and not self._replied:
            self.refuse(wrong)
            return
        ref = self.host.fault(self.command)
        if not self._replied:
            text = f"The server stumbled; quote {ref}."
            self.refuse(Refused("INTERNAL", text, ref=ref))
        self.done()

    def asked(
        self, ask: Callable[[*Said, Callable[[T], None]], object], *said: *Said
    ) -> Deferred[T]:
        """The answer of a port (`answers.asked`), where somebody still waits for it.

        Waiting for it raises `Refused` if the connection is gone by then, or replaced by a newer
        one: then nothing more is to be done.
        """
        return self.here(asked(ask, *said))

    def here(self, answer: Deferred[T]) -> Deferred[T]:
        """The same answer, or `Refused` where nobody waits for it any more (see `asked`)."""
        return answer.addCallback(self._if_here)

    def _if_here(self, answer: T) -> T:
        self.link()
        return answer

    def then(self, ok: Callable[[Answer], Mapping[str, Any]]) -> Answered:
        """Answers when a table has carried out the order: with these fields, or its refusal.

        Called back and not awaited: the answer is written before the table tells what happened,
        also where everything is kept at once.
        """

        def answered(answer: Answer) -> None:
            try:
                if answer.wrong is not None:
                    raise answer.wrong
                self.ok(**ok(answer))
            except Exception as wrong:
                self.failed(wrong)

        return answered

    def go_on(self, work: Coroutine[Deferred[Any], Any, None]) -> None:
        """Goes on with the command in a coroutine, which ends with the connection.

        What it raises refuses the command.
        """
        self.host.replays.work(self.session, self._judged(work))

    async def _judged(self, work: Coroutine[Deferred[Any], Any, None]) -> None:
        try:
            await work
        except CancelledError:
            raise
        except Exception as wrong:
            self.failed(wrong)

    async def tell(self, steps: Iterable[object]) -> int:
        """Takes steps that send what was asked for, as fast as the peer reads; how many they were.

        Raises `CancelledError` when the connection ends.
        """
        link = self.host.link(self.session)
        if link is None:
            raise CancelledError
        return await self.host.replays.tell(self.session, link, steps)

    async def tell_missed(self, missed: Sequence[Missed]) -> list[int]:
        """Tells what happened on streams; what happens there meanwhile comes after it, in order.

        Returns the number up to which each was told. That is less than its last where something
        happened meanwhile of which they are not told as it happens.
        """
        link = self.host.link(self.session)
        if link is None:
            raise CancelledError
        # All that there is now is told here, and what comes from now on is held: nothing is both.
        told = [(stream.after(seq), seat) for stream, seq, seat in missed]
        ends = [(stream.name, stream.last) for stream, _, _ in missed]
        with self.session.holding(link.withheld) as last:
            for entries, seat in told:
                await self.tell(self._shown_again(entries, seat))
            return [max(end, last.get(name, 0)) for name, end in ends]

    def _shown_again(self, entries: Iterable[Entry], seat: int | None) -> Iterator[None]:
        """Shows entries of the past as they were shown, or would have been."""
        for entry in entries:
            speaker = getattr(entry.event, "from_", None)
            self.session.show(entry, seat, blocked=speaker in self.me.blocked, again=True)
            yield


Handler = Callable[[Call, Any], Coroutine[Any, Any, None] | None]
"""Answers one kind of command, now or, as a coroutine, later; may raise `Refused`."""
Handlers = Mapping[type[Command], Handler]
"""Which function answers which command; `Deed` stands for every game's deeds."""
