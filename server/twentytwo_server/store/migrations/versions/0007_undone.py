"""Games from which another goes on are not listed among those of their players."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_UNDONE = """
    UPDATE games SET undone = true WHERE why = 'aborted' AND id IN
    (SELECT game FROM records WHERE record LIKE :undone)
"""


def upgrade() -> None:
    """Why a game had no result was only in its record until now; the record stays as it is."""
    op.add_column(
        "games", sa.Column("undone", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.execute(sa.text(_UNDONE).bindparams(undone="%\nend aborted undone\n%"))
    op.execute("DELETE FROM players WHERE game IN (SELECT id FROM games WHERE undone)")
