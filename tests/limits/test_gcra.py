"""The rate limiter, against a plain token bucket in fractions, and case by case."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twentytwo_server.limits.gcra import MS, Limiter, Rate, take_from_all

BEGIN = 1_000_000

# What happens in turn: milliseconds go by, an event of some cost comes, what it is told.
CASES = {
    "the burst at once, and then the rate": (
        Rate.of(3, 2, 1000),
        [(0, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 500), (499, 1, 1), (1, 1, 0), (0, 1, 500)],
    ),
    "after a long time the burst again, and no more": (
        Rate.of(2, 1, 1000),
        [(0, 1, 0), (3_600_000, 1, 0), (0, 1, 0), (0, 1, 1000)],
    ),
    "refused events count for nothing": (
        Rate.of(1, 1, 1000),
        [(0, 1, 0), (0, 1, 1000), (0, 1, 1000), (0, 1, 1000), (1000, 1, 0)],
    ),
    "an expensive event counts as several": (
        Rate.of(20, 10, 1000),
        [(0, 5, 0), (0, 15, 0), (0, 5, 500), (499, 5, 1), (0, 4, 0)],
    ),
    "an event dearer than the burst is the burst": (
        Rate.of(20, 10, 1000),
        [(0, 1000, 0), (0, 1, 100), (100, 1000, 1900), (1900, 1000, 0)],
    ),
    "waits are whole milliseconds, never too short": (
        Rate.of(1, 3, 1000),
        [(0, 1, 0), (0, 1, 334), (333, 1, 1), (1, 1, 0)],
    ),
}


@pytest.mark.parametrize(("rate", "events"), CASES.values(), ids=CASES)
def test_what_each_event_is_told(rate: Rate, events: list[tuple[int, int, int]]) -> None:
    limiter: Limiter[str] = Limiter(rate)
    now = BEGIN
    for passed, cost, told in events:
        now += passed
        assert limiter.wait("ann", now, cost) == limiter.take("ann", now, cost) == told
        assert limiter.wait("bob", now, cost) == 0


class Bucket:
    """A token bucket, as textbooks have it, in exact fractions of the debt in nanoseconds."""

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.debt = Fraction(0)
        self.at = BEGIN

    def pass_to(self, now: int) -> None:
        self.debt = max(Fraction(0), self.debt - (now - self.at) * MS)
        self.at = now

    def wait(self, price: int) -> int:
        excess = self.debt + min(price, self.rate.room) - self.rate.room
        return max(0, -(-excess // MS))

    def add(self, price: int) -> None:
        self.debt = min(self.debt + price, Fraction(self.rate.room))


rates = st.builds(
    Rate.of, st.floats(1, 50), st.floats(0.05, 50), st.sampled_from([1_000, 60_000, 600_000])
)
ways = st.sampled_from(["take", "fill", "charge"])
events = st.tuples(ways, st.sampled_from("abc"), st.integers(0, 40_000), st.integers(1, 8))


@given(rates, st.integers(1, 4), st.lists(events, max_size=60))
def test_it_is_a_token_bucket_for_each_key(
    rate: Rate, times: int, events: list[tuple[str, str, int, int]]
) -> None:
    limiter: Limiter[str] = Limiter(rate)
    buckets = {key: Bucket(rate) for key in "abc"}
    now = BEGIN
    for way, key, passed, cost in events:
        now += passed
        for bucket in buckets.values():
            bucket.pass_to(now)
        bucket, price = buckets[key], cost * rate.interval // times
        told = bucket.wait(price)
        assert limiter.wait(key, now, cost, times) == told
        if way == "take":
            assert limiter.take(key, now, cost, times) == told
            if not told:
                bucket.add(price)
        elif way == "fill":
            limiter.fill(key, now, cost, times)
            bucket.add(price)
        else:
            owed = limiter.charge(key, now, cost, times)
            bucket.debt += price
            assert owed == max(0, -(-(bucket.debt - rate.room) // MS))
        assert limiter.level(key, now) == -(-bucket.debt // rate.interval)


@given(rates, st.lists(st.integers(0, 5_000), max_size=30))
def test_a_wait_that_was_kept_is_the_last(rate: Rate, pauses: list[int]) -> None:
    limiter: Limiter[str] = Limiter(rate)
    now = BEGIN
    for pause in pauses:
        now += pause
        told = limiter.take("ann", now)
        if told:
            assert limiter.take("ann", now + told - 1)
            now += told
            assert limiter.take("ann", now) == 0


@pytest.mark.parametrize(
    ("share", "answered"), [(1, 5), (2, 10), (4, 20)], ids=["far", "twice", "here"]
)
def test_a_share_is_a_multiple_of_the_burst_and_of_the_rate(share: int, answered: int) -> None:
    limiter: Limiter[str] = Limiter(Rate.of(5, 1, 1000))
    for now in (BEGIN, BEGIN + 5000):
        assert [limiter.take("ann", now, 1, share) == 0 for _ in range(24)].count(True) == answered


def test_an_event_under_many_limits_counts_for_all_or_for_none() -> None:
    one: Limiter[int] = Limiter(Rate.of(1, 1, 1000))
    two: Limiter[str] = Limiter(Rate.of(2, 0.5, 1000))
    both = (one, 1, 1, 1), (two, "ann", 1, 1)
    now = BEGIN
    assert [take_from_all(now, *both) for _ in range(3)] == [0, 1000, 1000]
    assert two.take("ann", now) == 0
    assert take_from_all(now, *both) == 2000
    assert take_from_all(now + 1000, *both) == 1000
    assert one.take(1, now + 1000) == 0


def test_what_is_taken_back_has_not_been() -> None:
    limiter: Limiter[str] = Limiter(Rate.of(5, 1, 1000))
    limiter.take_back("ann")
    limiter.fill("ann", BEGIN, 3)
    limiter.take_back("ann")
    assert limiter.level("ann", BEGIN) == 2
    assert limiter.raise_to("ann", BEGIN, 4) == 2
    assert limiter.raise_to("ann", BEGIN, 3) == 0
    limiter.take_back("ann", 4)
    assert limiter.level("ann", BEGIN) == 0


def test_above_so_many_keys_the_one_unused_for_longest_is_forgotten() -> None:
    limiter: Limiter[str] = Limiter(Rate.of(1, 1, 1000), most_keys=2)
    assert [limiter.take(key, BEGIN) for key in "ab"] == [0, 0]
    limiter.fill("a", BEGIN)
    assert limiter.take("c", BEGIN) == 0
    assert [limiter.wait(key, BEGIN) for key in "abc"] == [1000, 0, 1000]
    assert len(limiter) == 2


def test_keys_that_owe_nothing_are_forgotten_when_another_comes() -> None:
    limiter: Limiter[int] = Limiter(Rate.of(1, 1, 1000))
    for key in range(1000):
        limiter.take(key, BEGIN + 100 * key)
    assert len(limiter) == 10
