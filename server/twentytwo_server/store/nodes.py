"""The servers of a database: one serves while others stand by to take over, or several are active.

Every server has a row in `nodes`, and increases the `beat` there ten times in each lease. The
`epoch` of a row is part of every write of its server (`committing`), and goes up whenever another
server takes over. So a server that was frozen meanwhile can store nothing, and learns of the
take-over at its next beat.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from sqlalchemy import (
    ColumnElement,
    Connection,
    Update,
    case,
    delete,
    exists,
    func,
    select,
    text,
    update,
)

from twentytwo_protocol.value import Value

from . import Conflict, Refused
from .engines import application_name
from .schema import ACTIVE_SCHEMA, marks, nodes, people, promises, seeks, tables

_END_TRANSACTIONS = text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND usename = current_user AND application_name = :name"
    " AND xact_start <= clock_timestamp() - make_interval(secs => :age) AND pid <> pg_backend_pid()"
)


_PLACE = text(
    "SELECT to_hex(system_identifier) || '-' || oid FROM pg_control_system(), pg_database"
    " WHERE datname = current_database()"
)
"""A name for the database: the installation of PostgreSQL, and the database in it."""


class NodeState(Enum):
    """The state of a server of the database."""

    SERVING = "serving"
    ACTIVE = "active"
    STANDBY = "standby"
    STOPPED = "stopped"


class NodeRow(Value):
    """The row of a server.

    `epoch` counts the changes of hands, `beat` the renewals, and `batch` is the number of the last
    batch that it wrote. `address` is where clients reach it, if it is known; `version` that of its
    program. All fields are read before a migration, so none may be newer than schema 0002.
    """

    node: str
    epoch: int
    beat: int
    batch: int
    state: NodeState
    address: str
    version: str


class Fence(Value):
    """The right to write: it ends when another server increases the epoch of the node's row.

    `active`: other servers write as well.
    """

    node: str
    epoch: int
    active: bool = False

    @property
    def log(self) -> str:
        """The name of this server's log of promises."""
        return self.node if self.active else ""


class StillServing(Refused):
    """The server that was to be replaced is alive, or another one has replaced it already."""


def read_nodes(db: Connection) -> list[NodeRow]:
    """The rows of all servers, by name."""
    columns = [nodes.c[name] for name in NodeRow.__struct_fields__]
    rows = db.execute(select(*columns).order_by(nodes.c.node)).mappings()
    return [NodeRow(**{**row, "state": NodeState(row["state"])}) for row in rows]


def read_place(db: Connection) -> str:
    """A name for this PostgreSQL database, which only a copy of all its files shares."""
    found: str = db.execute(_PLACE).scalar_one()
    return found


def in_the_way(db: Connection, joining: str = "") -> list[NodeRow]:
    """The rows of the servers that must have ended before this one begins, by name.

    A server that is to serve alone waits for all others. `joining` is the name of one that is to be
    active: it waits for a server that serves alone, and for an earlier process of its own name.
    """
    return [
        row
        for row in read_nodes(db)
        if row.state is NodeState.SERVING
        or (row.state is NodeState.ACTIVE and joining in ("", row.node))
    ]


def take_over(
    db: Connection, node: str, version: str, address: str, after: Sequence[NodeRow]
) -> tuple[Fence, int]:
    """Makes this server the one that serves; returns its fence, and the number of its last batch.

    `after` are the rows of the servers that served before, as `in_the_way` last read them. All open
    tables pass to this server. Raises `StillServing` if those rows have changed meanwhile.
    """
    _end_all(db, after, "")
    mine = _put(db, node, version, address, NodeState.SERVING)
    fence = Fence(node, mine.epoch)
    highest = select(func.max(nodes.c.at)).scalar_subquery()
    behind = update(marks).where(marks.c.name == "at", marks.c.value < highest)
    db.execute(behind.values(value=highest))
    db.execute(_taking(fence, tables.c.closed.is_(None)))
    return fence, mine.batch


def join(
    db: Connection, node: str, version: str, address: str, after: Sequence[NodeRow]
) -> tuple[Fence, int]:
    """Makes this server an active one; returns its fence, and the number of its last batch.

    `after` is as for `take_over`. Its timeline begins after those of all others. It takes the
    people and open tables that belong to no active server. Raises `StillServing` as `take_over`
    does.
    """
    _end_all(db, after, node)
    mine = _put(db, node, version, address, NodeState.ACTIVE)
    db.execute(
        update(marks)
        .where(marks.c.name == "oldest", marks.c.value < ACTIVE_SCHEMA)
        .values(value=ACTIVE_SCHEMA)
    )
    before = select(marks.c.value).where(marks.c.name == "at")
    at = max(db.execute(query).scalar_one() for query in (before, select(func.max(nodes.c.at))))
    last = db.execute(select(func.max(promises.c.no)).where(promises.c.log == node)).scalar() or 0
    promise = case((nodes.c.promise < last, last), else_=nodes.c.promise)
    db.execute(update(nodes).where(nodes.c.node == node).values(at=at, promise=promise))
    fence = Fence(node, mine.epoch, active=True)
    active = select(nodes.c.node).where(nodes.c.state == NodeState.ACTIVE.value)
    db.execute(_taking(fence, tables.c.closed.is_(None) & tables.c.node.not_in(active)))
    db.execute(update(people).where(people.c.node.not_in(active)).values(node=node))
    _free_seeks(db, seeks.c.node.not_in(active), seeks.c.taker.not_in(active))
    _free_seeks(db, seeks.c.node == node, seeks.c.taker == node)
    nameless = update(people).where(people.c.who == "")  # an older version has stored them
    db.execute(nameless.values(who=func.lower(people.c.name)))
    return fence, mine.batch


def take_tables(
    db: Connection, fence: Fence, after: NodeRow, dead_for: float = 0.0
) -> Sequence[str]:
    """Takes the people and open tables of a server that has stopped, or is active but dead.

    A server that has been dead for at least `dead_for` seconds is ended first. `after` is its row
    as last read. Returns the tables. Raises `StillServing` if the row has changed meanwhile, or
    this server has lost its own right to write.
    """
    if after.state is NodeState.ACTIVE:  # a server that has stopped may just be starting again
        # So may the next process of a dead server: younger transactions are those of that process.
        _end_transactions(db, after.node, dead_for / 2)
    both = select(nodes.c.node).where(nodes.c.node.in_((fence.node, after.node)))
    db.execute(both.order_by(nodes.c.node).with_for_update()).all()  # in one order: no deadlock
    now = {row.node: row for row in read_nodes(db)}
    theirs, mine = now[after.node], now[fence.node]
    if (theirs.epoch, theirs.beat, theirs.state) != (after.epoch, after.beat, after.state):
        raise StillServing(f"the server {after.node} is alive")
    if (mine.epoch, mine.state) != (fence.epoch, NodeState.ACTIVE):
        raise StillServing("another server has ended this one")
    if after.state is NodeState.ACTIVE:
        _end(db, after)
    db.execute(update(people).where(people.c.node == after.node).values(node=fence.node))
    _free_seeks(db, seeks.c.node == after.node, seeks.c.taker == after.node)
    of_it = tables.c.closed.is_(None) & (tables.c.node == after.node)
    return db.execute(_taking(fence, of_it).returning(tables.c.id)).scalars().all()


def _free_seeks(db: Connection, lost: ColumnElement[bool], taken: ColumnElement[bool]) -> None:
    """Deletes the seeks of people whose server has ended, and frees those that it had matched."""
    db.execute(delete(seeks).where(lost))
    db.execute(update(seeks).where(taken, seeks.c.taker != "").values(taker="", tag=""))


def owned(db: Connection, fence: Fence) -> Sequence[str]:
    """The open tables of this server."""
    mine = tables.c.closed.is_(None) & (tables.c.node == fence.node)
    return db.execute(select(tables.c.id).where(mine).order_by(tables.c.number)).scalars().all()


def _taking(fence: Fence, which: ColumnElement[bool]) -> Update:
    """Makes this server the owner of tables."""
    elsewhere = (promises.c.table_id == tables.c.id) & (promises.c.log != fence.log)
    handovers = tables.c.handovers + case((exists().where(elsewhere), 1), else_=0)
    return update(tables).where(which).values(node=fence.node, handovers=handovers)


def _end_all(db: Connection, after: Sequence[NodeRow], joining: str) -> None:
    if in_the_way(db, joining) != list(after):
        raise StillServing("another server has begun to serve")
    for row in after:
        _end_transactions(db, row.node)
        _end(db, row)


def _end(db: Connection, dead: NodeRow) -> None:
    """Ends a dead server. Raises `StillServing` if its row has changed since."""
    same = (nodes.c.epoch == dead.epoch, nodes.c.beat == dead.beat)
    its = update(nodes).where(nodes.c.node == dead.node, *same)
    ended = {"state": NodeState.STOPPED.value, "epoch": dead.epoch + 1}
    if db.execute(its.values(ended)).rowcount != 1:
        raise StillServing(f"the server {dead.node} still serves")


def _end_transactions(db: Connection, node: str, age: float = 0.0) -> None:
    """Ends the sessions of a dead server that are in the middle of a transaction of this age.

    They would keep the row of the server locked. A session that has read half of a pipeline waits
    for the rest without a time limit.
    """
    if db.dialect.name == "postgresql":
        db.execute(_END_TRANSACTIONS, {"name": application_name(node), "age": age})


def lock_fence(db: Connection, fence: Fence) -> None:
    """Keeps other servers from ending this one before the transaction is over.

    Raises `Conflict` if the fence has ended.
    """
    mine = (nodes.c.node == fence.node, nodes.c.epoch == fence.epoch)
    if db.execute(select(nodes.c.node).where(*mine).with_for_update(read=True)).scalar() is None:
        raise Conflict("another server has taken over this database")


def stand_by(db: Connection, node: str, version: str, address: str) -> Fence:
    """Notes that this server stands by, unless its row says that it serves.

    The fence of a standby only renews its row.
    """
    if any(row.node == node for row in in_the_way(db)):
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
    """Notes that this server no longer serves, so that another may take over at once."""
    mine = (nodes.c.node == fence.node, nodes.c.epoch == fence.epoch)
    db.execute(update(nodes).where(*mine).values(state=NodeState.STOPPED.value))
