"""The repeatable source of chance: each number equally often, whatever is picked from."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from tests.kit.cases import together
from twentytwo_protocol.fair import picker

PICKS = 40_000


@together("n", [1, 2, 3, 6, 7, 52, 129, 200, 255, 256, 257, 300])
def test_every_number_is_picked_equally_often(n: int) -> None:
    pick = picker(f"statistic {n}")
    found = Counter(pick(n) for _ in range(PICKS))
    assert set(found) == set(range(n))
    expected = PICKS / n
    chi = sum((found[k] - expected) ** 2 / expected for k in range(n))
    # Five standard deviations of chi squared; the seed is fixed, so this is no matter of luck.
    assert chi < (n - 1) + 5 * sqrt(2 * max(1, n - 1))


@pytest.mark.parametrize("n", [2, 3, 52])
def test_a_pick_tells_nothing_of_the_next(n: int) -> None:
    pick = picker(f"pairs {n}")
    found = Counter((pick(n), pick(n)) for _ in range(PICKS))
    expected = PICKS / n**2
    chi = sum((found[a, b] - expected) ** 2 / expected for a in range(n) for b in range(n))
    assert chi < (n**2 - 1) + 5 * sqrt(2 * (n**2 - 1))


def test_another_seed_is_another_course_of_chance_and_the_same_the_same() -> None:
    def course(seed: str) -> list[int]:
        pick = picker(seed)
        return [pick(1000) for _ in range(20)]

    assert course("a") == course("a") != course("b")
