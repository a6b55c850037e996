"""The servers of a database: at most one serves, others may stand by to take over.

Every server has a row in `nodes`. A server that serves increases the `beat` of its row each second.
Its `epoch` is part of every write (`committing`), and goes up whenever another server takes over.
So a server that was frozen meanwhile can store nothing, and learns of it at its next beat.
"""

from __future__ import annotations

from enum import Enum

from sqlalchemy import Connection, select, text, update

from twentytwo_protocol.value import Value

from . import Refused
from .engines import application_name
from .schema import nodes, tables

_END_TRANSACTIONS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND usename = current_user AND application_name = :name"
    " AND xact_start IS NOT NULL AND pid <> pg_backend_pid()"
)


class NodeState(Enum):
    """The state of a server of the database."""

    SERVING = "serving"
    STANDBY = "standby"
    STOPPED = "stopped"


class NodeRow(Value):
    """The row of a server.

    `epoch` counts the changes of hands, `beat` the renewals, and `batch` is the number of the last
    batch that it wrote. `address` is where clients reach it, if it is known; `version` that of its
    program.
    """

    node: str
    epoch: int
    beat: int
    batch: int
    state: NodeState
    address: str
    version: str


class Fence(Value):
    """The right to write: it ends when another server increases the epoch of the node's row."""

    node: str
    epoch: int


class StillServing(Refused):
    """The server that was to be replaced is alive, or another one has replaced it already."""


def read_nodes(db: Connection) -> list[NodeRow]:
    """The rows of all servers, by name."""
    rows = db.execute(select(nodes).order_by(nodes.c.node)).mappings()
    return [NodeRow(**{**row, "state": NodeState(row["state"])}) for row in rows]


def serving(db: Connection) -> NodeRow | None:
    """The row of the server that serves, or was serving when it died."""
    return next((row for row in read_nodes(db) if row.state is NodeState.SERVING), None)


def take_over(
    db: Connection, node: str, version: str, address: str, after: NodeRow | None
) -> tuple[Fence, int]:
    """Makes this server the one that serves; returns its fence, and the number of its last batch.

    `after` is the row of the server that served before, as last read; None if there was none. All
    open tables pass to this server. Raises `StillServing` if that row has changed meanwhile.
    """
    if serving(db) != after:
        raise StillServing("another server has begun to serve")
    if after is not None:
        _end_transactions(db, after.node)
        same = (nodes.c.epoch == after.epoch, nodes.c.beat == after.beat)
        its = update(nodes).where(nodes.c.node == after.node, *same)
        ended = {"state": NodeState.STOPPED.value, "epoch": after.epoch + 1}
        if db.execute(its.values(ended)).rowcount != 1:
            raise StillServing(f"the server {after.node} still serves")
    mine = _put(db, node, version, address, NodeState.SERVING)
    db.execute(update(tables).where(tables.c.closed.is_(None)).values(node=node))
    return Fence(node, mine.epoch), mine.batch


def _end_transactions(db: Connection, node: str) -> None:
    """Ends the sessions of a dead server that are in the middle of a transaction.

    They would keep the row of the server locked. A session that has read half of a pipeline waits
    for the rest without a time limit.
    """
    if db.dialect.name == "postgresql":
        db.execute(_END_TRANSACTIONS, {"name": application_name(node)})


def stand_by(db: Connection, node: str, version: str, address: str) -> Fence:
    """Notes that this server stands by, unless its row says that it serves.

    A fence of a standby only renews its row.
    """
    last = serving(db)
    if last is not None and last.node == node:
        return Fence(node, 0)
    return Fence(node, _put(db, node, version, address, NodeState.STANDBY).epoch)


def _put(db: Connection, node: str, version: str, address: str, state: NodeState) -> NodeRow:
    changed = {"state": state.value, "version": version, "address": address}
    its = update(nodes).where(nodes.c.node == node).values(epoch=nodes.c.epoch + 1, **changed)
    if not db.execute(its).rowcount:
        db.execute(nodes.insert().values(node=node, epoch=1, beat=0, batch=0, **changed))
    return next(row for row in read_nodes(db) if row.node == node)


def renewed(db: Connection, fence: Fence) -> bool:
    """Increases the beat; returns False if the epoch has ended."""
    mine = (nodes.c.node == fence.node, nodes.c.epoch == fence.epoch)
    return db.execute(update(nodes).where(*mine).values(beat=nodes.c.beat + 1)).rowcount == 1


def stopped(db: Connection, fence: Fence) -> None:
    """Notes that this server serves no more, so that another may take over at once."""
    mine = (nodes.c.node == fence.node, nodes.c.epoch == fence.epoch)
    db.execute(update(nodes).where(*mine).values(state=NodeState.STOPPED.value))
