"""The people at the tables of several servers."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """A server among others stores the members of its tables when it starts."""
    op.create_table(
        "members",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", "table_id", name="members_pk"),
    )
    op.create_index("members_by_table_id", "members", ["table_id"])
    if op.get_bind().dialect.name == "postgresql":
        op.create_index("people_by_node", "people", ["node"], unique=False)
