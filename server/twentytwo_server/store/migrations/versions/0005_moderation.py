"""Bans and mutes, reports, invite codes, and the journal of what operators did."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Nobody is banned yet, and nothing was reported."""
    op.create_table(
        "sanctions",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "target", name=op.f("sanctions_pk")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "reports",
        sa.Column("no", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("reporter", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("closed", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("no", name=op.f("reports_pk")),
    )
    op.create_index("reports_open", "reports", ["closed", "told"], unique=False)
    op.create_table(
        "invite_codes",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("invite_codes_pk")),
    )
    op.create_table(
        "admin_log",
        sa.Column("no", SERIAL, nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("wall", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("no", name=op.f("admin_log_pk")),
    )
