"""Rate limits and connection limits: how much one connection and one address may ask."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.kit import pairs
from tests.kit.clock import HandClock
from twentytwo_protocol.words.lobby import Who
from twentytwo_server.limits.addresses import Addresses, Full, NotAdmitted
from twentytwo_server.limits.connections import Limits
from twentytwo_server.metrics import Metrics
from twentytwo_server.net.channel import Reception


def shouts(count: int) -> str:
    """So many commands, none like another: the same line has a limit of its own."""
    return "".join(f"shout :hear me {number}\n" for number in range(count))


def addresses(**limits: int) -> tuple[HandClock, Addresses]:
    clock = HandClock()
    return clock, Addresses(Limits(**limits), clock.now, Metrics())


@pytest.mark.parametrize(
    ("limits", "why", "comings"),
    [
        ({"each_address": 2}, Full.ADDRESS, "1 1 1! 2 -1 1 1!"),
        ({"each_address": 2, "connections": 3}, Full.SERVER, "1 2 3 4! 1! -2 4 -5 6!"),
    ],
    ids=["of one address", "in all"],
)
def test_there_is_room_for_so_many_and_for_one_more_when_one_of_them_has_gone(
    limits: dict[str, int], why: Full, comings: str
) -> None:
    _, it = addresses(**limits)
    for coming in comings.split():
        address = f"192.0.2.{coming.strip('-!')}"
        if coming.startswith("-"):
            it.leave(address)
        else:
            refused = it.admit(address)
            assert (refused and refused.why) == (why if coming.endswith("!") else None), coming


# In turn: milliseconds go by, a penalty, for how long the address is then refused.
PENALTIES = {
    "a little is forgiven": ([(0, 10_000, 0)], {}),
    "they add up": ([(0, 10_000, 0), (0, 10_000, 20_000)], {}),
    "until all of it has passed": (
        [(0, 20_000, 20_000), (6_000, 0, 14_000), (0, 500, 14_500), (14_500, 0, 0)],
        {},
    ),
    "then it begins anew": ([(0, 20_000, 20_000), (20_000, 0, 0), (0, 10_000, 0)], {}),
    "they expire from the first on": ([(0, 10_000, 0), (10_000, 10_000, 0)], {}),
    "they grow to so much": ([(0, 50_000, 50_000), (0, 50_000, 60_000), (60_000, 0, 0)], {}),
    "without a maximum there are none": ([(0, 50_000, 0)], {"penalty_most": 0}),
}


@pytest.mark.parametrize(("events", "limits"), PENALTIES.values(), ids=PENALTIES)
def test_penalties_add_up_and_expire(
    events: list[tuple[int, int, int]], limits: dict[str, int]
) -> None:
    clock, it = addresses(**{"penalty_least": 15_000, "penalty_most": 60_000} | limits)
    for passed, penalty, wait in events:
        clock.advance(passed)
        for address in ("2001:db8::1", "127.0.0.1"):
            it.penalize(address, penalty)
        refusal = it.admit("2001:db8::2")  # of the same network
        assert refusal == (NotAdmitted(Full.PENALTY, wait) if wait else None)
        assert it.admit("2001:db8:0:1::1") is None
        assert it.admit("127.0.0.1") is None, "who comes through a tunnel has no penalty"


def test_a_network_of_ipv6_is_one_place() -> None:
    doors = pairs.Doors(limits=Limits(each_address=2))
    assert doors.line("2001:db8::1")
    line = doors.line("2001:db8::2")
    assert doors.try_line("2001:db8::3") is None
    doors.line("2001:db8:0:1::3")
    line.lose()
    doors.line("2001:db8::4")


def test_what_is_said_counts_for_the_place_it_comes_from() -> None:
    doors = pairs.Doors()
    refused = 0
    for number in range(8):
        line = doors.line("192.0.2.1")
        line.send(f"hello 1\nguest ann{number}\n" + shouts(5))
        refused += line.read().count("code=RATE")
        line.lose()
    assert refused == 8 * 5 - 20
    other = doors.line("192.0.2.2")
    other.send("hello 1\nguest bob\nshout :hear me\n")
    assert "RATE" not in other.read()


@pytest.mark.parametrize(
    ("first", "again"),
    [("open twentytwo", "invite bob"), ("close", "open twentytwo :BUY NOW\nclose")],
)
def test_what_others_hear_of_has_the_limit_of_talk(first: str, again: str) -> None:
    doors = pairs.Doors()
    ann, _ = doors.program("ann"), doors.program("bob")
    ann.send(f"{first}\n" + f"{again}\n" * 5)
    assert "RATE" not in ann.read()
    ann.send(f"{again}\n")
    assert "ERR code=RATE class=limit" in ann.read()


def test_one_address_is_let_in_so_often_and_others_still_are() -> None:
    doors = pairs.Doors(limits=Limits(each_address=3))
    lines = [doors.line("10.0.0.1") for _ in range(3)]
    assert doors.try_line("10.0.0.1") is None
    doors.line("10.0.0.2")
    lines[0].lose()
    doors.line("10.0.0.1")
    assert doors.try_line("10.0.0.1") is None


@pytest.mark.parametrize("how", ["quit", "lose", "abort"])
def test_every_end_of_a_connection_makes_room_for_another(how: str) -> None:
    doors = pairs.Doors(limits=Limits(each_address=1))
    for _ in range(5):
        line = doors.line("10.0.0.1")
        if how == "quit":
            line.send("quit\n")
        elif how == "lose":
            line.lose()
        else:
            line.send(b"\x16\x03")
        assert not line.connected


def test_a_unix_socket_has_no_address_and_comes_in() -> None:
    doors = pairs.Doors()
    line = doors.line("")
    line.send("ann\n")
    assert line.lines()


@pytest.mark.parametrize("encrypted", [False, True])
def test_what_is_said_counts_for_a_whole_network_of_ipv6(encrypted: bool) -> None:
    doors = pairs.Doors(encrypted=encrypted)
    refused = 0
    for number in range(8):
        line = doors.line(f"2001:db8::{number + 1}")
        line.send(f"hello 1\nguest ann{number}\n" + shouts(5))
        refused += line.read().count("code=RATE")
    assert refused == 8 * 5 - 20
    other = doors.line("2001:db8:0:1::1")
    other.send("hello 1\nguest bob\nshout :hear me\n")
    assert "RATE" not in other.read()


def test_what_one_limit_refuses_counts_for_no_other() -> None:
    doors = pairs.Doors()
    loud, quiet = doors.line("192.0.2.1"), doors.line("192.0.2.1")
    loud.send("hello 1\nguest ann\n" + shouts(15))
    assert loud.read().count("code=RATE") == 10
    quiet.send("hello 1\nguest bob\n" + shouts(5))
    assert "RATE" not in quiet.read(), "ann was refused by her own limit, not by the address's"


def asks(line: pairs.Line, command: str, times: int) -> int:
    """How often it was refused for its rate."""
    line.send(f"{command}\n" * times)
    return line.read().count("code=RATE")


def test_what_takes_the_server_long_counts_as_several_and_a_move_as_nothing() -> None:
    doors = pairs.Doors()
    assert asks(doors.program("ann"), "ping", 40) > 20
    ann = doors.program("bob")
    doors.clock.advance(60_000)
    assert asks(ann, "who", 20) == 20 - int(20 / Who.cost)


def test_all_connections_of_an_address_have_one_budget_and_others_have_theirs() -> None:
    doors = pairs.Doors(limits=Limits(address_burst=100, address_rate=50))
    lines = [doors.line("192.0.2.1") for _ in range(10)]
    other = doors.line("192.0.2.2")
    for line in (*lines, other):
        line.send("hello 1\n")
    doors.clock.advance(60_000)
    assert sum(asks(line, "ping", 20) for line in lines) == 100
    assert asks(other, "ping", 20) == 0
    doors.clock.advance(1000)
    assert asks(lines[0], "ping", 20) == 10
    assert asks(lines[1], "ping", 20) == 10


def test_what_takes_the_server_long_counts_as_several_for_the_address_too() -> None:
    doors = pairs.Doors(limits=Limits(address_burst=10 * Who.cost, address_rate=50))
    lines = [doors.line("192.0.2.1") for _ in range(3)]
    for number, line in enumerate(lines):
        line.send(f"hello 1\nguest ann{number}\n")
        line.read()
    doors.clock.advance(60_000)
    answered = [4 - asks(line, "who", 4) for line in lines]
    assert answered == [4, 4, 2]


def test_this_machine_has_more() -> None:
    doors = pairs.Doors(limits=Limits(address_burst=50, local_times=3))
    lines = [doors.line("127.0.0.1") for _ in range(10)]
    for line in lines:
        line.send("hello 1\n")
    doors.clock.advance(60_000)
    assert sum(asks(line, "ping", 20) for line in lines) == 200 - 150


def test_new_connections_come_one_after_the_other() -> None:
    doors = pairs.Doors(limits=Limits(connect_burst=5, connect_rate=60, penalty_most=0))
    for _ in range(5):
        doors.line("192.0.2.1").lose()
    assert doors.try_line("192.0.2.1") is None
    assert doors.knock("192.0.2.1").lines() == [
        "BYE code=RATE resume=1 wait=1000 :Too many new connections from your address."
    ]
    doors.clock.advance(400)
    assert " wait=600 " in doors.knock("192.0.2.1").read()
    doors.line("192.0.2.2").lose()
    for _ in range(5):
        doors.line("127.0.0.1").lose()
    doors.line("127.0.0.1")
    doors.clock.advance(600)
    doors.line("192.0.2.1")


def test_other_words_of_greeting_forgive_nobody_and_other_limits_begin_anew() -> None:
    doors = pairs.Doors(limits=Limits(connect_burst=1, connect_rate=60))
    channels, addresses, address = doors.channels, doors.channels.addresses, "192.0.2.1"
    too_fast = NotAdmitted(Full.TOO_FAST, 1000)
    assert [addresses.admit(address), addresses.admit(address)] == [None, too_fast]
    channels.change(Reception(replace(addresses.limits), "# another greeting"))
    assert addresses.admit(address) == too_fast
    channels.change(Reception(replace(addresses.limits, connect_burst=2), "# another greeting"))
    assert addresses.admit(address) is None


@pytest.mark.parametrize(
    "does", ["x" * 2000 + "\n", "GET / HTTP/1.1\n", "\x16\x03\n"], ids=["flood", "http", "tls"]
)
def test_whoever_is_cut_off_for_what_they_sent_gets_a_penalty(does: str) -> None:
    doors = pairs.Doors(limits=Limits(too_long=1))
    for _ in range(10):
        line = doors.try_line("192.0.2.1")
        if line is None:
            break
        line.send(does)
        assert not line.connected
    bye = doors.knock("192.0.2.1").read()
    assert bye.startswith("BYE code=RATE resume=1 wait=")
    assert bye.endswith(" :Your address has to wait, because of its earlier connections.\r\n")
    doors.line("192.0.2.2")
    doors.clock.advance(600_000)
    doors.line("192.0.2.1")


def test_who_is_connected_goes_on_while_their_address_has_a_penalty() -> None:
    doors = pairs.Doors(limits=Limits(too_long=1))
    friend = doors.line("192.0.2.1")
    friend.send("hello 1\n")
    doors.line("192.0.2.1").send("x" * 2000 + "\n")
    assert doors.try_line("192.0.2.1") is None
    friend.read()
    assert asks(friend, "ping", 3) == 0 and friend.connected


def test_the_last_connections_are_not_for_guests_nor_for_who_says_nothing() -> None:
    doors = pairs.Doors(limits=Limits(connections=10, reserve=30))
    for name in "abcdefg":
        doors.program(f"ann{name}")
    late = doors.line("192.0.2.1")
    late.send("hello 1\n@g guest bob\n")
    assert "@g ERR code=BUSY" in late.read()
    there = []
    for _ in range(2):
        doors.clock.advance(7_000)
        there.append(late.connected)
    assert there == [True, False]
    doors.line("192.0.2.1").send("hello 1\n@g guest bob\n")


def test_a_crowd_from_this_machine_is_told_once_in_the_log_for_it_may_be_a_proxys(
    caplog: pytest.LogCaptureFixture,
) -> None:
    doors = pairs.Doors(pairs.Echo(), Limits(each_address=1))
    for address in ("192.0.2.1", "192.0.2.1", "127.0.0.1"):
        doors.knock(address)
    assert not caplog.records
    for _ in range(3):
        doors.knock("127.0.0.1")
    (record,) = caplog.records
    assert "--trusted-proxy" in record.getMessage()
