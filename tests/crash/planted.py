"""Bugs planted into a server: the tests that look for lost orders must find them."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import Connection, text

from twentytwo_server.facts import Fact
from twentytwo_server.host.people.once import KeyedCommands
from twentytwo_server.session.streams import Stream
from twentytwo_server.store import engines, migrating, schema
from twentytwo_server.store.lease import Lease
from twentytwo_server.store.writer import Writer

NAME = "TWENTYTWO_CRASH_PLANT"
"""The environment variable that names the bug."""


def early() -> None:
    """Acknowledges decisions before they are stored."""
    keep = Writer.keep

    def too_soon(self: Writer, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        keep(self, facts, lambda: None)
        asyncio.get_running_loop().call_soon(done)

    Writer.keep = too_soon  # type: ignore[method-assign]


def twice() -> None:
    """Executes an order again when it is sent again after a restart."""

    KeyedCommands.answer = lambda self, key, said: None  # type: ignore[method-assign]


def repeated() -> None:
    """Sends a returning player's last event once more."""
    after = Stream.after
    Stream.after = lambda self, seq: after(self, seq - 1)  # type: ignore[method-assign]


def unsynced() -> None:
    """Stores without syncing the log."""
    rest = [each for each in engines.PRAGMAS if not each.startswith("synchronous")]
    engines.__dict__["PRAGMAS"] = (*rest, "synchronous=NORMAL")


def talking() -> None:
    """Answers although another server may have taken over."""
    Lease.holds = lambda self: True  # type: ignore[method-assign]


def blind() -> None:
    """Stores whatever the epoch, in a database without the key of a table's orders."""
    fence = re.sub("AND epoch.*", ";", schema.FENCE)
    keyless = (
        "ALTER TABLE inputs DROP CONSTRAINT inputs_pk",
        "ALTER TABLE tables DROP CONSTRAINT tables_pk CASCADE",
    )
    create = migrating.create

    def created(connection: Connection) -> None:
        create(connection)
        for statement in ("DROP FUNCTION fence", fence, *keyless):
            connection.execute(text(statement))

    migrating.create = created


PLANTS: Mapping[str, Callable[[], None]] = {
    each.__name__: each for each in (early, twice, repeated, unsynced, talking, blind)
}


def plant() -> None:
    """Plants the bug that the environment names, if any."""
    name = os.environ.get(NAME)
    if name:
        PLANTS[name]()
