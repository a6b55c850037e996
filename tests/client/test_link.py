"""The connection of the terminal client: made, lost, and made again."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import pytest
from twisted.internet import defer, reactor
from twisted.internet.endpoints import TCP4ClientEndpoint
from twisted.internet.error import ConnectionAborted
from twisted.internet.interfaces import IProtocol, IProtocolFactory, IStreamClientEndpoint
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from zope.interface import implementer

from tests.client.kit import (
    ENDING,
    FOUND,
    HELLO,
    NAMED,
    SEATING,
    TRICKS,
    Peer,
    ScriptedServer,
    scripted,
)
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.link import Link
from twentytwo_client.core.reconnecting import Ending, Timing
from twentytwo_client.core.states import State
from twentytwo_client.core.updates import EventReceived, Reconnecting, SignedIn, Update
from twentytwo_client.terminal.link import TwistedLink, unreachable

pytestmark = pytest.mark.deadline(30)

USUAL = Timing()


class Run:
    """A link to a server, with everything that was heard and every pause."""

    def __init__(
        self,
        server: ScriptedServer | int,
        *,
        attempts: int | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        port = server if isinstance(server, int) else server.port
        self.heard: list[Update] = []
        self.slept: list[float] = []
        self.talk = Conversation(name="bob", client="test/1")
        self._meanwhile = meanwhile
        self.link = TwistedLink(
            TCP4ClientEndpoint(reactor, "127.0.0.1", port),
            Link(self.talk, self.heard.append, attempts=attempts),
            clock=reactor,
            elsewhere=lambda to: TCP4ClientEndpoint(reactor, to.host, to.port),
            sleep=self.sleep,
        )

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._meanwhile()

    def waits(self) -> list[float]:
        return [value.seconds for value in self.heard if isinstance(value, Reconnecting)]


def _sit(peer: Peer) -> None:
    peer.greet()
    peer.send(FOUND, *SEATING, *TRICKS)


async def test_it_comes_back_to_the_same_seat() -> None:
    resumes = []

    def again(peer: Peer) -> None:
        resumes.append(peer.take_back(*ENDING))
        peer.send("BYE code=KICKED resume=0 :Enough.")

    with scripted(_sit, again) as server:
        run = Run(server)
        assert await run.link.run() is Ending.DISMISSED
    assert resumes == ["resume Zk81 me:0 t7:28 boot=b1"]
    assert run.waits() == run.slept == [1]
    assert run.talk.streams.tables["t7"].phase == "over"
    missed = [v.seq for v in run.heard if isinstance(v, EventReceived) and v.missed]
    assert missed == list(range(29, 52))
    assert [v.resumed for v in run.heard if isinstance(v, SignedIn)] == [False, True]


def _gone() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


async def test_where_nobody_ever_listened_it_does_not_try_again() -> None:
    run = Run(_gone())
    assert await run.link.run() is Ending.UNREACHABLE
    assert run.link.why_not == "nobody listens there"
    assert unreachable("cards.example:1", run.link.why_not).endswith(": nobody listens there.")
    assert run.heard == []


def test_who_finds_no_server_on_this_machine_is_told_what_starts_one() -> None:
    assert unreachable("localhost:2222", "") == (
        "Could not connect to localhost:2222: no answer. twentytwo host starts one."
    )


async def test_it_waits_longer_and_longer_and_gives_up_if_nobody_is_there_to_be_told() -> None:
    with scripted(_sit) as server:
        run = Run(server, attempts=5, meanwhile=server.close)
        assert await run.link.run() is Ending.GIVEN_UP
    assert run.waits() == run.slept == [1, 2, 4, 8, 15, 15]


async def test_a_server_that_hangs_up_before_the_name_is_not_hammered() -> None:
    def slam(peer: Peer) -> None:
        peer.send("# cardline/1")

    def leave(peer: Peer) -> None:
        peer.take_back()
        peer.send("BYE code=REPLACED resume=0 :Elsewhere.")

    with scripted(_sit, slam, slam, leave) as server:
        run = Run(server)
        assert await run.link.run() is Ending.DISMISSED
    assert run.waits() == [1, 2, 4]


async def test_a_server_that_is_busy_is_left_alone_for_a_while() -> None:
    def busy(peer: Peer) -> None:
        hello, resume = peer.expect("hello 1"), peer.expect("resume Zk81")
        peer.send(
            f"{hello} OK proto=1", f"{resume} ERR code=BUSY class=limit wait=5000 :Too many people."
        )
        peer.wait()

    def leave(peer: Peer) -> None:
        peer.take_back()
        peer.send("BYE code=REPLACED resume=0 :Elsewhere.")

    with scripted(_sit, busy, leave) as server:
        run = Run(server)
        assert await run.link.run() is Ending.DISMISSED
    assert run.waits() == [1, 5]


async def test_a_server_that_is_busy_the_first_time_is_come_back_to_when_it_says() -> None:
    def busy(peer: Peer) -> None:
        hello, guest = peer.expect("hello 1"), peer.expect("guest bob")
        peer.send(
            f"{hello} OK proto=1",
            f"{guest} ERR code=XGFULL class=limit wait=7000 :Too many people.",
        )
        peer.wait()

    def leave(peer: Peer) -> None:
        peer.greet()
        peer.send("BYE code=KICKED resume=0 :Enough.")

    with scripted(busy, leave) as server:
        run = Run(server)
        assert await run.link.run() is Ending.DISMISSED
    assert run.waits() == [7]


async def test_a_server_that_turns_us_away_at_the_door_is_come_back_to_when_it_says() -> None:
    def turn_away(peer: Peer) -> None:
        peer.send("BYE code=RATE resume=1 wait=7000 :Too many new connections.")

    def leave(peer: Peer) -> None:
        peer.greet()
        peer.send("BYE code=KICKED resume=0 :Enough.")

    with scripted(turn_away, leave) as server:
        run = Run(server)
        assert await run.link.run() is Ending.DISMISSED
    assert run.waits() == [7]


async def test_what_hangs_up_at_once_counts_as_unreachable() -> None:
    with scripted(lambda peer: None) as server:
        assert await Run(server).link.run() is Ending.UNREACHABLE


# ---------------------------------------------------------------------------- in silence


@implementer(IStreamClientEndpoint)
class Silent:
    """An endpoint behind which nobody speaks, on a clock that we turn."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.transport = StringTransport()
        self.aborted = False
        self.transport.abortConnection = self.abort  # type: ignore[method-assign]  # to note it
        self.heard: list[Update] = []
        self.talk = Conversation(name="bob", client="test/1")
        self.link = TwistedLink(
            self,
            Link(self.talk, self.heard.append),
            clock=self.clock,
            elsewhere=lambda _: self,
            sleep=self.sleep,
        )
        self.pauses: list[float] = []

    def connect(self, factory: IProtocolFactory) -> defer.Deferred[IProtocol]:
        """Twisted: connects."""
        made = factory.buildProtocol(None)  # type: ignore[arg-type]  # the address is not looked at
        assert made is not None
        self.protocol = made
        made.makeConnection(self.transport)
        return defer.succeed(made)

    def abort(self) -> None:
        if not self.aborted:
            self.aborted = True
            self.protocol.connectionLost(Failure(ConnectionAborted()))

    async def sleep(self, seconds: float) -> None:
        """The pause before it connects again: that is where these tests end."""
        self.pauses.append(seconds)
        raise asyncio.CancelledError

    def come(self, *lines: str) -> None:
        self.protocol.dataReceived("".join(f"{line}\r\n" for line in lines).encode())

    def wait(self, seconds: float) -> str:
        """What is said after so many seconds."""
        self.transport.clear()
        self.clock.advance(seconds)
        said: bytes = self.transport.value()
        return said.decode()

    async def run(self, script: Callable[[], None]) -> None:
        """Connects, plays the script, and ends the connection if that did not."""
        running = asyncio.ensure_future(self.link.run())
        await asyncio.sleep(0)
        script()
        running.cancel()
        await asyncio.wait({running})
        assert self.clock.getDelayedCalls() == []


async def test_a_silent_server_is_asked_whether_it_is_there() -> None:
    peer = Silent()

    def script() -> None:
        peer.come(HELLO, NAMED)
        assert peer.wait(USUAL.quiet - 1) == ""
        assert peer.wait(1) == "@3 ping\r\n"
        peer.come("@3 OK pong=-")
        assert peer.wait(USUAL.quiet - 1) == ""
        assert [peer.aborted] == [False]

    await peer.run(script)


async def test_a_server_that_does_not_answer_is_gone() -> None:
    peer = Silent()

    def script() -> None:
        peer.come(HELLO, NAMED)
        peer.wait(USUAL.quiet)
        peer.wait(USUAL.answer - 1)
        assert [peer.aborted] == [False]
        peer.wait(1)
        assert peer.aborted
        assert peer.talk.state is State.AWAY

    await peer.run(script)


async def test_a_server_that_does_not_greet_is_gone_sooner() -> None:
    peer = Silent()

    def script() -> None:
        assert peer.wait(USUAL.greeting) == ""
        assert peer.aborted

    await peer.run(script)
