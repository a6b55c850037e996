"""Claims of things that exist only once at all servers: a name, a secret word, an invite code.

A claim is a transaction of its own. In one of the writer's batches a taken name would end the
process, since the other facts of the batch could not be stored either.
"""

from __future__ import annotations

from sqlalchemy import Connection, case, delete, func, select, text, update

from ..facts import Account, PasswordChanged, PersonKept
from ..ports import Redeemed
from .common import folded
from .nodes import Fence, lock_fence
from .schema import accounts, invite_codes, nodes, people, ssh_keys, tables, tokens, words

_INSERT = text(
    "INSERT INTO people (name, program, secret, before, since, node, who)"
    " VALUES (:name, :program, :secret, :before, :since, :node, :who) ON CONFLICT DO NOTHING"
)

_INSERT_WORD = text(
    "INSERT INTO words (word, table_id, node, epoch) VALUES (:word, :table_id, :node, :epoch)"
    " ON CONFLICT DO NOTHING"
)

_INSERT_ACCOUNT = text(
    "INSERT INTO accounts (who, name, skeleton, password, scram, wall)"
    " VALUES (:who, :name, :skeleton, :password, :scram, :wall) ON CONFLICT DO NOTHING"
)


def claim(db: Connection, person: PersonKept, fence: Fence) -> int | None:
    """Stores a new person for the fence's server; None if the name, ignoring case, is taken.

    Returns the time of arrival. It is later than all times that any server has stored. So it is
    later than the beginning of every game of an earlier guest of that name, whatever the timeline
    of the game's table.

    The claim succeeds if exactly this person is stored already: the answer to an earlier call may
    have been lost. Raises `Conflict` if the fence has ended.
    """
    # First: a server that ends this one must not move its people before this person is stored.
    lock_fence(db, fence)
    row = {name: getattr(person, name) for name in PersonKept.__struct_fields__}
    row |= {"node": fence.node, "who": folded(person.name)}
    known = select(people).where(people.c.who == row["who"])
    if db.execute(known).one_or_none() is None and db.execute(_INSERT, row).rowcount:
        # After the insertion: by now everything that an earlier person of the name did is stored.
        latest = select(func.max(nodes.c.at)).scalar_subquery()
        later = case((people.c.since > latest, people.c.since), else_=latest + 1)
        its = update(people).where(people.c.name == person.name)
        return int(db.execute(its.values(since=later).returning(people.c.since)).scalar_one())
    found = db.execute(known).mappings().one_or_none()
    if found is None or dict(found) != row | {"since": found["since"]}:
        return None
    return int(found["since"])


def claim_word(db: Connection, word: str, table: str, fence: Fence) -> bool:
    """Claims a secret word, ignoring case, for a new table; False if another table has it.

    A word is free if its table is closed, or if its server ended before it opened the table. Raises
    `Conflict` if the fence has ended.
    """
    row = {"word": folded(word), "table_id": table, "node": fence.node, "epoch": fence.epoch}
    db.execute(_INSERT_WORD, row)
    held = db.execute(select(words).where(words.c.word == row["word"]).with_for_update()).one()
    if held.table_id != table:
        theirs = select(tables.c.closed.is_(None)).where(tables.c.id == held.table_id)
        runs = select(nodes).where(nodes.c.node == held.node, nodes.c.epoch == held.epoch)
        is_open = db.execute(theirs).scalar()
        if is_open or (is_open is None and db.execute(runs).first() is not None):
            return False
        db.execute(update(words).where(words.c.word == row["word"]).values(row))
    lock_fence(db, fence)
    return True


def redeem(db: Connection, made: Account | PasswordChanged, code: bytes, fence: Fence) -> Redeemed:
    """Stores a new account or password, and uses the invite code of that hash, unless it is empty.

    The result is DONE if exactly this is stored already. Raises `Conflict` if the fence has ended.
    """
    who = folded(made.name)
    hashes = {"password": made.password, "scram": made.scram}
    stored = select(accounts.c.password).where(accounts.c.who == who)
    if db.execute(stored.with_for_update()).scalar() == made.password:
        return Redeemed.DONE  # the answer to an earlier call was lost
    its = invite_codes.c.digest == code
    if code and db.execute(select(invite_codes).where(its).with_for_update()).first() is None:
        return Redeemed.CODE_USED
    if isinstance(made, Account):
        row = {"who": who, "name": made.name, "skeleton": made.skeleton, "wall": made.wall}
        if not db.execute(_INSERT_ACCOUNT, row | hashes).rowcount:
            return Redeemed.NAME_TAKEN
    else:
        db.execute(update(accounts).where(accounts.c.who == who).values(hashes))
        for revoked in (tokens, ssh_keys):
            db.execute(delete(revoked).where(revoked.c.who == who))
    db.execute(delete(invite_codes).where(its))
    lock_fence(db, fence)  # last: a batch of the writer changes such rows before its fence, too
    return Redeemed.DONE
