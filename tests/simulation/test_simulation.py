"""Simulated evenings keep every promise, and each planted bug is found."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.kit.length import times
from tests.simulation.evening import run
from tests.simulation.planted import MOST, PLANTED, SHOWN_BY, found

EVENINGS, EACH = times(20, long=500), 10


pytestmark = pytest.mark.usefixtures("quiet")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", range(0, EVENINGS, EACH))
def test_every_evening_keeps_every_promise(first: int) -> None:
    for seed in range(first, first + EACH):
        run(seed)


def test_the_same_seed_gives_the_same_evening() -> None:
    seeds = (3, 7, 240)
    assert [run(seed) for seed in seeds] == [run(seed) for seed in seeds]


def test_an_evening_does_not_depend_on_the_order_of_sets() -> None:
    told = {trace(hashes) for hashes in ("1", "2")}
    assert len(told) == 1


def trace(hashes: str) -> str:
    """The trace of an evening in a new process with its own hash seed."""
    program = "from tests.simulation.evening import run; print(run(9))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hashes},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_mistake_is_found(name: str) -> None:
    first = SHOWN_BY.get(name, 0)
    evenings, _ = found(name, [*range(first, MOST), *range(first)])
    assert evenings, f"not found: {name}"
