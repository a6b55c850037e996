"""Rate limits and connection limits: how much one connection and one address may ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import pairs
from tests.kit.clock import HandClock
from twentytwo_server.net.limits import (
    AddressBuckets,
    ConnectionLimits,
    Full,
    Limits,
    TokenBucket,
    take_from_all,
)


def shouts(count: int) -> str:
    """So many commands, none like another: the same line has a limit of its own."""
    return "".join(f"shout :hear me {number}\n" for number in range(count))


def test_a_bucket_gives_its_size_at_once_and_then_its_rate() -> None:
    clock = HandClock()
    bucket = TokenBucket(5, 2, clock.now)
    assert [bucket.take() for _ in range(6)] == [0, 0, 0, 0, 0, 500]
    clock.advance(500)
    assert [bucket.take(), bucket.take()] == [0, 500]
    clock.advance(3_600_000)
    assert [bucket.take() for _ in range(6)] == [0, 0, 0, 0, 0, 500]


def test_what_is_refused_takes_nothing() -> None:
    clock = HandClock()
    bucket = TokenBucket(1, 1, clock.now)
    bucket.take()
    for _ in range(100):
        assert bucket.take() == 1000
    clock.advance(1000)
    assert bucket.take() == 0


@given(
    st.floats(0.05, 50),
    st.integers(1, 20),
    st.lists(st.integers(0, 5_000), max_size=30),
)
def test_who_waits_as_long_as_told_gets_what_was_asked(
    rate: float, size: int, waits: list[int]
) -> None:
    clock = HandClock()
    bucket = TokenBucket(size, rate, clock.now)
    for wait in waits:
        clock.jump(wait)
        told = bucket.take()
        if told:
            clock.jump(told)
            assert bucket.take() == 0


@given(st.lists(st.integers(0, 300), min_size=1, max_size=200))
def test_nobody_gets_more_than_the_size_and_the_rate(waits: list[int]) -> None:
    clock = HandClock()
    bucket = TokenBucket(20, 10, clock.now)
    start, given_ = clock.now(), 0
    for wait in waits:
        clock.jump(wait)
        given_ += bucket.take() == 0
    assert given_ <= 20 + (clock.now() - start) / 100 + 1e-6


def test_an_address_has_so_many_connections_and_gets_one_back_for_each_that_ends() -> None:
    doors = ConnectionLimits(2, 100)
    assert [doors.enter("a"), doors.enter("a"), doors.enter("a")] == [None, None, Full.ADDRESS]
    assert doors.enter("b") is None
    doors.leave("a")
    assert [doors.enter("a"), doors.enter("a")] == [None, Full.ADDRESS]


def test_there_are_so_many_connections_in_all_and_who_has_gone_is_forgotten() -> None:
    doors = ConnectionLimits(2, most=3)
    assert [doors.enter(name) for name in "abc"] == [None] * 3
    assert doors.enter("d") is Full.SERVER
    assert doors.enter("a") is Full.SERVER
    doors.leave("b")
    assert doors.enter("d") is None
    doors.leave("nobody")
    assert doors.enter("e") is Full.SERVER
    assert len(doors) == 3


def test_what_is_taken_at_a_place_stays_taken_until_it_is_long_forgotten() -> None:
    clock = HandClock()
    places = AddressBuckets(1, 1, clock.now, most=2)
    assert [places.of("a").take(), places.of("a").take()] == [0, 1000]
    assert [places.of(name).take() for name in "ba"] == [0, 1000]
    assert [places.of(name).take() for name in "ca"] == [0, 1000]
    assert places.of("b").take() == 0


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


def test_many_buckets_give_all_or_nothing() -> None:
    clock = HandClock()
    one, two = TokenBucket(1, 1, clock.now), TokenBucket(2, 0.5, clock.now)
    assert take_from_all(one, two) == 0
    assert [take_from_all(one, two) for _ in range(3)] == [1000] * 3
    assert two.take() == 0
    assert take_from_all(one, two) == 2000
    clock.advance(1000)
    assert take_from_all(one, two) == 1000
    assert one.take() == 0
