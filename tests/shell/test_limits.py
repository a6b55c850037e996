"""Buckets and doors: how much one connection and one address may ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import pairs
from tests.kit.clock import HandClock
from twentytwo_server.limits import Bucket, Doors, Limits


def test_a_bucket_gives_its_size_at_once_and_then_its_rate() -> None:
    clock = HandClock()
    bucket = Bucket(5, 2, clock.now)
    assert [bucket.take() for _ in range(6)] == [0, 0, 0, 0, 0, 500]
    clock.advance(500)
    assert [bucket.take(), bucket.take()] == [0, 500]
    clock.advance(3_600_000)
    assert [bucket.take() for _ in range(6)] == [0, 0, 0, 0, 0, 500]


def test_what_is_refused_takes_nothing() -> None:
    clock = HandClock()
    bucket = Bucket(1, 1, clock.now)
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
    bucket = Bucket(size, rate, clock.now)
    for wait in waits:
        clock.jump(wait)
        told = bucket.take()
        if told:
            clock.jump(told)
            assert bucket.take() == 0


@given(st.lists(st.integers(0, 300), min_size=1, max_size=200))
def test_nobody_gets_more_than_the_size_and_the_rate(waits: list[int]) -> None:
    clock = HandClock()
    bucket = Bucket(20, 10, clock.now)
    start, given_ = clock.now(), 0
    for wait in waits:
        clock.jump(wait)
        given_ += bucket.take() == 0
    assert given_ <= 20 + (clock.now() - start) / 100 + 1e-6


def test_an_address_has_so_many_connections_and_gets_one_back_for_each_that_ends() -> None:
    doors = Doors(2)
    assert [doors.enter("a"), doors.enter("a"), doors.enter("a")] == [True, True, False]
    assert doors.enter("b")
    doors.leave("a")
    assert [doors.enter("a"), doors.enter("a")] == [True, False]


def test_the_table_of_addresses_is_bounded_and_forgets_who_has_gone() -> None:
    doors = Doors(2, most=3)
    assert all(doors.enter(name) for name in "abc")
    assert not doors.enter("d")
    assert doors.enter("a")
    doors.leave("b")
    assert doors.enter("d")
    doors.leave("nobody")
    assert len(doors._open) == 3


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
