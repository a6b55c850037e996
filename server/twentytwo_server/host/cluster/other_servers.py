"""Admin commands that are carried out at other servers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from msgspec import DecodeError, json
from twisted.internet.defer import Deferred, gatherResults

from twentytwo_protocol.value import Value

from ...answers import ask
from ...ports import Bus
from ...subjects import operators
from ..tables.pausable_clock import PausableClock

REPEATS_FOR = 60_000
"""Milliseconds for which a server remembers its answers."""
PATIENCE = 10_000
"""Milliseconds after which a server counts as one that does not answer."""
ANSWER_TIME = 1_000
"""Milliseconds to wait for one answer."""
AGAIN = 100
"""Milliseconds between two questions."""


class AdminQuestion(Value):
    """A command for another server. It is carried out once for each `tag`.

    `uid` is the operating-system user who gave it. `noted` is true if the journal has it already.
    """

    tag: str
    uid: int
    command: str
    arguments: Mapping[str, str]
    noted: bool


class AdminReply(Value):
    """The answer of another server. Unless it is `ok`, the text is the reason for a refusal."""

    ok: bool
    text: str
    rows: Sequence[Mapping[str, str | int | bool]] = ()


CarryOut = Callable[[AdminQuestion], Coroutine[Any, Any, AdminReply]]

_QUESTION = json.Decoder(AdminQuestion)
_REPLY = json.Decoder(AdminReply)


@dataclass(slots=True)
class OtherServers:
    """Has other servers carry out admin commands, and carries out theirs.

    It does nothing before `join`. Set `carry_out` if this server takes admin commands.
    """

    _clock: PausableClock
    carry_out: CarryOut | None = field(init=False, default=None)
    _bus: Bus | None = field(init=False, default=None)
    _servers: Callable[[], Iterable[str]] = field(init=False, default=tuple)
    _run: str = field(init=False, default="")
    _tags: Iterator[int] = field(init=False, default_factory=count)
    _answers: dict[str, bytes] = field(init=False, default_factory=dict)

    def join(self, bus: Bus, node: str, boot: str, servers: Callable[[], Iterable[str]]) -> None:
        """Begins to answer. `servers` returns the names of the other servers that are there."""
        self._bus, self._run, self._servers = bus, f"{node}/{boot}", servers
        bus.serve(operators(node), self._asked)

    async def ask(
        self, node: str, uid: int, command: str, arguments: Mapping[str, str], *, noted: bool
    ) -> AdminReply:
        """The answer of a server. It is not `ok` if the server does not answer."""
        assert self._bus is not None
        tag = f"{self._run}/{next(self._tags)}"
        question = json.encode(AdminQuestion(tag, uid, command, arguments, noted))
        until = self._clock.now() + PATIENCE
        while self._clock.now() < until:
            reply = _reply(await ask(self._bus.ask, operators(node), question, ANSWER_TIME))
            if reply is not None:
                return reply
            paused: Deferred[None] = Deferred()
            self._clock.later(AGAIN, partial(paused.callback, None))
            await paused
        return AdminReply(False, f"the server {node} does not answer, and may have done it or not")

    async def ask_all(
        self, uid: int, command: str, arguments: Mapping[str, str]
    ) -> Mapping[str, AdminReply]:
        """The answers of all other servers, by their names. This server has noted the command."""
        nodes = sorted(self._servers())
        asked = [self.ask(node, uid, command, arguments, noted=True) for node in nodes]
        replies = await gatherResults([Deferred.fromCoroutine(each) for each in asked])
        return dict(zip(nodes, replies, strict=True))

    def _asked(self, data: bytes, reply: Callable[[bytes], None]) -> None:
        try:
            question = _QUESTION.decode(data)
        except DecodeError:
            return
        tag = question.tag
        if tag in self._answers:
            reply(self._answers[tag])  # empty while it is carried out: then it is asked again
            return
        self._answers[tag] = b""
        self._clock.later(REPEATS_FOR, partial(self._answers.__delitem__, tag))

        def done(answer: AdminReply) -> None:
            if tag in self._answers:
                self._answers[tag] = json.encode(answer)
                reply(self._answers[tag])

        if self.carry_out is None:
            done(AdminReply(False, "it takes no admin commands"))
        else:
            Deferred.fromCoroutine(self.carry_out(question)).addCallback(done)


def _reply(data: bytes | None) -> AdminReply | None:
    try:
        return _REPLY.decode(data) if data else None
    except DecodeError:
        return None
