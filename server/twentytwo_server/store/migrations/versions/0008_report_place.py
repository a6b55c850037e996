"""A report has the address of the person that it is about, until it is closed."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """The addresses of earlier reports are not known."""
    op.add_column("reports", sa.Column("place", sa.Text(), nullable=False, server_default=""))
