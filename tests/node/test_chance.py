"""The source of chance that the server gives its bots: each number equally often."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from twentytwo_server.node import CHANCE

PICKS = 40_000


@pytest.mark.parametrize("n", [2, 3, 52, 200])
@pytest.mark.parametrize("seed", [None, 7])
def test_every_number_is_picked_equally_often(n: int, seed: int | None) -> None:
    pick = CHANCE.pick(seed)
    found = Counter(pick(n) for _ in range(PICKS))
    assert set(found) <= set(range(n))
    expected = PICKS / n
    chi = sum((found[k] - expected) ** 2 / expected for k in range(n))
    # Ten standard deviations of chi squared, and room for its long tail where n is small.
    assert chi < n + 30 + 10 * sqrt(2 * n)


def test_a_seed_gives_the_same_course_again_and_no_seed_never_does() -> None:
    def course(seed: int | None) -> list[int]:
        pick = CHANCE.pick(seed)
        return [pick(1000) for _ in range(20)]

    assert course(7) == course(7) != course(8)
    assert course(None) != course(None)


def test_secrets_and_tokens_are_never_the_same() -> None:
    secrets = {CHANCE.secret() for _ in range(1000)}
    tokens = {CHANCE.token() for _ in range(1000)}
    assert (len(secrets), {len(each) for each in secrets}) == (1000, {128})
    assert (len(tokens), {len(each) for each in tokens}) == (1000, {20})
