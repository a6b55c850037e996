"""A row for each server, which fences its writes; the owner of each open table."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

FENCE = """
CREATE FUNCTION fence(of_node text, of_epoch bigint, last bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE nodes SET batch = last + 1
        WHERE node = of_node AND epoch = of_epoch AND batch = last AND state = 'serving';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another server writes into the same database' USING ERRCODE = 'TT022';
    END IF;
END
$$
"""


def upgrade() -> None:
    """Moves the number of the last batch from the database to each server, where it begins at 0."""
    op.create_table(
        "nodes",
        sa.Column("node", sa.Text(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("batch", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("node", name=op.f("nodes_pk")),
    )
    op.create_index(
        "nodes_serving",
        "nodes",
        ["state"],
        unique=True,
        sqlite_where=sa.text("state = 'serving'"),
        postgresql_where=sa.text("state = 'serving'"),
    )
    op.add_column("tables", sa.Column("node", sa.Text(), nullable=False, server_default=""))
    op.execute("DELETE FROM marks WHERE name = 'batch'")
    op.execute("INSERT INTO marks (name, value) VALUES ('oldest', 2)")
    if op.get_bind().dialect.name == "postgresql":
        op.execute(FENCE)
