"""Faults that are built into a server on purpose: whoever looks for lost orders must find them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence

from twentytwo_server.facts import Fact
from twentytwo_server.host.people.once import KeyedCommands
from twentytwo_server.session.streams import Stream
from twentytwo_server.store import engines
from twentytwo_server.store.writer import Writer

NAME = "TWENTYTWO_CRASH_PLANT"
"""The variable of the environment that names the fault."""


def early() -> None:
    """What is decided is acknowledged, and then kept."""
    keep = Writer.keep

    def too_soon(self: Writer, facts: Sequence[Fact], done: Callable[[], None]) -> None:
        keep(self, facts, lambda: None)
        asyncio.get_running_loop().call_soon(done)

    Writer.keep = too_soon  # type: ignore[method-assign]


def twice() -> None:
    """An order that is sent again after a restart is carried out again."""

    KeyedCommands.answer = lambda self, key, said: None  # type: ignore[method-assign]


def repeated() -> None:
    """Whoever comes back is told the last event that they have seen once more."""
    after = Stream.after
    Stream.after = lambda self, seq: after(self, seq - 1)  # type: ignore[method-assign]


def unsynced() -> None:
    """The log is not synced when something is kept."""
    rest = [each for each in engines.PRAGMAS if not each.startswith("synchronous")]
    engines.__dict__["PRAGMAS"] = (*rest, "synchronous=NORMAL")


PLANTS: Mapping[str, Callable[[], None]] = {
    each.__name__: each for each in (early, twice, repeated, unsynced)
}


def plant() -> None:
    """Builds in the fault that the environment names, if it names one."""
    name = os.environ.get(NAME)
    if name:
        PLANTS[name]()
