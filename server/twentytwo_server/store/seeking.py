"""Open seeks of several servers, matched so that nobody is in two games by one seek.

All seeks are changed in transactions of their own, one after the other. A match takes all its seeks
at once, under a tag, and the batch that opens the table marks them as seated. If the server dies
before that batch, the seeks are free again. If it dies later, the table is there. The server that
keeps the person deletes the seek, once it has told them about the table.
"""

from __future__ import annotations

import json
from collections.abc import Collection

from sqlalchemy import Connection, Row, delete, insert, select, text, update

from ..facts import Seek, SeekMatch
from .nodes import Fence, lock_fence
from .schema import seeks
from .seek_plans import StoredSeek, planned

_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(hashtext('twentytwo seeks'))")


def seek(db: Connection, wanted: Seek, tag: str, busy: Collection[str], fence: Fence) -> SeekMatch:
    """Opens a seek, or takes it with those that match. Raises `Conflict` if the fence has ended."""
    _begin(db)
    stored = [_stored(row) for row in db.execute(select(seeks).order_by(seeks.c.no))]
    plan = planned(stored, wanted, tag, busy)
    if plan.refused:
        return SeekMatch(plan.number, seated=bool(plan.number))
    number, mark = plan.number, {"taker": fence.node, "tag": tag} if plan.taken else {}
    if not number:
        its = insert(seeks).values(_row(wanted, fence) | mark).returning(seeks.c.no)
        number = db.execute(its).scalar_one()
    if plan.ended:
        db.execute(delete(seeks).where(seeks.c.no.in_(plan.ended)))
    if plan.taken:
        db.execute(update(seeks).where(seeks.c.no.in_(plan.taken)).values(mark))
    lock_fence(db, fence)  # last: a batch of the writer changes seeks before its fence, too
    return SeekMatch(number, plan.others, new=not plan.number)


def unseek(db: Connection, number: int, fence: Fence) -> bool:
    """Ends a seek; False if there is none, or a match has taken it."""
    _begin(db)
    ended = db.execute(delete(seeks).where(seeks.c.no == number, seeks.c.tag == "")).rowcount
    lock_fence(db, fence)  # last: a batch of the writer changes seeks before its fence, too
    return ended == 1


def _begin(db: Connection) -> None:
    if db.dialect.name == "postgresql":
        db.execute(_ONE_AT_A_TIME)


def _row(wanted: Seek, fence: Fence) -> dict[str, object]:
    return {
        "name": wanted.name,
        "program": wanted.program,
        "node": fence.node,
        "key": wanted.game,
        "players": wanted.players,
        "preset": wanted.preset,
        "options": json.dumps(wanted.options),
    }


def _stored(row: Row[tuple[object, ...]]) -> StoredSeek:
    options = tuple((name, value) for name, value in json.loads(row.options))
    seek = Seek(row.no, row.name, row.program, row.key, row.players, row.preset, options)
    return StoredSeek(seek, row.tag, seated=bool(row.tag and not row.taker))
