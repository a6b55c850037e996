"""The server that keeps each person; no two people of one name, ignoring case."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nobody has a server yet: everybody is known to the one that starts."""
    op.add_column("people", sa.Column("node", sa.Text(), nullable=False, server_default=""))
    op.add_column("people", sa.Column("who", sa.Text(), nullable=False, server_default=""))
    op.execute("UPDATE people SET who = lower(name)")
    if op.get_bind().dialect.name == "postgresql":
        named = sa.text("who <> ''")
        op.create_index("people_by_who", "people", ["who"], unique=True, postgresql_where=named)
        op.create_index("people_by_secret", "people", ["secret"])
        op.create_index("people_by_before", "people", ["before"])
