"""Three active servers: whatever happens to them, nothing is lost, doubled or told differently.

The runs are short; `make nemesis` makes long ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from tests.crash.cluster import WAYS
from tests.crash.test_crash import Ran, ran  # noqa: F401  # a fixture
from tests.kit.length import times

SHORT = ("kill", "all cut", "bus requests cut")
"""The faults of a short run: a take-over, a server that wakes, and orders that come late."""


@pytest.mark.timeout(900)
def test_a_place_goes_on_whatever_happens_to_one_of_its_servers(ran: Ran) -> None:  # noqa: F811
    rounds = times(1, long=10)
    ways: Sequence[str] = WAYS if rounds > 1 else SHORT
    chosen = [word for way in ways for word in ("--way", way)]
    status, said = ran("cluster", "--rounds", str(rounds), "--seed", "7", *chosen)
    assert status == 0, said
    assert f"{len(ways) * rounds} faults" in said
    assert re.search(r" [1-9]\d+ orders acknowledged", said), said


@pytest.mark.skipif(times(0, long=1) == 0, reason="it takes minutes until a fault meets a bug")
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("bug", "way", "found"),
    [
        ("epochless_active", "store cut", "has stored something"),
        ("forgetful", "kill", "FAIL"),
        ("homonymous", "stop", "is not theirs"),
        ("late", "bus requests cut", "after BYE"),
        ("skipping", "kill", "FAIL"),
        ("trusting", "bus answers cut", "FAIL"),
    ],
)
def test_a_planted_bug_is_found(ran: Ran, bug: str, way: str, found: str) -> None:  # noqa: F811
    told = []
    for seed in range(1, 13):  # whether the faults meet the bug depends on the moment of each
        words = ("cluster", "--rounds", "1", "--seed", str(seed), *("--way", way) * 4)
        status, said = ran(*words, plant=bug)
        told.append(said)
        if status == 1 and found in said:
            return
    raise AssertionError("\n".join(told))
