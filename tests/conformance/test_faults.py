"""Every check fails where a server is wrong: none is empty."""

from __future__ import annotations

import pytest

from tests.conformance.faults import checks, finds, kept, with_own_fault
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
