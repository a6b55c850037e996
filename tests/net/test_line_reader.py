"""The core alone: bytes in, lines out, whatever carries them."""

from __future__ import annotations

import pytest

from tests.kit.cases import together
from tests.kit.clock import HandClock
from twentytwo_protocol.framing import MAX_CLIENT_LINE, Flaw
from twentytwo_server.limits.connections import Limits
from twentytwo_server.net.line_reader import LineReader, Rejection

ENDS = [b"\n", b"\r\n", b"\r\x00"]


def connection(clock: HandClock | None = None, **limits: int) -> LineReader:
    return LineReader(Limits(**limits), (clock or HandClock()).now, list[bytes]().append)


def lines(found: LineReader, *pieces: bytes) -> list[str | Flaw]:
    """What comes of these pieces, each line being asked for as soon as it is there."""
    got = []
    for piece in pieces:
        found.receive(piece)
        while (line := found.next_line()) is not None:
            got.append(line)
            if line:
                found.decide(people=line != "hello 1")
    return got


@together("end", ENDS)
@together("over", [0, 1, 2, 3, 100])
@together("decided", [False, True])
def test_a_line_end_may_be_cut_anywhere_after_a_line_that_is_too_long(
    end: bytes, over: int, decided: bool
) -> None:
    first = [b"hello 1\n"] if decided else []
    data = b"x" * (MAX_CLIENT_LINE - len(end) + 1 + over) + end + b"ping" + end
    for cut in range(len(data) - len(end) - 8, len(data)):
        for further in (cut, cut + 1):
            pieces = (data[:cut], data[cut:further], data[further:])
            got = lines(connection(), *first, *pieces)
            assert got[len(first) :] == [Flaw.TOO_LONG, "ping"], (cut, further)


def test_a_cr_within_a_line_that_is_too_long_ends_it_neither_whole_nor_cut() -> None:
    long = b"x" * (2 * MAX_CLIENT_LINE)
    for pieces in ((long + b"\ry\n",), (long + b"\r", b"y\n"), (long, b"\r", b"y", b"\n")):
        assert lines(connection(), *pieces, b"ping\n") == [Flaw.TOO_LONG, "ping"]


@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("first", [b"\n\r\nhello 1\n", b"\nann\r\n"])
def test_what_comes_behind_the_first_line_is_read_as_it_says(first: bytes, chunk: int) -> None:
    data = first + b"one\xff\xfd\x01 \ntwo\n"
    pieces = [data[at : at + chunk] for at in range(0, len(data), chunk)]
    got = [line for line in lines(connection(), *pieces) if line]
    program = b"hello" in first
    assert got[1:] == ([Flaw.BAD_UTF8, "two"] if program else ["one ", "two"])


@pytest.mark.parametrize("blank", [b"\n", b"x\n"])
def test_lines_that_nobody_asks_for_are_a_flood(blank: bytes) -> None:
    found = connection(waiting=10)
    verdicts = []
    for more in (11, 1):
        found.receive(blank * more)
        verdicts.append(found.rejected)
    assert verdicts == [None, Rejection.TOO_MANY]
    assert found.next_line() is None


def test_what_waits_behind_a_first_line_is_bounded_without_an_end_of_line_too() -> None:
    found = connection(waiting=10)
    found.receive(b"guest ann\n")
    for _ in range(11):
        found.receive(b"x" * MAX_CLIENT_LINE)
    assert found.rejected is None
    found.receive(b"x")
    assert found.rejected is Rejection.TOO_MANY


def test_a_line_has_begun_with_its_first_byte_and_until_its_last() -> None:
    clock = HandClock()
    found = connection(clock)
    lines(found, b"hello 1\nping")
    clock.advance(100)
    lines(found, b" 1")
    assert found.unfinished_for == 100
    lines(found, b"\npi")
    assert found.unfinished_for == 0
    clock.advance(50)
    lines(found, b"n" * 3000)
    clock.advance(50)
    assert found.unfinished_for == 100
    lines(found, b"\n")
    clock.advance(50)
    assert found.unfinished_for == 0
