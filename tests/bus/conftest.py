"""The places in which a bus can be."""

from __future__ import annotations

import pytest

from tests.bus.kit import BusPlace, local_place, simulated_place


@pytest.fixture(params=[local_place, simulated_place], ids=["local", "simulated"])
def place(request: pytest.FixtureRequest) -> BusPlace:
    made: BusPlace = request.param()
    return made
