"""The ratings and results of daily deals that their player has not been told."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Everybody has been told all so far."""
    op.add_column("rating_log", sa.Column("untold", sa.Text(), nullable=False, server_default=""))
    _index("rating_log", sa.text("untold != ''"))
    untold = sa.Column[bool]("untold", sa.Boolean(), nullable=False, server_default=sa.false())
    op.add_column("daily_entries", untold)
    _index("daily_entries", sa.text("untold"))


def _index(table: str, where: sa.TextClause) -> None:
    op.create_index(f"{table}_untold", table, ["who"], sqlite_where=where, postgresql_where=where)
