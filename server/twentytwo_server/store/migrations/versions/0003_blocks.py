"""Whom people have blocked."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Nobody has blocked anybody yet."""
    op.create_table(
        "blocks",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("blocked", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("blocks_pk")),
    )
