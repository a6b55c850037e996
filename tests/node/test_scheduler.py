"""The time of the event loop is shared among those who want it."""

from __future__ import annotations

import pytest

from tests.kit.clock import HandClock
from twentytwo_server.scheduler import ROUND, SLICE, Scheduler


class Worked:
    """A scheduler, and in which order who worked; every piece takes a millisecond."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.scheduler = Scheduler(self.clock)
        self.done: list[str] = []

    def want(self, key: str, pieces: int) -> None:
        for _ in range(pieces):
            self.scheduler.later(key, lambda: self.work(key))

    def work(self, key: str) -> None:
        self.clock.jump(1)
        self.done.append(key)

    def turn(self) -> str:
        self.done.clear()
        self.clock.turn()
        return "".join(self.done)


def test_each_has_a_slice_and_then_it_is_the_next_ones_turn() -> None:
    worked = Worked()
    worked.want("a", 5)
    worked.want("b", 3)
    worked.want("c", 1)
    assert ROUND == 2 * SLICE == 4
    assert [worked.turn() for _ in range(5)] == ["aabb", "caab", "a", "", ""]
    assert not worked.clock.waiting and not len(worked.scheduler)


def test_who_has_used_their_slice_waits_and_nobody_else_does() -> None:
    worked = Worked()
    worked.scheduler.run("a", lambda: worked.clock.jump(SLICE - 1))
    assert worked.scheduler.may_run("a")
    worked.scheduler.run("a", lambda: worked.clock.jump(1))
    assert not worked.scheduler.may_run("a") and worked.scheduler.may_run("b")
    worked.turn()
    assert worked.scheduler.may_run("a")
    worked.want("a", 1)
    assert not worked.scheduler.may_run("a"), "it would overtake what waits"


def test_work_is_done_at_once_while_the_slice_lasts_and_then_in_order() -> None:
    worked = Worked()
    worked.turn()
    for _ in range(SLICE + 2):
        worked.scheduler.soon("a", lambda: worked.work("a"))
    worked.scheduler.soon("b", lambda: worked.work("b"))
    assert "".join(worked.done) == "a" * SLICE + "b"
    assert worked.turn() == "aa"


def test_work_within_work_counts_once() -> None:
    worked = Worked()
    scheduler = worked.scheduler
    scheduler.run("a", lambda: scheduler.run("a", lambda: worked.clock.jump(SLICE - 1)))
    assert worked.scheduler.may_run("a")


def test_what_is_cancelled_does_nothing_in_its_turn() -> None:
    worked = Worked()
    turn = worked.scheduler.turn("a")
    turn.addErrback(lambda _: None)
    turn.addCallback(lambda _: None)
    worked.scheduler.turn("a").addCallback(lambda _: worked.work("a"))
    turn.cancel()
    assert worked.turn() == "a"


def test_work_that_fails_keeps_nobody_else_from_theirs() -> None:
    worked = Worked()
    worked.scheduler.later("a", lambda: 1 // 0)
    worked.want("a", 1)
    worked.want("b", 1)
    with pytest.raises(ZeroDivisionError):
        worked.turn()
    assert worked.turn() == "ba"
