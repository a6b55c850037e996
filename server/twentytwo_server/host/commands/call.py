"""A command under way: who gave it, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from twisted.internet.defer import CancelledError, Deferred

from twentytwo_protocol.schema import Command, Event, Refused, Row
from twentytwo_protocol.voice import Voice
from twentytwo_protocol.words.replies import Ok

from ...session.session import Mode, Session
from ...session.streams import Entry, Stream
from ...table.decision import Actor
from ..access import table_named
from ..host import Host
from ..people.people import Person
from ..tables.room import Answer, Answered, Room

Missed = tuple[Stream, int, int | None]
"""A stream, the last number that somebody has seen of it, and the seat from which they see it."""


@dataclass(slots=True)
class Call:
    """A command under way: who gave it on which connection, and how to answer it.

    `command` is what it is called in the log.
    """

    host: Host
    session: Session
    person: Person | None
    id: str
    done: Callable[[], None]
    command: str = ""
    voice: Voice = field(default_factory=lambda: Voice({}))

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
        """The room that the command means: the table it names, or the one that is theirs now.

        Raises `Refused`.
        """
        if table is not None:
            return table_named(self.host, self.person, table)
        current = self.host.rooms.get(self.session.current or "")
        if current is not None:
            return current
        mine = self.host.rooms_of(self.me) if self.person else []
        if not mine:
            raise Refused(
                "NOT_SEATED", "You are at no table: practice opens one, tables lists them."
            )
        return mine[-1]

    def ok(self, *rows: Row | Event, **fields: Any) -> None:
        """Ends the command well."""
        self.session.reply(self.id, rows, Ok(**fields), self.voice)
        self.done()

    def refuse(self, wrong: Refused) -> None:
        """Ends the command without effect."""
        self.session.refuse(self.id, wrong, self.voice)
        self.done()

    def then(self, ok: Callable[[Answer], Mapping[str, Any]]) -> Answered:
        """Answers when a table has carried out the order: with these fields, or its refusal."""

        def answered(answer: Answer) -> None:
            if answer.wrong is not None:
                self.refuse(answer.wrong)
            else:
                self.ok(**ok(answer))

        return self.later(answered)

    def later(
        self, work: Callable[..., None], failed: Callable[[], None] = lambda: None
    ) -> Callable[..., None]:
        """The work as it is done when an answer has come: what it raises refuses the command."""

        def done(*answer: Any) -> None:
            try:
                work(*answer)
            except Refused as wrong:
                failed()
                self.refuse(wrong)
            except Exception:
                failed()
                self.stumbled(f"the answer to {self.command}")

        return done

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
        except Refused as wrong:
            self.refuse(wrong)
        except Exception:
            self.stumbled(f"the answer to {self.command}")

    async def tell(self, steps: Iterable[object]) -> int:
        """Takes steps that send what was asked for, as fast as the peer reads; how many they were.

        Raises `CancelledError` when the connection ends.
        """
        link = self.host.link(self.session)
        if link is None:
            raise CancelledError
        return await self.host.replays.tell(self.session, link, steps)

    async def tell_missed(self, missed: Sequence[Missed]) -> None:
        """Tells what happened on streams; what happens there meanwhile comes after it, in order."""
        link = self.host.link(self.session)
        if link is None:
            raise CancelledError
        # All that there is now is told here, and what comes from now on is held: nothing is both.
        told = [(stream.after(seq), seat) for stream, seq, seat in missed]
        with self.session.holding(link.withheld):
            for entries, seat in told:
                await self.tell(self._shown_again(entries, seat))

    def _shown_again(self, entries: Iterable[Entry], seat: int | None) -> Iterator[None]:
        """Shows entries of the past as they were shown, or would have been."""
        for entry in entries:
            speaker = getattr(entry.event, "from_", None)
            self.session.show(entry, seat, blocked=speaker in self.me.blocked, again=True)
            yield

    def stumbled(self, where: str) -> None:
        """Ends the command with an error to quote. Only in an except block."""
        ref = self.host.fault(where)
        self.refuse(Refused("INTERNAL", f"The server stumbled; quote {ref}.", ref=ref))


Handler = Callable[[Call, Any], None]
"""Answers one kind of command, now or later; may raise `Refused`."""
Handlers = Mapping[type[Command], Handler]
"""Which function answers which command; `Deed` stands for every game's deeds."""
