"""The timers of a table: when they come, and how many there are."""

from __future__ import annotations

from collections.abc import Callable

from tests.kit.clock import Due, HandClock
from twentytwo_server.host.tables.timers import Timers


def noting(found: list[tuple[str, int]], clock: HandClock, what: str) -> Callable[[], None]:
    return lambda: found.append((what, clock.now()))


def test_only_the_last_turn_ends_and_at_its_time() -> None:
    clock, found = HandClock(at=0), list[tuple[str, int]]()
    timers = Timers(clock)
    for turn in range(100):
        timers.at_end_of_turn(60_000, noting(found, clock, f"turn {turn}"))
        clock.advance(1_000)
    assert found == []
    clock.advance(58_999)
    assert found == []
    clock.advance(1)
    assert found == [("turn 99", 159_000)]
    clock.advance(1_000_000)
    assert len(found) == 1


class CountingClock(HandClock):
    """Counts the timers that are made."""

    made = 0

    def later(self, ms: int, call: Callable[[], None]) -> Due:
        self.made += 1
        return super().later(ms, call)


def test_a_thousand_quick_turns_make_no_more_than_a_few_timers() -> None:
    clock, found = CountingClock(at=0), list[tuple[str, int]]()
    timers = Timers(clock)
    for turn in range(1_000):
        timers.at_end_of_turn(30_000, noting(found, clock, f"turn {turn}"))
        clock.advance(100)
    assert clock.made <= 5
    assert len(clock.waiting) == 1


def test_a_turn_that_ends_sooner_than_the_one_before_ends_in_time() -> None:
    clock, found = HandClock(at=0), list[tuple[str, int]]()
    timers = Timers(clock)
    timers.at_end_of_turn(60_000, noting(found, clock, "long"))
    clock.advance(1_000)
    timers.at_end_of_turn(5_000, noting(found, clock, "short"))
    clock.advance(10_000)
    assert found == [("short", 6_000)]


def test_other_calls_come_beside_the_turn_and_none_after_the_end() -> None:
    clock, found = HandClock(at=0), list[tuple[str, int]]()
    timers = Timers(clock)
    timers.later(100, noting(found, clock, "a"))
    timers.at_end_of_turn(200, noting(found, clock, "turn"))
    timers.later(300, noting(found, clock, "b"))
    clock.advance(250)
    assert found == [("a", 100), ("turn", 200)]
    timers.at_end_of_turn(200, noting(found, clock, "next"))
    timers.stop()
    timers.later(1, noting(found, clock, "late"))
    timers.at_end_of_turn(1, noting(found, clock, "late"))
    clock.advance(1_000)
    assert len(found) == 2
    assert clock.waiting == []
