"""A newer version takes over and an older one again while programs play.

The runs are short; `make nemesis` makes long ones.
"""

from __future__ import annotations

import pytest

from tests.crash.test_crash import Ran, ran  # noqa: F401  # a fixture
from tests.kit.length import times

WORDS = ("upgrades", "--tables", "3", "--moves", "8", "--lease", "3")


@pytest.mark.timeout(300)
def test_an_upgrade_there_and_back_loses_nothing(ran: Ran) -> None:  # noqa: F811
    rounds = times(1, long=5)
    status, said = ran(*WORDS, "--rounds", str(rounds), "--seconds", "0.2")
    assert status == 0, said
    assert f"3 tables, 12 players, {2 * rounds} changes of version" in said


@pytest.mark.timeout(600)
def test_active_servers_that_are_replaced_in_turn_lose_nothing(ran: Ran) -> None:  # noqa: F811
    """The next one stops as soon as the new one listens, before any renewal of its lease."""
    servers = times(2, long=3)
    rounds = times(1, long=3)
    many = ("--servers", str(servers), "--seconds", "0")
    status, said = ran(*WORDS, "--rounds", str(rounds), *many)
    assert status == 0, said
    assert f"3 tables, 12 players, {2 * rounds * servers} changes of version" in said
    assert said.count("all tables have other owners") == 2 * rounds * servers


def test_a_server_that_repeats_a_line_after_an_upgrade_is_found(ran: Ran) -> None:  # noqa: F811
    status, said = ran(*WORDS, "--rounds", "1", "--seconds", "0.2", plant="repeated")
    assert status == 1 and "is sent" in said, said
