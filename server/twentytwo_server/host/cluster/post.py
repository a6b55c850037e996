"""Mail for people at other servers: the sender's server asks the receiver's server to store it.

A question has a tag, which is stored with the line of the inbox. So a repeated question writes
nothing again, even at another server that keeps the receiver by then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from msgspec import DecodeError, json
from twisted.internet.defer import Deferred

from twentytwo_protocol import wire
from twentytwo_protocol.schema import Refused
from twentytwo_protocol.value import Value
from twentytwo_protocol.words.talk import Declined, Invited, Told

from ... import subjects
from ...answers import ask, run
from ...ports import Bus, Store
from ..faults import Faults
from ..people.elsewhere import Elsewhere
from ..people.inboxes import Inboxes
from ..people.people import People, Person
from ..tables.pausable_clock import PausableClock
from ..tables.remote_room import OrderUnanswered
from ..unknown_tables import UnknownTables
from .event_lines import read_event
from .homes import Homes

LIMIT = 8_000
"""Milliseconds after which mail is given up. The sender cannot move to another server earlier."""
ANSWER_TIME = 1_000
"""Milliseconds to wait for one answer."""
AGAIN = 100
"""Milliseconds between two questions."""
REPEATS_FOR = 60_000
"""Milliseconds for which a server remembers its answers."""

Mail = Told | Invited | Declined


class MailQuestion(Value):
    """Asks the server of the person `to` to store an event, as a line, in their inbox."""

    tag: str
    to: str
    line: str


class MailAnswer(Value):
    """`kept`: the server keeps the person, and has stored the mail.

    `here`: the person is connected. `known`: an earlier invitation to the table is not answered.
    """

    kept: bool
    here: bool = False
    known: bool = False


_QUESTION = json.Decoder(MailQuestion)
_ANSWER = json.Decoder(MailAnswer)


@dataclass(slots=True)
class Post:
    """Sends mail to people at other servers, and stores theirs for the people of this one.

    It does nothing before `join`.
    """

    _people: People
    _elsewhere: Elsewhere
    _inboxes: Inboxes
    _homes: Homes
    _unknown_tables: UnknownTables
    _store: Store
    _clock: PausableClock
    _faults: Faults
    _bus: Bus | None = field(init=False, default=None)
    _node: str = field(init=False, default="")
    _answers: dict[str, MailAnswer] = field(init=False, default_factory=dict)
    _waiting: dict[str, list[Callable[[MailAnswer], None]]] = field(
        init=False, default_factory=dict
    )

    def join(self, bus: Bus, node: str) -> None:
        """Begins to share mail with other servers."""
        self._bus, self._node = bus, node
        bus.serve(subjects.mail(node), self._asked)

    # ---------------------------------------------------------------------------- sending

    async def find(self, name: str) -> Person | str | None:
        """The person of that name, or their full name if another server keeps them; or None."""
        here = self._people.find(name)
        if here is not None:
            return here
        elsewhere = self._elsewhere.find(name)
        if elsewhere is not None:
            return elsewhere.name
        stored = await self._homes.find(name)
        return self._people.find(name) if stored is None else stored.kept.name

    async def named(self, name: str) -> Person | str:
        """The same, but raises `Refused` (NO_SUCH_USER) if there is nobody."""
        return await self.find(name) or self._people.named(name)

    async def send(self, sender: Person, key: str, to: str, mail: Mail) -> MailAnswer:
        """Has an event stored in the inbox of a person at another server.

        `key` is the key of the command, or empty. Raises `OrderUnanswered` if it is unknown whether
        the event is stored, and `Refused` (NO_SUCH_USER) if there is no such person any more.
        """
        tag = f"{sender.name}/{sender.since}/{key}" if key else self._homes.new_tag()
        sender.pending += 1
        try:
            return await self._send(MailQuestion(tag, to, wire.write(mail)), mail)
        finally:
            sender.pending -= 1

    async def _send(self, question: MailQuestion, mail: Mail) -> MailAnswer:
        until = self._clock.now() + LIMIT
        node = self._elsewhere.node_of(question.to)
        while self._clock.now() < until:
            if node is None:
                stored = await ask(self._store.person, question.to)
                if stored is None:
                    raise Refused("NO_SUCH_USER", f"{question.to} is gone.", arg="name")
                node = stored.node
            answer = await self._ask(node, question, mail)
            if answer is not None and answer.kept:
                return answer
            node = None
            paused: Deferred[None] = Deferred()
            self._clock.later(AGAIN, partial(paused.callback, None))
            await paused
        raise OrderUnanswered

    async def _ask(self, node: str, question: MailQuestion, mail: Mail) -> MailAnswer | None:
        assert self._bus is not None
        if node == self._node:
            here: Deferred[MailAnswer] = Deferred()
            self._receive(question, mail, here.callback)
            return await here
        subject = subjects.mail(node)
        answer = await ask(self._bus.ask, subject, json.encode(question), ANSWER_TIME)
        try:
            return _ANSWER.decode(answer) if answer else None
        except DecodeError:
            return None

    # -------------------------------------------------------------------------- receiving

    def _asked(self, data: bytes, reply: Callable[[bytes], None]) -> None:
        try:
            question = _QUESTION.decode(data)
        except DecodeError:
            return
        mail = read_event(question.line)
        if isinstance(mail, Mail):
            self._receive(question, mail, lambda answer: reply(json.encode(answer)))

    def _receive(
        self, question: MailQuestion, mail: Mail, reply: Callable[[MailAnswer], None]
    ) -> None:
        """Stores the mail and replies, once for each tag."""
        person, tag = self._people.exact(question.to), question.tag
        if tag in self._answers:
            reply(self._answers[tag])
        elif tag in self._waiting:
            self._waiting[tag].append(reply)
        elif person is None:
            reply(MailAnswer(kept=False))
        else:
            self._waiting[tag] = [reply]
            run(self._keep(person, tag, mail), lambda _: self._failed(tag))

    async def _keep(self, person: Person, tag: str, mail: Mail) -> None:
        known, wanted = False, tag not in person.tags
        if isinstance(mail, Invited) and mail.table is not None and wanted:
            known = person.invited.get(mail.by.lower()) == mail.table
            person.invited[mail.by.lower()] = mail.table
            self._unknown_tables.follow(mail.table)
        if not isinstance(mail, Told):
            by = mail.by if isinstance(mail, Invited) else mail.name
            wanted = wanted and not known and by not in person.blocked
        self._inboxes.deliver(await self._inboxes.post([(person, mail)] if wanted else [], tag=tag))
        self._answers[tag] = answer = MailAnswer(True, person.session is not None, known)
        self._clock.later(REPEATS_FOR, partial(self._answers.__delitem__, tag))
        for reply in self._waiting.pop(tag):
            reply(answer)

    def _failed(self, tag: str) -> None:
        self._faults.log("storing mail from another server")
        del self._waiting[tag]
