"""One server takes over from another: killed, frozen, cut off or stopped, nothing is lost.

The runs are short; `make nemesis` makes long ones.
"""

from __future__ import annotations

import re

import pytest

from tests.crash.namespaces import available
from tests.crash.takeovers import CUTS, WAYS
from tests.crash.test_crash import Ran, ran  # noqa: F401  # a fixture
from tests.kit.length import times


@pytest.mark.timeout(900)
def test_a_standby_takes_over_whatever_happens_to_the_server(ran: Ran) -> None:  # noqa: F811
    rounds = times(1, long=20)
    status, said = ran("takeovers", "--no-namespaces", "--rounds", str(rounds), "--seed", "7")
    assert status == 0, said
    assert f"{len(WAYS) * rounds} servers ended" in said
    for way in WAYS:
        (most,) = re.findall(rf"^{way} .* p99 +([0-9.]+)$", said, re.MULTILINE)
        assert float(most) > 0, said


@pytest.mark.skipif(not available(), reason="network namespaces need root")
@pytest.mark.timeout(900)
def test_a_network_that_loses_one_direction_loses_no_order(ran: Ran) -> None:  # noqa: F811
    ways = [word for way in CUTS for word in ("--way", way)]
    rounds = times(1, long=10)
    words = ("takeovers", "--namespaces", "--rounds", str(rounds), "--seed", "8", *ways)
    status, said = ran(*words)
    assert status == 0, said
    assert f"{len(CUTS) * rounds} servers ended" in said


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("bug", "way", "found"),
    [
        ("talking", "freeze", "still says"),
        ("talking", "requests cut", "still says"),
        ("epochless", "cut", "is not theirs"),
        ("retrying", "cut", "is not theirs"),
        ("keyless", "kill", "can be stored twice"),
        ("blind", "requests cut", "FAIL"),
        ("fresh", "kill", "plays the daily"),
    ],
)
def test_a_planted_bug_is_found(ran: Ran, bug: str, way: str, found: str) -> None:  # noqa: F811
    words = ("takeovers", "--no-namespaces", "--rounds", "3", "--way", way, "--restarts", "1")
    told = []
    for seed in range(5, 11):  # whether three ends meet the bug depends on the moment of each
        status, said = ran(*words, "--seed", str(seed), plant=bug)
        told.append(said)
        if status == 1 and found in said:
            return
    raise AssertionError("\n".join(told))
