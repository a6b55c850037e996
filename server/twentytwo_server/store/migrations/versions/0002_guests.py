"""When people came in and when games began, on the timeline: a guest's games are that guest's."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Who was here before, and what was played before, belong together by name as they did."""
    op.add_column("people", _moment("since"))
    op.add_column("games", _moment("at"))


def _moment(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False, server_default=sa.text("0"))
