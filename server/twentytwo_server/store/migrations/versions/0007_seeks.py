"""Seeks of people at several servers; the tags of lines that other servers sent."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """A server that is alone has its seeks in memory, so there are none yet."""
    op.create_table(
        "seeks",
        sa.Column("no", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("program", sa.Boolean(), nullable=False),
        sa.Column("node", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("players", sa.BigInteger(), nullable=False),
        sa.Column("preset", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("taker", sa.Text(), nullable=False, server_default=""),
        sa.Column("tag", sa.Text(), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("no", name="seeks_pk"),
    )
    op.add_column("inbox", sa.Column("tag", sa.Text(), nullable=False, server_default=""))
