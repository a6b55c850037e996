"""Logs of promises, and counters, for servers that share a database."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


IN_POSTGRESQL = (
    """
CREATE FUNCTION fence_active(
    of_node text, of_epoch bigint, last bigint, latest bigint, promised bigint
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET batch = last + 1, at = latest, promise = promised
        WHERE node = of_node AND epoch = of_epoch AND batch = last AND state = 'active';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another server has taken over' USING ERRCODE = 'TT022';
    END IF;
END
$$
""",
    'CREATE TYPE node_range AS RANGE (subtype = text, collation = "C")',
    """
ALTER TABLE nodes ADD CONSTRAINT nodes_one_or_active EXCLUDE USING gist ((
    CASE state WHEN 'serving' THEN node_range(NULL, NULL) ELSE node_range(node, node, '[]') END
) WITH &&) WHERE (state IN ('serving', 'active'))
""",
)


def upgrade() -> None:
    """All promises so far are in the log without a name."""
    op.add_column("nodes", _number("at"))
    op.add_column("nodes", _number("promise"))
    op.add_column("tables", _number("handovers"))
    with op.batch_alter_table("seeds") as seeds:
        seeds.drop_constraint(op.f("seeds_no_known"), type_="foreignkey")
    with op.batch_alter_table("promises") as promises:
        promises.add_column(_log())
        promises.add_column(_number("handovers"))
        promises.drop_constraint(op.f("promises_pk"), type_="primary")
        promises.create_primary_key(op.f("promises_pk"), ["log", "no"])
    with op.batch_alter_table("seeds") as seeds:
        seeds.add_column(_log())
        seeds.drop_constraint(op.f("seeds_pk"), type_="primary")
        seeds.create_primary_key(op.f("seeds_pk"), ["log", "no"])
        seeds.create_foreign_key(op.f("seeds_no_known"), "promises", ["log", "no"], ["log", "no"])
    if op.get_bind().dialect.name == "postgresql":
        for statement in IN_POSTGRESQL:
            op.execute(statement)


def _log() -> sa.Column[str]:
    return sa.Column("log", sa.Text(), nullable=False, server_default="")


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False, server_default=sa.text("0"))
