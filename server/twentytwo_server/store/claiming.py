"""Claims a name for a new person: one name, one person, at all servers of the database.

A claim is a transaction of its own. In the writer's batches a name that is taken would end the
process, since the other facts of the batch could not be stored either.
"""

from __future__ import annotations

from sqlalchemy import Connection, select, text

from ..facts import PersonKept
from . import Conflict
from .common import folded
from .nodes import Fence
from .schema import nodes, people

_INSERT = text(
    "INSERT INTO people (name, program, secret, before, since, node, who)"
    " VALUES (:name, :program, :secret, :before, :since, :node, :who) ON CONFLICT DO NOTHING"
)


def claim(db: Connection, person: PersonKept, fence: Fence) -> bool:
    """Stores a new person for the fence's server; False if the name, ignoring case, is taken.

    It is True if exactly this person is stored already: the answer to an earlier call may have been
    lost. Raises `Conflict` if the fence has ended.
    """
    mine = (nodes.c.node == fence.node, nodes.c.epoch == fence.epoch)
    # The lock keeps a server that ends this one from moving its people before this one is stored.
    if db.execute(select(nodes.c.node).where(*mine).with_for_update(read=True)).scalar() is None:
        raise Conflict("another server has taken over this database")
    row = {name: getattr(person, name) for name in PersonKept.__struct_fields__}
    row |= {"node": fence.node, "who": folded(person.name)}
    known = select(people).where(people.c.who == row["who"])
    if db.execute(known).one_or_none() is None and db.execute(_INSERT, row).rowcount:
        return True
    found = db.execute(known).mappings().one_or_none()
    return found is not None and dict(found) == row
