"""The server under test: one of our own, or that at `TWENTYTWO_SERVER=HOST:PORT`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count

import pytest

from tests.conformance.kit import Address, Program, Server, Table, read_address

_names = count(1)


GIVEN = os.environ.get("TWENTYTWO_SERVER")
"""HOST:PORT of the server to test; tests that do not suit it are skipped, fewest with --dev."""


def _own(*options: str) -> Iterator[Address]:
    server = Server(*options)
    yield server.address
    server.stop()


@pytest.fixture(scope="session")
def address() -> Iterator[Address]:
    """The server under test, without limits."""
    if GIVEN:
        yield read_address(GIVEN)
    else:
        yield from _own("--dev", "--bot-pause", "0")


@pytest.fixture(scope="session")
def strict() -> Iterator[Address]:
    """A server with its limits on."""
    if GIVEN:
        yield read_address(GIVEN)
    else:
        yield from _own("--bot-pause", "0", "--grace", "1")


@pytest.fixture(scope="session")
def limited(strict: Address) -> Address:
    """The same; the tests are skipped where it was run with --dev, and so has none."""
    with Program(strict, new_name()) as client:
        if client.ask("open twentytwo seed=1").ok:
            pytest.skip("this needs a server run without --dev")
    return strict


@pytest.fixture
def name() -> str:
    """A name that nobody had before."""
    return new_name()


def new_name() -> str:
    return f"c{os.getpid()}x{next(_names)}"


Connect = Callable[..., Program]


@pytest.fixture
def connect(address: Address) -> Iterator[Connect]:
    """Makes programs' connections under new names, closed at the end."""
    made: list[Program] = []

    def connect(**options: str) -> Program:
        made.append(Program(address, new_name(), **options))
        return made[-1]

    yield connect
    for client in made:
        client.close()


Open = Callable[..., Table]


@pytest.fixture
def table(connect: Connect) -> Open:
    """Opens tables of programs, all seated, the game begun unless `start` is false."""

    def table(
        seats: int = 2,
        options: str = "seed=1",
        *,
        game: str = "twentytwo",
        watchers: int = 0,
        start: bool = True,
        **client: str,
    ) -> Table:
        players = [connect(**client) for _ in range(seats)]
        watching = [connect(**client) for _ in range(watchers)]
        on = players[0].must(f"open {game} seats={seats} clock=0 {options}")["on"]
        for watcher in watching:
            watcher.must(f"watch {on}")
        for player in players[1:]:
            player.must(f"join {on}")
            player.must("ready")
        if start:
            players[0].must("start")
        made = Table(on, players, watching)
        made.catch_up()
        for each in made.everybody:
            each.take()
        return made

    return table


# ------------------------------------------------------------------------- what takes long


@dataclass
class Idlers:
    """Connections that were opened when the tests began, and have said nothing since.

    `slow` lets the clock of a game run out, which `friend` sees; `quiet` sits at a table with
    somebody whose connection is lost.
    """

    slow: Program
    friend: Program
    quiet: Program


@pytest.fixture(scope="session", autouse=True)
def idlers(strict: Address) -> Iterator[Idlers]:
    """What takes time begins at once, so that the tests that wait for it hardly wait."""
    with ExitStack() as stack:
        made = [stack.enter_context(Program(strict, new_name())) for _ in range(4)]
        slow, friend, quiet, away = made
        for host, guest, clock in ((slow, friend, 5), (away, quiet, 0)):
            on = host.must(f"open twentytwo seats=2 clock={clock} first_hand=7")["on"]
            guest.must(f"join {on}")
            guest.must("ready")
            host.must("start")
        away.close()
        yield Idlers(slow, friend, quiet)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that wait for something come last."""
    items.sort(key=lambda item: item.path.name == "test_waiting.py")
