"""A server that cannot renew its lease says nothing: another one may have taken over."""

from __future__ import annotations

from tests.kit.pairs import Doors, Line
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.transport import SocketTransport

FAST = Limits(burst=1e9, rate=1e9, chat_burst=1e9, chat_rate=1e9)


class Lease:
    """A lease that is lost and renewed by hand."""

    def __init__(self) -> None:
        self.held = True

    def __call__(self) -> bool:
        return self.held


def at_a_table() -> tuple[Lease, Doors, Line, Line]:
    lease = Lease()
    doors = Doors(limits=FAST, speaks=lease)
    ann, bob = doors.program("ann"), doors.program("bob")
    ann.send("open twentytwo seats=2\n")
    bob.send("join t1\n")
    ann.read(), bob.read()
    return lease, doors, ann, bob


def test_no_line_is_answered_and_nothing_is_told_until_the_lease_is_renewed() -> None:
    lease, doors, ann, bob = at_a_table()
    lease.held = False
    answered = doors.channels.metrics.lines
    ann.send("@1 say :well played\n@2 ping\n")
    bob.send("@3 who\n")
    doors.advance(60_000)
    assert ann.read() == bob.read() == ""
    assert doors.channels.metrics.lines == answered
    lease.held = True
    doors.advance(200)
    assert [line.split()[1] for line in ann.lines() if line.startswith("@")] == ["OK", "OK"]
    told = bob.lines()
    assert any(line.startswith("SAID") for line in told)
    assert any(line.startswith("@3 OK") for line in told)


def test_what_was_decided_before_is_told_when_the_lease_is_renewed() -> None:
    lease, doors, _, bob = at_a_table()
    lease.held = False
    (session,) = (s for s, _ in doors.world.host.connections if s.name == "~bob")  # type: ignore[union-attr]
    session.comment("decided before")
    doors.advance(1_000)
    assert bob.read() == ""
    lease.held = True
    doors.advance(200)
    assert bob.lines() == ["# decided before"]


def test_newcomers_are_asked_to_come_back_and_let_in_afterwards() -> None:
    lease, doors, _, _ = at_a_table()
    lease.held = False
    (line,) = doors.knock("192.0.2.7").lines()
    assert line == (
        "BYE code=BUSY resume=1 wait=5000 "
        ":The server cannot reach its database now. Come back in a moment."
    )
    lease.held = True
    doors.line("192.0.2.7")


def test_a_server_that_stops_meanwhile_closes_without_a_word() -> None:
    lease, doors, ann, _ = at_a_table()
    lease.held = False
    doors.channels.stop()
    assert ann.read() == "" and ann.transport.disconnecting


def test_what_one_connection_is_not_told_because_the_lease_ends_meanwhile_is_told_later() -> None:
    lease, doors, ann, bob = at_a_table()
    assert isinstance(ann.protocol, SocketTransport)
    write = ann.protocol.write

    def last_words(data: bytes) -> None:
        write(data)
        lease.held = False

    ann.protocol.write = last_words
    ann.send("say :well played\n")
    assert ann.lines() and not bob.lines()
    lease.held = True
    doors.advance(200)
    assert [line.split()[0] for line in bob.lines()] == ["SAID"]


def test_nobody_is_gone_who_could_not_be_asked_whether_they_are_there() -> None:
    lease, doors, ann, _ = at_a_table()
    doors.advance(FAST.ping_after - 2_000)
    ann.send("pong 1\n")
    ann.read()
    newcomer = doors.line()
    newcomer.send("hello 1 client=t")
    lease.held = False
    newcomer.send("\n")
    doors.advance(10 * FAST.gone_after)
    lease.held = True
    doors.advance(2_000)
    assert ann.read() == "" and newcomer.lines()[-1].startswith("@* OK ")
    doors.advance(FAST.ping_after)
    assert ann.lines() == ["PING no=1"]
    doors.advance(FAST.gone_after)
    assert ann.lines()[-1].startswith("BYE code=IDLE")
