"""The fixtures of the checks: a server, names, connections, tables."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Protocol

from .check import fixture, skip
from .connections import Address, Client, Person, Program, Table, seated
from .pacing import TOO_MANY, trace
from .pool import Pool, new_name


class OwnServer(Protocol):
    """A server that a check has started and will stop."""

    address: Address

    def stop(self) -> None:
        """Stops the server."""


GAME = "seed=27 options=first_hand:5,limit:10"
"""Fields of `open` for a short game with the same cards each time."""

Start = Callable[..., OwnServer]
"""Starts a server with these options of `twentytwo-server run`."""


@fixture
def start() -> Start:
    """A function that starts servers; the check is skipped if the checked server is not local."""
    skip("this starts, stops or hinders a server: only with one of its own")


@fixture
def limited(strict: Address) -> Address:
    """A server with limits."""
    with Program(strict, new_name()) as client:
        if client.ask("open twentytwo seed=1").ok:
            skip("this needs a server run without --dev")
    trace().patient = False
    return strict


@fixture
def folder() -> Iterator[str]:
    """An empty folder."""
    with tempfile.TemporaryDirectory() as made:
        yield made


@fixture
def name() -> str:
    """A new name."""
    return new_name()


@fixture
def raw(address: Address) -> Iterator[Client]:
    """A connection after the greeting."""
    with Client(address) as client:
        yield client


@fixture
def nobody(address: Address) -> Iterator[Program]:
    """A program's connection before its login."""
    with Program(address) as client:
        yield client


@fixture
def guest(address: Address, name: str) -> Iterator[Program]:
    """A program's connection, logged in under a new name."""
    with Program(address, name) as client:
        yield client


@fixture
def stranger(address: Address) -> Iterator[Person]:
    """A person's connection before the login."""
    with Person(address) as person:
        yield person


@fixture
def ann(address: Address, name: str) -> Iterator[Person]:
    """A person who has just logged in under a new name."""
    with Person(address, name) as person:
        yield person


@fixture
def pool(address: Address) -> Iterator[Pool]:
    """The pool of unused connections."""
    made = Pool(address)
    yield made
    made.close()


Connect = Callable[..., Program]


@fixture
def connect(address: Address, pool: Pool) -> Iterator[Connect]:
    """A function that opens connections of programs, each under a new name; they are returned to
    the pool at the end.

    A connection that has to be `fresh`, or needs another `hello`, does not come from the pool.
    """
    made: list[Program] = []

    def connect(*, fresh: bool = False, **options: str) -> Program:
        anew = fresh or options
        made.append(Program(address, new_name(), **options) if anew else pool.take())
        return made[-1]

    yield connect
    for client in made:
        if trace().failed and not trace().refused:
            pool.drop(client)
        else:
            pool.give(client)


Open = Callable[..., Table]


@fixture
def table(connect: Connect) -> Open:
    """A function that opens tables of programs; the game is started unless `start` is false.

    On a server that does not allow a seed, the cards are arbitrary. A check that needs certain
    cards, or no limits, passes `exactly`; it is skipped on such servers.
    """

    def table(
        seats: int = 2,
        options: str = "seed=1",
        *,
        game: str = "twentytwo",
        watchers: int = 0,
        start: bool = True,
        exactly: bool = False,
        **client: Any,
    ) -> Table:
        players = [connect(**client) for _ in range(seats)]
        watching = [connect(**client) for _ in range(watchers)]
        opening = f"open {game} seats={seats} clock=0 {options}"
        opened = players[0].ask(opening)
        if opened.final.fields.get("arg") == "seed" and not exactly:
            opening = re.sub(r" seed=\d+", "", opening)
        on = (opened if opened.ok else players[0].must(opening))["on"]
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
    """Connections that have been silent since the checks began.

    `slow` lets the clock of a game run out, which `friend` sees; `quiet` sits at a table with a
    player whose connection is lost; `silent` has no table. Only one check may read each connection:
    two would take each other's lines.
    """

    slow: Program
    friend: Program
    quiet: Program
    silent: Program


@fixture
def idlers() -> Idlers:
    """The silent connections; the check is skipped if the server has refused them."""
    skip(TOO_MANY)


def begin_idling(strict: Address, until: ExitStack) -> Idlers:
    """Opens the silent connections early, so that checks of timeouts need not wait long."""
    made = [until.enter_context(Program(strict, new_name())) for _ in range(5)]
    slow, friend, quiet, away, silent = made
    for host, guest, clock in ((slow, friend, 5), (away, quiet, 0)):
        seated(f"open twentytwo seats=2 clock={clock} options=first_hand:7", host, guest)
    away.close()
    return Idlers(slow, friend, quiet, silent)
