"""The connection of the terminal client: made, lost, and made again."""

from __future__ import annotations

import socket
from collections.abc import Callable

from tests.client.kit import (
    ENDING,
    FOUND,
    SEATING,
    TRICKS,
    Peer,
    ScriptedServer,
    scripted,
)
from twentytwo_client.address import Address
from twentytwo_client.connection import ClientConnection
from twentytwo_client.core.conversation import Conversation
from twentytwo_client.core.reconnecting import Ending, Timing
from twentytwo_client.core.reconnecting_conversation import ReconnectingConversation
from twentytwo_client.core.updates import EventReceived, Reconnecting, SignedIn, Update
from twentytwo_client.terminal.app import unreachable

USUAL = Timing()


class Run:
    """A link to a server, with everything that was heard and every pause."""

    def __init__(
        self,
        server: ScriptedServer | int,
        *,
        attempts: int | None = None,
        timing: Timing = USUAL,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        port = server if isinstance(server, int) else server.port
        self.heard: list[Update] = []
        self.slept: list[float] = []
        self.talk = Conversation(name="bob", client="test/1")
        self._meanwhile = meanwhile
        link = ReconnectingConversation(self.talk, self.heard.append, timing, attempts=attempts)
        self.link = ClientConnection(Address("127.0.0.1", port), link, sleep=self.sleep)

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
    assert unreachable("cards.example:1", run.link.trouble).endswith(": nobody listens there.")
    assert run.heard == []


def test_who_finds_no_server_on_this_machine_is_told_what_starts_one() -> None:
    assert unreachable("localhost:2222", None) == (
        "Could not connect to localhost:2222: no answer. twentytwo host starts one."
    )


async def test_it_waits_longer_and_longer_and_gives_up_if_nobody_is_there_to_be_told() -> None:
    with scripted(_sit) as server:
        run = Run(server, attempts=5, meanwhile=server.close)
        assert await run.link.run() is Ending.GIVEN_UP
    assert run.waits() == run.slept == [1, 2, 4, 5, 5, 5]


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

SHORT = Timing(greeting=0.1, quiet=0.1, answer=0.1)
"""No need to wait for what is decided by `Heartbeat`."""


async def test_a_silent_server_is_asked_whether_it_is_there() -> None:
    def answer_twice(peer: Peer) -> None:
        peer.greet()
        for _ in range(2):
            peer.send(f"{peer.expect(' ping')} OK pong=-")
        peer.send("BYE code=KICKED resume=0 :Enough.")

    with scripted(answer_twice) as server:
        run = Run(server, timing=SHORT)
        assert await run.link.run() is Ending.DISMISSED
    assert run.waits() == []


async def test_a_server_that_does_not_answer_is_gone() -> None:
    def say_nothing(peer: Peer) -> None:
        peer.greet()
        peer.expect(" ping")
        peer.wait()

    def leave(peer: Peer) -> None:
        peer.take_back()
        peer.send("BYE code=REPLACED resume=0 :Elsewhere.")

    with scripted(say_nothing, leave) as server:
        run = Run(server, timing=SHORT)
        assert await run.link.run() is Ending.DISMISSED
    assert run.waits() == [1]


async def test_a_server_that_does_not_greet_is_gone() -> None:
    with scripted(lambda peer: peer.wait()) as server:
        assert await Run(server, timing=SHORT).link.run() is Ending.UNREACHABLE
