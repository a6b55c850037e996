"""The commands that their clients gave a key, and how they were answered."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """No command has a key yet."""
    op.create_table(
        "commands",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("no", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("said", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", "slot", name=op.f("commands_pk")),
        sqlite_with_rowid=False,
    )
