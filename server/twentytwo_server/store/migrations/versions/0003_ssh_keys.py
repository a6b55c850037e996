"""The keys of SSH that log in to accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """No account has a key yet."""
    op.create_table(
        "ssh_keys",
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["who"], ["accounts.who"], name=op.f("ssh_keys_who_known")),
        sa.PrimaryKeyConstraint("who", "number", name=op.f("ssh_keys_pk")),
    )
