"""Secrets that all servers of a database share."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """None is made yet."""
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("secrets_pk")),
        sqlite_with_rowid=False,
    )
