"""Open seeks of several servers, matched so that nobody is in two games by one seek.

All seeks are changed in transactions of their own, one after the other. A match takes its seeks at
once, under a tag. They are deleted in the batch that opens the table. So if the server dies before
that, the seeks are free again, and if it dies later, the table is there.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, Row, delete, insert, select, text, update

from twentytwo_protocol.value import Value

from ..facts import Seek, SeekMatch
from .nodes import Fence, lock_fence
from .schema import seeks

_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(hashtext('twentytwo seeks'))")


class StoredSeek(Value):
    """An open seek; `tag` is that of the match that has taken it, or empty."""

    seek: Seek
    tag: str = ""


class SeekPlan(Value):
    """What becomes of the seeks when somebody seeks.

    `ended` are deleted, `taken` belong to the match from now on. `number` is that of the person's
    own seek, 0 if it is still to be stored. `others` are the people to be seated besides.
    """

    number: int = 0
    ended: Sequence[int] = ()
    taken: Sequence[int] = ()
    others: Sequence[Seek] = ()
    refused: bool = False


def planned(
    stored: Sequence[StoredSeek], wanted: Seek, tag: str, busy: Collection[str]
) -> SeekPlan:
    """Decides about a seek; `stored` are all open ones, the oldest first.

    It decides the same again for a tag whose match is stored: the answer may have been lost.
    """
    mine = [each for each in stored if each.seek.name == wanted.name]
    same = next((each.seek.number for each in mine if each.seek.fits(wanted)), 0)
    done = [each.seek for each in stored if each.tag == tag]
    if done:
        return SeekPlan(same, others=[each for each in done if each.name != wanted.name])
    if any(each.tag for each in mine):
        return SeekPlan(refused=True)
    others = [
        each.seek
        for each in stored
        if each not in mine and not each.tag and each.seek.fits(wanted)
        if each.seek.name not in busy
    ][: wanted.players - 1]
    if len(others) == wanted.players - 1:
        taken = [each.number for each in (*others, *(my.seek for my in mine))]
        return SeekPlan(same, taken=taken, others=others)
    return SeekPlan(same, ended=[my.seek.number for my in mine if my.seek.number != same])


def seek(db: Connection, wanted: Seek, tag: str, busy: Collection[str], fence: Fence) -> SeekMatch:
    """Opens a seek, or takes it with those that match. Raises `Conflict` if the fence has ended."""
    _begin(db)
    stored = [_stored(row) for row in db.execute(select(seeks).order_by(seeks.c.no))]
    plan = planned(stored, wanted, tag, busy)
    if plan.refused:
        return SeekMatch(0)
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
    return StoredSeek(seek, row.tag)
