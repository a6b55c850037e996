"""Every check fails where a server is wrong: none is empty."""

from __future__ import annotations

import pytest

from tests.conformance.faults import checks, finds, kept, with_own_fault
from twentytwo_conform.connections import Address

FAULTS = kept()
OWN = "it starts and stops servers of its own, which no proxy stands before"
WAITS = "it waits for half a minute of silence"
WITHOUT = {
    "accounts.an_account_outlives_the_server": OWN,
    "accounts.who_guesses_has_to_wait": OWN,
    "fairness.who_looked_for_players_need_say_nothing_more": "its game starts after three seconds",
    "limits.a_client_that_asks_for_much_and_reads_late_gets_all_of_it": "a line of many that is "
    "lost is sometimes found only after half a minute",
    "limits.a_client_that_does_not_read_is_cut_off_and_nobody_notices": "it takes ten seconds",
    "limits.an_address_has_so_many_connections": "the address is turned away for a minute after it",
    "mode.what_is_no_line_yet_keeps_nobody_waiting": "it waits in vain for a server that is wrong",
    "waiting.a_silent_program_is_asked_whether_it_is_there": WAITS,
    "waiting.after_the_time_of_grace_a_bot_plays": WAITS,
    "waiting.when_the_time_is_up_the_default_is_played": WAITS,
}
"""Checks for which there is no wrong server, and why: a run with one would take too long."""


def test_every_check_has_a_fault_that_it_must_find() -> None:
    assert checks().keys() == {*FAULTS, *with_own_fault(), *WITHOUT}
    assert not (FAULTS.keys() | with_own_fault()) & WITHOUT.keys()


@pytest.mark.parametrize("name", FAULTS)
def test_a_check_finds_its_fault(address: Address, name: str) -> None:
    wanted, fault = FAULTS[name]
    case = next(case for case in checks()[name] if case.name == wanted)
    assert finds(case, address, fault)
