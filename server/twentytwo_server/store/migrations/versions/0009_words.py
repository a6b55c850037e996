"""Secret words of tables at several servers."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """A server that is alone knows the words of all its tables, so there are none yet."""
    op.create_table(
        "words",
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("node", sa.Text(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("word", name="words_pk"),
    )
