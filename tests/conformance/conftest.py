"""The servers that the checks of the package are run against here: our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import pytest

from tests.conformance.servers import Server
from twentytwo_conform.connections import Address
from twentytwo_conform.fixtures import begin_idling
from twentytwo_conform.pool import Pool


def _own(*options: str) -> Iterator[Address]:
    server = Server(*options)
    yield server.address
    server.stop()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """A server without limits, which keeps what it says yes to, as most do."""
    yield from _own("--dev", "--bot-pause", "0", "--data", str(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="session")
def strict() -> Iterator[Address]:
    """A server with its limits on."""
    yield from _own("--bot-pause", "0", "--grace", "1")


@pytest.fixture(scope="session")
def given(address: Address, strict: Address) -> Iterator[Mapping[str, object]]:
    """The fixtures of checks that belong to a server; what takes long begins here."""
    with ExitStack() as stack:
        idlers, pool = begin_idling(strict, stack), Pool(address)
        stack.callback(pool.close)
        yield {
            "address": address,
            "strict": strict,
            "start": Server,
            "idlers": idlers,
            "pool": pool,
        }
