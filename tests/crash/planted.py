"""Bugs planted into a server: the tests that look for lost orders must find them."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import count

from msgspec.structs import replace
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine

from twentytwo_server.bus.nats import NatsBus
from twentytwo_server.facts import Fact, Input, OpenTable
from twentytwo_server.host.cluster import following, order_messages, receiving, rings
from twentytwo_server.host.dailies import Dailies
from twentytwo_server.host.people.once import KeyedCommands
from twentytwo_server.host.tables.followed_table import FollowedTable
from twentytwo_server.host.tables.input_log import InputLog
from twentytwo_server.session.streams import Burst, Stream
from twentytwo_server.store import engines, migrating, schema, writer
from twentytwo_server.store.committing import committer
from twentytwo_server.store.lease import Lease
from twentytwo_server.store.nodes import Fence
from twentytwo_server.store.sql import SqlStore
from twentytwo_server.store.writer import Writer
from twentytwo_server.store.writing import Batch

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
    InputLog.carried = lambda self, who, tag: None  # type: ignore[method-assign]


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


def _made_with(*statements: str) -> None:
    """Carries out these statements in each new database."""
    create = migrating.create

    def created(connection: Connection) -> None:
        create(connection)
        for statement in statements:
            connection.execute(text(statement))

    migrating.create = created


def epochless() -> None:
    """Stores whatever the epoch."""
    _made_with("DROP FUNCTION fence", re.sub("AND epoch.*", ";", schema.FENCE))


def keyless() -> None:
    """Stores several orders in one place of a table."""
    _made_with(
        "ALTER TABLE inputs DROP CONSTRAINT inputs_pk",
        "ALTER TABLE tables DROP CONSTRAINT tables_pk CASCADE",
    )


def blind() -> None:
    """Has neither of these fences."""
    epochless()
    keyless()


class _Retrying:
    """A committer that needs no epoch when it tries a commit again."""

    def __init__(self, engine: AsyncEngine, fence: Fence, present: Callable[[], None]) -> None:
        self._first = committer(engine, fence, present)
        self._again = committer(engine, Fence(fence.node, -1), present)

    async def commit(self, batch: Batch, again: bool) -> None:
        """See `Committer`."""
        await (self._again if again else self._first).commit(batch, again)


def retrying() -> None:
    """Stores whatever the epoch when a commit is tried again."""
    any_epoch = re.sub("AND (epoch.*);", r"AND (of_epoch < 0 OR \1);", schema.FENCE)
    _made_with("DROP FUNCTION fence", any_epoch)
    writer.__dict__["committer"] = _Retrying


def epochless_active() -> None:
    """Stores whatever the epoch, at an active server."""
    _made_with("DROP FUNCTION fence_active", re.sub("AND epoch.*", ";", schema.FENCE_ACTIVE))


def forgetful() -> None:
    """Forgets which orders of a table were carried out, when the table passes to another server."""
    check = InputLog.check

    def checked(self: InputLog, stored: Input, burst: Burst, before: int) -> None:
        check(self, replace(stored, id=""), burst, before)

    InputLog.check = checked  # type: ignore[method-assign]


def homonymous() -> None:
    """Gives a new name to whoever asks a server for it, whatever the other servers do."""
    SqlStore.claim = lambda self, person, done: done(time.time_ns())  # type: ignore[method-assign]


def late() -> None:
    """Carries out orders of other servers however late they come."""
    read = order_messages.read_question

    def read_late(
        data: bytes,
    ) -> tuple[order_messages.OrderQuestion, order_messages.SentKind] | None:
        found = read(data)
        return (replace(found[0], until=1 << 62), found[1]) if found is not None else None

    receiving.__dict__["read_question"] = read_late


def skipping() -> None:
    """Leaves out an order of another server's table when several come at once."""
    follow = FollowedTable.follow

    def followed(self: FollowedTable, newer: OpenTable) -> None:
        follow(self, replace(newer, inputs=newer.inputs[len(newer.inputs) > 1 :]))

    FollowedTable.follow = followed  # type: ignore[method-assign]


def trusting() -> None:
    """Looks for news of the tables of other servers only when a ring tells of some.

    A bus may lose rings; here it loses every second.
    """
    numbers = Counter[str]()
    came = count()

    def read_ring(data: bytes) -> rings.Ring | None:
        ring = rings.read_ring(data)
        if ring is None or next(came) % 2:
            return None
        numbers[ring.node] += 1  # as if none were missing
        return replace(ring, no=numbers[ring.node])

    following.__dict__.update(read_ring=read_ring, LOOK=1 << 40, SELDOM=1 << 40)
    NatsBus.watch = lambda self, changed: None  # type: ignore[method-assign]


def fresh() -> None:
    """Forgets at a start who has begun a daily deal."""
    restore = Dailies.restore
    Dailies.restore = lambda self, remembered: restore(  # type: ignore[method-assign]
        self, replace(remembered, daily_begun=())
    )


PLANTS: Mapping[str, Callable[[], None]] = {
    each.__name__: each
    for each in (
        early,
        twice,
        repeated,
        unsynced,
        talking,
        epochless,
        keyless,
        blind,
        retrying,
        fresh,
        epochless_active,
        forgetful,
        homonymous,
        late,
        skipping,
        trusting,
    )
}


def plant() -> None:
    """Plants the bug that the environment names, if any."""
    name = os.environ.get(NAME)
    if name:
        PLANTS[name]()
