"""When the process searches for garbage."""

from __future__ import annotations

import gc
from collections.abc import Generator
from weakref import ref

import pytest
from twisted.internet.task import Clock

from twentytwo_server.garbage import GROWN, IDLE_LOAD, LATEST, LOOK, YOUNG, Garbage


@pytest.fixture(autouse=True)
def settings() -> Generator[None]:
    """Those of this process are as they were afterwards."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    gc.enable()


class Ring:
    """Refers to itself, so that only a search can find it."""

    def __init__(self) -> None:
        self.ring = self


class Process:
    """A process of which a test says how busy it is."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.used = 0.0
        self.garbage = Garbage(self.clock.callLater, lambda: self.used)

    def minute(self, busy: float) -> None:
        """Passes a minute in which that part of a processor was used."""
        self.used += busy * LOOK
        self.clock.advance(LOOK)


def dropped() -> ref[Ring]:
    """Garbage that has outlived the searches among new objects."""
    ring = Ring()
    gc.collect(0)
    return ref(ring)


def test_nothing_is_searched_before_the_server_has_started() -> None:
    process = Process()
    assert not gc.isenabled()
    process.garbage.started()
    assert gc.isenabled()


def test_what_is_there_at_the_start_is_never_searched() -> None:
    process = Process()
    before = dropped()
    process.garbage.started()
    after = dropped()
    process.minute(busy=0)
    assert before() is not None
    assert after() is None


def test_a_busy_server_searches_through_everything_once_an_hour_and_a_quiet_one_at_once() -> None:
    process = Process()
    process.garbage.started()
    for _ in range(2):
        found = dropped()
        for _ in range(LATEST - 1):
            process.minute(busy=2 * IDLE_LOAD)
        assert found() is not None
        process.minute(busy=2 * IDLE_LOAD)
        assert found() is None
    found = dropped()
    process.minute(busy=IDLE_LOAD / 2)
    assert found() is None


def test_a_busy_server_that_has_grown_much_searches_through_everything() -> None:
    process = Process()
    process.garbage.started()
    found = dropped()
    process.minute(busy=1)
    assert found() is not None
    kept = [[number] for number in range((GROWN + 2) * YOUNG)]
    process.minute(busy=1)
    assert found() is None
    found = dropped()
    process.minute(busy=1)
    assert found() is not None
    assert kept


def test_python_itself_searches_only_among_what_is_new() -> None:
    Process().garbage.started()
    found = dropped()
    kept = [[number] for number in range(200_000)]
    assert found() is not None
    assert len(kept) == 200_000
