"""Every check fails where a server is wrong: none is empty."""

from __future__ import annotations

import pytest

from tests.conformance.faults import Fault, anybody_finds, checks, finds, kept, with_own_fault
from twentytwo_conform.connections import Address

FAULTS = kept()


def test_every_check_has_a_fault_that_it_must_find() -> None:
    assert checks().keys() == FAULTS.keys() | with_own_fault()
    assert not FAULTS.keys() & with_own_fault()


@pytest.mark.parametrize("name", FAULTS)
def test_a_check_finds_its_fault(address: Address, name: str) -> None:
    wanted, fault = FAULTS[name]
    case = next(case for case in checks()[name] if case.name == wanted)
    assert finds(case, address, fault)
    assert not anybody_finds(address, fault), "a check of nothing finds it too: look for another"


@pytest.mark.parametrize(
    "fault",
    [
        Fault("doubled", "OK", "", 2),
        Fault("doubled", "OK", "", 40),
        Fault("doubled", "#", "", 1),
        Fault("doubled", "ERR", "", 1),
        Fault("without", "OK", "name", 2),
    ],
)
def test_a_check_of_nothing_finds_a_fault_in_whatever_anybody_hears(
    address: Address, fault: Fault
) -> None:
    assert anybody_finds(address, fault)
