"""The clocks of everybody at a table."""

from __future__ import annotations

from twentytwo_client.display.clocks import Clocks
from twentytwo_protocol.words.cardplay import Clock, Turn


def question(turn: int, seat: int, ms: int | None = None, bank: int | None = None) -> Turn:
    return Turn(turn, seat, "play", ms, bank)


def test_everybody_who_is_asked_has_a_clock_of_their_own() -> None:
    now = [100.0]
    clocks = Clocks(lambda: now[0])
    mine, theirs = question(1, 1, 60_000), question(2, 2, 30_000, 120_000)
    clocks.start("t1", mine)
    now[0] += 5
    clocks.start("t1", theirs)
    now[0] += 10
    assert clocks.shown("t1", mine) == "0:45"
    assert clocks.shown("t1", theirs) == "0:20+2:00"
    assert clocks.shown("t2", mine) == ""
    assert clocks.shown("t1", question(3, 1)) == ""  # another question than that with the clock


def test_the_reserve_runs_when_the_time_of_the_move_is_up() -> None:
    now = [0.0]
    clocks = Clocks(lambda: now[0])
    turn = question(1, 1, 10_000, 60_000)
    clocks.start("t1", turn)
    now[0] = 40
    assert clocks.shown("t1", turn) == "0:00+0:30"
    now[0] = 400
    assert clocks.shown("t1", turn) == "0:00"


def test_what_the_server_says_of_a_clock_holds_and_one_that_stands_still_stands() -> None:
    now = [0.0]
    clocks = Clocks(lambda: now[0])
    turn = question(7, 2, 60_000)
    clocks.start("t1", turn)
    clocks.told(Clock("t1", 7, 2, 12_000, run=False))
    now[0] = 30
    assert clocks.shown("t1", turn) == "0:12"
    clocks.told(Clock("t1", 7, 2, 12_000))
    now[0] = 35
    assert clocks.shown("t1", turn) == "0:07"


def test_a_question_without_a_clock_has_none() -> None:
    clocks = Clocks(lambda: 0.0)
    clocks.start("t1", question(1, 1, 60_000))
    clocks.start("t1", question(2, 1))
    assert clocks.shown("t1", question(2, 1)) == ""
