"""A NATS server, started once."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.bus.kit import BusPlace, local_place, nats_place, simulated_place
from tests.kit.nats import NatsServer


@pytest.fixture(scope="session")
def nats() -> Generator[NatsServer]:
    server = NatsServer()
    yield server
    server.close()


@pytest.fixture(params=["local", "simulated", "nats"])
def place(request: pytest.FixtureRequest) -> BusPlace:
    match request.param:
        case "local":
            return local_place()
        case "simulated":
            return simulated_place()
        case _:
            return nats_place(request.getfixturevalue("nats"))
