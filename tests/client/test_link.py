"""The connection of the terminal client: made, lost, and made again."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from twisted.internet import reactor
from twisted.internet.endpoints import TCP4ClientEndpoint
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from tests.client.kit import ENDING, HELLO, NAMED, SEATING, TRICKS, Peer, ScriptedServer, scripted
from twentytwo_client.link import DEAF, QUIET, End, Link, Waiting, Wire
from twentytwo_client.talk import Talk
from twentytwo_client.values import Happened, Named, State

pytestmark = pytest.mark.deadline(30)


class Run:
    """A link to a server, with everything that was heard and every pause."""

    def __init__(self, server: ScriptedServer | int, **options: Any) -> None:
        port = server if isinstance(server, int) else server.port
        self.heard: list[Any] = []
        self.slept: list[float] = []
        self.talk = Talk(name="bob", client="test/1")
        self.link = Link(
            TCP4ClientEndpoint(reactor, "127.0.0.1", port),
            self.talk,
            self.hear,
            reactor=reactor,
            sleep=self.sleep,
            **options,
        )

    def hear(self, value: Any) -> None:
        self.heard.append(value)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def waits(self) -> list[int]:
        return [value.seconds for value in self.heard if isinstance(value, Waiting)]


def _sit(peer: Peer) -> None:
    peer.greet()
    peer.send(*SEATING, *TRICKS)


async def test_it_comes_back_to_the_same_seat() -> None:
    resumes = []

    def again(peer: Peer) -> None:
        resumes.append(peer.take_back(*ENDING))
        peer.send("BYE code=KICKED resume=0 :Enough.")

    with scripted(_sit, again) as server:
        run = Run(server)
        assert await run.link.run() is End.DISMISSED
    assert resumes == ["resume Zk81 me:0 t7:28"]
    assert run.waits() == run.slept == [1]
    assert run.talk.streams.tables["t7"].phase == "over"
    missed = [v.seq for v in run.heard if isinstance(v, Happened) and v.missed]
    assert missed == list(range(29, 52))
    assert [v.resumed for v in run.heard if isinstance(v, Named)] == [False, True]


def _gone() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


async def test_where_nobody_ever_listened_it_does_not_try_again() -> None:
    run = Run(_gone())
    assert await run.link.run() is End.UNREACHABLE
    assert run.link.trouble == "nobody listens there"
    assert run.heard == []


async def test_it_waits_longer_and_longer_and_gives_up_if_nobody_is_there_to_be_told() -> None:
    with scripted(_sit) as server:
        run = Run(server, patience=5)
        run.sleep = _close_after_first(run, server)  # type: ignore[method-assign]  # on purpose
        run.link._sleep = run.sleep
        assert await run.link.run() is End.GIVEN_UP
    assert run.waits() == [1, 2, 4, 8, 15, 15]


def _close_after_first(run: Run, server: ScriptedServer) -> Any:
    async def sleep(seconds: float) -> None:
        run.slept.append(seconds)
        server.close()

    return sleep


async def test_a_server_that_hangs_up_before_the_name_is_not_hammered() -> None:
    def slam(peer: Peer) -> None:
        peer.send("# cardline/1")

    def leave(peer: Peer) -> None:
        peer.take_back()
        peer.send("BYE code=REPLACED resume=0 :Elsewhere.")

    with scripted(_sit, slam, slam, leave) as server:
        run = Run(server)
        assert await run.link.run() is End.DISMISSED
    assert run.waits() == [1, 2, 4]


async def test_a_server_that_is_busy_is_left_alone_for_a_while() -> None:
    def busy(peer: Peer) -> None:
        hello, resume = peer.expect("hello 1"), peer.expect("resume Zk81")
        peer.send(f"{hello} OK proto=1", f"{resume} ERR code=BUSY wait=5000 :Too many people.")
        peer.wait()

    def leave(peer: Peer) -> None:
        peer.take_back()
        peer.send("BYE code=REPLACED resume=0 :Elsewhere.")

    with scripted(_sit, busy, leave) as server:
        run = Run(server)
        assert await run.link.run() is End.DISMISSED
    assert run.waits() == [1, 2]


async def test_what_hangs_up_at_once_counts_as_unreachable() -> None:
    with scripted(lambda peer: None) as server:
        assert await Run(server).link.run() is End.UNREACHABLE


# ---------------------------------------------------------------------------- in silence


class Deaf:
    """A wire that nothing comes over, on a clock that we turn."""

    def __init__(self, *lines: str) -> None:
        self.clock = Clock()
        self.talk = Talk(name="bob", client="test/1")
        self.heard: list[Any] = []
        link = Link(
            None,  # type: ignore[arg-type]  # nothing is dialled
            self.talk,
            self.heard.append,
            reactor=self.clock,
        )
        self.transport = StringTransport()
        self.aborted = False
        self.transport.abortConnection = self.abort  # type: ignore[method-assign]  # to note it
        self.wire = Wire(link, _Never())  # type: ignore[arg-type]  # never used
        self.wire.transport = self.transport
        self.wire.connectionMade()
        self.transport.clear()
        for line in lines:
            self.come(line)

    def abort(self) -> None:
        self.aborted = True

    def come(self, line: str) -> None:
        self.wire.dataReceived(f"{line}\r\n".encode())

    def wait(self, seconds: float) -> str:
        self.clock.advance(seconds)
        said: bytes = self.transport.value()
        self.transport.clear()
        return said.decode()


class _Never:
    def done(self) -> bool:
        return True


def test_a_silent_server_is_asked_whether_it_is_there() -> None:
    deaf = Deaf(HELLO, NAMED)
    assert deaf.wait(QUIET - 1) == ""
    assert deaf.wait(1) == "@3 ping\r\n"
    deaf.come("@3 OK pong=-")
    assert deaf.wait(QUIET - 1) == ""
    assert not deaf.aborted


def test_a_server_that_does_not_answer_is_gone() -> None:
    deaf = Deaf(HELLO, NAMED)
    deaf.wait(QUIET)
    deaf.wait(DEAF - 1)
    assert not deaf.aborted
    deaf.wait(1)
    assert deaf.aborted


def test_a_server_that_does_not_greet_is_gone_sooner() -> None:
    deaf = Deaf()
    assert deaf.wait(DEAF) == ""
    assert deaf.aborted


@pytest.mark.parametrize("lines", [[], [HELLO, NAMED]])
def test_no_alarm_outlives_its_connection(lines: list[str]) -> None:
    deaf = Deaf(*lines)
    deaf.wire.connectionLost()
    assert deaf.clock.getDelayedCalls() == []
    assert deaf.talk.state is State.AWAY
